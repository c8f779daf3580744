"""What a form of the desk asks to be done: its fields become an act by the types of the act's own fields.

`press` names the act and may bring some of its facts: a button `arrived?person=12` in a form that says the
round. Facts inside of facts have dotted names (`person.private.mail`, `result.centres.AUSTRIA`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from enum import StrEnum
from functools import cache
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints
from urllib.parse import parse_qsl

from talleyrand.formats.signs import visible
from talleyrand.tournament import acts
from talleyrand.tournament.acts.act import Act
from talleyrand.tournament.errors import Refused
from talleyrand.tournament.numbers import natural

LONGEST = 20_000
BROUGHT = 400  # characters of what a button brings
NOW = "at"  # the hour of an act is the server's, unless a form says another


@dataclass(frozen=True)
class Pressed:
    """A button that was pressed: its name, and every field with what was typed, in order."""

    name: str
    typed: Mapping[str, tuple[str, ...]]

    def get(self, field: str, otherwise: str = "") -> str:
        """The last thing typed in a field."""
        return self.typed.get(field, (otherwise,))[-1]

    def number(self, field: str) -> int:
        """A whole number typed in a field; raises Refused (`act_bad_number`)."""
        return whole(self.get(field))

    def numbers(self, field: str) -> tuple[int, ...]:
        """All numbers of a field, those chosen in a list."""
        return tuple(whole(one) for one in self.typed.get(field, ()) if one.strip())

    def ticked(self, field: str) -> set[int]:
        """The same for showing the form again: what is no number was never a box of it."""
        typed = self.typed.get(field, ())
        return {number for number in map(natural, typed) if number is not None}

    @property
    def sure(self) -> bool:
        """Whether the effect was seen and is wanted."""
        return bool(self.get("sure"))


def read(posted: Mapping[str, Iterable[str]]) -> Pressed:
    """A button and its fields; what it brings itself comes last, and so counts."""
    typed = {name: tuple(_clean(one) for one in found) for name, found in posted.items()}
    name, _mark, brought = typed.pop("press", ("",))[-1].partition("?")
    for field, value in parse_qsl(brought[:BROUGHT], keep_blank_values=True):
        typed[field] = (value,)
    return Pressed(name, typed)


def _clean(text: str) -> str:
    return visible(text[: LONGEST + 1].replace("\r\n", "\n"))


def whole(text: str) -> int:
    """A whole number, below 0 too; raises Refused (`act_bad_number`)."""
    bare = text.strip()
    number = natural(bare.removeprefix("-"))
    if number is None:
        raise Refused("act_bad_number", value=bare[:40])
    return -number if bare.startswith("-") else number


def act_of(pressed: Pressed, now: str) -> Act:
    """The act that a button names, from its form; raises Refused and BadEvent."""
    kind: Any = acts.KINDS.get(pressed.name)
    if kind is None:
        raise Refused("act_unknown", value=pressed.name[:40])
    facts = _facts(kind, pressed.typed, "")
    if NOW in _hints(kind) and not facts.get(NOW):
        facts[NOW] = now
    return acts.read({"kind": pressed.name, **facts})


@cache
def _hints(kind: Any) -> Mapping[str, Any]:
    hints = get_type_hints(kind)
    return {one.name: hints[one.name] for one in fields(kind)}


def _facts(kind: Any, typed: Mapping[str, tuple[str, ...]], prefix: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    defaults = {one.name: one.default for one in fields(kind)}
    for name, hint in _hints(kind).items():
        place = prefix + name
        if not _is_said(place, typed):
            continue
        value = _value(hint, typed, place)
        if value is not None or defaults[name] in (None, MISSING):
            found[name] = value
    return {name: value for name, value in found.items() if value is not None}


def _is_said(place: str, typed: Mapping[str, tuple[str, ...]]) -> bool:
    return place in typed or any(name.startswith(f"{place}.") for name in typed)


def _value(hint: Any, typed: Mapping[str, tuple[str, ...]], place: str) -> Any:
    origin = get_origin(hint)
    if origin in (Union, UnionType):
        left = [one for one in get_args(hint) if one is not NoneType]
        return _value(left[0], typed, place)
    if is_dataclass(hint):
        return _facts(hint, typed, f"{place}.")
    if origin is tuple:
        return [_one(get_args(hint)[0], text) for text in typed.get(place, ()) if text.strip()]
    if origin is not None and issubclass(origin, Mapping):
        return _table(get_args(hint)[1], typed, f"{place}.")
    return _one(hint, typed.get(place, ("",))[-1])


def _table(kind: Any, typed: Mapping[str, tuple[str, ...]], prefix: str) -> dict[str, Any]:
    """Entries by key; one that was left empty is not there."""
    keys = dict.fromkeys(name[len(prefix) :].partition(".")[0] for name in typed if name.startswith(prefix))
    values = {key: _value(kind, typed, prefix + key) for key in keys}
    return {key: value for key, value in values.items() if value not in (None, "")}


def _one(kind: Any, text: str) -> Any:
    if kind is bool:
        return text.strip() in ("1", "on", "true")
    if kind is int:
        return whole(text) if text.strip() else None
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        return text.strip() or None
    return text.strip()
