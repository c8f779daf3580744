"""The judge of movement phases over integer arrays, compiled by Numba.

It decides as `engine.movement.judge` does, by propagation of three-valued decisions, turns rotations, and
settles the paradox of a single convoy by Szykman's rule. A phase that stalls on another paradox is left to
the readable engine: its status says so. Orders must be legal, as the engine's judge wants them.
"""

from __future__ import annotations

from collections.abc import Callable

from .array_layout import (
    AIM,
    BOUNCES,
    BY,
    COMPLETE,
    CONTESTED,
    CONVOY,
    CONVOY_DISRUPTED,
    CONVOY_VOID,
    CONVOYS,
    DISORDERED,
    FIRST_ATTACKER,
    HOLDS,
    KIND,
    LAND,
    LOCATION,
    MARKS,
    MOVE_SUCCEEDS,
    MOVES,
    MOVES_LEFT,
    MOVES_SAVED,
    NEXT_ATTACKER,
    NO,
    NO_DISORDER_RETREAT,
    NONE,
    OCCUPIED,
    OFFER,
    OPEN,
    OPEN_MOVES,
    OPEN_PATHS,
    OPEN_SUPPORTS,
    ORDER,
    PARADOX,
    PASSIVE,
    PATHS_LEFT,
    QUASI_SAILS,
    RESULT,
    RETREAT_TO_ORIGIN,
    ROUTE,
    ROUTE_FOUND,
    RULE,
    SAVED_MOVES,
    SAVED_SUPPORTS,
    SETTLED,
    STANDS,
    SUPPORT_CUT,
    SUPPORT_GIVEN,
    SUPPORT_HOLD,
    SUPPORT_MOVE,
    SUPPORT_STANDS,
    SUPPORT_VOID,
    SUPPORTS_LEFT,
    SUPPORTS_SAVED,
    SZYKMAN,
    TARGET,
    TO,
    UNIT_COUNT,
    UNITS,
    WAY,
    YES,
    Int64Array,
    Scalar,
    UInt8Array,
    UInt16Array,
)
from .board_arrays import BoardArrays
from .kernel_order_matching import match_orders
from .kernel_resolution import (
    can_arrive,
    decide_move,
    decide_route,
    decide_support,
    goes_by_convoy,
    is_dislodged,
    prevent_strength,
)
from .numba_compiler import compiled, compiled_and_cached, sources_checksum

AdjudicateAll = Callable[
    [BoardArrays, UInt16Array, Int64Array, Int64Array, UInt16Array, UInt16Array, Int64Array, UInt8Array],
    tuple[int, int],
]


# settling -----------------------------------------------------------------------------------------


@compiled
def decide_phase(
    t: BoardArrays, w: UInt16Array, m: Int64Array, phase: UInt16Array, counts: Int64Array
) -> int:
    """Settle every decision of one phase in the workspace; gives the status."""
    status = match_orders(t, w, m, phase, counts)
    if status != SETTLED:
        return status
    _list_open(w, counts)
    while _propagate(t.waters, w, counts):
        if counts[PATHS_LEFT]:
            return SETTLED if _resolve(t.waters, w, counts) else PARADOX
        if not _turn(w, counts):
            return PARADOX
        _drop_turned(w, counts)
    return SETTLED


@compiled
def _list_open(w: UInt16Array, counts: Int64Array) -> None:
    """List what is to be decided; a move by land that nobody disputes is decided at once."""
    counts[PATHS_LEFT] = counts[SUPPORTS_LEFT] = counts[MOVES_LEFT] = 0
    for i in range(counts[UNIT_COUNT]):
        province = w[UNITS, i]
        goal = w[TO, province]
        if goal != NONE:
            alone = w[NEXT_ATTACKER, w[FIRST_ATTACKER, goal]] == NONE
            if alone and not w[OCCUPIED, goal] and w[WAY, province] == LAND:
                w[MOVE_SUCCEEDS, province] = YES
            else:
                _list(w, counts, OPEN_MOVES, MOVES_LEFT, province)
            if w[ROUTE_FOUND, province] == OPEN and w[WAY, province] != LAND:
                _list(w, counts, OPEN_PATHS, PATHS_LEFT, province)
        elif w[AIM, province] != NONE and w[SUPPORT_STANDS, province] == OPEN:
            _list(w, counts, OPEN_SUPPORTS, SUPPORTS_LEFT, province)


