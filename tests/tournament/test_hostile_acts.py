"""Acts as nobody's form sends them: any value of the right type is done soundly, or refused with a code."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from enum import StrEnum
from random import Random
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

import pytest

from talleyrand.engine.errors import TalleyrandError
from talleyrand.formats.json_checks import Json
from talleyrand.tournament import acts, codec, standings
from talleyrand.tournament.model import Event

from .room import AT, LATER, closed, drafted, ended, gathered, listed, playing

NUMBERS = (0, 1, 1, 1, 2, 2, 3, 4, 7, 14, 99, -1, 10**9)
TEXTS = (
    *("", " ", "FRANCE", "ITALY", "TURKEY", "classic", "survivor_turkey", "desk", "3", "1/2", "S1904R"),
    *("angers", AT, LATER, "x" * 300, "9" * 40, "é", "²", "\u202e", "a\nb", "<b>", "{}", "%s"),
)
MOMENTS = (listed, gathered, drafted, playing, ended, closed)


def some(kind: Any, chance: Random, depth: int = 0) -> Any:
    """A value of a type, of those that forms send and of those they never do."""
    if kind is Json:
        return chance.choice([None, 1, "x", [], {}, 1.5, {"a": [1]}])
    if is_dataclass(kind):
        return _table(kind, chance, depth)
    origin, given = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        wanted = chance.choice(given)
        return None if wanted is NoneType else some(wanted, chance, depth)
    if origin is tuple:
        count = chance.randrange(4) if given[-1] is ... else len(given)
        return [some(given[0], chance, depth + 1) for _ in range(count)]
    if origin is not None and issubclass(origin, Mapping):
        keys = [some(given[0], chance, depth) for _ in range(chance.randrange(8))]
        return {str(key): some(given[1], chance, depth + 1) for key in keys}
    return _plain(kind, chance)


def _plain(kind: Any, chance: Random) -> Any:
    if issubclass(kind, StrEnum):
        return chance.choice(list(kind)).value
    return chance.choice({bool: (True, False), int: NUMBERS, str: TEXTS}[kind])


def _table(kind: Any, chance: Random, depth: int = 0) -> dict[str, Any]:
    hints = get_type_hints(kind)
    wanted = [
        one
        for one in fields(kind)
        if one.default is one.default_factory is MISSING or chance.random() < (0.7 if depth < 2 else 0.3)
    ]
    return {one.name: some(hints[one.name], chance, depth + 1) for one in wanted}


@pytest.mark.parametrize("kind", acts.ACTS_BY_KIND)
def test_any_act_is_done_soundly_or_refused(kind: str, full: bool) -> None:
    chance = Random(kind)
    for _ in range(1_000 if full else 40):
        event: Event = chance.choice(MOMENTS)(14)
        told = {"kind": kind, **_table(acts.ACTS_BY_KIND[kind], chance)}
        try:
            after = acts.perform_act(event, acts.read_act(told))
        except TalleyrandError:
            continue
        document = json.loads(json.dumps(codec.write_value(after)))
        assert codec.read_value(Event, document) == after, told
        standings.compute_standings(after)
