"""Positions in the form of the contract: read strictly, written in one order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TypeVar

from talleyrand.engine.board import Board
from talleyrand.engine.errors import InvalidPosition
from talleyrand.engine.legality import retreat_places
from talleyrand.engine.position import CentresByPower, DislodgedUnit, Phase, Position, Unit, check_position
from talleyrand.engine.rulebook import Rulebook

from . import json_checks
from .json_checks import InvalidQuestion, Json, JsonObject, clip_json

T = TypeVar("T")
YEARS = 100_000  # as many as a phase has digits for


def read_position(asked: JsonObject, phase: Phase, board: Board, book: Rulebook) -> Position:
    """The position of a question; raises TalleyrandError unless it can stand on the board."""
    fallen = _dislodged(asked.get("dislodged"), phase, board)
    position = Position(
        phase=phase,
        units=_units(asked.get("units"), board),
        dislodged=tuple(one for one, _ in fallen),
        contested=frozenset(_places(asked.get("contested"), "contested", board)),
        centres=_ownership(asked, "centers", board),
        homes=_owned(asked.get("homes"), "homes", board),
        powers_in_disorder=frozenset((*_powers(asked, "absent", board), *_powers(asked, "disorder", board))),
        passive=frozenset(_powers(asked, "passive", board)),
        torn=frozenset(_powers(asked, "torn", board)),
        centres_before=_ownership(asked, "centers_before", board),
        kept_builds=_rights(asked.get("kept_builds"), board),
        first_year=json_checks.json_count(asked.get("first_year") or 0, "first_year", below=YEARS),
        centres_to_win=json_checks.json_count(asked.get("centres_to_win") or 0, "centres_to_win"),
    )
    check_position(board, position)
    if not fallen:
        return position
    return replace(position, dislodged=tuple(_completed(position, fallen, board, book)))


def _units(value: Json, board: Board) -> tuple[Unit, ...]:
    known = _known_units(board)
    found: list[Unit] = []
    for power, names in json_checks.json_by_power(value, "units", board.seats).items():
        field = f"units.{power}"
        for name in json_checks.json_texts(names, field):
            unit = known.get((name, power))
            if unit is None:
                unit = _unit(name, power, field)
                if board.can_stand(unit.kind, unit.location):
                    known[name, power] = unit
            found.append(unit)
    return tuple(found)


@lru_cache(maxsize=16)
def _known_units(_board: Board) -> dict[tuple[str, str], Unit]:
    """The units of a board that were read before, by name and power: positions share them."""
    return {}


def _unit(name: str, power: str, field: str) -> Unit:
    kind, _, place = name.partition(" ")
    if not kind or not place or " " in place:
        raise InvalidQuestion("not_a_unit", field=field, value=clip_json(name))
    return Unit(kind, place, power)


def _dislodged(value: Json, phase: Phase, board: Board) -> list[tuple[DislodgedUnit, bool]]:
    """Each dislodged unit, and whether its retreats are given."""
    fallen = []
    for power, entries in json_checks.json_by_power(value, "dislodged", board.seats).items():
        for entry in json_checks.json_list(entries, f"dislodged.{power}"):
            one = json_checks.json_object(entry, f"dislodged.{power}")
            fallen.append((_one_dislodged(one, power, board), one.get("retreats") is not None))
    if fallen and phase.kind != "R":
        raise InvalidPosition("dislodged_outside_retreats", phase=str(phase))
    return fallen


def _one_dislodged(entry: JsonObject, power: str, board: Board) -> DislodgedUnit:
    field = f"dislodged.{power}"
    unit = _unit(json_checks.json_text(entry.get("unit"), f"{field}.unit"), power, f"{field}.unit")
    by = json_checks.json_text(entry.get("by"), f"{field}.by")
    _places([by], field, board)
    convoyed = json_checks.json_flag(entry.get("convoyed"), f"{field}.convoyed")
    places = json_checks.json_texts(entry.get("retreats"), f"{field}.retreats")
    for place in places:
        if not board.can_stand(unit.kind, _known(place, board)):
            raise InvalidPosition("unit_cannot_stand", unit=str(unit), place=place)
    return DislodgedUnit(unit, by, convoyed, tuple(sorted(set(places))))


def _completed(
    position: Position, fallen: Iterable[tuple[DislodgedUnit, bool]], board: Board, book: Rulebook
) -> Iterable[DislodgedUnit]:
    for one, given in fallen:
        yield one if given else one._replace(retreats=_ways_out(position, one, board, book))


def _ways_out(position: Position, one: DislodgedUnit, board: Board, book: Rulebook) -> tuple[str, ...]:
    leaderless = one.unit.power in position.powers_in_disorder | position.passive
    if leaderless and book.civil_disorder_retreat == "destroyed":
        return ()
    closed = position.units_by_province.keys() | position.contested
    return retreat_places(board, one.unit, one.by, closed, convoyed=one.convoyed, book=book)


def apply_torn_sheets(position: Position, sheets: Mapping[str, Sequence[Sequence[str]]]) -> Position:
    """The position with its torn sheets looked at: a power that wrote no line on its own wrote nothing."""
    if not position.torn:
        return position
    lines = {power: [line for sheet in several for line in sheet] for power, several in sheets.items()}
    silent = position.torn - {power for power, written in lines.items() if any(map(str.strip, written))}
    return replace(
        position, powers_in_disorder=position.powers_in_disorder | silent, torn=position.torn - silent
    )


def _ownership(asked: JsonObject, field: str, board: Board) -> CentresByPower | None:
    return None if asked.get(field) is None else _owned(asked[field], field, board)


def _rights(value: Json, board: Board) -> dict[str, int]:
    """`{"FRANCE": 1}`: rights to build kept from earlier winters."""
    return {
        power: json_checks.json_count(right, f"kept_builds.{power}")
        for power, right in json_checks.json_by_power(value, "kept_builds", board.powers).items()
    }


def _places(value: Json, field: str, board: Board) -> tuple[str, ...]:
    codes = json_checks.json_texts(value, field)
    for code in codes:
        if code not in board.provinces:
            raise InvalidPosition("unknown_place", place=clip_json(code))
    return codes


def _known(place: str, board: Board) -> str:
    if place not in board.locations:
        raise InvalidPosition("unknown_place", place=clip_json(place))
    return place


def _owned(value: Json, field: str, board: Board) -> CentresByPower:
    owned = {
        power: tuple(dict.fromkeys(_places(codes, f"{field}.{power}", board)))
        for power, codes in json_checks.json_by_power(value, field, board.powers).items()
    }
    for code in (code for codes in owned.values() for code in codes):
        if not board.provinces[code].centre:
            raise InvalidPosition("not_a_centre", place=code)
    return owned


def _powers(asked: JsonObject, field: str, board: Board) -> tuple[str, ...]:
    names = json_checks.json_list(asked.get(field), field)
    return tuple(json_checks.json_power(name, field, board.powers) for name in names)


def write_units(units: Iterable[Unit], board: Board) -> dict[str, list[str]]:
    """`{"FRANCE": ["A PAR"]}`: powers in the board's order, units by their place."""
    return _per_power(board, ((unit.power, str(unit)) for unit in sorted(units, key=_by_place)))