@compiled
def _list(w: UInt16Array, counts: Int64Array, row: int, left: int, province: Scalar) -> None:
    w[row, counts[left]] = province
    counts[left] += 1


@compiled
def _propagate(waters: UInt8Array, w: UInt16Array, counts: Int64Array) -> bool:
    """Settle what can be settled of the open decisions; whether any stay open."""
    moving = True
    while moving:
        moving = _sweep_paths(waters, w, counts)
        moving = _sweep_supports(waters, w, counts) or moving
        moving = _sweep_moves(w, counts) or moving
    return bool(counts[PATHS_LEFT] + counts[SUPPORTS_LEFT] + counts[MOVES_LEFT])


@compiled
def _sweep_paths(waters: UInt8Array, w: UInt16Array, counts: Int64Array) -> bool:
    kept = 0
    for i in range(counts[PATHS_LEFT]):
        province = w[OPEN_PATHS, i]
        w[ROUTE_FOUND, province] = decide_route(waters, w, province)
        w[OPEN_PATHS, kept] = province
        kept += w[ROUTE_FOUND, province] == OPEN
    settled = kept != counts[PATHS_LEFT]
    counts[PATHS_LEFT] = kept
    return bool(settled)


@compiled
def _sweep_supports(waters: UInt8Array, w: UInt16Array, counts: Int64Array) -> bool:
    kept = 0
    for i in range(counts[SUPPORTS_LEFT]):
        province = w[OPEN_SUPPORTS, i]
        w[SUPPORT_STANDS, province] = decide_support(waters, w, province)
        w[OPEN_SUPPORTS, kept] = province
        kept += w[SUPPORT_STANDS, province] == OPEN
    settled = kept != counts[SUPPORTS_LEFT]
    counts[SUPPORTS_LEFT] = kept
    return bool(settled)


@compiled
def _sweep_moves(w: UInt16Array, counts: Int64Array) -> bool:
    kept = 0
    for i in range(counts[MOVES_LEFT]):
        province = w[OPEN_MOVES, i]
        w[MOVE_SUCCEEDS, province] = decide_move(w, province)
        w[OPEN_MOVES, kept] = province
        kept += w[MOVE_SUCCEEDS, province] == OPEN
    settled = kept != counts[MOVES_LEFT]
    counts[MOVES_LEFT] = kept
    return bool(settled)


# rotations ----------------------------------------------------------------------------------------


@compiled
def _turn(w: UInt16Array, counts: Int64Array) -> bool:
    """Turn one circle of open moves that succeeds whatever the rest does; whether there was one."""
    for i in range(counts[MOVES_LEFT]):
        start = w[OPEN_MOVES, i]
        if _in_circle(w, start, counts[MOVES_LEFT]):
            _set_circle(w, start, YES)
            if _circle_is_sure(w, start):
                return True
            _set_circle(w, start, OPEN)
    return False


@compiled
def _in_circle(w: UInt16Array, start: Scalar, most: int) -> bool:
    here = start
    for _ in range(most):
        if w[MOVE_SUCCEEDS, here] != OPEN or w[TO, here] == NONE:
            return False
        here = w[TO, here]
        if here == start:
            return True
    return False


@compiled
def _set_circle(w: UInt16Array, start: Scalar, state: int) -> None:
    w[MOVE_SUCCEEDS, start] = state
    here = w[TO, start]
    while here != start:
        w[MOVE_SUCCEEDS, here] = state
        here = w[TO, here]


@compiled
def _circle_is_sure(w: UInt16Array, start: Scalar) -> bool:
    sure = decide_move(w, start) == YES
    here = w[TO, start]
    while sure and here != start:
        sure = decide_move(w, here) == YES
        here = w[TO, here]
    return bool(sure)


@compiled
def _drop_turned(w: UInt16Array, counts: Int64Array) -> None:
    kept = 0
    for i in range(counts[MOVES_LEFT]):
        w[OPEN_MOVES, kept] = w[OPEN_MOVES, i]
        kept += w[MOVE_SUCCEEDS, w[OPEN_MOVES, i]] == OPEN
    counts[MOVES_LEFT] = kept


# paradoxes ----------------------------------------------------------------------------------------


