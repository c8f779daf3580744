"""Balances, builds and removals, compiled (`engine.balances`, `engine.adjustments`, `engine.removals`)."""

from __future__ import annotations

from typing import NamedTuple

from .codes import (
    BEFORE,
    BUILD,
    BY_LOT,
    CENTRE,
    COUNTED,
    FIRST_COUNT,
    GROSS,
    KIND,
    LOCATION,
    LOT,
    NONE,
    NONE_COUNTS,
    POWER,
    REMOVE,
    RIGHTS_KEPT,
    SETTLED,
    SHEET_GOAL,
    SHEET_ORDER,
    SHEET_TARGET,
    SURPLUS_BUILDS,
    SURPLUS_REMOVALS,
    TO_OWNED,
    Bytes,
    Cell,
    Cells,
    Masks,
)
from .compiling import compiled
from .courses import Course
from .legal import adjusts_legally, is_free_home
from .tables import Table

FAR = 10**6
POSSIBLE, REMOVALS, BUILDS, UNITS_OF, WANTED_BUILDS, WANTED_REMOVALS, OWNED, HAD, LOST, GOING = range(10)
DUE_ROWS = 10


class Ledger(NamedTuple):
    """What a winter owes: `due` (DUE_ROWS, power), first the builds that free homes allow and the removals,
    then builds and removals (GOING) still to be made; `counts` (P) 1 where a sheet's order is legal."""

    due: Masks
    counts: Bytes


# balances -----------------------------------------------------------------------------------------


@compiled
def balance(c: Course, due: Masks, places: Cells, clock: Masks, rights: Masks) -> None:
    """Every power's balance."""
    for row in range(DUE_ROWS):
        for power in range(due.shape[1]):
            due[row, power] = 0
    _take_stock(c, due, places, clock)
    for power in range(due.shape[1]):
        removals = _removals(c, due, clock, power)
        builds = due[OWNED, power] - due[UNITS_OF, power] + removals
        if c.choices[RIGHTS_KEPT] and not removals:
            builds = max(builds, rights[power])
        due[REMOVALS, power] = due[GOING, power] = removals
        due[BUILDS, power] = builds
        due[POSSIBLE, power] = min(builds, due[POSSIBLE, power])


@compiled
def _take_stock(c: Course, due: Masks, places: Cells, clock: Masks) -> None:
    """Units, centres and free homes; and what the year has taken away, where the book asks."""
    for at in range(places.shape[1]):
        if places[KIND, at] != NONE:
            due[UNITS_OF, places[POWER, at]] += 1
        owner, before = places[CENTRE, at], places[BEFORE, at]
        if owner != NONE:
            due[OWNED, owner] += 1
            due[POSSIBLE, owner] += is_free_home(c, places, at)
        if clock[COUNTED] and before != NONE:
            due[HAD, before] += 1
            due[LOST, before] += owner != before


@compiled
def _removals(c: Course, due: Masks, clock: Masks, power: int) -> Cell:
    units = due[UNITS_OF, power]
    if not c.choices[GROSS] or not clock[COUNTED]:
        return max(0, units - due[OWNED, power])
    return min(units, due[LOST, power] + max(0, units - due[HAD, power]))


@compiled
def has_choice(due: Masks) -> bool:
    """Whether some power may build, or must remove some of its units but not all."""
    for power in range(due.shape[1]):
        if due[POSSIBLE, power] > 0 or 0 < due[REMOVALS, power] < due[UNITS_OF, power]:
            return True
    return False


# a winter -----------------------------------------------------------------------------------------


@compiled
def read_sheet(t: Table, c: Course, ledger: Ledger, places: Cells, sheet: Cells) -> int:
    """Mark and count the orders that are legal; gives how many are not."""
    illegal = 0
    for at in range(places.shape[1]):
        ledger.counts[at] = 0
        if sheet[SHEET_ORDER, at] == NONE:
            continue
        if not adjusts_legally(t, c, places, ledger.due, at, sheet):
            illegal += 1
            continue
        ledger.counts[at] = 1
        if sheet[SHEET_ORDER, at] == BUILD:
            ledger.due[WANTED_BUILDS, places[CENTRE, at]] += 1
        else:
            ledger.due[WANTED_REMOVALS, places[POWER, at]] += 1
    return illegal


@compiled
def ignore_sheet(ledger: Ledger) -> None:
    """Nothing was ordered."""
    for at in range(ledger.counts.shape[0]):
        ledger.counts[at] = 0


@compiled
def lots_needed(c: Course, due: Masks) -> bool:
    """Whether a removal that nobody wrote is drawn by lot."""
    if not c.choices[BY_LOT]:
        return False
    for power in range(due.shape[1]):
        wanted, removals = due[WANTED_REMOVALS, power], due[REMOVALS, power]
        if wanted > removals and c.choices[SURPLUS_REMOVALS] == NONE_COUNTS:
            wanted = 0
        if wanted < removals < due[UNITS_OF, power]:
            return True
    return False


