"""The judge of movement phases over integer arrays, compiled by Numba.

It decides as `engine.movement.judge` does, by propagation of three-valued decisions, turns rotations, and
settles the paradox of a single convoy by Szykman's rule. A phase that stalls on another paradox is left to
the readable engine: its status says so. Orders must be legal, as the engine's judge wants them.
"""

from __future__ import annotations

from collections.abc import Callable

from . import array_layout as code
from .array_layout import Int64Array, Scalar, UInt8Array, UInt16Array
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

# settling -----------------------------------------------------------------------------------------


@compiled
def decide_phase(
    t: BoardArrays, w: UInt16Array, m: Int64Array, phase: UInt16Array, counts: Int64Array
) -> int:
    """Settle every decision of one phase in the workspace; gives the status."""
    status = match_orders(t, w, m, phase, counts)
    if status != code.SETTLED:
        return status
    _list_open(w, counts)
    while _propagate(t.waters, w, counts):
        if counts[code.PATHS_LEFT]:
            return code.SETTLED if _resolve(t.waters, w, counts) else code.PARADOX
        if not _turn(w, counts):
            return code.PARADOX
        _keep_open(w, counts, code.OPEN_MOVES, code.MOVES_LEFT, code.MOVE_SUCCEEDS)
    return code.SETTLED


@compiled
def _list_open(w: UInt16Array, counts: Int64Array) -> None:
    """List what is to be decided; a move by land that nobody disputes is decided at once."""
    counts[code.PATHS_LEFT] = counts[code.SUPPORTS_LEFT] = counts[code.MOVES_LEFT] = 0
    for i in range(counts[code.UNIT_COUNT]):
        province = w[code.UNITS, i]
        goal = w[code.TO, province]
        if goal != code.NONE:
            alone = w[code.NEXT_ATTACKER, w[code.FIRST_ATTACKER, goal]] == code.NONE
            if alone and not w[code.OCCUPIED, goal] and w[code.WAY, province] == code.LAND:
                w[code.MOVE_SUCCEEDS, province] = code.YES
            else:
                _list(w, counts, code.OPEN_MOVES, code.MOVES_LEFT, province)
            if w[code.ROUTE_FOUND, province] == code.OPEN and w[code.WAY, province] != code.LAND:
                _list(w, counts, code.OPEN_PATHS, code.PATHS_LEFT, province)
        elif w[code.AIM, province] != code.NONE and w[code.SUPPORT_STANDS, province] == code.OPEN:
            _list(w, counts, code.OPEN_SUPPORTS, code.SUPPORTS_LEFT, province)


@compiled
def _list(w: UInt16Array, counts: Int64Array, row: int, left: int, province: Scalar) -> None:
    w[row, counts[left]] = province
    counts[left] += 1


@compiled
def _propagate(waters: UInt8Array, w: UInt16Array, counts: Int64Array) -> bool:
    """Settle what can be settled of the open decisions; whether any stay open."""
    moving = True
    while moving:
        for i in range(counts[code.PATHS_LEFT]):
            w[code.ROUTE_FOUND, w[code.OPEN_PATHS, i]] = decide_route(waters, w, w[code.OPEN_PATHS, i])
        moving = _keep_open(w, counts, code.OPEN_PATHS, code.PATHS_LEFT, code.ROUTE_FOUND)
        for i in range(counts[code.SUPPORTS_LEFT]):
            province = w[code.OPEN_SUPPORTS, i]
            w[code.SUPPORT_STANDS, province] = decide_support(waters, w, province)
        moving = _keep_open(w, counts, code.OPEN_SUPPORTS, code.SUPPORTS_LEFT, code.SUPPORT_STANDS) or moving
        for i in range(counts[code.MOVES_LEFT]):
            w[code.MOVE_SUCCEEDS, w[code.OPEN_MOVES, i]] = decide_move(w, w[code.OPEN_MOVES, i])
        moving = _keep_open(w, counts, code.OPEN_MOVES, code.MOVES_LEFT, code.MOVE_SUCCEEDS) or moving
    return bool(counts[code.PATHS_LEFT] + counts[code.SUPPORTS_LEFT] + counts[code.MOVES_LEFT])


@compiled
def _keep_open(w: UInt16Array, counts: Int64Array, row: int, left: int, state: int) -> bool:
    """Shorten a list of decisions to those that are open; whether others stood in it."""
    kept = 0
    for i in range(counts[left]):
        w[row, kept] = w[row, i]
        kept += w[state, w[row, i]] == code.OPEN
    settled = kept != counts[left]
    counts[left] = kept
    return bool(settled)


# rotations ----------------------------------------------------------------------------------------


