"""The decisions of a movement phase and their strengths, compiled (`engine.battle`)."""

from __future__ import annotations

from .array_layout import (
    AIM,
    ANY_ROUTE,
    COMPLETE,
    CUT_FROM_TARGET,
    FIRST_ATTACKER,
    FIRST_FLEET,
    FIRST_HELP,
    FIRST_HOLD_HELP,
    INTO,
    LAND,
    LIST,
    MARK,
    MOVE_SUCCEEDS,
    NEVER_EFFECT,
    NEXT_ATTACKER,
    NEXT_FLEET,
    NEXT_HELP,
    NO,
    NO_EXCHANGE,
    NONE,
    OCCUPIED,
    OFFER,
    OPEN,
    OWNER,
    PROTECTION,
    ROUTE_FOUND,
    RULE,
    SEA,
    SEA_ELSE_LAND,
    STILL_FELT,
    SUPPORT_MOVE,
    SUPPORT_STANDS,
    TO,
    USED,
    WAY,
    YES,
    Scalar,
    UInt8Array,
    UInt16Array,
)
from .kernel_convoys import fleet_convoys_army
from .numba_compiler import compiled
from .rulebook_numbers import PROTECTIONS

CUTS, ANY_FLEET, NECESSARY, ACTION_IN_SEA = range(len(PROTECTIONS))


@compiled
def tri_and(one: Scalar, other: Scalar) -> Scalar:
    """Whether two things are so."""
    if one == NO or other == NO:
        return NO
    return YES if one == YES and other == YES else OPEN


# convoys ------------------------------------------------------------------------------------------


@compiled
def is_dislodged(w: UInt16Array, province: Scalar) -> Scalar:
    """Whether the unit of a province, which does not move, is dislodged."""
    doubt = NO
    attacker = w[FIRST_ATTACKER, province]
    while attacker != NONE:
        if w[MOVE_SUCCEEDS, attacker] == YES:
            return YES
        if w[MOVE_SUCCEEDS, attacker] == OPEN:
            doubt = OPEN
        attacker = w[NEXT_ATTACKER, attacker]
    return doubt


@compiled
def has_fleet_route(waters: UInt8Array, w: UInt16Array, army: Scalar, worst: int, without: Scalar) -> bool:
    """Whether the fleets that convoy an army make a route: all of them (`worst` YES), those not surely
    lost (OPEN), or those surely safe (NO); one may be left out."""
    count = 0
    fleet = w[FIRST_FLEET, army]
    while fleet != NONE:
        if fleet != without and (worst == YES or _within(is_dislodged(w, fleet), worst)):
            w[LIST, count] = fleet
            w[MARK, count] = waters[army, fleet]
            count += 1
        fleet = w[NEXT_FLEET, fleet]
    return _flood(waters, w, w[TO, army], count)


@compiled
def _within(state: Scalar, worst: int) -> bool:
    return bool(state == NO or (worst == OPEN and state == OPEN))


@compiled
def _flood(waters: UInt8Array, w: UInt16Array, goal: Scalar, count: int) -> bool:
    """Whether the marked of the listed fleets reach the goal; 1: to walk on from, 2: done."""
    walking = True
    while walking:
        walking = False
        for i in range(count):
            if w[MARK, i] == 1:
                if waters[goal, w[LIST, i]]:
                    return True
                w[MARK, i] = 2
                walking = True
                for j in range(count):
                    if w[MARK, j] == 0:
                        w[MARK, j] = waters[w[LIST, i], w[LIST, j]]
    return False


@compiled
def decide_route(waters: UInt8Array, w: UInt16Array, army: Scalar) -> Scalar:
    """Whether a convoyed attack has a route of fleets that are not dislodged (DATC 4.A.1)."""
    if w[RULE, ANY_ROUTE]:
        return _path_by_all(w, army)
    if has_fleet_route(waters, w, army, NO, NONE):
        return YES
    return OPEN if has_fleet_route(waters, w, army, OPEN, NONE) else NO


@compiled
def _path_by_all(w: UInt16Array, army: Scalar) -> Scalar:
    doubt = YES
    fleet = w[FIRST_FLEET, army]
    while fleet != NONE:
        state = is_dislodged(w, fleet) if w[USED, fleet] else NO
        if state == YES:
            return NO
        if state == OPEN:
            doubt = OPEN
        fleet = w[NEXT_FLEET, fleet]
    return doubt


@compiled
def goes_by_convoy(w: UInt16Array, province: Scalar) -> Scalar:
    """Whether a move travels by convoy."""
    if w[WAY, province] == SEA_ELSE_LAND:
        return w[ROUTE_FOUND, province]
    return YES if w[WAY, province] == SEA else NO


