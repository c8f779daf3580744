"""What was ordered in a movement phase, in the rows of the workspace, compiled (`engine.order_matching`)."""

from __future__ import annotations

from . import array_layout as code
from .array_layout import COASTS, Int64Array, Scalar, UInt16Array
from .board_arrays import BoardArrays
from .kernel_convoys import choose_route, mark_used_fleets
from .kernel_resolution import has_fleet_route
from .numba_compiler import compiled

IGNORED, OPTIONAL, MUST_MATCH = range(len(COASTS))


@compiled
def match_orders(
    t: BoardArrays, w: UInt16Array, m: Int64Array, phase: UInt16Array, counts: Int64Array
) -> int:
    """Write down units, attacks, convoys and supports; gives the status."""
    _clear(w, phase.shape[1])
    counts[code.UNIT_COUNT] = units = _enlist_units(t, w, phase)
    _enlist_fleets(t, w, phase, units)
    status = _enlist_passages(t, w, m, phase, units)
    _enlist_supports(t, w, phase, units)
    return status


@compiled
def _clear(w: UInt16Array, provinces: int) -> None:
    for row in range(code.WAY):
        for province in range(provinces):
            w[row, province] = code.NONE
    for row in range(code.WAY, code.NEXT_ATTACKER):
        for province in range(provinces):
            w[row, province] = 0


@compiled
def _enlist_units(t: BoardArrays, w: UInt16Array, phase: UInt16Array) -> int:
    units = 0
    for province in range(phase.shape[1]):
        if phase[code.KIND, province] != code.NONE:
            w[code.UNITS, units] = province
            units += 1
            w[code.OCCUPIED, province] = 1
            w[code.OWNER, province] = phase[code.POWER, province]
            if phase[code.ORDER, province] == code.MOVE:
                there = t.province[phase[code.GOAL, province]]
                w[code.TO, province] = there
                w[code.NEXT_ATTACKER, province] = w[code.FIRST_ATTACKER, there]
                w[code.FIRST_ATTACKER, there] = province
                w[code.MOVE_SUCCEEDS, province] = code.OPEN
    return units


# convoys ------------------------------------------------------------------------------------------


@compiled
def _enlist_fleets(t: BoardArrays, w: UInt16Array, phase: UInt16Array, units: int) -> None:
    for i in range(units):
        province = w[code.UNITS, i]
        if phase[code.ORDER, province] == code.CONVOY:
            army = phase[code.TARGET, province]
            w[code.OFFER, province] = code.OPEN
            if w[code.TO, army] != code.NONE and w[code.TO, army] == t.province[phase[code.GOAL, province]]:
                w[code.OFFER, province] = code.YES
                w[code.NEXT_FLEET, province] = w[code.FIRST_FLEET, army]
                w[code.FIRST_FLEET, army] = province


@compiled
def _enlist_passages(t: BoardArrays, w: UInt16Array, m: Int64Array, phase: UInt16Array, units: int) -> int:
    status = code.SETTLED
    for i in range(units):
        province = w[code.UNITS, i]
        if w[code.TO, province] == code.NONE:
            continue
        near = t.reach[phase[code.KIND, province], phase[code.LOCATION, province], w[code.TO, province]]
        asked = phase[code.MARKS, province] & code.VIA
        by_land = near and not asked and w[code.FIRST_FLEET, province] == code.NONE
        if not by_land and not _embark(t, w, m, phase, province, near != 0, asked != 0):
            status = code.TOO_LARGE
    return status


@compiled
def _embark(
    t: BoardArrays, w: UInt16Array, m: Int64Array, phase: UInt16Array, army: Scalar, near: bool, asked: bool
) -> bool:
    """Settle the way of an attack that may go by sea; False where there are too many fleets."""
    complete = has_fleet_route(t.waters, w, army, code.YES, code.NONE)
    way = choose_route(t, w, m, phase, army, asked, complete) if near else code.SEA
    if way < 0:
        return False
    w[code.WAY, army] = way
    if way != code.LAND:
        w[code.ROUTE_FOUND, army] = code.OPEN if complete else code.NO
        w[code.COMPLETE, army] = complete
        if complete and w[code.RULE, code.ANY_ROUTE]:
            return mark_used_fleets(t, w, m, army)
    return True


