"""Retreats, captures and the way from phase to phase, compiled (`engine.retreats`, `engine.game`)."""

from __future__ import annotations

from . import array_layout as code
from .array_layout import Int64Array, Scalar, UInt16Array
from .board_arrays import BoardArrays
from .kernel_legality import is_legal_retreat
from .kernel_winter import (
    WinterWorkspace,
    carry_out_adjustments,
    count_adjustments,
    has_choice,
    mark_no_orders,
)
from .numba_compiler import compiled
from .setup_arrays import SetupArrays

# Rows of the retreats being judged: where a unit wants to go, whether it has an order, what becomes of it.
GOING_TO, SPOKEN, FATE = range(3)
GOING_ROWS = 3


# retreats -----------------------------------------------------------------------------------------


@compiled
def resolve_retreats(
    t: BoardArrays,
    c: SetupArrays,
    going: UInt16Array,
    places: UInt16Array,
    escapes: Int64Array,
    sheet: UInt16Array,
) -> int:
    """Carry out the retreats of a sheet; gives how many orders were not legal."""
    illegal = 0
    for at in range(places.shape[1]):
        going[GOING_TO, at], going[SPOKEN, at] = code.NONE, 0
        if places[code.DISLODGED_KIND, at] == code.NONE:
            illegal += sheet[code.ORDER_KIND, at] != code.NONE
        elif sheet[code.ORDER_KIND, at] != code.NONE:
            if is_legal_retreat(t, places, escapes, at, sheet):
                going[SPOKEN, at] = 1
                if sheet[code.ORDER_KIND, at] == code.RETREAT:
                    going[GOING_TO, at] = sheet[code.ORDER_GOAL, at]
            else:
                illegal += 1
    _settle_retreats(t, c, going, places, escapes)
    clear_dislodged(places, escapes)
    return illegal


@compiled
def _settle_retreats(
    t: BoardArrays, c: SetupArrays, going: UInt16Array, places: UInt16Array, escapes: Int64Array
) -> None:
    for at in range(places.shape[1]):
        goal = going[GOING_TO, at]
        if goal == code.NONE:
            going[FATE, at] = code.DISBANDED if going[SPOKEN, at] else code.LOST
        elif _has_rival(t, c, going, places, escapes, at):
            going[FATE, at] = code.LOST
        else:
            going[FATE, at] = code.WITHDRAWN
            there = t.province[goal]
            places[code.KIND, there] = places[code.DISLODGED_KIND, at]
            places[code.POWER, there] = places[code.DISLODGED_POWER, at]
            places[code.LOCATION, there] = goal


@compiled
def _has_rival(
    t: BoardArrays, c: SetupArrays, going: UInt16Array, places: UInt16Array, escapes: Int64Array, at: int
) -> bool:
    """Whether another unit goes to the same space; or, under the literal old rule, could go nowhere else and
    was not disbanded (row M80)."""
    there = t.province[going[GOING_TO, at]]
    literal = c.choices[code.EXPLICIT_RETREAT_DISBAND] and escapes[at] & (escapes[at] - 1) == 0
    for other in range(places.shape[1]):
        if other == at or places[code.DISLODGED_KIND, other] == code.NONE:
            continue
        goal = going[GOING_TO, other]
        if goal != code.NONE and t.province[goal] == there:
            return True
        if literal and not going[SPOKEN, other] and _only_way(t, places, escapes, other, there):
            return True
    return False


@compiled
def _only_way(t: BoardArrays, places: UInt16Array, escapes: Int64Array, at: int, there: Scalar) -> bool:
    """Whether a unit can retreat to one province alone."""
    kind, location = places[code.DISLODGED_KIND, at], places[code.DISLODGED_LOCATION, at]
    for i in range(t.near.shape[2]):
        if escapes[at] >> i & 1 and t.province[t.near[kind, location, i]] != there:
            return False
    return bool(escapes[at] != 0)


@compiled
def clear_dislodged(places: UInt16Array, escapes: Int64Array) -> None:
    """No unit is dislodged, and no province contested, any more."""
    for at in range(places.shape[1]):
        places[code.DISLODGED_KIND, at] = places[code.DISLODGED_POWER, at] = code.NONE
        places[code.DISLODGED_LOCATION, at] = places[code.DISLODGED_BY, at] = code.NONE
        places[code.DISLODGED_BY_SEA, at] = places[code.STANDOFF, at] = escapes[at] = 0


