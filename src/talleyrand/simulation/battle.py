"""The decisions of a movement phase and their strengths, compiled (`engine.battle`)."""

from __future__ import annotations

from .codes import (
    AIM,
    ANY_ROUTE,
    COMPLETE,
    CUT_FROM_TARGET,
    FIRST_ATTACKER,
    FIRST_FLEET,
    FIRST_HELP,
    FIRST_HOLD_HELP,
    GIVEN,
    INTO,
    LAND,
    LIST,
    MARK,
    MOVED,
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
    PATH,
    PROTECTION,
    RULE,
    SEA,
    SEA_ELSE_LAND,
    STILL_FELT,
    SUPPORT_MOVE,
    TO,
    USED,
    WAY,
    YES,
    Bytes,
    Cell,
    Cells,
)
from .compiling import compiled
from .rules import PROTECTIONS
from .ways import carries

CUTS, ANY_FLEET, NECESSARY, ACTION_IN_SEA = range(len(PROTECTIONS))


@compiled
def both(one: Cell, other: Cell) -> Cell:
    """Whether two things are so."""
    if one == NO or other == NO:
        return NO
    return YES if one == YES and other == YES else OPEN


# convoys ------------------------------------------------------------------------------------------


@compiled
def fallen(w: Cells, province: Cell) -> Cell:
    """Whether the unit of a province, which does not move, is dislodged."""
    doubt = NO
    attacker = w[FIRST_ATTACKER, province]
    while attacker != NONE:
        if w[MOVED, attacker] == YES:
            return YES
        if w[MOVED, attacker] == OPEN:
            doubt = OPEN
        attacker = w[NEXT_ATTACKER, attacker]
    return doubt


@compiled
def linked(waters: Bytes, w: Cells, army: Cell, worst: int, without: Cell) -> bool:
    """Whether the fleets that convoy an army make a route: all of them (`worst` YES), those not surely
    lost (OPEN), or those surely safe (NO); one may be left out."""
    count = 0
    fleet = w[FIRST_FLEET, army]
    while fleet != NONE:
        if fleet != without and (worst == YES or _within(fallen(w, fleet), worst)):
            w[LIST, count] = fleet
            w[MARK, count] = waters[army, fleet]
            count += 1
        fleet = w[NEXT_FLEET, fleet]
    return _flood(waters, w, w[TO, army], count)


@compiled
def _within(state: Cell, worst: int) -> bool:
    return bool(state == NO or (worst == OPEN and state == OPEN))


@compiled
def _flood(waters: Bytes, w: Cells, goal: Cell, count: int) -> bool:
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
def find_path(waters: Bytes, w: Cells, army: Cell) -> Cell:
    """Whether a convoyed attack has a route of fleets that are not dislodged (DATC 4.A.1)."""
    if w[RULE, ANY_ROUTE]:
        return _path_by_all(w, army)
    if linked(waters, w, army, NO, NONE):
        return YES
    return OPEN if linked(waters, w, army, OPEN, NONE) else NO


@compiled
def _path_by_all(w: Cells, army: Cell) -> Cell:
    doubt = YES
    fleet = w[FIRST_FLEET, army]
    while fleet != NONE:
        state = fallen(w, fleet) if w[USED, fleet] else NO
        if state == YES:
            return NO
        if state == OPEN:
            doubt = OPEN
        fleet = w[NEXT_FLEET, fleet]
    return doubt


@compiled
def by_sea(w: Cells, province: Cell) -> Cell:
    """Whether a move travels by convoy."""
    if w[WAY, province] == SEA_ELSE_LAND:
        return w[PATH, province]
    return YES if w[WAY, province] == SEA else NO


@compiled
def arrives(w: Cells, province: Cell) -> Cell:
    """Whether an attack can succeed where it goes: by land always, by sea with a route."""
    return w[PATH, province] if w[WAY, province] == SEA else YES


@compiled
def felt(w: Cells, province: Cell) -> Cell:
    """Whether an attack makes itself felt at its goal, by some books even with its convoy disrupted."""
    if w[RULE, STILL_FELT] and w[COMPLETE, province]:
        return YES
    return arrives(w, province)


# supports -----------------------------------------------------------------------------------------


@compiled
def find_support(waters: Bytes, w: Cells, province: Cell) -> Cell:
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
def _cuts(waters: Bytes, w: Cells, attacker: Cell, province: Cell) -> Cell:
    if w[WAY, attacker] == LAND:
        return YES if attacker != w[INTO, province] else w[MOVED, attacker]
    exempt = _exempt(waters, w, attacker, province)
    if exempt == YES:
        return NO
    harm = _harms(w, attacker, province)
    return OPEN if harm == YES and exempt == OPEN else harm


@compiled
def _harms(w: Cells, attacker: Cell, province: Cell) -> Cell:
    """An attack by sea; one from the place a support is directed against cuts by dislodgement alone."""
    if attacker != w[INTO, province]:
        return felt(w, attacker)
    if w[RULE, CUT_FROM_TARGET]:
        sea = by_sea(w, attacker)
        if sea != NO:
            return felt(w, attacker) if sea == YES else OPEN
    return w[MOVED, attacker]


@compiled
def _exempt(waters: Bytes, w: Cells, attacker: Cell, province: Cell) -> Cell:
    """Whether the book keeps a convoyed attack from cutting this support (DATC 4.A.2)."""
    protection, into = w[RULE, PROTECTION], w[INTO, province]
    if protection == ACTION_IN_SEA:
        return by_sea(w, attacker) if w[OFFER, into] != NO else NO
    if protection == CUTS or w[AIM, province] != SUPPORT_MOVE or not carries(w, attacker, into):
        return NO
    if protection == ANY_FLEET:
        return by_sea(w, attacker)
    return both(_necessary(waters, w, into, attacker), by_sea(w, attacker))


