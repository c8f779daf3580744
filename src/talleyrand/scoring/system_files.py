"""Scoring systems as data: what an organiser writes, as a table of TOML or an object of JSON.

    [title]            what it is called, by language
    [sentence]         what it does, by language
    [source]           where it stands, by language
    any_board = true   whether it is meant for any number of powers and centres
    solo = 100         what a win alone gives; left out, a win is scored as any other end
    scale = 100        what the points of all who are alive are brought to together
    [[parts]]          what points are made of: `kind`, and the fields of that kind of part
    [[others]]         the same, for the others beside a win alone
    [[examples]]       ends with the scores that have to come out

Numbers are exact: 12.5 is 25/2, and a text holds a fraction, "100/3".
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, dataclass, fields
from decimal import Decimal
from difflib import get_close_matches
from fractions import Fraction
from functools import cache
from importlib import resources
from typing import Any

from talleyrand.engine.errors import TalleyrandError, UnknownName

from . import score_parts
from .score_parts import TwoEntryRow, TwoEntryTable
from .scoring_system import ScoringPart, ScoringSystem
from .tied_places import TIE_RULES

MOST = 200  # points of a place, rows of a table, examples
MOST_PARTS = 20  # each is computed for each game of an event; no system in use has more than five
LARGEST = 10**9
PART_KINDS: Mapping[str, type[ScoringPart]] = {
    one.kind: one
    for one in (
        score_parts.FlatPart,
        score_parts.CentrePart,
        score_parts.PlacePart,
        score_parts.NearLeaderPart,
        score_parts.SurvivorPart,
        score_parts.DrawPart,
        score_parts.WavePart,
        score_parts.RatioPart,
        score_parts.LeadPart,
        score_parts.YearPart,
        score_parts.LevyPart,
        score_parts.TributePart,
    )
}
CHOICES: Mapping[str, tuple[str, ...]] = {
    "who": score_parts.WHO,
    "ties": tuple(TIE_RULES),
    "dead": ("equal", "by_year", "none"),
}
KEYS = ("title", "sentence", "source", "any_board", "solo", "scale", "parts", "others", "examples")


class InvalidScoringSystem(TalleyrandError):
    """A system that is not well written: `system_*`, with `where`, the place in it."""


@dataclass(frozen=True)
class ScoringExample:
    """An end of a game as data, in the fields of a question, with the scores that have to come out of it."""

    ending_fields: Mapping[str, Any]
    scores: Mapping[str, Fraction]


def read_examples(told: Mapping[str, Any]) -> list[ScoringExample]:
    """The worked examples of a system as data; raises InvalidScoringSystem."""
    listed = _list(told.get("examples", []), "examples")
    return [_example(one, f"examples[{at}]") for at, one in enumerate(listed)]


def _example(told: Any, where: str) -> ScoringExample:
    table = dict(_table(told, where))
    scores = _table(table.pop("scores", {}), f"{where}.scores")
    due = {power: _number(score, f"{where}.scores.{power}") for power, score in scores.items()}
    return ScoringExample(table, due)


def read_system(name: str, told: Any) -> ScoringSystem:
    """A system of a name; raises InvalidScoringSystem that says where it is not well written."""
    table = _table(told, "")
    _only(table, KEYS, "")
    return ScoringSystem(
        name,
        _words(table.get("title", {}), "title"),
        _words(table.get("source", {}), "source"),
        _optional(table, "solo"),
        _parts(table, "parts", needed=True),
        _parts(table, "others", needed=False),
        _optional(table, "scale"),
        _words(table.get("sentence", {}), "sentence"),
        _truth(table.get("any_board", False), "any_board"),
    )


def _table(told: Any, where: str) -> Mapping[str, Any]:
    if not isinstance(told, Mapping) or not all(isinstance(key, str) for key in told):
        raise InvalidScoringSystem("system_not_a_table", where=where)
    return told


def _list(told: Any, where: str, most: int = MOST) -> list[Any]:
    if not isinstance(told, list):
        raise InvalidScoringSystem("system_not_a_list", where=where)
    if len(told) > most:
        raise InvalidScoringSystem("system_too_long", where=where, most=str(most))
    return told


def _only(table: Mapping[str, Any], known: tuple[str, ...], where: str) -> None:
    for key in table:
        if key not in known:
            raise InvalidScoringSystem(
                "system_unknown_key", where=_key_path(where, key), known=", ".join(known)
            )


def _key_path(where: str, key: str) -> str:
    return f"{where}.{key}" if where else key


def _words(told: Any, where: str) -> Mapping[str, str]:
    table = _table(told, where)
    if not all(isinstance(text, str) and len(text) <= 1000 for text in table.values()):
        raise InvalidScoringSystem("system_not_a_text", where=where)
    return dict(table)


def _optional(table: Mapping[str, Any], key: str) -> Fraction | None:
    return _number(table[key], key) if key in table else None


def _number(told: Any, where: str) -> Fraction:
    """A number of TOML or JSON, or a text with a fraction."""
    if isinstance(told, bool) or not isinstance(told, int | float | Decimal | str):
        raise InvalidScoringSystem("system_not_a_number", where=where)
    try:
        found = _exact(str(told))
    except (ValueError, ArithmeticError):  # also a whole number of more digits than Python writes
        found = None
    if found is None or abs(found) > LARGEST:
        raise InvalidScoringSystem("system_not_a_number", where=where)
    return found


def _exact(written: str) -> Fraction | None:
    """None for what is too long, or too large or small, to be looked at."""
    if len(written) > 40 or abs(Decimal(written.partition("/")[0]).adjusted()) >= 12:
        return None
    return Fraction(written)


def _whole_number(told: Any, where: str) -> int:
    found = _number(told, where)
    if found.denominator != 1 or not 0 <= found <= 1000:
        raise InvalidScoringSystem("system_not_a_whole_number", where=where)
    return int(found)


def _numbers(told: Any, where: str) -> tuple[Fraction, ...]:
    return tuple(_number(one, f"{where}[{at}]") for at, one in enumerate(_list(told, where)))


def _parts(table: Mapping[str, Any], key: str, *, needed: bool) -> tuple[ScoringPart, ...]:
    told = _list(table.get(key, []), key, MOST_PARTS)
    if needed and not told:
        raise InvalidScoringSystem("system_without_parts", where=key)
    return tuple(_part(one, f"{key}[{at}]") for at, one in enumerate(told))


def _part(told: Any, where: str) -> ScoringPart:
    table = dict(_table(told, where))
    kind = table.pop("kind", None)
    if kind == TwoEntryTable.kind:
        return _two_entries(table, where)
    if not isinstance(kind, str) or kind not in PART_KINDS:
        raise InvalidScoringSystem(
            "system_unknown_kind", where=where, known=", ".join([*PART_KINDS, TwoEntryTable.kind])
        )
    form = PART_KINDS[kind]
    known = {one.name: one for one in fields(form)}  # type: ignore[arg-type]
    _only(table, tuple(known), where)
    _check_whole(table, known, where)
    return form(**{key: _field(known[key], value, _key_path(where, key)) for key, value in table.items()})


def _check_whole(table: Mapping[str, Any], known: Mapping[str, Field[Any]], where: str) -> None:
    for name, one in known.items():
        if name not in table and one.default is MISSING:
            raise InvalidScoringSystem("system_missing_key", where=_key_path(where, name))


def _field(one: Field[Any], told: Any, where: str) -> Any:
    if one.name in CHOICES:
        if told not in CHOICES[one.name]:
            raise InvalidScoringSystem(
                "system_unknown_choice", where=where, known=", ".join(CHOICES[one.name])
            )
        return told
    return _READERS[str(one.type)](told, where)


def _truth(told: Any, where: str) -> bool:
    if not isinstance(told, bool):
        raise InvalidScoringSystem("system_not_a_truth", where=where)
    return told


_READERS: Mapping[str, Callable[[Any, str], Any]] = {
    "Fraction": _number,
    "Fraction | None": _number,
    "int": _whole_number,
    "bool": _truth,
    "tuple[Fraction, ...]": _numbers,
}


def _two_entries(table: Mapping[str, Any], where: str) -> TwoEntryTable:
    """`rows` and `ties` by a number of centres; `floor`, `tie_floors` for what is not printed."""
    _only(table, ("rows", "ties", "floor", "tie_floors"), where)
    rows = _by_count(table.get("rows", {}), _key_path(where, "rows"))
    ties = _by_count(table.get("ties", {}), _key_path(where, "ties"))
    if not rows:
        raise InvalidScoringSystem("system_missing_key", where=_key_path(where, "rows"))
    return TwoEntryTable(
        {held: _row(held, told, _key_path(where, f"rows.{held}")) for held, told in rows.items()},
        {held: _numbers(told, _key_path(where, f"ties.{held}")) for held, told in ties.items()},
        _number(table.get("floor", 0), _key_path(where, "floor")),
        _numbers(table.get("tie_floors", [0]), _key_path(where, "tie_floors")) or (Fraction(0),),
    )


def _by_count(told: Any, where: str) -> dict[int, Any]:
    return {_whole_number(held, _key_path(where, held)): row for held, row in _table(told, where).items()}


def _row(held: int, told: Any, where: str) -> TwoEntryRow:
    table = _table(told, where)
    _only(table, ("first", "ahead", "behind"), where)
    return TwoEntryRow(
        held,
        _whole_number(table.get("first", 0), _key_path(where, "first")),
        _numbers(table.get("ahead", []), _key_path(where, "ahead")),
        _numbers(table.get("behind", []), _key_path(where, "behind")),
    )


@cache
def names() -> tuple[str, ...]:
    """The systems at hand, in alphabetical order."""
    folder = resources.files(__package__) / "systems"
    return tuple(sorted(path.name.removesuffix(".toml") for path in folder.iterdir() if ".toml" in path.name))


@cache
def load(name: str) -> ScoringSystem:
    """A system by its name; raises UnknownName (`unknown_system`, with the nearest name)."""
    return read_system(name, _system_table(name))


def examples(name: str) -> list[ScoringExample]:
    """The worked examples of a system."""
    return read_examples(_system_table(name))


def _system_table(name: str) -> dict[str, Any]:
    if name not in names():
        near = get_close_matches(name, names(), 1)
        raise UnknownName("unknown_system", name=name, nearest=near[0] if near else "")
    text = (resources.files(__package__) / "systems" / f"{name}.toml").read_text("utf-8")
    return tomllib.loads(text, parse_float=Decimal)
