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

from talleyrand.formats.visible_text import strip_invisible
from talleyrand.tournament import acts
from talleyrand.tournament.acts.act import EventAct
from talleyrand.tournament.event_errors import ActRefused
from talleyrand.tournament.whole_numbers import parse_natural

LONGEST_FIELD = 20_000
LONGEST_BUTTON_VALUE = 400  # characters of what a button brings
TIME_FIELD = "at"  # the hour of an act is the server's, unless a form says another


@dataclass(frozen=True)
class FormAction:
    """A button that was pressed: its name, and every field with what was typed, in order."""

    name: str
    values: Mapping[str, tuple[str, ...]]

    def value(self, field: str, otherwise: str = "") -> str:
        """The last thing typed in a field."""
        return self.values.get(field, (otherwise,))[-1]

    def number(self, field: str) -> int:
        """A whole number typed in a field; raises ActRefused (`act_bad_number`)."""
        return signed_whole_number(self.value(field))

    def numbers(self, field: str) -> tuple[int, ...]:
        """All numbers of a field, those chosen in a list."""
        return tuple(signed_whole_number(one) for one in self.values.get(field, ()) if one.strip())

    def ticked_numbers(self, field: str) -> set[int]:
        """The same for showing the form again: what is no number was never a box of it."""
        typed = self.values.get(field, ())
        return {number for number in map(parse_natural, typed) if number is not None}

    @property
    def is_confirmed(self) -> bool:
        """Whether the effect was seen and is wanted."""
        return bool(self.value("sure"))


def form_action_of(posted: Mapping[str, Iterable[str]]) -> FormAction:
    """A button and its fields; what it brings itself comes last, and so counts."""
    typed = {name: tuple(_clean(one) for one in found) for name, found in posted.items()}
    name, _mark, brought = typed.pop("press", ("",))[-1].partition("?")
    for field, value in parse_qsl(brought[:LONGEST_BUTTON_VALUE], keep_blank_values=True):
        typed[field] = (value,)
    return FormAction(name, typed)


def _clean(text: str) -> str:
    return strip_invisible(text[: LONGEST_FIELD + 1].replace("\r\n", "\n"))


def signed_whole_number(text: str) -> int:
    """A whole number, below 0 too; raises ActRefused (`act_bad_number`)."""
    bare = text.strip()
    number = parse_natural(bare.removeprefix("-"))
    if number is None:
        raise ActRefused("act_bad_number", value=bare[:40])
    return -number if bare.startswith("-") else number


def act_from_form(pressed: FormAction, now: str) -> EventAct:
    """The act that a button names, from its form; raises ActRefused and InvalidEvent."""
    kind: Any = acts.ACTS_BY_KIND.get(pressed.name)
    if kind is None:
        raise ActRefused("act_unknown", value=pressed.name[:40])
    facts = _facts(kind, pressed.values, "")
    if TIME_FIELD in _hints(kind) and not facts.get(TIME_FIELD):
        facts[TIME_FIELD] = now
    return acts.read_act({"kind": pressed.name, **facts})


@cache
def _hints(kind: Any) -> Mapping[str, Any]:
    hints = get_type_hints(kind)
    return {one.name: hints[one.name] for one in fields(kind)}


def _facts(kind: Any, typed: Mapping[str, tuple[str, ...]], prefix: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    defaults = {one.name: one.default for one in fields(kind)}
    for name, hint in _hints(kind).items():
        place = prefix + name
        if place not in typed and not any(one.startswith(f"{place}.") for one in typed):
            continue
        value = _value(hint, typed, place)
        if value is not None or defaults[name] in (None, MISSING):
            found[name] = value
    return {name: value for name, value in found.items() if value is not None}


def _value(hint: Any, typed: Mapping[str, tuple[str, ...]], place: str) -> Any:
    origin = get_origin(hint)
    if origin in (Union, UnionType):
        left = [one for one in get_args(hint) if one is not NoneType]
        return _value(left[0], typed, place)
    if is_dataclass(hint):
        return _facts(hint, typed, f"{place}.")
    if origin is tuple:
        return [_parse_value(get_args(hint)[0], text) for text in typed.get(place, ()) if text.strip()]
    if origin is not None and issubclass(origin, Mapping):
        return _table(get_args(hint)[1], typed, f"{place}.")
    return _parse_value(hint, typed.get(place, ("",))[-1])


def _table(kind: Any, typed: Mapping[str, tuple[str, ...]], prefix: str) -> dict[str, Any]:
    """Entries by key; one that was left empty is not there."""
    keys = dict.fromkeys(name[len(prefix) :].partition(".")[0] for name in typed if name.startswith(prefix))
    values = {key: _value(kind, typed, prefix + key) for key in keys}
    return {key: value for key, value in values.items() if value not in (None, "")}


def _parse_value(kind: Any, text: str) -> Any:
    if kind is bool:
        return text.strip() in ("1", "on", "true")
    if kind is int:
        return signed_whole_number(text) if text.strip() else None
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        return text.strip() or None
    return text.strip()
