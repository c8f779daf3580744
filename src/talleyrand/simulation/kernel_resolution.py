"""The decisions of a movement phase and their strengths, compiled (`engine.battle`)."""

from __future__ import annotations

from . import array_layout as code
from .array_layout import PROTECTIONS, Scalar, UInt8Array, UInt16Array
from .kernel_convoys import fleet_convoys_army
from .numba_compiler import compiled

CUTS, ANY_FLEET, NECESSARY, ACTION_IN_SEA = range(len(PROTECTIONS))


@compiled
def tri_and(one: Scalar, other: Scalar) -> Scalar:
    """Whether two things are so."""
    if one == code.NO or other == code.NO:
        return code.NO
    return code.YES if one == code.YES and other == code.YES else code.OPEN


# convoys ------------------------------------------------------------------------------------------


@compiled
def is_dislodged(w: UInt16Array, province: Scalar) -> Scalar:
    """Whether the unit of a province, which does not move, is dislodged."""
    doubt = code.NO
    attacker = w[code.FIRST_ATTACKER, province]
    while attacker != code.NONE:
        if w[code.MOVE_SUCCEEDS, attacker] == code.YES:
            return code.YES
        if w[code.MOVE_SUCCEEDS, attacker] == code.OPEN:
            doubt = code.OPEN
        attacker = w[code.NEXT_ATTACKER, attacker]
    return doubt


@compiled
def has_fleet_route(waters: UInt8Array, w: UInt16Array, army: Scalar, worst: int, without: Scalar) -> bool:
    """Whether the fleets that convoy an army make a route: all of them (`worst` YES), those not surely
    lost (OPEN), or those surely safe (NO); one may be left out."""
    count = 0
    fleet = w[code.FIRST_FLEET, army]
    while fleet != code.NONE:
        if fleet != without and (worst == code.YES or _is_within(is_dislodged(w, fleet), worst)):
            w[code.LIST, count] = fleet
            w[code.MARK, count] = waters[army, fleet]
            count += 1
        fleet = w[code.NEXT_FLEET, fleet]
    return _flood(waters, w, w[code.TO, army], count)


@compiled
def _is_within(state: Scalar, worst: int) -> bool:
    return bool(state == code.NO or (worst == code.OPEN and state == code.OPEN))


@compiled
def _flood(waters: UInt8Array, w: UInt16Array, goal: Scalar, count: int) -> bool:
    """Whether the marked of the listed fleets reach the goal; 1: to walk on from, 2: done."""
    walking = True
    while walking:
        walking = False
        for i in range(count):
            if w[code.MARK, i] == 1:
                if waters[goal, w[code.LIST, i]]:
                    return True
                w[code.MARK, i] = 2
                walking = True
                for j in range(count):
                    if w[code.MARK, j] == 0:
                        w[code.MARK, j] = waters[w[code.LIST, i], w[code.LIST, j]]
    return False


@compiled
def decide_route(waters: UInt8Array, w: UInt16Array, army: Scalar) -> Scalar:
    """Whether a convoyed attack has a route of fleets that are not dislodged (DATC 4.A.1)."""
    if w[code.RULE, code.ANY_ROUTE]:
        return _path_by_all(w, army)
    if has_fleet_route(waters, w, army, code.NO, code.NONE):
        return code.YES
    return code.OPEN if has_fleet_route(waters, w, army, code.OPEN, code.NONE) else code.NO


@compiled
def _path_by_all(w: UInt16Array, army: Scalar) -> Scalar:
    doubt = code.YES
    fleet = w[code.FIRST_FLEET, army]
    while fleet != code.NONE:
        state = is_dislodged(w, fleet) if w[code.USED, fleet] else code.NO
        if state == code.YES:
            return code.NO
        if state == code.OPEN:
            doubt = code.OPEN
        fleet = w[code.NEXT_FLEET, fleet]
    return doubt


@compiled
def goes_by_convoy(w: UInt16Array, province: Scalar) -> Scalar:
    """Whether a move travels by convoy."""
    if w[code.WAY, province] == code.SEA_ELSE_LAND:
        return w[code.ROUTE_FOUND, province]
    return code.YES if w[code.WAY, province] == code.SEA else code.NO


@compiled
def can_arrive(w: UInt16Array, province: Scalar) -> Scalar:
    """Whether an attack can succeed where it goes: by land always, by sea with a route."""
    return w[code.ROUTE_FOUND, province] if w[code.WAY, province] == code.SEA else code.YES


