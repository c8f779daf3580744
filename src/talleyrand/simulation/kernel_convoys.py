"""Routes of fleets, and how an army goes to a neighbour, compiled (`engine.convoys`, `engine.ways`)."""

from __future__ import annotations

import numpy as np

from .array_layout import (
    ATTACK_FAILS,
    CHAIN,
    CLOSED,
    DEEPEST,
    FIRST_FLEET,
    HERE,
    KIDNAPPING,
    KIND,
    LAND,
    LIST,
    MOST_FLEETS,
    NEXT_FLEET,
    NO,
    NONE,
    OWNER,
    ROUTE_CHOICE,
    RULE,
    SEA,
    SEA_ELSE_LAND,
    TO,
    TO_LAND,
    TOUCHING,
    USED,
    YES,
    Int64Array,
    Scalar,
    UInt16Array,
)
from .board_arrays import BoardArrays
from .numba_compiler import compiled
from .rulebook_numbers import ROUTES

OPPOSITE, INTENT, OWN_FLEET, OWN_CHAIN, ASKED, LAND_FIRST, SEA_FIRST = range(len(ROUTES))
TOO_MANY = -1
# What a search for the chains of own fleets finds: one with own fleets that all convoy; one without any
# own fleet that does not.
WHOLE, FREE = 1, 2


@compiled
def fleet_convoys_army(w: UInt16Array, army: Scalar, sea: Scalar) -> bool:
    """Whether the fleet of a sea convoys an army."""
    fleet = w[FIRST_FLEET, army]
    while fleet != NONE and fleet != sea:
        fleet = w[NEXT_FLEET, fleet]
    return bool(fleet != NONE)


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
    if sails == NO:
        return LAND
    return SEA_ELSE_LAND if w[RULE, ROUTE_CHOICE] == OPPOSITE or w[RULE, TO_LAND] else SEA


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
    route = w[RULE, ROUTE_CHOICE]
    if route == ASKED:
        return YES if asked else NO
    if OWN_FLEET <= route <= OWN_CHAIN:
        if asked or (complete and w[RULE, KIDNAPPING]):
            return YES
        return _driven_by_own_fleets(t, w, m, phase, army)
    wanted = asked or w[RULE, KIDNAPPING] != 0 or _has_own_fleet(w, army)
    return YES if complete and _offered(w, army, route, wanted) else NO


@compiled
def _offered(w: UInt16Array, army: Scalar, route: Scalar, wanted: bool) -> bool:
    """Whether an army takes a complete convoy, by the orders of its player and of the unit at its goal."""
    goal = w[TO, army]
    opposed = w[TO, goal] == army
    if route == OPPOSITE:
        return bool(opposed and wanted)
    if route == INTENT:
        return bool(wanted or (opposed and w[OWNER, goal] == w[OWNER, army]))
    return bool(route == SEA_FIRST and wanted)


@compiled
def _bit(value: Scalar, number: int) -> Scalar:
    return np.int64(value) << number


@compiled
def _has_own_fleet(w: UInt16Array, army: Scalar) -> bool:
    fleet = w[FIRST_FLEET, army]
    while fleet != NONE and w[OWNER, fleet] != w[OWNER, army]:
        fleet = w[NEXT_FLEET, fleet]
    return bool(fleet != NONE)


@compiled
def _driven_by_own_fleets(
    t: BoardArrays, w: UInt16Array, m: Int64Array, phase: UInt16Array, army: Scalar
) -> int:
    if not _has_own_fleet(w, army):
        return NO
    if w[RULE, ROUTE_CHOICE] == OWN_FLEET and w[RULE, ATTACK_FAILS]:
        return YES
    found = _own_chains(t, w, m, phase, army)
    if found == TOO_MANY:
        return TOO_MANY
    if w[RULE, ROUTE_CHOICE] == OWN_FLEET:
        return YES if found & FREE else NO
    return YES if found & WHOLE or (w[RULE, ATTACK_FAILS] and not found & FREE) else NO


@compiled
def _own_chains(t: BoardArrays, w: UInt16Array, m: Int64Array, phase: UInt16Array, army: Scalar) -> int:
    """What the chains of all fleets on the board tell of the army's own ones."""
    count, own, offered = 0, 0, 0
    for sea in range(phase.shape[1]):
        if phase[KIND, sea] != NONE and t.sea[sea] and t.convoys[phase[KIND, sea]]:
            if count == MOST_FLEETS:
                return TOO_MANY
            w[LIST, count] = sea
            own |= _bit(w[OWNER, sea] == w[OWNER, army], count)
            offered |= _bit(fleet_convoys_army(w, army, sea), count)
            count += 1
    return _search(t, w, m, army, count, own, own & ~offered)


@compiled
def mark_used_fleets(t: BoardArrays, w: UInt16Array, m: Int64Array, army: Scalar) -> bool:
    """Mark the fleets that lie on a proper route of those that convoy an army; False: too many."""
    count = 0
    fleet = w[FIRST_FLEET, army]
    while fleet != NONE:
        if count == MOST_FLEETS:
            return False
        w[LIST, count] = fleet
        count += 1
        fleet = w[NEXT_FLEET, fleet]
    used = _search(t, w, m, army, count, 0, 0)
    for i in range(count):
        w[USED, w[LIST, i]] = used >> i & 1
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
        here, closed, chain = m[HERE, depth], m[CLOSED, depth], m[CHAIN, depth]
        if not ends >> here & 1:
            onward = m[TOUCHING, here] & ~closed
            depth = _push(m, depth, onward, closed | onward, chain, count)
            if depth > DEEPEST - MOST_FLEETS:
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
        m[TOUCHING, i] = 0
        for j in range(count):
            m[TOUCHING, i] |= _bit(t.waters[w[LIST, i], w[LIST, j]], j)
        starts |= _bit(t.waters[army, w[LIST, i]], i)
        ends |= _bit(t.waters[w[TO, army], w[LIST, i]], i)
    return starts, ends


@compiled
def _push(m: Int64Array, depth: int, seas: int, closed: int, chain: int, count: int) -> int:
    for i in range(count):
        if seas >> i & 1:
            m[HERE, depth], m[CLOSED, depth], m[CHAIN, depth] = i, closed, chain | 1 << i
            depth += 1
    return depth
