"""One situation on a board: whose units stand where, in which phase, who owns what."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import NamedTuple, NoReturn

from .board import Board, province_of
from .errors import InvalidPosition


class UnitName(NamedTuple):
    """What an order calls a unit: its letter and where it stands (`A PAR`)."""

    kind: str
    location: str

    @property
    def province(self) -> str:
        """The province the unit stands in."""
        return self[1].partition("/")[0]

    def __str__(self) -> str:
        return f"{self[0]} {self[1]}"

    @classmethod
    def parse(cls, text: str) -> UnitName:
        """Read `F STP/SC`; raises InvalidPosition (`unknown_unit`) for another shape."""
        letter, _, location = text.strip().partition(" ")
        if len(letter) != 1 or not location or " " in location:
            raise InvalidPosition("unknown_unit", unit=text[:40])
        return cls(letter, location)


class Unit(NamedTuple):
    """A unit on the board."""

    kind: str
    location: str
    power: str

    @property
    def province(self) -> str:
        """The province the unit stands in."""
        return self[1].partition("/")[0]

    @property
    def name(self) -> UnitName:
        """The unit as orders name it."""
        return UnitName(self.kind, self.location)

    def __str__(self) -> str:
        return f"{self[0]} {self[1]}"


class DislodgedUnit(NamedTuple):
    """A unit that must retreat: `by` is the attacker's origin, `retreats` every legal place, sorted."""

    unit: Unit
    by: str
    convoyed: bool = False
    retreats: tuple[str, ...] = ()


class Phase(NamedTuple):
    """Season letter, year and kind letter; `S1901M` is the movement of spring 1901."""

    season: str
    year: int
    kind: str

    def __str__(self) -> str:
        return f"{self.season}{self.year}{self.kind}"

    @classmethod
    def parse(cls, text: str) -> Phase:
        """Read `S1901M`; raises InvalidPosition (`unknown_phase`)."""
        match = re.fullmatch(r"([A-Z])(\d{1,5})([A-Z])", text, re.ASCII)
        if not match:
            raise InvalidPosition("unknown_phase", phase=text)
        return cls(match[1], int(match[2]), match[3])


CentresByPower = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True)
class Position:
    """A situation at the start of a phase.

    `units` are those not dislodged; `contested` the provinces left empty by a stand-off; `centres` is None
    where ownership is not known, and so is `centres_before`, the ownership before the year's captures;
    `homes` differ from the board's where a power names its own; `kept_builds` are rights to build left from
    earlier winters. `powers_in_disorder` holds the powers that wrote nothing, `torn` those whose sheet was
    torn away, `provinces_in_disorder` the provinces of single units in civil disorder, `passive` the
    eliminated powers whose units stand. `seed` settles what the book draws by lot. `political_state` is what
    the variant's own rules remember beside all that: only they look inside. `first_year` is that of a game
    that begins in another year than its variant, `centres_to_win` that of one won with other centres; else 0.
    """

    phase: Phase
    units: tuple[Unit, ...] = ()
    dislodged: tuple[DislodgedUnit, ...] = ()
    contested: frozenset[str] = frozenset()
    centres: CentresByPower | None = None
    homes: CentresByPower = field(default_factory=dict)
    powers_in_disorder: frozenset[str] = frozenset()
    passive: frozenset[str] = frozenset()
    torn: frozenset[str] = frozenset()
    provinces_in_disorder: frozenset[str] = frozenset()
    centres_before: CentresByPower | None = None
    kept_builds: Mapping[str, int] = field(default_factory=dict)
    seed: str = ""
    political_state: object = None
    first_year: int = 0
    centres_to_win: int = 0

    @cached_property
    def units_by_province(self) -> Mapping[str, Unit]:
        """Each occupied province with its unit; dislodged units are not on it."""
        return {unit.location.partition("/")[0]: unit for unit in self.units}

    def with_units(self, units: Mapping[str, Unit]) -> Position:
        """The same situation with these units, by their provinces, in place of those that stand."""
        return self.changed(units=tuple(units.values()), units_by_province=units)

    def changed(self, **fields: object) -> Position:
        """The same situation with some fields changed, as `dataclasses.replace` makes it, and sooner."""
        other = object.__new__(Position)
        known = vars(self)
        vars(other).update({name: known[name] for name in _FIELDS})  # what is found of these units stays here
        vars(other).update(fields)
        return other

    def is_in_disorder(self, unit: Unit) -> bool:
        """Whether a unit is in civil disorder."""
        return unit.power in self.powers_in_disorder or unit.province in self.provinces_in_disorder

    def homes_of(self, board: Board, power: str) -> tuple[str, ...]:
        """The home centres of a power."""
        return self.homes.get(power, board.homes.get(power, ()))

    def owned_by(self, power: str) -> tuple[str, ...]:
        """The centres a power owns."""
        return tuple((self.centres or {}).get(power, ()))


_FIELDS = tuple(one.name for one in fields(Position))


def check_position(board: Board, position: Position) -> None:
    """Raise InvalidPosition unless the position can stand on the board."""
    if _CHECKED[0][0] is board and _CHECKED[0][1] is position:
        return
    fallen = tuple(fallen.unit for fallen in position.dislodged)
    seats = board.seats
    for unit in (*position.units, *fallen):
        if unit[:2] not in board.standable or unit.power not in seats:
            _refuse_unit(board, unit)
    if len(position.units_by_province) < len(position.units):
        _check_alone(position.units)
    _check_alone(fallen)
    for code in position.contested:
        _check_place(board, code)
    for owned in (position.centres, position.centres_before):
        _check_ownership(board, owned or {})
    for power in position.kept_builds:
        _check_power(board, power)
    _CHECKED[0] = board, position


# The last board and position that were checked: who judges a position has just read it.
_CHECKED: list[tuple[Board | None, Position | None]] = [(None, None)]


def _refuse_unit(board: Board, unit: Unit) -> NoReturn:
    if unit.power not in board.seats:
        raise InvalidPosition("unknown_power", power=unit.power)
    if unit.kind not in board.kinds:
        raise InvalidPosition("unknown_unit", unit=str(unit))
    _check_place(board, unit.location)
    raise InvalidPosition("unit_cannot_stand", unit=str(unit), place=unit.location)


def _check_place(board: Board, place: str) -> None:
    if place not in board.locations:
        raise InvalidPosition("unknown_place", place=place)


def _check_power(board: Board, power: str) -> None:
    if power not in board.homes:
        raise InvalidPosition("unknown_power", power=power)


def _check_alone(units: tuple[Unit, ...]) -> None:
    seen: dict[str, Unit] = {}
    for unit in units:
        other = seen.get(unit.province)
        if other is not None:
            raise InvalidPosition("two_units", place=unit.province, first=str(other), second=str(unit))
        seen[unit.province] = unit


def _check_centres(board: Board, centres: tuple[str, ...]) -> None:
    for code in centres:
        province = board.provinces.get(code)
        if province is None or not province.centre:
            _check_place(board, code)
            raise InvalidPosition("not_a_centre", place=code)


def _check_ownership(board: Board, owned: CentresByPower) -> None:
    owners: dict[str, str] = {}
    for power, centres in owned.items():
        _check_power(board, power)
        _check_centres(board, centres)
        for code in centres:
            if owners.setdefault(code, power) != power:
                raise InvalidPosition("two_owners", place=code, first=owners[code], second=power)


__all__ = [
    "CentresByPower",
    "DislodgedUnit",
    "Phase",
    "Position",
    "Unit",
    "UnitName",
    "check_position",
    "province_of",
]