@compiled
def has_effect(w: UInt16Array, province: Scalar) -> Scalar:
    """Whether an attack makes itself felt at its goal, by some books even with its convoy disrupted."""
    if w[code.RULE, code.STILL_FELT] and w[code.COMPLETE, province]:
        return code.YES
    return can_arrive(w, province)


# supports -----------------------------------------------------------------------------------------


@compiled
def decide_support(waters: UInt8Array, w: UInt16Array, province: Scalar) -> Scalar:
    """Whether a support counts: cut by an attack from elsewhere or by dislodgement (DATC 6.D)."""
    doubt = code.YES
    attacker = w[code.FIRST_ATTACKER, province]
    while attacker != code.NONE:
        if w[code.OWNER, attacker] != w[code.OWNER, province]:
            state = _cuts(waters, w, attacker, province)
            if state == code.YES:
                return code.NO
            if state == code.OPEN:
                doubt = code.OPEN
        attacker = w[code.NEXT_ATTACKER, attacker]
    return doubt


@compiled
def _cuts(waters: UInt8Array, w: UInt16Array, attacker: Scalar, province: Scalar) -> Scalar:
    if w[code.WAY, attacker] == code.LAND:
        return code.YES if attacker != w[code.INTO, province] else w[code.MOVE_SUCCEEDS, attacker]
    exempt = _exempt(waters, w, attacker, province)
    if exempt == code.YES:
        return code.NO
    harm = _harms(w, attacker, province)
    return code.OPEN if harm == code.YES and exempt == code.OPEN else harm


@compiled
def _harms(w: UInt16Array, attacker: Scalar, province: Scalar) -> Scalar:
    """An attack by sea; one from the place a support is directed against cuts by dislodgement alone."""
    if attacker != w[code.INTO, province]:
        return has_effect(w, attacker)
    if w[code.RULE, code.CUT_FROM_TARGET]:
        sea = goes_by_convoy(w, attacker)
        if sea != code.NO:
            return has_effect(w, attacker) if sea == code.YES else code.OPEN
    return w[code.MOVE_SUCCEEDS, attacker]


@compiled
def _exempt(waters: UInt8Array, w: UInt16Array, attacker: Scalar, province: Scalar) -> Scalar:
    """Whether the book keeps a convoyed attack from cutting this support (DATC 4.A.2)."""
    protection, into = w[code.RULE, code.PROTECTION], w[code.INTO, province]
    if protection == ACTION_IN_SEA:
        return goes_by_convoy(w, attacker) if w[code.OFFER, into] != code.NO else code.NO
    if (
        protection == CUTS
        or w[code.AIM, province] != code.SUPPORT_MOVE
        or not fleet_convoys_army(w, attacker, into)
    ):
        return code.NO
    if protection == ANY_FLEET:
        return goes_by_convoy(w, attacker)
    return tri_and(_necessary(waters, w, into, attacker), goes_by_convoy(w, attacker))


@compiled
def _necessary(waters: UInt8Array, w: UInt16Array, fleet: Scalar, army: Scalar) -> Scalar:
    """Whether every route still possible for a convoyed attack passes this fleet."""
    if not has_fleet_route(waters, w, army, code.OPEN, fleet):
        return code.YES
    return code.NO if has_fleet_route(waters, w, army, code.NO, fleet) else code.OPEN


# strengths ----------------------------------------------------------------------------------------


@compiled
def support_strength(w: UInt16Array, first: Scalar, without: Scalar) -> tuple[int, int]:
    """One, and one for each support that counts or may, but for those of one power (NONE: of all): the least
    and the most."""
    least, most = 1, 1
    helper = first
    while helper != code.NONE:
        if w[code.SUPPORT_STANDS, helper] != code.NO and w[code.OWNER, helper] != without:
            most += 1
            if w[code.SUPPORT_STANDS, helper] == code.YES:
                least += 1
        helper = w[code.NEXT_HELP, helper]
    return least, most


@compiled
def _helped_against(w: UInt16Array, province: Scalar, goal: Scalar) -> tuple[int, int]:
    """The strength to dislodge: no power dislodges its own unit, nor helps to (DATC 6.D.10 to 6.D.14)."""
    if w[code.OWNER, goal] == w[code.OWNER, province]:
        return 0, 0
    return support_strength(w, w[code.FIRST_HELP, province], w[code.OWNER, goal])


@compiled
def is_head_to_head(w: UInt16Array, province: Scalar) -> Scalar:
    """Whether a move meets its goal's unit half-way: opposite moves, neither by convoy."""
    goal = w[code.TO, province]
    if w[code.TO, goal] != province:
        return code.NO
    if w[code.RULE, code.NO_EXCHANGE]:
        return tri_and(can_arrive(w, province), can_arrive(w, goal))
    here, there = goes_by_convoy(w, province), goes_by_convoy(w, goal)
    if here == code.YES or there == code.YES:
        return code.NO
    return code.OPEN if here == code.OPEN or there == code.OPEN else code.YES


