"""Why a peer judges a position otherwise: found by trial, never by eye.

`known_differences.toml` names options of ours and faults of theirs. A difference is explained by the
fewest entries that make it vanish: with those options our result changes, with those faults mended in a
copy of the peer theirs does, and the two are equal. Anything else is unexplained.
"""

from __future__ import annotations

import inspect
import tomllib
from collections.abc import Mapping
from functools import cache
from itertools import combinations
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple, Protocol

import pydip.turn.resolve

from talleyrand.engine.board import Board
from talleyrand.engine.errors import TalleyrandError
from talleyrand.engine.rulebook import Rulebook

from . import diplomacy_judge, pydip_judge
from .positions import Drawn, read
from .result import Result, ours

MOST = 4


class PeerJudge(Protocol):
    def judge(self, drawn: Drawn) -> Result: ...


class Known(NamedTuple):
    """An entry of the table: options of ours that the peer chooses otherwise, or a fault of the peer."""

    peer: str
    name: str
    why: str
    options: Mapping[str, str]
    mends: tuple[tuple[str, str], ...]
    example: Drawn


@cache
def _table() -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_name("known_differences.toml").read_text("utf-8"))


@cache
def known() -> tuple[Known, ...]:
    """The table."""
    return tuple(
        Known(
            entry["peer"],
            entry["name"],
            entry["why"],
            entry.get("options", {}),
            tuple((mend["wrong"], mend["right"]) for mend in entry.get("mends", ())),
            read(entry["orders"].strip().splitlines()),
        )
        for entry in _table()["difference"]
    )


def book(peer: str, entries: tuple[Known, ...] = ()) -> Rulebook:
    """The rulebook that is nearest to the peer's own choices, with the options of these entries."""
    chosen = dict(_table()["books"][peer])
    for entry in entries:
        chosen |= entry.options
    return Rulebook().with_options(chosen)


@cache
def judge(peer: str, mends: tuple[tuple[str, str], ...] = ()) -> PeerJudge:
    """The peer, with these passages of its source replaced."""
    if peer == "diplomacy":
        return diplomacy_judge.Judge(_mended(diplomacy_judge.source, mends).Game)
    return pydip_judge.Judge(_mended(pydip.turn.resolve, mends))


def _mended(module: ModuleType, mends: tuple[tuple[str, str], ...]) -> Any:
    if not mends:
        return module
    source = inspect.getsource(module)
    for wrong, right in mends:
        if wrong not in source:
            raise LookupError(f"{module.__name__} holds no such passage: {wrong}")
        source = source.replace(wrong, right)
    copy = ModuleType(module.__name__)
    exec(compile(source, str(module.__file__), "exec"), vars(copy))
    return copy


def compare(board: Board, peer: str, drawn: Drawn, entries: tuple[Known, ...] = ()) -> list[str]:
    """The differences, with our options and the peer's faults as these entries say."""
    mends = tuple(mend for entry in entries for mend in entry.mends)
    return ours(board, drawn, book(peer, entries)).differences(judge(peer, mends).judge(drawn))


def explain(board: Board, peer: str, drawn: Drawn) -> tuple[str, ...] | None:
    """The names of the fewest entries that make all differences vanish: none where there is no
    difference, None where no entries do."""
    for entries in _choices(peer):
        try:
            if not compare(board, peer, drawn, entries):
                return tuple(entry.name for entry in entries)
        except TalleyrandError:  # these options contradict each other
            continue
    return None


@cache
def _choices(peer: str) -> tuple[tuple[Known, ...], ...]:
    entries = [entry for entry in known() if entry.peer == peer]
    return tuple(choice for size in range(MOST + 1) for choice in combinations(entries, size))
