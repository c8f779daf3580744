"""Routes of fleets, and how an army goes to a neighbour, compiled (`engine.convoys`, `engine.ways`)."""

from __future__ import annotations

import numpy as np

from . import array_layout as code
from .array_layout import ROUTES, Int64Array, Scalar, UInt16Array
from .board_arrays import BoardArrays
from .numba_compiler import compiled

OPPOSITE, INTENT, OWN_FLEET, OWN_CHAIN, ASKED, LAND_FIRST, SEA_FIRST = range(len(ROUTES))
TOO_MANY = -1
# What a search for the chains of own fleets finds: one with own fleets that all convoy; one without any
# own fleet that does not.
WHOLE, FREE = 1, 2


@compiled
def fleet_convoys_army(w: UInt16Array, army: Scalar, sea: Scalar) -> bool:
    """Whether the fleet of a sea convoys an army."""
    fleet = w[code.FIRST_FLEET, army]
    while fleet != code.NONE and fleet != sea:
        fleet = w[code.NEXT_FLEET, fleet]
    return bool(fleet != code.NONE)


@compiled
def choose_route(
    t: BoardArrays,
    w: UInt16Array,
    m: Int64Array,
    phase: UInt16Array,
    army: Scalar,
    asked: bool,
    complete: bool,
) -> int:
    """The way of an army to a neighbour that a fleet convoys or whose player asks for a convoy."""
    sails = _sails(t, w, m, phase, army, asked, complete)
    if sails == TOO_MANY:
        return TOO_MANY
    if sails == code.NO:
        return code.LAND
    return (
        code.SEA_ELSE_LAND
        if w[code.RULE, code.ROUTE_CHOICE] == OPPOSITE or w[code.RULE, code.TO_LAND]
        else code.SEA
    )


@compiled
def _sails(
    t: BoardArrays,
    w: UInt16Array,
    m: Int64Array,
    phase: UInt16Array,
    army: Scalar,
    asked: bool,
    complete: bool,
) -> int:
    route = w[code.RULE, code.ROUTE_CHOICE]
    if route == ASKED:
        return code.YES if asked else code.NO
    if OWN_FLEET <= route <= OWN_CHAIN:
        if asked or (complete and w[code.RULE, code.KIDNAPPING]):
            return code.YES
        return _driven_by_own_fleets(t, w, m, phase, army)
    wanted = asked or w[code.RULE, code.KIDNAPPING] != 0 or _has_own_fleet(w, army)
    return code.YES if complete and _offered(w, army, route, wanted) else code.NO


@compiled
def _offered(w: UInt16Array, army: Scalar, route: Scalar, wanted: bool) -> bool:
    """Whether an army takes a complete convoy, by the orders of its player and of the unit at its goal."""
    goal = w[code.TO, army]
    opposed = w[code.TO, goal] == army
    if route == OPPOSITE:
        return bool(opposed and wanted)
    if route == INTENT:
        return bool(wanted or (opposed and w[code.OWNER, goal] == w[code.OWNER, army]))
    return bool(route == SEA_FIRST and wanted)


@compiled
def _bit(value: Scalar, number: int) -> Scalar:
    return np.int64(value) << number


@compiled
def _has_own_fleet(w: UInt16Array, army: Scalar) -> bool:
    fleet = w[code.FIRST_FLEET, army]
    while fleet != code.NONE and w[code.OWNER, fleet] != w[code.OWNER, army]:
        fleet = w[code.NEXT_FLEET, fleet]
    return bool(fleet != code.NONE)


@compiled
def _driven_by_own_fleets(
    t: BoardArrays, w: UInt16Array, m: Int64Array, phase: UInt16Array, army: Scalar
) -> int:
    if not _has_own_fleet(w, army):
        return code.NO
    if w[code.RULE, code.ROUTE_CHOICE] == OWN_FLEET and w[code.RULE, code.ATTACK_FAILS]:
        return code.YES
    found = _own_chains(t, w, m, phase, army)
    if found == TOO_MANY:
        return TOO_MANY
    if w[code.RULE, code.ROUTE_CHOICE] == OWN_FLEET:
        return code.YES if found & FREE else code.NO
    return code.YES if found & WHOLE or (w[code.RULE, code.ATTACK_FAILS] and not found & FREE) else code.NO


