"""Random positions of any variant and phase, for properties of the reader."""

from __future__ import annotations

from hypothesis import strategies as st

from talleyrand.engine.board import Board
from talleyrand.engine.position import DislodgedUnit, Phase, Position, Unit
from talleyrand.variants import Variant


@st.composite
def positions(draw: st.DrawFn, variant: Variant) -> Position:
    """A position that can stand, in any phase the variant plays."""
    board = variant.board
    phase = Phase.parse(draw(st.sampled_from(_phases(variant))))
    codes = draw(st.lists(st.sampled_from(sorted(board.provinces)), min_size=2, max_size=24, unique=True))
    units = tuple(draw(_unit(board, code)) for code in codes)
    if phase.kind == "R":
        fallen = tuple(_dislodged(board, unit) for unit in units[::3])
        return Position(phase, tuple(unit for unit in units if unit not in units[::3]), fallen)
    owned = draw(
        st.lists(st.sampled_from(board.powers), min_size=len(board.centres), max_size=len(board.centres))
    )
    centres = {
        power: tuple(code for code, owner in zip(board.centres, owned, strict=True) if owner == power)
        for power in board.powers
    }
    return Position(phase, units, centres=centres)


def _phases(variant: Variant) -> list[str]:
    calendar = variant.definition.calendar
    return [f"{code[0]}{calendar.first.year}{code[1]}" for code in (*calendar.opening, *calendar.cycle)]


@st.composite
def _unit(draw: st.DrawFn, board: Board, code: str) -> Unit:
    fit = [(letter, place) for letter in board.kinds for place in board.standable_locations(letter, code)]
    kind, place = draw(st.sampled_from(fit))
    return Unit(kind, place, draw(st.sampled_from(board.powers)))


def _dislodged(board: Board, unit: Unit) -> DislodgedUnit:
    near = sorted(board.adjacent_locations[unit.kind].get(unit.location, frozenset()))
    by = near[0].partition("/")[0] if near else unit.province
    return DislodgedUnit(unit, by, retreats=tuple(place for place in near if place.partition("/")[0] != by))
