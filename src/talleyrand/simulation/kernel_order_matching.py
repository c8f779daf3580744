"""What was ordered in a movement phase, in the rows of the workspace, compiled (`engine.muster`)."""

from __future__ import annotations

from .array_layout import (
    AIM,
    ANY_ROUTE,
    COAST_FOREIGN,
    COAST_OWN,
    COMPLETE,
    CONVOY,
    DISORDERED,
    FIRST_ATTACKER,
    FIRST_FLEET,
    FIRST_HELP,
    FIRST_HOLD_HELP,
    GOAL,
    INTO,
    KIND,
    LAND,
    LOCATION,
    MARKS,
    MISORDERED,
    MOVE,
    MOVE_SUCCEEDS,
    NEXT_ATTACKER,
    NEXT_FLEET,
    NEXT_HELP,
    NO,
    NO_DISORDER_SUPPORT,
    NONE,
    OCCUPIED,
    OFFER,
    OPEN,
    ORDER,
    OWN_UNIT_SAFE,
    OWNER,
    POWER,
    ROUTE_FOUND,
    RULE,
    SEA,
    SETTLED,
    SUPPORT_HOLD,
    SUPPORT_MOVE,
    SUPPORT_STANDS,
    TARGET,
    TO,
    TOO_LARGE,
    UNIT_COUNT,
    UNITS,
    UNSUPPORTABLE,
    VIA,
    WAY,
    YES,
    Int64Array,
    Scalar,
    UInt16Array,
)
from .board_arrays import BoardArrays
from .kernel_convoys import choose_route, mark_used_fleets
from .kernel_resolution import has_fleet_route
from .numba_compiler import compiled
from .rulebook_numbers import COASTS

IGNORED, OPTIONAL, MUST_MATCH = range(len(COASTS))


@compiled
def match_orders(
    t: BoardArrays, w: UInt16Array, m: Int64Array, phase: UInt16Array, counts: Int64Array
) -> int:
    """Write down units, attacks, convoys and supports; gives the status."""
    _clear(w, phase.shape[1])
    counts[UNIT_COUNT] = units = _enlist_units(t, w, phase)
    _enlist_fleets(t, w, phase, units)
    status = _enlist_passages(t, w, m, phase, units)
    _enlist_supports(t, w, phase, units)
    return status


@compiled
def _clear(w: UInt16Array, provinces: int) -> None:
    for row in range(WAY):
        for province in range(provinces):
            w[row, province] = NONE
    for row in range(WAY, NEXT_ATTACKER):
        for province in range(provinces):
            w[row, province] = 0


@compiled
def _enlist_units(t: BoardArrays, w: UInt16Array, phase: UInt16Array) -> int:
    units = 0
    for province in range(phase.shape[1]):
        if phase[KIND, province] != NONE:
            w[UNITS, units] = province
            units += 1
            w[OCCUPIED, province] = 1
            w[OWNER, province] = phase[POWER, province]
            if phase[ORDER, province] == MOVE:
                there = t.province[phase[GOAL, province]]
                w[TO, province] = there
                w[NEXT_ATTACKER, province] = w[FIRST_ATTACKER, there]
                w[FIRST_ATTACKER, there] = province
                w[MOVE_SUCCEEDS, province] = OPEN
    return units


# convoys ------------------------------------------------------------------------------------------


@compiled
def _enlist_fleets(t: BoardArrays, w: UInt16Array, phase: UInt16Array, units: int) -> None:
    for i in range(units):
        province = w[UNITS, i]
        if phase[ORDER, province] == CONVOY:
            army = phase[TARGET, province]
            w[OFFER, province] = OPEN
            if w[TO, army] != NONE and w[TO, army] == t.province[phase[GOAL, province]]:
                w[OFFER, province] = YES
                w[NEXT_FLEET, province] = w[FIRST_FLEET, army]
                w[FIRST_FLEET, army] = province


@compiled
def _enlist_passages(t: BoardArrays, w: UInt16Array, m: Int64Array, phase: UInt16Array, units: int) -> int:
    status = SETTLED
    for i in range(units):
        province = w[UNITS, i]
        if w[TO, province] == NONE:
            continue
        near = t.reach[phase[KIND, province], phase[LOCATION, province], w[TO, province]]
        asked = phase[MARKS, province] & VIA
        by_land = near and not asked and w[FIRST_FLEET, province] == NONE
        if not by_land and not _embark(t, w, m, phase, province, near != 0, asked != 0):
            status = TOO_LARGE
    return status