@compiled
def _resolve(waters: UInt8Array, w: UInt16Array, counts: Int64Array) -> bool:
    """Settle the paradox of a single convoy by Szykman's rule: it fails unless it takes place in the only
    resolution, or in one of two where the book lets it. False, where there is more to it."""
    if counts[PATHS_LEFT] != 1 or not w[RULE, SZYKMAN]:
        return False
    army = w[OPEN_PATHS, 0]
    _save(w, counts)
    fails = _suppose(waters, w, counts, army, NO)
    _restore(w, counts)
    sails = _suppose(waters, w, counts, army, YES)
    if fails == OPEN or sails == OPEN:
        return False
    if sails == NO or (fails == YES and not w[RULE, QUASI_SAILS]):
        _restore(w, counts)
        _suppose(waters, w, counts, army, NO)
    return True


@compiled
def _suppose(waters: UInt8Array, w: UInt16Array, counts: Int64Array, army: Scalar, state: int) -> Scalar:
    """Settle the rest as if a convoy took place or not; whether that agrees with what becomes of it."""
    w[ROUTE_FOUND, army] = state
    counts[PATHS_LEFT] = 0
    if _propagate(waters, w, counts):
        return OPEN
    return YES if decide_route(waters, w, army) == state else NO


@compiled
def _save(w: UInt16Array, counts: Int64Array) -> None:
    counts[SUPPORTS_SAVED], counts[MOVES_SAVED] = counts[SUPPORTS_LEFT], counts[MOVES_LEFT]
    for i in range(counts[SUPPORTS_LEFT]):
        w[SAVED_SUPPORTS, i] = w[OPEN_SUPPORTS, i]
    for i in range(counts[MOVES_LEFT]):
        w[SAVED_MOVES, i] = w[OPEN_MOVES, i]


@compiled
def _restore(w: UInt16Array, counts: Int64Array) -> None:
    """Open again what was open when it was saved."""
    counts[SUPPORTS_LEFT], counts[MOVES_LEFT] = counts[SUPPORTS_SAVED], counts[MOVES_SAVED]
    for i in range(counts[SUPPORTS_LEFT]):
        w[OPEN_SUPPORTS, i] = w[SAVED_SUPPORTS, i]
        w[SUPPORT_STANDS, w[SAVED_SUPPORTS, i]] = OPEN
    for i in range(counts[MOVES_LEFT]):
        w[OPEN_MOVES, i] = w[SAVED_MOVES, i]
        w[MOVE_SUCCEEDS, w[SAVED_MOVES, i]] = OPEN


# what became of it --------------------------------------------------------------------------------


@compiled
def write_fates(
    t: BoardArrays, w: UInt16Array, phase: UInt16Array, units: int, fates: UInt16Array, retreats: Int64Array
) -> None:
    """Write down results, dislodgers and ways, then stand-offs, then retreats."""
    _blank(fates, retreats)
    fallen_units = 0
    failed = 0
    for i in range(units):
        province = w[UNITS, i]
        if w[TO, province] == NONE:
            fates[RESULT, province] = _result_in_place(t.waters, w, phase, province)
        elif w[MOVE_SUCCEEDS, province] == YES:
            fallen_units += _tell_move(w, fates, province)
        else:
            failed += 1
            fates[RESULT, province] = BOUNCES if can_arrive(w, province) == YES else CONVOY_DISRUPTED
            fates[ROUTE, province] = goes_by_convoy(w, province) == YES
    _leave_standing(w, fates, units)
    if failed:
        _contest(w, fates, units)
    if fallen_units:
        _flee(t, w, phase, fates, units, retreats)


@compiled
def _blank(fates: UInt16Array, retreats: Int64Array) -> None:
    _fill(fates, RESULT, NONE)
    _fill(fates, BY, NONE)
    _fill(fates, CONTESTED, 0)
    _fill(fates, ROUTE, 0)
    for province in range(retreats.shape[0]):
        retreats[province] = 0


@compiled
def _fill(fates: UInt16Array, row: int, start: Scalar) -> None:
    for province in range(fates.shape[1]):
        fates[row, province] = start