@compiled
def can_arrive(w: UInt16Array, province: Scalar) -> Scalar:
    """Whether an attack can succeed where it goes: by land always, by sea with a route."""
    return w[ROUTE_FOUND, province] if w[WAY, province] == SEA else YES


@compiled
def has_effect(w: UInt16Array, province: Scalar) -> Scalar:
    """Whether an attack makes itself felt at its goal, by some books even with its convoy disrupted."""
    if w[RULE, STILL_FELT] and w[COMPLETE, province]:
        return YES
    return can_arrive(w, province)


# supports -----------------------------------------------------------------------------------------


@compiled
def decide_support(waters: UInt8Array, w: UInt16Array, province: Scalar) -> Scalar:
    """Whether a support counts: cut by an attack from elsewhere or by dislodgement (DATC 6.D)."""
    doubt = YES
    attacker = w[FIRST_ATTACKER, province]
    while attacker != NONE:
        if w[OWNER, attacker] != w[OWNER, province]:
            state = _cuts(waters, w, attacker, province)
            if state == YES:
                return NO
            if state == OPEN:
                doubt = OPEN
        attacker = w[NEXT_ATTACKER, attacker]
    return doubt


@compiled
def _cuts(waters: UInt8Array, w: UInt16Array, attacker: Scalar, province: Scalar) -> Scalar:
    if w[WAY, attacker] == LAND:
        return YES if attacker != w[INTO, province] else w[MOVE_SUCCEEDS, attacker]
    exempt = _exempt(waters, w, attacker, province)
    if exempt == YES:
        return NO
    harm = _harms(w, attacker, province)
    return OPEN if harm == YES and exempt == OPEN else harm


@compiled
def _harms(w: UInt16Array, attacker: Scalar, province: Scalar) -> Scalar:
    """An attack by sea; one from the place a support is directed against cuts by dislodgement alone."""
    if attacker != w[INTO, province]:
        return has_effect(w, attacker)
    if w[RULE, CUT_FROM_TARGET]:
        sea = goes_by_convoy(w, attacker)
        if sea != NO:
            return has_effect(w, attacker) if sea == YES else OPEN
    return w[MOVE_SUCCEEDS, attacker]


@compiled
def _exempt(waters: UInt8Array, w: UInt16Array, attacker: Scalar, province: Scalar) -> Scalar:
    """Whether the book keeps a convoyed attack from cutting this support (DATC 4.A.2)."""
    protection, into = w[RULE, PROTECTION], w[INTO, province]
    if protection == ACTION_IN_SEA:
        return goes_by_convoy(w, attacker) if w[OFFER, into] != NO else NO
    if protection == CUTS or w[AIM, province] != SUPPORT_MOVE or not fleet_convoys_army(w, attacker, into):
        return NO
    if protection == ANY_FLEET:
        return goes_by_convoy(w, attacker)
    return tri_and(_necessary(waters, w, into, attacker), goes_by_convoy(w, attacker))


@compiled
def _necessary(waters: UInt8Array, w: UInt16Array, fleet: Scalar, army: Scalar) -> Scalar:
    """Whether every route still possible for a convoyed attack passes this fleet."""
    if not has_fleet_route(waters, w, army, OPEN, fleet):
        return YES
    return NO if has_fleet_route(waters, w, army, NO, fleet) else OPEN


# strengths ----------------------------------------------------------------------------------------


@compiled
def support_strength(w: UInt16Array, first: Scalar) -> tuple[int, int]:
    """One, and one for each support that counts or may: the least and the most."""
    least, most = 1, 1
    helper = first
    while helper != NONE:
        if w[SUPPORT_STANDS, helper] != NO:
            most += 1
            if w[SUPPORT_STANDS, helper] == YES:
                least += 1
        helper = w[NEXT_HELP, helper]
    return least, most


@compiled
def _helped_against(w: UInt16Array, province: Scalar, goal: Scalar) -> tuple[int, int]:
    """The strength to dislodge: no power dislodges its own unit, nor helps to (DATC 6.D.10 to 6.D.14)."""
    if w[OWNER, goal] == w[OWNER, province]:
        return 0, 0
    least, most = 1, 1
    helper = w[FIRST_HELP, province]
    while helper != NONE:
        if w[SUPPORT_STANDS, helper] != NO and w[OWNER, helper] != w[OWNER, goal]:
            most += 1
            if w[SUPPORT_STANDS, helper] == YES:
                least += 1
        helper = w[NEXT_HELP, helper]
    return least, most


