"""Positions in the form of the contract: read strictly, written in one order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from talleyrand.engine.board import Board
from talleyrand.engine.errors import BadPosition
from talleyrand.engine.legality import retreat_places
from talleyrand.engine.position import Centres, Dislodged, Phase, Position, Unit, check
from talleyrand.engine.rulebook import DisorderRetreat, Rulebook

from . import shapes
from .shapes import BadQuestion, Json, Table, clip

T = TypeVar("T")


def read_position(asked: Table, phase: Phase, board: Board, book: Rulebook) -> Position:
    """The position of a question; raises TalleyrandError unless it can stand on the board."""
    fallen = _dislodged(asked.get("dislodged"), phase, board)
    position = Position(
        phase=phase,
        units=_units(asked.get("units"), board),
        dislodged=tuple(one for one, _ in fallen),
        contested=frozenset(_places(asked.get("contested"), "contested", board)),
        centres=_ownership(asked, "centers", board),
        homes=_owned(asked.get("homes"), "homes", board),
        disorder=frozenset((*_powers(asked, "absent", board), *_powers(asked, "disorder", board))),
        passive=frozenset(_powers(asked, "passive", board)),
        torn=frozenset(_powers(asked, "torn", board)),
        centres_before=_ownership(asked, "centers_before", board),
        kept_builds=_rights(asked.get("kept_builds"), board),
    )
    check(board, position)
    return replace(position, dislodged=tuple(_completed(position, fallen, board, book)))


def _units(value: Json, board: Board) -> tuple[Unit, ...]:
    return tuple(
        _unit(name, power, f"units.{power}")
        for power, names in shapes.by_power(value, "units", board.seats).items()
        for name in shapes.texts(names, f"units.{power}")
    )


def _unit(name: str, power: str, field: str) -> Unit:
    kind, _, place = name.partition(" ")
    if not kind or not place or " " in place:
        raise BadQuestion("not_a_unit", field=field, value=clip(name))
    return Unit(kind, place, power)


def _dislodged(value: Json, phase: Phase, board: Board) -> list[tuple[Dislodged, bool]]:
    """Each dislodged unit, and whether its retreats are given."""
    fallen = []
    for power, entries in shapes.by_power(value, "dislodged", board.seats).items():
        for entry in shapes.rows(entries, f"dislodged.{power}"):
            one = shapes.table(entry, f"dislodged.{power}")
            fallen.append((_one_dislodged(one, power, board), one.get("retreats") is not None))
    if fallen and phase.kind != "R":
        raise BadPosition("dislodged_outside_retreats", phase=str(phase))
    return fallen


def _one_dislodged(entry: Table, power: str, board: Board) -> Dislodged:
    field = f"dislodged.{power}"
    unit = _unit(shapes.text(entry.get("unit"), f"{field}.unit"), power, f"{field}.unit")
    by = shapes.text(entry.get("by"), f"{field}.by")
    _province(by, board)
    convoyed = shapes.flag(entry.get("convoyed"), f"{field}.convoyed")
    places = shapes.texts(entry.get("retreats"), f"{field}.retreats")
    for place in places:
        if not board.can_stand(unit.kind, _known(place, board)):
            raise BadPosition("unit_cannot_stand", unit=str(unit), place=place)
    return Dislodged(unit, by, convoyed, tuple(sorted(set(places))))


def _completed(
    position: Position, fallen: Iterable[tuple[Dislodged, bool]], board: Board, book: Rulebook
) -> Iterable[Dislodged]:
    for one, given in fallen:
        yield one if given else one._replace(retreats=_ways_out(position, one, board, book))


def _ways_out(position: Position, one: Dislodged, board: Board, book: Rulebook) -> tuple[str, ...]:
    leaderless = one.unit.power in position.disorder | position.passive
    if leaderless and book.civil_disorder_retreat is DisorderRetreat.DESTROYED:
        return ()
    closed = position.at.keys() | position.contested
    return retreat_places(board, one.unit, one.by, closed, convoyed=one.convoyed, book=book)


def led(position: Position, sheets: Mapping[str, Sequence[Sequence[str]]]) -> Position:
    """The position with its torn sheets looked at: a power that wrote no line on its own wrote nothing."""
    lines = {power: [line for sheet in several for line in sheet] for power, several in sheets.items()}
    silent = position.torn - {power for power, written in lines.items() if any(map(str.strip, written))}
    return replace(position, disorder=position.disorder | silent, torn=position.torn - silent)


def _ownership(asked: Table, field: str, board: Board) -> Centres | None:
    return None if asked.get(field) is None else _owned(asked[field], field, board)


def _rights(value: Json, board: Board) -> dict[str, int]:
    """`{"FRANCE": 1}`: rights to build kept from earlier winters."""
    return {
        power: shapes.count(right, f"kept_builds.{power}")
        for power, right in shapes.by_power(value, "kept_builds", board.powers).items()
    }


def _places(value: Json, field: str, board: Board) -> tuple[str, ...]:
    return tuple(_province(code, board) for code in shapes.texts(value, field))


def _province(code: str, board: Board) -> str:
    if code not in board.provinces:
        raise BadPosition("unknown_place", place=clip(code))
    return code


def _known(place: str, board: Board) -> str:
    if place not in board.locations:
        raise BadPosition("unknown_place", place=clip(place))
    return place


def _owned(value: Json, field: str, board: Board) -> Centres:
    owned = {
        power: tuple(dict.fromkeys(_places(codes, f"{field}.{power}", board)))
        for power, codes in shapes.by_power(value, field, board.powers).items()
    }
    for code in (code for codes in owned.values() for code in codes):
        if not board.provinces[code].centre:
            raise BadPosition("not_a_centre", place=code)
    return owned


def _powers(asked: Table, field: str, board: Board) -> tuple[str, ...]:
    names = shapes.rows(asked.get(field), field)
    return tuple(shapes.power(name, field, board.powers) for name in names)


def write_units(units: Iterable[Unit], board: Board) -> dict[str, list[str]]:
    """`{"FRANCE": ["A PAR"]}`: powers in the board's order, units by their place."""
    return _per_power(board, ((unit.power, str(unit)) for unit in sorted(units, key=_by_place)))


def write_dislodged(fallen: Iterable[Dislodged], board: Board) -> dict[str, list[Table]]:
    """`{"TURKEY": [{"unit", "by", "convoyed", "retreats"}]}`."""
    ordered = sorted(fallen, key=lambda one: _by_place(one.unit))
    return _per_power(board, ((one.unit.power, write_one(one)) for one in ordered))


def write_one(fallen: Dislodged) -> Table:
    """One dislodged unit."""
    return {
        "unit": str(fallen.unit),
        "by": fallen.by,
        "convoyed": fallen.convoyed,
        "retreats": sorted(fallen.retreats),
    }


def write_centres(centres: Centres, board: Board) -> dict[str, list[str]]:
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
        fields["homes"] = {power: sorted(codes) for power, codes in position.homes.items()}
    return fields | write_standing(position, board)


def write_standing(position: Position, board: Board) -> dict[str, Json]:
    """What a position remembers beside units and centres, where there is anything: the ownership before the
    year's captures, rights to build, powers in disorder, eliminated ones."""
    fields: dict[str, Json] = {
        "kept_builds": dict(position.kept_builds),
        "disorder": sorted(position.disorder),
        "passive": sorted(position.passive),
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