@compiled
def _tell_move(w: UInt16Array, fates: UInt16Array, province: Scalar) -> int:
    """A move that succeeded; 1 if it dislodges a unit."""
    goal = w[TO, province]
    fates[RESULT, province] = MOVES
    fates[ROUTE, province] = goes_by_convoy(w, province) == YES
    w[STANDS, goal] = 1
    if w[OCCUPIED, goal] and (w[TO, goal] == NONE or w[MOVE_SUCCEEDS, goal] == NO):
        fates[BY, goal] = province
        return 1
    return 0


@compiled
def _leave_standing(w: UInt16Array, fates: UInt16Array, units: int) -> None:
    """Those who neither moved nor were dislodged stay where they are."""
    for i in range(units):
        province = w[UNITS, i]
        if fates[BY, province] == NONE and (w[TO, province] == NONE or w[MOVE_SUCCEEDS, province] == NO):
            w[STANDS, province] = 1


@compiled
def _result_in_place(waters: UInt8Array, w: UInt16Array, phase: UInt16Array, province: Scalar) -> int:
    what = phase[ORDER, province]
    if SUPPORT_HOLD <= what <= SUPPORT_MOVE:
        if w[AIM, province] == NONE:
            return SUPPORT_VOID
        return SUPPORT_GIVEN if w[SUPPORT_STANDS, province] == YES else SUPPORT_CUT
    if what == CONVOY:
        return _result_of_convoy(waters, w, province, phase[TARGET, province])
    return HOLDS


@compiled
def _result_of_convoy(waters: UInt8Array, w: UInt16Array, province: Scalar, army: Scalar) -> int:
    if w[OFFER, province] != YES or w[WAY, army] == LAND or not w[COMPLETE, army]:
        return CONVOY_VOID
    stranded = w[ROUTE_FOUND, army] == NO and decide_route(waters, w, army) == YES
    return CONVOY_DISRUPTED if stranded or is_dislodged(w, province) == YES else CONVOYS


@compiled
def _contest(w: UInt16Array, fates: UInt16Array, units: int) -> None:
    for i in range(units):
        province = w[UNITS, i]
        goal = w[TO, province]
        if (
            goal != NONE
            and w[MOVE_SUCCEEDS, province] == NO
            and not w[STANDS, goal]
            and prevent_strength(w, province)[1]
        ):
            fates[CONTESTED, goal] = 1


@compiled
def _flee(
    t: BoardArrays, w: UInt16Array, phase: UInt16Array, fates: UInt16Array, units: int, retreats: Int64Array
) -> None:
    for i in range(units):
        province = w[UNITS, i]
        lost = w[RULE, NO_DISORDER_RETREAT] and phase[MARKS, province] & (DISORDERED | PASSIVE)
        if fates[BY, province] != NONE and not lost:
            retreats[province] = _retreats(t, w, phase, fates, province)


@compiled
def _retreats(
    t: BoardArrays, w: UInt16Array, phase: UInt16Array, fates: UInt16Array, province: Scalar
) -> int:
    """Steps to places neither held nor contested, nor the attacker's origin if it is barred: a bit each."""
    places = 0
    by = fates[BY, province]
    barred = not (w[RULE, RETREAT_TO_ORIGIN] and fates[ROUTE, by])
    kind, location = phase[KIND, province], phase[LOCATION, province]
    for i in range(t.near.shape[2]):
        step = t.near[kind, location, i]
        if step == NONE:
            break
        there = t.province[step]
        if not w[STANDS, there] and not fates[CONTESTED, there] and not (barred and there == by):
            places |= 1 << i
    return places


def _entry(made_from: int) -> AdjudicateAll:
    """`adjudicate_all` made from this edition of the sources, which Numba cannot tell by itself."""

    def adjudicate_all(
        t: BoardArrays,
        w: UInt16Array,
        m: Int64Array,
        counts: Int64Array,
        phases: UInt16Array,
        fates: UInt16Array,
        retreats: Int64Array,
        status: UInt8Array,
    ) -> tuple[int, int]:
        """Judge every phase; gives how many are left to the engine, and the edition."""
        left = 0
        for row in range(phases.shape[0]):
            status[row] = decide_phase(t, w, m, phases[row], counts)
            if status[row] == SETTLED:
                write_fates(t, w, phases[row], counts[UNIT_COUNT], fates[row], retreats[row])
            else:
                left += 1
        return left, made_from

    return compiled_and_cached(adjudicate_all)


adjudicate_all = _entry(sources_checksum())
