"""Retreats, captures and the way from phase to phase, compiled (`engine.retreats`, `engine.game`)."""

from __future__ import annotations

from .codes import (
    ADJUSTMENTS,
    ARRIVED,
    BEFORE,
    CENTRE,
    COUNTED,
    EXPLICIT,
    FALLEN_BY,
    FALLEN_KIND,
    FALLEN_LOCATION,
    FALLEN_POWER,
    FALLEN_ROUTE,
    FIRST_YEAR,
    GROSS,
    KIND,
    LOCATION,
    MOVEMENT,
    NEEDED,
    NONE,
    OVER,
    PHASE,
    POWER,
    RETREAT,
    RETREATS,
    SEASON,
    SETTLED,
    SHEET_GOAL,
    SHEET_ORDER,
    SHUT,
    STAGE,
    UNTIL,
    WINNER,
    YEAR,
    Cell,
    Cells,
    Masks,
)
from .compiling import compiled
from .courses import Course
from .legal import retreats_legally
from .tables import Table
from .winter import Ledger, adjust, balance, has_choice, ignore_sheet

# Rows of the retreats being judged: where a unit wants to go, and whether it has an order.
GOING_TO, SPOKEN = range(2)


# retreats -----------------------------------------------------------------------------------------


@compiled
def retreat(t: Table, c: Course, going: Cells, places: Cells, escapes: Masks, sheet: Cells) -> int:
    """Carry out the retreats of a sheet; gives how many orders were not legal."""
    illegal = 0
    for at in range(places.shape[1]):
        going[GOING_TO, at], going[SPOKEN, at] = NONE, 0
        if places[FALLEN_KIND, at] == NONE:
            illegal += sheet[SHEET_ORDER, at] != NONE
        elif sheet[SHEET_ORDER, at] != NONE:
            if retreats_legally(t, places, escapes, at, sheet):
                going[SPOKEN, at] = 1
                if sheet[SHEET_ORDER, at] == RETREAT:
                    going[GOING_TO, at] = sheet[SHEET_GOAL, at]
            else:
                illegal += 1
    _settle_retreats(t, c, going, places, escapes)
    disperse(places, escapes)
    return illegal


@compiled
def _settle_retreats(t: Table, c: Course, going: Cells, places: Cells, escapes: Masks) -> None:
    for at in range(places.shape[1]):
        goal = going[GOING_TO, at]
        if goal != NONE and not _has_rival(t, c, going, places, escapes, at):
            there = t.province[goal]
            places[KIND, there], places[POWER, there] = places[FALLEN_KIND, at], places[FALLEN_POWER, at]
            places[LOCATION, there] = goal


@compiled
def _has_rival(t: Table, c: Course, going: Cells, places: Cells, escapes: Masks, at: int) -> bool:
    """Whether another unit goes to the same space; or, under the literal old rule, could go nowhere else and
    was not disbanded (row M80)."""
    there = t.province[going[GOING_TO, at]]
    literal = c.choices[EXPLICIT] and escapes[at] & (escapes[at] - 1) == 0
    for other in range(places.shape[1]):
        if other == at or places[FALLEN_KIND, other] == NONE:
            continue
        goal = going[GOING_TO, other]
        if goal != NONE and t.province[goal] == there:
            return True
        if literal and not going[SPOKEN, other] and _only_way(t, places, escapes, other, there):
            return True
    return False


@compiled
def _only_way(t: Table, places: Cells, escapes: Masks, at: int, there: Cell) -> bool:
    """Whether a unit can retreat to one province alone."""
    kind, location = places[FALLEN_KIND, at], places[FALLEN_LOCATION, at]
    for i in range(t.near.shape[2]):
        if escapes[at] >> i & 1 and t.province[t.near[kind, location, i]] != there:
            return False
    return bool(escapes[at] != 0)


@compiled
def disperse(places: Cells, escapes: Masks) -> None:
    """No unit is dislodged, and no province contested, any more."""
    for at in range(places.shape[1]):
        places[FALLEN_KIND, at] = places[FALLEN_POWER, at] = NONE
        places[FALLEN_LOCATION, at] = places[FALLEN_BY, at] = NONE
        places[FALLEN_ROUTE, at] = places[SHUT, at] = escapes[at] = 0


# from phase to phase ------------------------------------------------------------------------------


@compiled
def proceed(
    c: Course, ledger: Ledger, places: Cells, escapes: Masks, clock: Masks, rights: Masks, sheet: Cells
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
            return ARRIVED
        if _comes_to_choice(c, ledger, places, escapes, clock, rights):
            clock[OVER] = clock[YEAR] > c.choices[UNTIL]
            return SETTLED
        if clock[STAGE] == RETREATS:
            disperse(places, escapes)
        else:
            ignore_sheet(ledger)
            adjust(c, ledger, places, clock, rights, sheet)


@compiled
def _comes_to_choice(
    c: Course, ledger: Ledger, places: Cells, escapes: Masks, clock: Masks, rights: Masks
) -> bool:
    if clock[STAGE] == MOVEMENT:
        disperse(places, escapes)
        return True
    if clock[STAGE] == RETREATS:
        free = 0
        for at in range(escapes.shape[0]):
            free += escapes[at] != 0
        return free > 0
    balance(c, ledger.due, places, clock, rights)
    return has_choice(ledger.due)


@compiled
def _advance(c: Course, clock: Masks) -> None:
    """Enter the next phase of the calendar."""
    left = clock[PHASE]
    year = c.choices[FIRST_YEAR] if c.years[left] < 0 else clock[YEAR] + c.years[left]
    _turn_to(c, clock, c.after[left], year)


@compiled
def _turn_to(c: Course, clock: Masks, phase: Cell, year: Cell) -> None:
    clock[PHASE], clock[YEAR] = phase, year
    clock[SEASON], clock[STAGE] = c.season[phase], c.stage[phase]


@compiled
def _capture(c: Course, places: Cells, clock: Masks) -> None:
    """Every centre goes to the power whose unit stands on it, if it may capture."""
    if not c.choices[GROSS]:
        clock[COUNTED] = 0
    noting = c.choices[GROSS] and not clock[COUNTED]
    for at in range(places.shape[1]):
        if noting:
            places[BEFORE, at] = places[CENTRE, at]
        elif not c.choices[GROSS]:
            places[BEFORE, at] = NONE
        kind = places[KIND, at]
        if c.centre[at] and kind != NONE and c.takes[kind]:
            places[CENTRE, at] = places[POWER, at]
    if noting:
        clock[COUNTED] = 1


@compiled
def _won(c: Course, due: Masks, places: Cells, escapes: Masks, clock: Masks) -> bool:
    """Whether a power has enough centres; the game is over then."""
    owned = due[0]
    for power in range(due.shape[1]):
        owned[power] = 0
    for at in range(places.shape[1]):
        if places[CENTRE, at] != NONE:
            owned[places[CENTRE, at]] += 1
    for power in range(due.shape[1]):
        if owned[power] >= c.choices[NEEDED]:
            _end(places, escapes, clock, power)
            return True
    return False


@compiled
def _end(places: Cells, escapes: Masks, clock: Masks, winner: int) -> None:
    disperse(places, escapes)
    clock[OVER], clock[WINNER], clock[COUNTED] = 1, winner, 0
    for at in range(places.shape[1]):
        places[BEFORE, at] = NONE
