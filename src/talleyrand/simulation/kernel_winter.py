"""Balances, builds and removals, compiled (`engine.adjustments`, `engine.removals`)."""

from __future__ import annotations

from typing import NamedTuple

from . import array_layout as code
from .array_layout import Int64Array, Scalar, UInt8Array, UInt16Array
from .board_arrays import BoardArrays
from .kernel_legality import is_free_home, is_legal_adjustment
from .numba_compiler import compiled
from .setup_arrays import SetupArrays

FAR = 10**6
POSSIBLE, REMOVALS, BUILDS, UNITS_OF, WANTED_BUILDS, WANTED_REMOVALS, OWNED, HAD, LOST, GOING = range(10)
DUE_ROWS = 10


class WinterWorkspace(NamedTuple):
    """What a winter owes: `due` (DUE_ROWS, power), first the builds that free homes allow and the removals,
    then builds and removals (GOING) still to be made; `counts` (P) 1 where a sheet's order is legal."""

    due: Int64Array
    counts: UInt8Array


# balances -----------------------------------------------------------------------------------------


@compiled
def count_adjustments(
    c: SetupArrays, due: Int64Array, places: UInt16Array, clock: Int64Array, rights: Int64Array
) -> None:
    """Every power's balance."""
    for row in range(DUE_ROWS):
        for power in range(due.shape[1]):
            due[row, power] = 0
    _take_stock(c, due, places, clock)
    for power in range(due.shape[1]):
        removals = _removals(c, due, clock, power)
        builds = due[OWNED, power] - due[UNITS_OF, power] + removals
        if c.choices[code.BUILD_RIGHTS_KEPT] and not removals:
            builds = max(builds, rights[power])
        due[REMOVALS, power] = due[GOING, power] = removals
        due[BUILDS, power] = builds
        due[POSSIBLE, power] = min(builds, due[POSSIBLE, power])


@compiled
def _take_stock(c: SetupArrays, due: Int64Array, places: UInt16Array, clock: Int64Array) -> None:
    """Units, centres and free homes; and what the year has taken away, where the book asks."""
    for at in range(places.shape[1]):
        if places[code.KIND, at] != code.NONE:
            due[UNITS_OF, places[code.POWER, at]] += 1
        owner, before = places[code.CENTRE, at], places[code.BEFORE, at]
        if owner != code.NONE:
            due[OWNED, owner] += 1
            due[POSSIBLE, owner] += is_free_home(c, places, at)
        if clock[code.BEFORE_IS_KNOWN] and before != code.NONE:
            due[HAD, before] += 1
            due[LOST, before] += owner != before


@compiled
def _removals(c: SetupArrays, due: Int64Array, clock: Int64Array, power: int) -> Scalar:
    units = due[UNITS_OF, power]
    if not c.choices[code.GROSS] or not clock[code.BEFORE_IS_KNOWN]:
        return max(0, units - due[OWNED, power])
    return min(units, due[LOST, power] + max(0, units - due[HAD, power]))


@compiled
def has_choice(due: Int64Array) -> bool:
    """Whether some power may build, or must remove some of its units but not all."""
    for power in range(due.shape[1]):
        if due[POSSIBLE, power] > 0 or 0 < due[REMOVALS, power] < due[UNITS_OF, power]:
            return True
    return False


# a winter -----------------------------------------------------------------------------------------


@compiled
def mark_legal_adjustments(
    t: BoardArrays, c: SetupArrays, ledger: WinterWorkspace, places: UInt16Array, sheet: UInt16Array
) -> int:
    """Mark and count the orders that are legal; gives how many are not."""
    illegal = 0
    for at in range(places.shape[1]):
        ledger.counts[at] = 0
        if sheet[code.ORDER_KIND, at] == code.NONE:
            continue
        if not is_legal_adjustment(t, c, places, ledger.due, at, sheet):
            illegal += 1
            continue
        ledger.counts[at] = 1
        if sheet[code.ORDER_KIND, at] == code.BUILD:
            ledger.due[WANTED_BUILDS, places[code.CENTRE, at]] += 1
        else:
            ledger.due[WANTED_REMOVALS, places[code.POWER, at]] += 1
    return illegal


@compiled
def mark_no_orders(ledger: WinterWorkspace) -> None:
    """Nothing was ordered."""
    for at in range(ledger.counts.shape[0]):
        ledger.counts[at] = 0


@compiled
def needs_random_removal(c: SetupArrays, due: Int64Array) -> bool:
    """Whether a removal that nobody wrote is drawn by lot."""
    if not c.choices[code.BY_LOT]:
        return False
    for power in range(due.shape[1]):
        wanted, removals = due[WANTED_REMOVALS, power], due[REMOVALS, power]
        if wanted > removals and c.choices[code.SURPLUS_REMOVALS] == code.NONE_COUNTS:
            wanted = 0
        if wanted < removals < due[UNITS_OF, power]:
            return True
    return False