@compiled
def _turn(w: UInt16Array, counts: Int64Array) -> bool:
    """Turn one circle of open moves that succeeds whatever the rest does; whether there was one."""
    for i in range(counts[code.MOVES_LEFT]):
        start = w[code.OPEN_MOVES, i]
        if _in_circle(w, start, counts[code.MOVES_LEFT]):
            _set_circle(w, start, code.YES)
            if _circle_is_sure(w, start):
                return True
            _set_circle(w, start, code.OPEN)
    return False


@compiled
def _in_circle(w: UInt16Array, start: Scalar, most: int) -> bool:
    here = start
    for _ in range(most):
        if w[code.MOVE_SUCCEEDS, here] != code.OPEN or w[code.TO, here] == code.NONE:
            return False
        here = w[code.TO, here]
        if here == start:
            return True
    return False


@compiled
def _set_circle(w: UInt16Array, start: Scalar, state: int) -> None:
    w[code.MOVE_SUCCEEDS, start] = state
    here = w[code.TO, start]
    while here != start:
        w[code.MOVE_SUCCEEDS, here] = state
        here = w[code.TO, here]


@compiled
def _circle_is_sure(w: UInt16Array, start: Scalar) -> bool:
    sure = decide_move(w, start) == code.YES
    here = w[code.TO, start]
    while sure and here != start:
        sure = decide_move(w, here) == code.YES
        here = w[code.TO, here]
    return bool(sure)


# paradoxes ----------------------------------------------------------------------------------------


@compiled
def _resolve(waters: UInt8Array, w: UInt16Array, counts: Int64Array) -> bool:
    """Settle the paradox of a single convoy by Szykman's rule: it fails unless it takes place in the only
    resolution, or in one of two where the book lets it. False, where there is more to it."""
    if counts[code.PATHS_LEFT] != 1 or not w[code.RULE, code.SZYKMAN]:
        return False
    army = w[code.OPEN_PATHS, 0]
    _save(w, counts)
    fails = _suppose(waters, w, counts, army, code.NO)
    _restore(w, counts)
    sails = _suppose(waters, w, counts, army, code.YES)
    if fails == code.OPEN or sails == code.OPEN:
        return False
    if sails == code.NO or (fails == code.YES and not w[code.RULE, code.QUASI_SAILS]):
        _restore(w, counts)
        _suppose(waters, w, counts, army, code.NO)
    return True


@compiled
def _suppose(waters: UInt8Array, w: UInt16Array, counts: Int64Array, army: Scalar, state: int) -> Scalar:
    """Settle the rest as if a convoy took place or not; whether that agrees with what becomes of it."""
    w[code.ROUTE_FOUND, army] = state
    counts[code.PATHS_LEFT] = 0
    if _propagate(waters, w, counts):
        return code.OPEN
    return code.YES if decide_route(waters, w, army) == state else code.NO


@compiled
def _save(w: UInt16Array, counts: Int64Array) -> None:
    counts[code.SUPPORTS_SAVED], counts[code.MOVES_SAVED] = (
        counts[code.SUPPORTS_LEFT],
        counts[code.MOVES_LEFT],
    )
    for i in range(counts[code.SUPPORTS_LEFT]):
        w[code.SAVED_SUPPORTS, i] = w[code.OPEN_SUPPORTS, i]
    for i in range(counts[code.MOVES_LEFT]):
        w[code.SAVED_MOVES, i] = w[code.OPEN_MOVES, i]


@compiled
def _restore(w: UInt16Array, counts: Int64Array) -> None:
    """Open again what was open when it was saved."""
    counts[code.SUPPORTS_LEFT], counts[code.MOVES_LEFT] = (
        counts[code.SUPPORTS_SAVED],
        counts[code.MOVES_SAVED],
    )
    for i in range(counts[code.SUPPORTS_LEFT]):
        w[code.OPEN_SUPPORTS, i] = w[code.SAVED_SUPPORTS, i]
        w[code.SUPPORT_STANDS, w[code.SAVED_SUPPORTS, i]] = code.OPEN
    for i in range(counts[code.MOVES_LEFT]):
        w[code.OPEN_MOVES, i] = w[code.SAVED_MOVES, i]
        w[code.MOVE_SUCCEEDS, w[code.SAVED_MOVES, i]] = code.OPEN


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
        province = w[code.UNITS, i]
        if w[code.TO, province] == code.NONE:
            fates[code.RESULT, province] = _result_in_place(t.waters, w, phase, province)
        elif w[code.MOVE_SUCCEEDS, province] == code.YES:
            fallen_units += _tell_move(w, fates, province)
        else:
            failed += 1
            fates[code.RESULT, province] = (
                code.BOUNCES if can_arrive(w, province) == code.YES else code.CONVOY_DISRUPTED
            )
            fates[code.ROUTE, province] = goes_by_convoy(w, province) == code.YES
    _leave_standing(w, fates, units)
    if failed:
        _contest(w, fates, units)
    if fallen_units:
        _flee(t, w, phase, fates, units, retreats)