@compiled
def is_head_to_head(w: UInt16Array, province: Scalar) -> Scalar:
    """Whether a move meets its goal's unit half-way: opposite moves, neither by convoy."""
    goal = w[TO, province]
    if w[TO, goal] != province:
        return NO
    if w[RULE, NO_EXCHANGE]:
        return tri_and(can_arrive(w, province), can_arrive(w, goal))
    here, there = goes_by_convoy(w, province), goes_by_convoy(w, goal)
    if here == YES or there == YES:
        return NO
    return OPEN if here == OPEN or there == OPEN else YES


@compiled
def attack_strength(w: UInt16Array, province: Scalar) -> tuple[int, int]:
    """The strength of a move against the unit at its goal."""
    least, most = _attack_if_arrived(w, province, w[TO, province])
    landed = can_arrive(w, province)
    if landed == YES:
        return least, most
    return (0, 0) if landed == NO else (0, most)


@compiled
def _attack_if_arrived(w: UInt16Array, province: Scalar, goal: Scalar) -> tuple[int, int]:
    leaves = _leaves(w, province, goal) if w[OCCUPIED, goal] else YES
    if leaves == YES:
        return support_strength(w, w[FIRST_HELP, province])
    least, most = _helped_against(w, province, goal)
    if leaves == OPEN:
        low, high = support_strength(w, w[FIRST_HELP, province])
        return min(least, low), max(most, high)
    return least, most


@compiled
def _leaves(w: UInt16Array, province: Scalar, goal: Scalar) -> Scalar:
    if w[TO, goal] == NONE:
        return NO
    if w[MOVE_SUCCEEDS, goal] != YES:
        return w[MOVE_SUCCEEDS, goal]
    met = is_head_to_head(w, province)
    if met == OPEN:
        return OPEN
    return NO if met == YES else YES


@compiled
def defence_strength(w: UInt16Array, province: Scalar) -> tuple[int, int]:
    """What a move must overcome in the unit at its goal."""
    goal = w[TO, province]
    if not w[OCCUPIED, goal]:
        return 0, 0
    met = is_head_to_head(w, province)
    if met == NO:
        return _hold(w, goal)
    least, most = support_strength(w, w[FIRST_HELP, goal])
    if met == YES:
        return least, most
    low, high = _hold(w, goal)
    return min(low, least), max(high, most)


@compiled
def _hold(w: UInt16Array, province: Scalar) -> tuple[int, int]:
    if w[TO, province] == NONE:
        return support_strength(w, w[FIRST_HOLD_HELP, province])
    if w[MOVE_SUCCEEDS, province] == YES:
        return 0, 0
    return (1, 1) if w[MOVE_SUCCEEDS, province] == NO else (0, 1)


@compiled
def prevent_strength(w: UInt16Array, province: Scalar) -> tuple[int, int]:
    """The strength with which a move keeps others out of its goal."""
    landed = has_effect(w, province)
    if landed == NO:
        return 0, 0
    beaten = _beaten(w, province)
    if beaten == YES:
        return 0, 0
    least, most = support_strength(w, w[FIRST_HELP, province])
    if landed == YES and beaten == NO:
        return least, most
    return 0, most


@compiled
def _beaten(w: UInt16Array, province: Scalar) -> Scalar:
    """Whether the goal's own unit dislodges this one and so robs it of effect (DATC 4.A.7)."""
    goal = w[TO, province]
    if w[TO, goal] != province or w[MOVE_SUCCEEDS, goal] == NO:
        return NO
    if not w[RULE, NEVER_EFFECT]:
        return tri_and(is_head_to_head(w, province), w[MOVE_SUCCEEDS, goal])
    if w[MOVE_SUCCEEDS, province] == OPEN:
        return OPEN
    return w[MOVE_SUCCEEDS, goal] if w[MOVE_SUCCEEDS, province] == NO else NO


@compiled
def decide_move(w: UInt16Array, province: Scalar) -> Scalar:
    """Whether a move is stronger than all that opposes it."""
    goal = w[TO, province]
    rival = w[FIRST_ATTACKER, goal]
    if not w[OCCUPIED, goal] and w[NEXT_ATTACKER, rival] == NONE:
        return can_arrive(w, province)
    least, most = attack_strength(w, province)
    low, high = defence_strength(w, province)
    if most <= low or most == 0:
        return NO
    certain = least > high
    while rival != NONE:
        if rival != province:
            low, high = prevent_strength(w, rival)
            if most <= low:
                return NO
            certain = certain and least > high
        rival = w[NEXT_ATTACKER, rival]
    return YES if certain else OPEN