@compiled
def attack_strength(w: UInt16Array, province: Scalar) -> tuple[int, int]:
    """The strength of a move against the unit at its goal."""
    least, most = _attack_if_arrived(w, province, w[code.TO, province])
    landed = can_arrive(w, province)
    if landed == code.YES:
        return least, most
    return (0, 0) if landed == code.NO else (0, most)


@compiled
def _attack_if_arrived(w: UInt16Array, province: Scalar, goal: Scalar) -> tuple[int, int]:
    leaves = _leaves(w, province, goal) if w[code.OCCUPIED, goal] else code.YES
    if leaves == code.YES:
        return support_strength(w, w[code.FIRST_HELP, province], code.NONE)
    least, most = _helped_against(w, province, goal)
    if leaves == code.OPEN:
        low, high = support_strength(w, w[code.FIRST_HELP, province], code.NONE)
        return min(least, low), max(most, high)
    return least, most


@compiled
def _leaves(w: UInt16Array, province: Scalar, goal: Scalar) -> Scalar:
    if w[code.TO, goal] == code.NONE:
        return code.NO
    if w[code.MOVE_SUCCEEDS, goal] != code.YES:
        return w[code.MOVE_SUCCEEDS, goal]
    met = is_head_to_head(w, province)
    if met == code.OPEN:
        return code.OPEN
    return code.NO if met == code.YES else code.YES


@compiled
def defence_strength(w: UInt16Array, province: Scalar) -> tuple[int, int]:
    """What a move must overcome in the unit at its goal."""
    goal = w[code.TO, province]
    if not w[code.OCCUPIED, goal]:
        return 0, 0
    met = is_head_to_head(w, province)
    if met == code.NO:
        return _hold(w, goal)
    least, most = support_strength(w, w[code.FIRST_HELP, goal], code.NONE)
    if met == code.YES:
        return least, most
    low, high = _hold(w, goal)
    return min(low, least), max(high, most)


@compiled
def _hold(w: UInt16Array, province: Scalar) -> tuple[int, int]:
    if w[code.TO, province] == code.NONE:
        return support_strength(w, w[code.FIRST_HOLD_HELP, province], code.NONE)
    if w[code.MOVE_SUCCEEDS, province] == code.YES:
        return 0, 0
    return (1, 1) if w[code.MOVE_SUCCEEDS, province] == code.NO else (0, 1)


@compiled
def prevent_strength(w: UInt16Array, province: Scalar) -> tuple[int, int]:
    """The strength with which a move keeps others out of its goal."""
    landed = has_effect(w, province)
    if landed == code.NO:
        return 0, 0
    beaten = _beaten(w, province)
    if beaten == code.YES:
        return 0, 0
    least, most = support_strength(w, w[code.FIRST_HELP, province], code.NONE)
    if landed == code.YES and beaten == code.NO:
        return least, most
    return 0, most


@compiled
def _beaten(w: UInt16Array, province: Scalar) -> Scalar:
    """Whether the goal's own unit dislodges this one and so robs it of effect (DATC 4.A.7)."""
    goal = w[code.TO, province]
    if w[code.TO, goal] != province or w[code.MOVE_SUCCEEDS, goal] == code.NO:
        return code.NO
    if not w[code.RULE, code.NEVER_EFFECT]:
        return tri_and(is_head_to_head(w, province), w[code.MOVE_SUCCEEDS, goal])
    if w[code.MOVE_SUCCEEDS, province] == code.OPEN:
        return code.OPEN
    return w[code.MOVE_SUCCEEDS, goal] if w[code.MOVE_SUCCEEDS, province] == code.NO else code.NO


@compiled
def decide_move(w: UInt16Array, province: Scalar) -> Scalar:
    """Whether a move is stronger than all that opposes it."""
    goal = w[code.TO, province]
    rival = w[code.FIRST_ATTACKER, goal]
    if not w[code.OCCUPIED, goal] and w[code.NEXT_ATTACKER, rival] == code.NONE:
        return can_arrive(w, province)
    least, most = attack_strength(w, province)
    low, high = defence_strength(w, province)
    if most <= low or most == 0:
        return code.NO
    certain = least > high
    while rival != code.NONE:
        if rival != province:
            low, high = prevent_strength(w, rival)
            if most <= low:
                return code.NO
            certain = certain and least > high
        rival = w[code.NEXT_ATTACKER, rival]
    return code.YES if certain else code.OPEN