def write_dislodged(fallen: Iterable[DislodgedUnit], board: Board) -> dict[str, list[JsonObject]]:
    """`{"TURKEY": [{"unit", "by", "convoyed", "retreats"}]}`."""
    ordered = sorted(fallen, key=lambda one: _by_place(one.unit))
    return _per_power(board, ((one.unit.power, write_dislodged_unit(one)) for one in ordered))


def write_dislodged_unit(fallen: DislodgedUnit) -> JsonObject:
    """One dislodged unit."""
    return {
        "unit": str(fallen.unit),
        "by": fallen.by,
        "convoyed": fallen.convoyed,
        "retreats": sorted(fallen.retreats),
    }


def write_centres(centres: CentresByPower, board: Board) -> dict[str, list[str]]:
    """Every power with its centres, sorted."""
    return {power: sorted(centres.get(power, ())) for power in board.powers}


def write_position(position: Position, board: Board) -> dict[str, Json]:
    """The fields of a question that describe a position."""
    fields: dict[str, Json] = {
        "phase": str(position.phase),
        "units": write_units(position.units, board),
        "dislodged": write_dislodged(position.dislodged, board),
        "contested": sorted(position.contested),
    }
    if position.centres is not None:
        fields["centers"] = write_centres(position.centres, board)
    if position.homes:
        fields["homes"] = write_homes(position.homes)
    return fields | write_carried_over(position, board)


def write_homes(homes: CentresByPower) -> dict[str, Json]:
    """The home centres that powers have named, as a question holds them."""
    return {power: sorted(codes) for power, codes in homes.items()}


def write_carried_over(position: Position, board: Board) -> dict[str, Json]:
    """What a position remembers beside units and centres, where there is anything: the ownership before the
    year's captures, rights to build, powers in disorder, eliminated ones, its own first year and victory."""
    fields: dict[str, Json] = {
        "kept_builds": dict(position.kept_builds),
        "disorder": sorted(position.powers_in_disorder),
        "passive": sorted(position.passive),
        "first_year": position.first_year,
        "centres_to_win": position.centres_to_win,
    }
    if position.centres_before is not None:
        fields["centers_before"] = write_centres(position.centres_before, board)
    return {name: value for name, value in sorted(fields.items()) if value}


def _per_power(board: Board, entries: Iterable[tuple[str, T]]) -> dict[str, list[T]]:
    listed: dict[str, list[T]] = {seat: [] for seat in board.seats}
    for power, entry in entries:
        listed[power].append(entry)
    return {power: found for power, found in listed.items() if found}


def _by_place(unit: Unit) -> tuple[str, str]:
    return unit.location, unit.kind