@compiled
def carry_out_adjustments(
    c: SetupArrays,
    ledger: WinterWorkspace,
    places: UInt16Array,
    clock: Int64Array,
    rights: Int64Array,
    sheet: UInt16Array,
) -> int:
    """Carry out what the marked orders and the book say; gives the status."""
    due = ledger.due
    if needs_random_removal(c, due):
        return code.NEEDS_RANDOM_DRAW
    _drop_surplus(due, REMOVALS, WANTED_REMOVALS, c.choices[code.SURPLUS_REMOVALS] == code.NONE_COUNTS)
    _drop_surplus(due, BUILDS, WANTED_BUILDS, c.choices[code.SURPLUS_BUILDS] == code.NONE_COUNTS)
    last = places.shape[1] - 1
    for i in range(places.shape[1]):
        at = i if c.choices[code.SURPLUS_REMOVALS] == code.FIRST_COUNT else last - i
        if ledger.counts[at] and sheet[code.ORDER_KIND, at] == code.REMOVE:
            _remove_written(due, places, at)
    _complete(c, due, places)
    for i in range(places.shape[1]):
        at = i if c.choices[code.SURPLUS_BUILDS] == code.FIRST_COUNT else last - i
        if ledger.counts[at] and sheet[code.ORDER_KIND, at] == code.BUILD:
            _build(due, places, at, sheet)
    _close(c, due, places, clock, rights)
    return code.SETTLED


@compiled
def _drop_surplus(due: Int64Array, allowed: int, wanted: int, none_counts: bool) -> None:
    """`wanted` becomes how many of the orders count: as many as are due, or none of too many."""
    for power in range(due.shape[1]):
        if due[wanted, power] > due[allowed, power]:
            due[wanted, power] = 0 if none_counts else due[allowed, power]


@compiled
def _remove_written(due: Int64Array, places: UInt16Array, at: int) -> None:
    power = places[code.POWER, at]
    if due[WANTED_REMOVALS, power] > 0:
        due[WANTED_REMOVALS, power] -= 1
        due[GOING, power] -= 1
        clear_province(places, at)


@compiled
def clear_province(places: UInt16Array, at: int) -> None:
    """Nobody stands in a province any more."""
    places[code.KIND, at] = places[code.POWER, at] = places[code.LOCATION, at] = code.NONE


@compiled
def _build(due: Int64Array, places: UInt16Array, at: int, sheet: UInt16Array) -> None:
    power = places[code.CENTRE, at]
    if due[WANTED_BUILDS, power] > 0:
        due[WANTED_BUILDS, power] -= 1
        due[BUILDS, power] -= 1
        places[code.KIND, at], places[code.POWER, at] = sheet[code.ORDER_TARGET, at], power
        places[code.LOCATION, at] = sheet[code.ORDER_GOAL, at]


@compiled
def _close(
    c: SetupArrays, due: Int64Array, places: UInt16Array, clock: Int64Array, rights: Int64Array
) -> None:
    """Write down what a power takes into the next winter; the year's captures are no more."""
    clock[code.BEFORE_IS_KNOWN] = 0
    for at in range(places.shape[1]):
        places[code.BEFORE, at] = code.NONE
    for power in range(due.shape[1]):
        keeps = c.choices[code.BUILD_RIGHTS_KEPT] and due[BUILDS, power] > 0 and not due[REMOVALS, power]
        rights[power] = due[BUILDS, power] if keeps else 0


# removals by the book -----------------------------------------------------------------------------


@compiled
def _complete(c: SetupArrays, due: Int64Array, places: UInt16Array) -> None:
    """Remove what nobody wrote: the farthest first, then fleets, then by the alphabet (DATC 4.D.8)."""
    for power in range(due.shape[1]):
        while due[GOING, power] > 0:
            clear_province(places, _first_to_go(c, places, power))
            due[GOING, power] -= 1


@compiled
def _first_to_go(c: SetupArrays, places: UInt16Array, power: int) -> int:
    found, far, land, letter = -1, 0, 0, 0
    for at in range(places.shape[1]):
        if places[code.KIND, at] != code.NONE and places[code.POWER, at] == power:
            distance = _distance(c, places, power, at)
            army = 1 - c.afloat[places[code.KIND, at]]
            tied = distance == far
            sooner = land > army or (land == army and c.alphabet[at] < letter)
            if found < 0 or distance > far or (tied and sooner):
                found, far, land, letter = at, distance, army, c.alphabet[at]
    return found


@compiled
def _distance(c: SetupArrays, places: UInt16Array, power: int, at: int) -> Scalar:
    """How far a unit is from what the book counts to (M50, M51)."""
    nearest = FAR
    for goal in range(places.shape[1]):
        wanted = (
            places[code.CENTRE, goal] == power
            if c.choices[code.REMOVAL_TO_OWNED_CENTRES]
            else c.goals[power, goal] != 0
        )
        if wanted:
            far = c.removal_distances[places[code.KIND, at], places[code.LOCATION, at], goal]
            if 0 <= far < nearest:
                nearest = far
    return nearest