# from phase to phase ------------------------------------------------------------------------------


@compiled
def advance_to_choice(
    c: SetupArrays,
    ledger: WinterWorkspace,
    places: UInt16Array,
    escapes: Int64Array,
    clock: Int64Array,
    rights: Int64Array,
    sheet: UInt16Array,
) -> int:
    """Walk on until somebody has a choice or the game is over; gives the status."""
    played, year = clock[code.PHASE], clock[code.YEAR]
    if clock[code.STAGE] == code.ADJUSTMENTS and _won(c, ledger.due, places, escapes, clock):
        return code.SETTLED
    while True:
        if c.captures[clock[code.PHASE]]:
            _capture(c, places, clock)
            if _won(c, ledger.due, places, escapes, clock):
                _turn_to(c, clock, played, year)
                return code.SETTLED
        _advance(c, clock)
        if clock[code.STAGE] > code.ADJUSTMENTS:
            return code.AT_VARIANT_PHASE
        if _comes_to_choice(c, ledger, places, escapes, clock, rights):
            clock[code.OVER] = clock[code.YEAR] > c.choices[code.UNTIL]
            return code.SETTLED
        if clock[code.STAGE] == code.RETREATS:
            clear_dislodged(places, escapes)
        else:
            mark_no_orders(ledger)
            carry_out_adjustments(c, ledger, places, clock, rights, sheet)


@compiled
def _comes_to_choice(
    c: SetupArrays,
    ledger: WinterWorkspace,
    places: UInt16Array,
    escapes: Int64Array,
    clock: Int64Array,
    rights: Int64Array,
) -> bool:
    if clock[code.STAGE] == code.MOVEMENT:
        clear_dislodged(places, escapes)
        return True
    if clock[code.STAGE] == code.RETREATS:
        free = 0
        for at in range(escapes.shape[0]):
            free += escapes[at] != 0
        return free > 0
    count_adjustments(c, ledger.due, places, clock, rights)
    return has_choice(ledger.due)


@compiled
def _advance(c: SetupArrays, clock: Int64Array) -> None:
    """Enter the next phase of the calendar."""
    left = clock[code.PHASE]
    year = c.choices[code.FIRST_YEAR] if c.years[left] < 0 else clock[code.YEAR] + c.years[left]
    _turn_to(c, clock, c.after[left], year)


@compiled
def _turn_to(c: SetupArrays, clock: Int64Array, phase: Scalar, year: Scalar) -> None:
    clock[code.PHASE], clock[code.YEAR] = phase, year
    clock[code.SEASON], clock[code.STAGE] = c.season[phase], c.stage[phase]


@compiled
def _capture(c: SetupArrays, places: UInt16Array, clock: Int64Array) -> None:
    """Every centre goes to the power whose unit stands on it, if it may capture."""
    if not c.choices[code.GROSS]:
        clock[code.BEFORE_IS_KNOWN] = 0
    noting = c.choices[code.GROSS] and not clock[code.BEFORE_IS_KNOWN]
    for at in range(places.shape[1]):
        if noting:
            places[code.BEFORE, at] = places[code.CENTRE, at]
        elif not c.choices[code.GROSS]:
            places[code.BEFORE, at] = code.NONE
        kind = places[code.KIND, at]
        if c.centre[at] and kind != code.NONE and c.kind_captures[kind]:
            places[code.CENTRE, at] = places[code.POWER, at]
    if noting:
        clock[code.BEFORE_IS_KNOWN] = 1


@compiled
def _won(
    c: SetupArrays, due: Int64Array, places: UInt16Array, escapes: Int64Array, clock: Int64Array
) -> bool:
    """Whether a power has enough centres; the game is over then."""
    owned = due[0]
    for power in range(due.shape[1]):
        owned[power] = 0
    for at in range(places.shape[1]):
        if places[code.CENTRE, at] != code.NONE:
            owned[places[code.CENTRE, at]] += 1
    for power in range(due.shape[1]):
        if owned[power] >= c.choices[code.CENTRES_NEEDED]:
            _end(places, escapes, clock, power)
            return True
    return False


@compiled
def _end(places: UInt16Array, escapes: Int64Array, clock: Int64Array, winner: int) -> None:
    clear_dislodged(places, escapes)
    clock[code.OVER], clock[code.WINNER], clock[code.BEFORE_IS_KNOWN] = 1, winner, 0
    for at in range(places.shape[1]):
        places[code.BEFORE, at] = code.NONE
