"""Retreats, captures and the way from phase to phase, compiled (`engine.retreats`, `engine.game`)."""

from __future__ import annotations

from .array_layout import (
    ADJUSTMENTS,
    AT_VARIANT_PHASE,
    BEFORE,
    BEFORE_IS_KNOWN,
    CENTRE,
    CENTRES_NEEDED,
    DISLODGED_BY,
    DISLODGED_BY_SEA,
    DISLODGED_KIND,
    DISLODGED_LOCATION,
    DISLODGED_POWER,
    EXPLICIT_RETREAT_DISBAND,
    FIRST_YEAR,
    GROSS,
    KIND,
    LOCATION,
    MOVEMENT,
    NONE,
    ORDER_GOAL,
    ORDER_KIND,
    OVER,
    PHASE,
    POWER,
    RETREAT,
    RETREATS,
    SEASON,
    SETTLED,
    STAGE,
    STANDOFF,
    UNTIL,
    WINNER,
    YEAR,
    Int64Array,
    Scalar,
    UInt16Array,
)
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

# Rows of the retreats being judged: where a unit wants to go, and whether it has an order.
GOING_TO, SPOKEN = range(2)


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
        going[GOING_TO, at], going[SPOKEN, at] = NONE, 0
        if places[DISLODGED_KIND, at] == NONE:
            illegal += sheet[ORDER_KIND, at] != NONE
        elif sheet[ORDER_KIND, at] != NONE:
            if is_legal_retreat(t, places, escapes, at, sheet):
                going[SPOKEN, at] = 1
                if sheet[ORDER_KIND, at] == RETREAT:
                    going[GOING_TO, at] = sheet[ORDER_GOAL, at]
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
        if goal != NONE and not _has_rival(t, c, going, places, escapes, at):
            there = t.province[goal]
            places[KIND, there], places[POWER, there] = (
                places[DISLODGED_KIND, at],
                places[DISLODGED_POWER, at],
            )
            places[LOCATION, there] = goal


@compiled
def _has_rival(
    t: BoardArrays, c: SetupArrays, going: UInt16Array, places: UInt16Array, escapes: Int64Array, at: int
) -> bool:
    """Whether another unit goes to the same space; or, under the literal old rule, could go nowhere else and
    was not disbanded (row M80)."""
    there = t.province[going[GOING_TO, at]]
    literal = c.choices[EXPLICIT_RETREAT_DISBAND] and escapes[at] & (escapes[at] - 1) == 0
    for other in range(places.shape[1]):
        if other == at or places[DISLODGED_KIND, other] == NONE:
            continue
        goal = going[GOING_TO, other]
        if goal != NONE and t.province[goal] == there:
            return True
        if literal and not going[SPOKEN, other] and _only_way(t, places, escapes, other, there):
            return True
    return False


@compiled
def _only_way(t: BoardArrays, places: UInt16Array, escapes: Int64Array, at: int, there: Scalar) -> bool:
    """Whether a unit can retreat to one province alone."""
    kind, location = places[DISLODGED_KIND, at], places[DISLODGED_LOCATION, at]
    for i in range(t.near.shape[2]):
        if escapes[at] >> i & 1 and t.province[t.near[kind, location, i]] != there:
            return False
    return bool(escapes[at] != 0)


@compiled
def clear_dislodged(places: UInt16Array, escapes: Int64Array) -> None:
    """No unit is dislodged, and no province contested, any more."""
    for at in range(places.shape[1]):
        places[DISLODGED_KIND, at] = places[DISLODGED_POWER, at] = NONE
        places[DISLODGED_LOCATION, at] = places[DISLODGED_BY, at] = NONE
        places[DISLODGED_BY_SEA, at] = places[STANDOFF, at] = escapes[at] = 0


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
    played, year = clock[PHASE], clock[YEAR]
    if clock[STAGE] == ADJUSTMENTS and _won(c, ledger.due, places, escapes, clock):
        return SETTLED
    while True:
        if c.captures[clock[PHASE]]:
            _capture(c, places, clock)
            if _won(c, ledger.due, places, escapes, clock):
                _turn_to(c, clock, played, year)
                return SETTLED
        _advance(c, clock)
        if clock[STAGE] > ADJUSTMENTS:
            return AT_VARIANT_PHASE
        if _comes_to_choice(c, ledger, places, escapes, clock, rights):
            clock[OVER] = clock[YEAR] > c.choices[UNTIL]
            return SETTLED
        if clock[STAGE] == RETREATS:
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
    if clock[STAGE] == MOVEMENT:
        clear_dislodged(places, escapes)
        return True
    if clock[STAGE] == RETREATS:
        free = 0
        for at in range(escapes.shape[0]):
            free += escapes[at] != 0
        return free > 0
    count_adjustments(c, ledger.due, places, clock, rights)
    return has_choice(ledger.due)


@compiled
def _advance(c: SetupArrays, clock: Int64Array) -> None:
    """Enter the next phase of the calendar."""
    left = clock[PHASE]
    year = c.choices[FIRST_YEAR] if c.years[left] < 0 else clock[YEAR] + c.years[left]
    _turn_to(c, clock, c.after[left], year)


@compiled
def _turn_to(c: SetupArrays, clock: Int64Array, phase: Scalar, year: Scalar) -> None:
    clock[PHASE], clock[YEAR] = phase, year
    clock[SEASON], clock[STAGE] = c.season[phase], c.stage[phase]


@compiled
def _capture(c: SetupArrays, places: UInt16Array, clock: Int64Array) -> None:
    """Every centre goes to the power whose unit stands on it, if it may capture."""
    if not c.choices[GROSS]:
        clock[BEFORE_IS_KNOWN] = 0
    noting = c.choices[GROSS] and not clock[BEFORE_IS_KNOWN]
    for at in range(places.shape[1]):
        if noting:
            places[BEFORE, at] = places[CENTRE, at]
        elif not c.choices[GROSS]:
            places[BEFORE, at] = NONE
        kind = places[KIND, at]
        if c.centre[at] and kind != NONE and c.kind_captures[kind]:
            places[CENTRE, at] = places[POWER, at]
    if noting:
        clock[BEFORE_IS_KNOWN] = 1


@compiled
def _won(
    c: SetupArrays, due: Int64Array, places: UInt16Array, escapes: Int64Array, clock: Int64Array
) -> bool:
    """Whether a power has enough centres; the game is over then."""
    owned = due[0]
    for power in range(due.shape[1]):
        owned[power] = 0
    for at in range(places.shape[1]):
        if places[CENTRE, at] != NONE:
            owned[places[CENTRE, at]] += 1
    for power in range(due.shape[1]):
        if owned[power] >= c.choices[CENTRES_NEEDED]:
            _end(places, escapes, clock, power)
            return True
    return False


@compiled
def _end(places: UInt16Array, escapes: Int64Array, clock: Int64Array, winner: int) -> None:
    clear_dislodged(places, escapes)
    clock[OVER], clock[WINNER], clock[BEFORE_IS_KNOWN] = 1, winner, 0
    for at in range(places.shape[1]):
        places[BEFORE, at] = NONE