@compiled
def adjust(c: Course, ledger: Ledger, places: Cells, clock: Masks, rights: Masks, sheet: Cells) -> int:
    """Carry out what the marked orders and the book say; gives the status."""
    due = ledger.due
    if lots_needed(c, due):
        return LOT
    _drop_surplus(due, REMOVALS, WANTED_REMOVALS, c.choices[SURPLUS_REMOVALS] == NONE_COUNTS)
    _drop_surplus(due, BUILDS, WANTED_BUILDS, c.choices[SURPLUS_BUILDS] == NONE_COUNTS)
    last = places.shape[1] - 1
    for i in range(places.shape[1]):
        at = i if c.choices[SURPLUS_REMOVALS] == FIRST_COUNT else last - i
        if ledger.counts[at] and sheet[SHEET_ORDER, at] == REMOVE:
            _remove_written(due, places, at)
    _complete(c, due, places)
    for i in range(places.shape[1]):
        at = i if c.choices[SURPLUS_BUILDS] == FIRST_COUNT else last - i
        if ledger.counts[at] and sheet[SHEET_ORDER, at] == BUILD:
            _build(due, places, at, sheet)
    _close(c, due, places, clock, rights)
    return SETTLED


@compiled
def _drop_surplus(due: Masks, allowed: int, wanted: int, none_counts: bool) -> None:
    """`wanted` becomes how many of the orders count: as many as are due, or none of too many."""
    for power in range(due.shape[1]):
        if due[wanted, power] > due[allowed, power]:
            due[wanted, power] = 0 if none_counts else due[allowed, power]


@compiled
def _remove_written(due: Masks, places: Cells, at: int) -> None:
    power = places[POWER, at]
    if due[WANTED_REMOVALS, power] > 0:
        due[WANTED_REMOVALS, power] -= 1
        due[GOING, power] -= 1
        vacate(places, at)


@compiled
def vacate(places: Cells, at: int) -> None:
    """Nobody stands in a province any more."""
    places[KIND, at] = places[POWER, at] = places[LOCATION, at] = NONE


@compiled
def _build(due: Masks, places: Cells, at: int, sheet: Cells) -> None:
    power = places[CENTRE, at]
    if due[WANTED_BUILDS, power] > 0:
        due[WANTED_BUILDS, power] -= 1
        due[BUILDS, power] -= 1
        places[KIND, at], places[POWER, at] = sheet[SHEET_TARGET, at], power
        places[LOCATION, at] = sheet[SHEET_GOAL, at]


@compiled
def _close(c: Course, due: Masks, places: Cells, clock: Masks, rights: Masks) -> None:
    """Write down what a power takes into the next winter; the year's captures are no more."""
    clock[COUNTED] = 0
    for at in range(places.shape[1]):
        places[BEFORE, at] = NONE
    for power in range(due.shape[1]):
        keeps = c.choices[RIGHTS_KEPT] and due[BUILDS, power] > 0 and not due[REMOVALS, power]
        rights[power] = due[BUILDS, power] if keeps else 0


# removals by the book -----------------------------------------------------------------------------


@compiled
def _complete(c: Course, due: Masks, places: Cells) -> None:
    """Remove what nobody wrote: the farthest first, then fleets, then by the alphabet (DATC 4.D.8)."""
    for power in range(due.shape[1]):
        while due[GOING, power] > 0:
            vacate(places, _first_to_go(c, places, power))
            due[GOING, power] -= 1


@compiled
def _first_to_go(c: Course, places: Cells, power: int) -> int:
    found, far, land, letter = -1, 0, 0, 0
    for at in range(places.shape[1]):
        if places[KIND, at] != NONE and places[POWER, at] == power:
            distance = _distance(c, places, power, at)
            army = 1 - c.afloat[places[KIND, at]]
            tied = distance == far
            sooner = land > army or (land == army and c.alphabet[at] < letter)
            if found < 0 or distance > far or (tied and sooner):
                found, far, land, letter = at, distance, army, c.alphabet[at]
    return found


@compiled
def _distance(c: Course, places: Cells, power: int, at: int) -> Cell:
    """How far a unit is from what the book counts to (M50, M51)."""
    nearest = FAR
    for goal in range(places.shape[1]):
        wanted = places[CENTRE, goal] == power if c.choices[TO_OWNED] else c.goals[power, goal] != 0
        if wanted:
            far = c.far[places[KIND, at], places[LOCATION, at], goal]
            if 0 <= far < nearest:
                nearest = far
    return nearest