@compiled
def _blank(fates: UInt16Array, retreats: Int64Array) -> None:
    _fill(fates, code.RESULT, code.NONE)
    _fill(fates, code.BY, code.NONE)
    _fill(fates, code.CONTESTED, 0)
    _fill(fates, code.ROUTE, 0)
    for province in range(retreats.shape[0]):
        retreats[province] = 0


@compiled
def _fill(fates: UInt16Array, row: int, start: Scalar) -> None:
    for province in range(fates.shape[1]):
        fates[row, province] = start


@compiled
def _tell_move(w: UInt16Array, fates: UInt16Array, province: Scalar) -> int:
    """A move that succeeded; 1 if it dislodges a unit."""
    goal = w[code.TO, province]
    fates[code.RESULT, province] = code.MOVES
    fates[code.ROUTE, province] = goes_by_convoy(w, province) == code.YES
    w[code.STANDS, goal] = 1
    if w[code.OCCUPIED, goal] and (w[code.TO, goal] == code.NONE or w[code.MOVE_SUCCEEDS, goal] == code.NO):
        fates[code.BY, goal] = province
        return 1
    return 0


@compiled
def _leave_standing(w: UInt16Array, fates: UInt16Array, units: int) -> None:
    """Those who neither moved nor were dislodged stay where they are."""
    for i in range(units):
        province = w[code.UNITS, i]
        if fates[code.BY, province] == code.NONE and (
            w[code.TO, province] == code.NONE or w[code.MOVE_SUCCEEDS, province] == code.NO
        ):
            w[code.STANDS, province] = 1


@compiled
def _result_in_place(waters: UInt8Array, w: UInt16Array, phase: UInt16Array, province: Scalar) -> int:
    what = phase[code.ORDER, province]
    if code.SUPPORT_HOLD <= what <= code.SUPPORT_MOVE:
        if w[code.AIM, province] == code.NONE:
            return code.SUPPORT_VOID
        return code.SUPPORT_GIVEN if w[code.SUPPORT_STANDS, province] == code.YES else code.SUPPORT_CUT
    if what == code.CONVOY:
        return _result_of_convoy(waters, w, province, phase[code.TARGET, province])
    return code.HOLDS


@compiled
def _result_of_convoy(waters: UInt8Array, w: UInt16Array, province: Scalar, army: Scalar) -> int:
    if w[code.OFFER, province] != code.YES or w[code.WAY, army] == code.LAND or not w[code.COMPLETE, army]:
        return code.CONVOY_VOID
    stranded = w[code.ROUTE_FOUND, army] == code.NO and decide_route(waters, w, army) == code.YES
    return code.CONVOY_DISRUPTED if stranded or is_dislodged(w, province) == code.YES else code.CONVOYS


@compiled
def _contest(w: UInt16Array, fates: UInt16Array, units: int) -> None:
    for i in range(units):
        province = w[code.UNITS, i]
        goal = w[code.TO, province]
        if (
            goal != code.NONE
            and w[code.MOVE_SUCCEEDS, province] == code.NO
            and not w[code.STANDS, goal]
            and prevent_strength(w, province)[1]
        ):
            fates[code.CONTESTED, goal] = 1


@compiled
def _flee(
    t: BoardArrays, w: UInt16Array, phase: UInt16Array, fates: UInt16Array, units: int, retreats: Int64Array
) -> None:
    for i in range(units):
        province = w[code.UNITS, i]
        lost = w[code.RULE, code.NO_DISORDER_RETREAT] and phase[code.MARKS, province] & (
            code.DISORDERED | code.PASSIVE
        )
        if fates[code.BY, province] != code.NONE and not lost:
            retreats[province] = _retreats(t, w, phase, fates, province)


@compiled
def _retreats(
    t: BoardArrays, w: UInt16Array, phase: UInt16Array, fates: UInt16Array, province: Scalar
) -> int:
    """Steps to places neither held nor contested, nor the attacker's origin if it is barred: a bit each."""
    places = 0
    by = fates[code.BY, province]
    barred = not (w[code.RULE, code.RETREAT_TO_ORIGIN] and fates[code.ROUTE, by])
    kind, location = phase[code.KIND, province], phase[code.LOCATION, province]
    for i in range(t.near.shape[2]):
        step = t.near[kind, location, i]
        if step == code.NONE:
            break
        there = t.province[step]
        if not w[code.STANDS, there] and not fates[code.CONTESTED, there] and not (barred and there == by):
            places |= 1 << i
    return places


def _entry(made_from: int) -> Callable[..., tuple[int, int]]:
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
            if status[row] == code.SETTLED:
                write_fates(t, w, phases[row], counts[code.UNIT_COUNT], fates[row], retreats[row])
            else:
                left += 1
        return left, made_from

    return compiled_and_cached(adjudicate_all)


adjudicate_all = _entry(sources_checksum())