# supports -----------------------------------------------------------------------------------------


@compiled
def _enlist_supports(t: BoardArrays, w: UInt16Array, phase: UInt16Array, units: int) -> None:
    for i in range(units):
        province = w[code.UNITS, i]
        what = phase[code.ORDER, province]
        if code.SUPPORT_HOLD <= what <= code.SUPPORT_MOVE:
            target = phase[code.TARGET, province]
            in_disorder = (
                w[code.RULE, code.NO_DISORDER_SUPPORT] and phase[code.MARKS, target] & code.DISORDERED
            )
            if in_disorder:
                continue
            if what == code.SUPPORT_HOLD:
                _help_stay(w, phase, province, target)
            else:
                _help_attack(t, w, phase, province, target)


@compiled
def _help_stay(w: UInt16Array, phase: UInt16Array, province: Scalar, target: Scalar) -> None:
    misordered = w[code.RULE, code.UNSUPPORTABLE] and phase[code.MARKS, target] & code.MISORDERED
    if w[code.TO, target] == code.NONE and not misordered:
        w[code.NEXT_HELP, province] = w[code.FIRST_HOLD_HELP, target]
        w[code.FIRST_HOLD_HELP, target] = province
        _aim(w, province, code.SUPPORT_HOLD, target)


@compiled
def _help_attack(
    t: BoardArrays, w: UInt16Array, phase: UInt16Array, province: Scalar, target: Scalar
) -> None:
    goal, said = w[code.TO, target], phase[code.GOAL, province]
    if goal == code.NONE or goal != t.province[said] or _against_own(w, province, target, goal):
        return
    if said == phase[code.GOAL, target] or _coast_matches(t, w, phase, province, target):
        w[code.NEXT_HELP, province] = w[code.FIRST_HELP, target]
        w[code.FIRST_HELP, target] = province
        _aim(w, province, code.SUPPORT_MOVE, goal)


@compiled
def _aim(w: UInt16Array, province: Scalar, what: int, into: Scalar) -> None:
    w[code.AIM, province] = what
    w[code.INTO, province] = into
    w[code.SUPPORT_STANDS, province] = (
        code.OPEN if w[code.FIRST_ATTACKER, province] != code.NONE else code.YES
    )


@compiled
def _against_own(w: UInt16Array, province: Scalar, target: Scalar, goal: Scalar) -> bool:
    """Whether the book voids a support for a foreign unit against one of the supporter's own that stays."""
    if not w[code.RULE, code.OWN_UNIT_SAFE] or not w[code.OCCUPIED, goal] or w[code.TO, goal] != code.NONE:
        return False
    return bool(
        w[code.OWNER, goal] == w[code.OWNER, province] and w[code.OWNER, target] != w[code.OWNER, province]
    )


@compiled
def _coast_matches(
    t: BoardArrays, w: UInt16Array, phase: UInt16Array, province: Scalar, target: Scalar
) -> bool:
    """Whether a support counts whose coast, said or not, is not that of the attack (DATC 4.B.4)."""
    rule = w[
        code.RULE, code.COAST_OWN if w[code.OWNER, target] == w[code.OWNER, province] else code.COAST_FOREIGN
    ]
    said, real = phase[code.GOAL, province], phase[code.GOAL, target]
    if rule == IGNORED or _is_whole(t, real):
        return True
    several = t.reach[phase[code.KIND, target], phase[code.LOCATION, target], w[code.TO, target]] > 1
    return _is_whole(t, said) and not (rule == MUST_MATCH and several)


@compiled
def _is_whole(t: BoardArrays, location: Scalar) -> bool:
    """Whether a location is a province rather than one of its coasts."""
    return bool(location == 0 or t.province[location - 1] != t.province[location])