@compiled
def _own_chains(t: BoardArrays, w: UInt16Array, m: Int64Array, phase: UInt16Array, army: Scalar) -> int:
    """What the chains of all fleets on the board tell of the army's own ones."""
    count, own, offered = 0, 0, 0
    for sea in range(phase.shape[1]):
        if phase[code.KIND, sea] != code.NONE and t.sea[sea] and t.convoys[phase[code.KIND, sea]]:
            if count == code.MOST_FLEETS:
                return TOO_MANY
            w[code.LIST, count] = sea
            own |= _bit(w[code.OWNER, sea] == w[code.OWNER, army], count)
            offered |= _bit(fleet_convoys_army(w, army, sea), count)
            count += 1
    return _search(t, w, m, army, count, own, own & ~offered)


@compiled
def mark_used_fleets(t: BoardArrays, w: UInt16Array, m: Int64Array, army: Scalar) -> bool:
    """Mark the fleets that lie on a proper route of those that convoy an army; False: too many."""
    count = 0
    fleet = w[code.FIRST_FLEET, army]
    while fleet != code.NONE:
        if count == code.MOST_FLEETS:
            return False
        w[code.LIST, count] = fleet
        count += 1
        fleet = w[code.NEXT_FLEET, fleet]
    used = _search(t, w, m, army, count, 0, 0)
    for i in range(count):
        w[code.USED, w[code.LIST, i]] = used >> i & 1
    return used != TOO_MANY


@compiled
def _search(
    t: BoardArrays, w: UInt16Array, m: Int64Array, army: Scalar, count: int, own: int, idle: int
) -> int:
    starts, ends = _shores(t, w, m, army, count)
    return walk_routes(m, starts, ends, count, own, idle)


@compiled
def walk_routes(m: Int64Array, starts: Scalar, ends: Scalar, count: int, own: int, idle: int) -> int:
    """Walk all proper routes between two shores, given by the fleets that touch them: the fleets that lie on
    one; or, where some are the army's own, WHOLE and FREE."""
    depth = _push(m, 0, starts, starts, 0, count)
    found = 0
    while depth:
        depth -= 1
        here, closed, chain = m[code.HERE, depth], m[code.CLOSED, depth], m[code.CHAIN, depth]
        if not ends >> here & 1:
            onward = m[code.TOUCHING, here] & ~closed
            depth = _push(m, depth, onward, closed | onward, chain, count)
            if depth > code.DEEPEST - code.MOST_FLEETS:
                return TOO_MANY
        elif not own:
            found |= chain
        elif not chain & idle:
            found |= FREE | (WHOLE if chain & own else 0)
    return found


@compiled
def _shores(t: BoardArrays, w: UInt16Array, m: Int64Array, army: Scalar, count: int) -> tuple[int, int]:
    """The listed fleets at the army's shore and at its goal's; notes which fleets touch which."""
    starts, ends = 0, 0
    for i in range(count):
        m[code.TOUCHING, i] = 0
        for j in range(count):
            m[code.TOUCHING, i] |= _bit(t.waters[w[code.LIST, i], w[code.LIST, j]], j)
        starts |= _bit(t.waters[army, w[code.LIST, i]], i)
        ends |= _bit(t.waters[w[code.TO, army], w[code.LIST, i]], i)
    return starts, ends


@compiled
def _push(m: Int64Array, depth: int, seas: int, closed: int, chain: int, count: int) -> int:
    for i in range(count):
        if seas >> i & 1:
            m[code.HERE, depth], m[code.CLOSED, depth], m[code.CHAIN, depth] = i, closed, chain | 1 << i
            depth += 1
    return depth