@compiled
def _embark(
    t: BoardArrays, w: UInt16Array, m: Int64Array, phase: UInt16Array, army: Scalar, near: bool, asked: bool
) -> bool:
    """Settle the way of an attack that may go by sea; False where there are too many fleets."""
    complete = has_fleet_route(t.waters, w, army, YES, NONE)
    way = choose_route(t, w, m, phase, army, asked, complete) if near else SEA
    if way < 0:
        return False
    w[WAY, army] = way
    if way != LAND:
        w[ROUTE_FOUND, army] = OPEN if complete else NO
        w[COMPLETE, army] = complete
        if complete and w[RULE, ANY_ROUTE]:
            return mark_used_fleets(t, w, m, army)
    return True


# supports -----------------------------------------------------------------------------------------


@compiled
def _enlist_supports(t: BoardArrays, w: UInt16Array, phase: UInt16Array, units: int) -> None:
    for i in range(units):
        province = w[UNITS, i]
        what = phase[ORDER, province]
        if SUPPORT_HOLD <= what <= SUPPORT_MOVE:
            target = phase[TARGET, province]
            in_disorder = w[RULE, NO_DISORDER_SUPPORT] and phase[MARKS, target] & DISORDERED
            if in_disorder:
                continue
            if what == SUPPORT_HOLD:
                _help_stay(w, phase, province, target)
            else:
                _help_attack(t, w, phase, province, target)


@compiled
def _help_stay(w: UInt16Array, phase: UInt16Array, province: Scalar, target: Scalar) -> None:
    misordered = w[RULE, UNSUPPORTABLE] and phase[MARKS, target] & MISORDERED
    if w[TO, target] == NONE and not misordered:
        w[NEXT_HELP, province] = w[FIRST_HOLD_HELP, target]
        w[FIRST_HOLD_HELP, target] = province
        _aim(w, province, SUPPORT_HOLD, target)


@compiled
def _help_attack(
    t: BoardArrays, w: UInt16Array, phase: UInt16Array, province: Scalar, target: Scalar
) -> None:
    goal, said = w[TO, target], phase[GOAL, province]
    if goal == NONE or goal != t.province[said] or _against_own(w, province, target, goal):
        return
    if said == phase[GOAL, target] or _coast_matches(t, w, phase, province, target):
        w[NEXT_HELP, province] = w[FIRST_HELP, target]
        w[FIRST_HELP, target] = province
        _aim(w, province, SUPPORT_MOVE, goal)


@compiled
def _aim(w: UInt16Array, province: Scalar, what: int, into: Scalar) -> None:
    w[AIM, province] = what
    w[INTO, province] = into
    w[SUPPORT_STANDS, province] = OPEN if w[FIRST_ATTACKER, province] != NONE else YES


@compiled
def _against_own(w: UInt16Array, province: Scalar, target: Scalar, goal: Scalar) -> bool:
    """Whether the book voids a support for a foreign unit against one of the supporter's own that stays."""
    if not w[RULE, OWN_UNIT_SAFE] or not w[OCCUPIED, goal] or w[TO, goal] != NONE:
        return False
    return bool(w[OWNER, goal] == w[OWNER, province] and w[OWNER, target] != w[OWNER, province])


@compiled
def _coast_matches(
    t: BoardArrays, w: UInt16Array, phase: UInt16Array, province: Scalar, target: Scalar
) -> bool:
    """Whether a support counts whose coast, said or not, is not that of the attack (DATC 4.B.4)."""
    rule = w[RULE, COAST_OWN if w[OWNER, target] == w[OWNER, province] else COAST_FOREIGN]
    said, real = phase[GOAL, province], phase[GOAL, target]
    if rule == IGNORED or _is_whole(t, real):
        return True
    several = t.reach[phase[KIND, target], phase[LOCATION, target], w[TO, target]] > 1
    return _is_whole(t, said) and not (rule == MUST_MATCH and several)


@compiled
def _is_whole(t: BoardArrays, location: Scalar) -> bool:
    """Whether a location is a province rather than one of its coasts."""
    return bool(location == 0 or t.province[location - 1] != t.province[location])