@compiled
def _necessary(waters: Bytes, w: Cells, fleet: Cell, army: Cell) -> Cell:
    """Whether every route still possible for a convoyed attack passes this fleet."""
    if not linked(waters, w, army, OPEN, fleet):
        return YES
    return NO if linked(waters, w, army, NO, fleet) else OPEN


# strengths ----------------------------------------------------------------------------------------


@compiled
def helped(w: Cells, first: Cell) -> tuple[int, int]:
    """One, and one for each support that counts or may: the least and the most."""
    least, most = 1, 1
    helper = first
    while helper != NONE:
        if w[GIVEN, helper] != NO:
            most += 1
            if w[GIVEN, helper] == YES:
                least += 1
        helper = w[NEXT_HELP, helper]
    return least, most


@compiled
def _helped_against(w: Cells, province: Cell, goal: Cell) -> tuple[int, int]:
    """The strength to dislodge: no power dislodges its own unit, nor helps to (DATC 6.D.10 to 6.D.14)."""
    if w[OWNER, goal] == w[OWNER, province]:
        return 0, 0
    least, most = 1, 1
    helper = w[FIRST_HELP, province]
    while helper != NONE:
        if w[GIVEN, helper] != NO and w[OWNER, helper] != w[OWNER, goal]:
            most += 1
            if w[GIVEN, helper] == YES:
                least += 1
        helper = w[NEXT_HELP, helper]
    return least, most


@compiled
def head_on(w: Cells, province: Cell) -> Cell:
    """Whether a move meets its goal's unit half-way: opposite moves, neither by convoy."""
    goal = w[TO, province]
    if w[TO, goal] != province:
        return NO
    if w[RULE, NO_EXCHANGE]:
        return both(arrives(w, province), arrives(w, goal))
    here, there = by_sea(w, province), by_sea(w, goal)
    if here == YES or there == YES:
        return NO
    return OPEN if here == OPEN or there == OPEN else YES


@compiled
def attack(w: Cells, province: Cell) -> tuple[int, int]:
    """The strength of a move against the unit at its goal."""
    least, most = _attack_if_arrived(w, province, w[TO, province])
    landed = arrives(w, province)
    if landed == YES:
        return least, most
    return (0, 0) if landed == NO else (0, most)


@compiled
def _attack_if_arrived(w: Cells, province: Cell, goal: Cell) -> tuple[int, int]:
    leaves = _leaves(w, province, goal) if w[OCCUPIED, goal] else YES
    if leaves == YES:
        return helped(w, w[FIRST_HELP, province])
    least, most = _helped_against(w, province, goal)
    if leaves == OPEN:
        low, high = helped(w, w[FIRST_HELP, province])
        return min(least, low), max(most, high)
    return least, most


@compiled
def _leaves(w: Cells, province: Cell, goal: Cell) -> Cell:
    if w[TO, goal] == NONE:
        return NO
    if w[MOVED, goal] != YES:
        return w[MOVED, goal]
    met = head_on(w, province)
    if met == OPEN:
        return OPEN
    return NO if met == YES else YES


@compiled
def resistance(w: Cells, province: Cell) -> tuple[int, int]:
    """What a move must overcome in the unit at its goal."""
    goal = w[TO, province]
    if not w[OCCUPIED, goal]:
        return 0, 0
    met = head_on(w, province)
    if met == NO:
        return _hold(w, goal)
    least, most = helped(w, w[FIRST_HELP, goal])
    if met == YES:
        return least, most
    low, high = _hold(w, goal)
    return min(low, least), max(high, most)


@compiled
def _hold(w: Cells, province: Cell) -> tuple[int, int]:
    if w[TO, province] == NONE:
        return helped(w, w[FIRST_HOLD_HELP, province])
    if w[MOVED, province] == YES:
        return 0, 0
    return (1, 1) if w[MOVED, province] == NO else (0, 1)


@compiled
def prevention(w: Cells, province: Cell) -> tuple[int, int]:
    """The strength with which a move keeps others out of its goal."""
    landed = felt(w, province)
    if landed == NO:
        return 0, 0
    beaten = _beaten(w, province)
    if beaten == YES:
        return 0, 0
    least, most = helped(w, w[FIRST_HELP, province])
    if landed == YES and beaten == NO:
        return least, most
    return 0, most


@compiled
def _beaten(w: Cells, province: Cell) -> Cell:
    """Whether the goal's own unit dislodges this one and so robs it of effect (DATC 4.A.7)."""
    goal = w[TO, province]
    if w[TO, goal] != province or w[MOVED, goal] == NO:
        return NO
    if not w[RULE, NEVER_EFFECT]:
        return both(head_on(w, province), w[MOVED, goal])
    if w[MOVED, province] == OPEN:
        return OPEN
    return w[MOVED, goal] if w[MOVED, province] == NO else NO


@compiled
def find_move(w: Cells, province: Cell) -> Cell:
    """Whether a move is stronger than all that opposes it."""
    goal = w[TO, province]
    rival = w[FIRST_ATTACKER, goal]
    if not w[OCCUPIED, goal] and w[NEXT_ATTACKER, rival] == NONE:
        return arrives(w, province)
    least, most = attack(w, province)
    low, high = resistance(w, province)
    if most <= low or most == 0:
        return NO
    certain = least > high
    while rival != NONE:
        if rival != province:
            low, high = prevention(w, rival)
            if most <= low:
                return NO
            certain = certain and least > high
        rival = w[NEXT_ATTACKER, rival]
    return YES if certain else OPEN
