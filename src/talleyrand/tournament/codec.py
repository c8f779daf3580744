"""Values of an event to JSON and back: one reader and one writer for every dataclass of `model` and `acts`.

What equals its default is not written, so that a document says only what is so, and an older document is read
by a newer program; but tables are always there, so that what changed inside of one is told apart
(`event_changes`). Numbers that name things are texts in JSON, as its objects want; what is read comes in
their order, whatever was undone and done again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass, replace
from enum import StrEnum
from functools import cache
from types import NoneType, UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from talleyrand.formats import visible_text
from talleyrand.formats.json_checks import Json, clip_json

from .event_errors import InvalidEvent
from .whole_numbers import parse_natural

MAX_ENTRIES = 5_000  # entries of a list or a table
MAX_TEXT = 20_000  # characters of a text
MAX_NUMBER = 10**9
MAX_KEY_DIGITS = 7  # digits of a number under which something is kept
Value = TypeVar("Value")
ValuePath = tuple[str, ...]  # the way to a value, for what is said of it
ValueReader = Callable[[Any, ValuePath], Any]


def read_value(kind: type[Value], told: Json, where: str = "") -> Value:
    """A value of a dataclass from JSON; raises InvalidEvent that says where it is not well written."""
    wanted: Any = kind
    value: Value = _reader(wanted)(told, (where,) if where else ())
    return value


def write_value(value: Any) -> Any:
    """JSON of a value; `read_value` gives the same value back."""
    if isinstance(value, StrEnum):
        return value.value
    if value is None or isinstance(value, str | int):
        return value
    if isinstance(value, Mapping):
        return {str(key): write_value(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [write_value(entry) for entry in value]
    return _object_json(value) if is_dataclass(value) else value


def read_changed(kind: type[Value], told: Json, document: Mapping[str, Any], known: Value) -> Value:
    """What `read_value` gives, where most is as it was: `known` is what was read of an earlier `document`.

    Entries of numbered tables (people, rounds) that are written alike are not read again. Raises
    InvalidEvent.
    """
    asked: Any = kind
    fresh, held = dict(_table(told, ())), {}
    for name in _numbered(asked) & fresh.keys() & document.keys():
        entries, before, values = _table(fresh[name], (name,)), document[name], getattr(known, name)
        alike = {key for key, entry in entries.items() if key in before and before[key] == entry}
        held[name] = {int(key): values[int(key)] for key in alike}
        fresh[name] = {key: entry for key, entry in entries.items() if key not in alike}
    new: Any = read_value(kind, fresh)
    whole = {name: dict(sorted({**kept, **getattr(new, name)}.items())) for name, kept in held.items()}
    value: Value = replace(new, **whole)
    return value


def write_changed(value: Any, document: Mapping[str, Any], known: Any) -> Any:
    """What `write_value` gives, where most is as it was: `document` is what was written of `known`.

    Entries of numbered tables that are the very same values are not written again.
    """
    kind: Any = type(value)
    told = _object_json(replace(value, **{name: {} for name in _numbered(kind)}))
    for name in _numbered(kind):
        before, values = document.get(name, {}), getattr(known, name)
        told[name] = {
            str(key): before[str(key)] if values.get(key) is one and str(key) in before else write_value(one)
            for key, one in getattr(value, name).items()
        }
    return told


@cache
def _numbered(kind: Any) -> frozenset[str]:
    """The tables of a dataclass whose keys are numbers."""
    tables = ((name, hint) for name, hint in get_type_hints(kind).items() if get_origin(hint) is Mapping)
    return frozenset(name for name, hint in tables if get_args(hint)[0] is int)


def _object_json(value: Any) -> dict[str, Any]:
    kind: Any = type(value)
    held = ((name, getattr(value, name), usual) for name, usual in _usual(kind).items())
    return {name: write_value(got) for name, got, usual in held if usual is MISSING or got != usual}


@cache
def _usual(kind: Any) -> Mapping[str, Any]:
    """The fields of a dataclass with what is left out of JSON; tables and dataclasses never are."""
    return {one.name: MISSING if _holds(_default(one)) else _default(one) for one in fields(kind)}


def _holds(value: Any) -> bool:
    return isinstance(value, Mapping) or is_dataclass(value)


def _default(one: Field[Any]) -> Any:
    if one.default is not MISSING:
        return one.default
    return one.default_factory() if one.default_factory is not MISSING else MISSING


@cache
def _reader(kind: Any) -> ValueReader:
    """What reads a kind of value, made once for each."""
    if kind is Json:
        return lambda told, _: told
    if is_dataclass(kind):
        return _dataclass(kind)
    origin, given = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        return _either(given)
    if origin is tuple:
        return _tuple(given)
    if origin is not None and issubclass(origin, Mapping):
        return _mapping(*given)
    return _plain(kind)


def _either(kinds: tuple[Any, ...]) -> ValueReader:
    """One of two, of which one is text; or nothing."""
    text = _reader(str) if str in kinds else None
    others = [kind for kind in kinds if kind not in (NoneType, str)]
    other = _reader(others[0]) if others else _reader(str)

    def read_either(told: Json, where: ValuePath) -> Any:
        if told is None and NoneType in kinds:
            return None
        return text(told, where) if text is not None and isinstance(told, str) else other(told, where)

    return read_either


def _dataclass(kind: Any) -> ValueReader:
    hints = get_type_hints(kind)
    wanted = [one.name for one in fields(kind) if _default(one) is MISSING]
    readers: dict[str, ValueReader] = {}  # made when first asked for: a kind may hold itself

    def read_dataclass(told: Json, where: ValuePath) -> Any:
        if not readers:
            readers.update({one.name: _reader(hints[one.name]) for one in fields(kind)})
        table = _table(told, where)
        for key in table:
            if key not in readers:
                raise InvalidEvent(
                    "event_unknown_key", where=_path_text((*where, key)), known=", ".join(readers)
                )
        given = {key: readers[key](entry, (*where, key)) for key, entry in table.items()}
        for name in wanted:
            if name not in given:
                raise InvalidEvent("event_missing", where=_path_text((*where, name)))
        return kind(**given)

    return read_dataclass


def _tuple(given: tuple[Any, ...]) -> ValueReader:
    readers = [_reader(kind) for kind in given if kind is not ...]
    endless = given[-1] is ...

    def read_tuple(told: Json, where: ValuePath) -> tuple[Any, ...]:
        if not isinstance(told, list):
            raise InvalidEvent("event_not_a_list", where=_path_text(where), value=clip_json(told))
        if len(told) > MAX_ENTRIES:
            raise InvalidEvent("event_too_many", where=_path_text(where), most=str(MAX_ENTRIES))
        if not endless and len(told) != len(readers):
            raise InvalidEvent("event_length", where=_path_text(where), count=str(len(readers)))
        kinds = readers * len(told) if endless else readers
        pairs = zip(kinds, told, strict=True)
        return tuple(kind(entry, (*where, f"[{at}]")) for at, (kind, entry) in enumerate(pairs))

    return read_tuple


def _mapping(key_kind: Any, kind: Any) -> ValueReader:
    reader = _reader(kind)

    def read_numbered(told: Json, where: ValuePath) -> dict[int, Any]:
        found = {
            _number(key, where): reader(entry, (*where, key)) for key, entry in _table(told, where).items()
        }
        return dict(sorted(found.items()))

    def read_named(told: Json, where: ValuePath) -> dict[str, Any]:
        return {key: reader(entry, (*where, key)) for key, entry in _table(told, where).items()}

    return read_numbered if key_kind is int else read_named


def _number(key: str, where: ValuePath) -> int:
    number = parse_natural(key, MAX_KEY_DIGITS)
    if number is None or str(number) != key:
        raise InvalidEvent("event_not_a_number", where=_path_text(where), value=clip_json(key))
    return number


def _table(told: Json, where: ValuePath) -> Mapping[str, Any]:
    if not isinstance(told, dict) or not all(isinstance(key, str) for key in told):
        raise InvalidEvent("event_not_a_table", where=_path_text(where), value=clip_json(told))
    if len(told) > MAX_ENTRIES:
        raise InvalidEvent("event_too_many", where=_path_text(where), most=str(MAX_ENTRIES))
    return told


def _plain(kind: Any) -> ValueReader:
    if issubclass(kind, StrEnum):
        return lambda told, where: _word(kind, told, where)
    return {str: _text, bool: _flag, int: _whole_number}[kind]


def _flag(told: Json, where: ValuePath) -> bool:
    if not isinstance(told, bool):
        raise InvalidEvent("event_not_a_flag", where=_path_text(where), value=clip_json(told))
    return told


def _whole_number(told: Json, where: ValuePath) -> int:
    if not isinstance(told, int) or isinstance(told, bool) or abs(told) > MAX_NUMBER:
        raise InvalidEvent("event_not_a_number", where=_path_text(where), value=clip_json(told))
    return told


def _word(kind: type[StrEnum], told: Json, where: ValuePath) -> StrEnum:
    try:
        return kind(str(told))
    except ValueError:
        raise InvalidEvent(
            "event_not_a_word", where=_path_text(where), value=clip_json(told), known=", ".join(kind)
        ) from None


def _text(told: Json, where: ValuePath) -> str:
    if not isinstance(told, str):
        raise InvalidEvent("event_not_a_text", where=_path_text(where), value=clip_json(told))
    if len(told) > MAX_TEXT:
        raise InvalidEvent("event_too_long", where=_path_text(where), most=str(MAX_TEXT))
    if not told.isprintable() and not _printable(told):
        raise InvalidEvent("event_not_a_text", where=_path_text(where), value=clip_json(told))
    return told


def _printable(text: str) -> bool:
    return all(
        letter.isprintable() or letter.isspace() or letter in visible_text.ZERO_WIDTH_JOINERS
        for letter in text
    )


def _path_text(where: ValuePath) -> str:
    """The way to a value as it is shown: `rounds.1.boards[2]`."""
    return ".".join(map(clip_json, where)).replace(".[", "[")
