"""Values of an event to JSON and back: one reader and one writer for every dataclass of `model` and `acts`.

What equals its default is not written, so that a document says only what is so, and an older document is read
by a newer program; but tables are always there, so that what changed inside of one is told apart (`journal`).
Numbers that name things are texts in JSON, as its objects want.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from enum import StrEnum
from functools import cache
from types import NoneType, UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from talleyrand.formats.shapes import Json, clip

from .errors import BadEvent

MOST = 5_000  # entries of a list or a table
LONGEST = 20_000  # characters of a text
LARGEST = 10**9
Value = TypeVar("Value")


def read(kind: type[Value], told: Json, where: str = "") -> Value:
    """A value of a dataclass from JSON; raises BadEvent that says where it is not well written."""
    value: Value = _read(kind, told, where)
    return value


def write(value: Any) -> Any:
    """JSON of a value; `read` gives the same value back."""
    if isinstance(value, StrEnum):
        return value.value
    if is_dataclass(value):
        held = [(one, getattr(value, one.name)) for one in fields(value)]
        return {one.name: write(got) for one, got in held if _is_told(one, got)}
    if isinstance(value, Mapping):
        return {str(key): write(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [write(entry) for entry in value]
    return value


def _is_told(one: Field[Any], value: Any) -> bool:
    return isinstance(value, Mapping) or is_dataclass(value) or value != _default(one)


def _default(one: Field[Any]) -> Any:
    if one.default is not MISSING:
        return one.default
    return one.default_factory() if one.default_factory is not MISSING else MISSING


def _read(kind: Any, told: Json, where: str) -> Any:
    if kind is Json:
        return told
    if is_dataclass(kind):
        return _dataclass(kind, told, where)
    origin, given = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        return _either(given, told, where)
    if origin is tuple:
        return _tuple(given, told, where)
    if origin is not None and issubclass(origin, Mapping):
        return _mapping(given, told, where)
    return _plain(kind, told, where)


def _either(kinds: tuple[Any, ...], told: Json, where: str) -> Any:
    if told is None and NoneType in kinds:
        return None
    left = [kind for kind in kinds if kind is not NoneType]
    if len(left) > 1:
        return _read(
            str if isinstance(told, str) else next(one for one in left if one is not str), told, where
        )
    return _read(left[0], told, where)


def _dataclass(kind: Any, told: Json, where: str) -> Any:
    table, hints = _table(told, where), _hints(kind)
    for key in table:
        if key not in hints:
            raise BadEvent("event_unknown_key", where=_inside(where, key), known=", ".join(hints))
    given = {key: _read(hints[key], entry, _inside(where, key)) for key, entry in table.items()}
    for one in fields(kind):
        if one.name not in given and _default(one) is MISSING:
            raise BadEvent("event_missing", where=_inside(where, one.name))
    return kind(**given)


@cache
def _hints(kind: Any) -> Mapping[str, Any]:
    hints = get_type_hints(kind)
    return {one.name: hints[one.name] for one in fields(kind)}


def _tuple(given: tuple[Any, ...], told: Json, where: str) -> tuple[Any, ...]:
    if not isinstance(told, list):
        raise BadEvent("event_not_a_list", where=where, value=clip(told))
    if len(told) > MOST:
        raise BadEvent("event_too_many", where=where, most=str(MOST))
    kinds = given[:1] * len(told) if given[-1] is ... else given
    if len(told) != len(kinds):
        raise BadEvent("event_length", where=where, count=str(len(kinds)))
    pairs = zip(kinds, told, strict=True)
    return tuple(_read(kind, entry, f"{where}[{at}]") for at, (kind, entry) in enumerate(pairs))


def _mapping(given: tuple[Any, ...], told: Json, where: str) -> dict[Any, Any]:
    """What is numbered comes in the order of its numbers, whatever was undone and done again."""
    key_kind, kind = given
    found = {
        _key(key_kind, key, where): _read(kind, entry, _inside(where, key))
        for key, entry in _table(told, where).items()
    }
    return dict(sorted(found.items())) if key_kind is int else found


def _key(kind: Any, key: str, where: str) -> Any:
    if kind is not int:
        return key
    if not (key.isascii() and key.isdecimal() and len(key) < 8 and str(int(key)) == key):
        raise BadEvent("event_not_a_number", where=where, value=clip(key))
    return int(key)


def _table(told: Json, where: str) -> Mapping[str, Json]:
    if not isinstance(told, dict) or not all(isinstance(key, str) for key in told):
        raise BadEvent("event_not_a_table", where=where, value=clip(told))
    if len(told) > MOST:
        raise BadEvent("event_too_many", where=where, most=str(MOST))
    return told


def _plain(kind: Any, told: Json, where: str) -> Any:
    if issubclass(kind, StrEnum):
        return _word(kind, told, where)
    if kind is str:
        return _text(told, where)
    if kind is bool and isinstance(told, bool):
        return told
    if kind is int and isinstance(told, int) and not isinstance(told, bool) and abs(told) <= LARGEST:
        return told
    raise BadEvent(
        "event_not_a_flag" if kind is bool else "event_not_a_number", where=where, value=clip(told)
    )


def _word(kind: type[StrEnum], told: Json, where: str) -> StrEnum:
    try:
        return kind(str(told))
    except ValueError:
        raise BadEvent("event_not_a_word", where=where, value=clip(told), known=", ".join(kind)) from None


def _text(told: Json, where: str) -> str:
    if not isinstance(told, str):
        raise BadEvent("event_not_a_text", where=where, value=clip(told))
    if len(told) > LONGEST:
        raise BadEvent("event_too_long", where=where, most=str(LONGEST))
    if "\0" in told or (not told.isprintable() and not _printable(told)):
        raise BadEvent("event_not_a_text", where=where, value=clip(told))
    return told


def _printable(text: str) -> bool:
    return all(letter.isprintable() or letter in "\n\t " or letter.isspace() for letter in text)


def _inside(where: str, key: str) -> str:
    return f"{where}.{clip(key)}" if where else clip(key)
