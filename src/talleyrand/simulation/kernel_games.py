"""One step of many games, compiled: every phase as `engine.game.play` plays it.

What compiled code cannot play is left as it was, and its status says why.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from . import array_layout as code
from .array_layout import Int64Array, Scalar, UInt8Array, UInt16Array
from .board_arrays import BoardArrays
from .kernel_legality import FleetChart, chart_fleets, is_legal_movement
from .kernel_phase_advance import FATE, GOING_ROWS, advance_to_choice, clear_dislodged, resolve_retreats
from .kernel_winter import (
    DUE_ROWS,
    WinterWorkspace,
    carry_out_adjustments,
    clear_province,
    count_adjustments,
    mark_legal_adjustments,
)
from .movement_kernel import decide_phase, write_fates
from .numba_compiler import compiled, compiled_and_cached, sources_checksum
from .setup_arrays import SetupArrays


class KernelWorkspace(NamedTuple):
    """What compiled code works in: the kernel's workspace, and one game's phase, fates, retreats, chart,
    ledger and units on the run."""

    w: UInt16Array
    m: Int64Array
    counts: Int64Array
    phase: UInt16Array
    fates: UInt16Array
    retreats: Int64Array
    chart: FleetChart
    ledger: WinterWorkspace
    going: UInt16Array


def kernel_workspace(provinces: int, powers: int, choices: UInt16Array | None) -> KernelWorkspace:
    """Room for one board, with a book's choices."""
    w = np.zeros((code.WORK_ROWS, max(provinces, code.MOST_FLEETS)), np.uint16)
    if choices is not None:
        w[code.RULE, : len(choices)] = choices
    search = np.zeros((code.SEARCH_ROWS, code.DEEPEST), np.int64)
    return KernelWorkspace(
        w,
        search,
        np.zeros(code.COUNTS, np.int64),
        np.zeros((code.PHASE_ROWS, provinces), np.uint16),
        np.zeros((code.FATE_ROWS, provinces), np.uint16),
        np.zeros(provinces, np.int64),
        FleetChart(
            np.zeros(provinces, np.int64), np.zeros(provinces, np.int64), search, np.zeros(1, np.int64)
        ),
        WinterWorkspace(np.zeros((DUE_ROWS, powers), np.int64), np.zeros(provinces, np.uint8)),
        np.zeros((GOING_ROWS, provinces), np.uint16),
    )


@compiled
def _play(
    t: BoardArrays,
    c: SetupArrays,
    s: KernelWorkspace,
    places: UInt16Array,
    escapes: Int64Array,
    clock: Int64Array,
    rights: Int64Array,
    sheet: UInt16Array,
    illegal: Int64Array,
) -> int:
    """One phase of one game, and the way to the next; gives the status."""
    stage, wrong = clock[code.STAGE], 0
    if stage == code.MOVEMENT:
        status, wrong = _move(t, c, s, places, escapes, sheet)
    elif stage == code.RETREATS:
        status, wrong = code.SETTLED, resolve_retreats(t, c, s.going, places, escapes, sheet)
    elif stage == code.ADJUSTMENTS:
        count_adjustments(c, s.ledger.due, places, clock, rights)
        wrong = mark_legal_adjustments(t, c, s.ledger, places, sheet)
        status = carry_out_adjustments(c, s.ledger, places, clock, rights, sheet)
    else:
        status = code.IN_VARIANT_PHASE
    if status != code.SETTLED:
        return status
    illegal[0] += wrong
    return advance_to_choice(c, s.ledger, places, escapes, clock, rights, sheet)


# movement -----------------------------------------------------------------------------------------


@compiled
def _move(
    t: BoardArrays,
    c: SetupArrays,
    s: KernelWorkspace,
    places: UInt16Array,
    escapes: Int64Array,
    sheet: UInt16Array,
) -> tuple[int, int]:
    """Judge the moves of a sheet; gives the status, and how many orders were not legal."""
    if not c.choices[code.KERNEL_KNOWS_RULES]:
        return code.UNKNOWN_OPTION, 0
    fleets = chart_fleets(t, s.chart, places)
    if fleets < 0:
        return code.TOO_LARGE, 0
    illegal = 0
    for at in range(places.shape[1]):
        illegal += _muster(t, c, s, places, sheet, fleets, at)
    if s.chart.lost[0]:
        return code.TOO_LARGE, 0
    status = decide_phase(t, s.w, s.m, s.phase, s.counts)
    if status == code.SETTLED:
        write_fates(t, s.w, s.phase, s.counts[code.UNIT_COUNT], s.fates, s.retreats)
        _apply(t, s, places, escapes)
    return status, illegal


@compiled
def _muster(
    t: BoardArrays,
    c: SetupArrays,
    s: KernelWorkspace,
    places: UInt16Array,
    sheet: UInt16Array,
    fleets: int,
    at: int,
) -> int:
    """Copy the unit of a province, with its order if that is legal; 1 where it is not."""
    s.phase[code.KIND, at] = places[code.KIND, at]
    ordered = sheet[code.ORDER_KIND, at] != code.NONE
    if places[code.KIND, at] == code.NONE:
        return int(ordered)
    s.phase[code.POWER, at], s.phase[code.LOCATION, at] = places[code.POWER, at], places[code.LOCATION, at]
    s.phase[code.ORDER, at], s.phase[code.TARGET, at], s.phase[code.GOAL, at] = code.HOLD, 0, 0
    s.phase[code.MARKS, at] = 0
    if not ordered:
        return 0
    if not is_legal_movement(t, c, s.chart, fleets, places, at, sheet):
        return 1
    _copy_order(s.phase, sheet, at)
    return 0


@compiled
def _copy_order(phase: UInt16Array, sheet: UInt16Array, at: Scalar) -> None:
    what = sheet[code.ORDER_KIND, at]
    phase[code.ORDER, at] = what
    if what >= code.SUPPORT_HOLD:
        phase[code.TARGET, at] = sheet[code.ORDER_TARGET, at]
    if what not in (code.HOLD, code.SUPPORT_HOLD):
        phase[code.GOAL, at] = sheet[code.ORDER_GOAL, at]
    if what == code.MOVE and sheet[code.ORDER_VIA, at] == 1:
        phase[code.MARKS, at] = code.VIA


@compiled
def _apply(t: BoardArrays, s: KernelWorkspace, places: UInt16Array, escapes: Int64Array) -> None:
    """Take up those who leave, dislodged or not, then set down those who moved."""
    clear_dislodged(places, escapes)
    for at in range(places.shape[1]):
        by = s.fates[code.BY, at]
        escapes[at] = s.retreats[at]
        places[code.STANDOFF, at] = s.fates[code.CONTESTED, at]
        if by != code.NONE:
            places[code.DISLODGED_KIND, at] = s.phase[code.KIND, at]
            places[code.DISLODGED_POWER, at] = s.phase[code.POWER, at]
            places[code.DISLODGED_LOCATION, at] = s.phase[code.LOCATION, at]
            places[code.DISLODGED_BY, at] = by
            places[code.DISLODGED_BY_SEA, at] = s.fates[code.ROUTE, by]
        if by != code.NONE or s.fates[code.RESULT, at] == code.MOVES:
            clear_province(places, at)
    for at in range(places.shape[1]):
        if s.fates[code.RESULT, at] == code.MOVES:
            there = t.province[s.phase[code.GOAL, at]]
            places[code.KIND, there] = s.phase[code.KIND, at]
            places[code.POWER, there] = s.phase[code.POWER, at]
            places[code.LOCATION, there] = s.phase[code.GOAL, at]


@compiled
def _tell(s: KernelWorkspace, stage: Scalar, fates: UInt16Array, retreats: Int64Array) -> None:
    """Copy what became of the units of a phase that is settled: of its moves, or of its retreats."""
    for at in range(retreats.shape[0]):
        if stage == code.MOVEMENT:
            retreats[at] = s.retreats[at]
            for row in range(code.FATE_ROWS):
                fates[row, at] = s.fates[row, at]
        elif stage == code.RETREATS:
            fates[code.RESULT, at] = s.going[FATE, at]


def _entry(made_from: int) -> Callable[..., int]:
    """`play_all_games` made from this edition of the sources, which Numba cannot tell by itself."""

    def play_all(
        t: BoardArrays,
        c: SetupArrays,
        s: KernelWorkspace,
        places: UInt16Array,
        escapes: Int64Array,
        clock: Int64Array,
        rights: Int64Array,
        sheets: UInt16Array,
        status: UInt8Array,
        illegal: Int64Array,
        fates: UInt16Array,
        retreats: Int64Array,
    ) -> int:
        """One step of every game that is not over, with the status and the illegal orders of each; fates and
        retreats as well, where there is room for them. Gives the edition."""
        for g in range(places.shape[0]):
            status[g] = code.SETTLED
            if not clock[g, code.OVER]:
                stage, wrong = clock[g, code.STAGE], illegal[g : g + 1]
                status[g] = _play(t, c, s, places[g], escapes[g], clock[g], rights[g], sheets[g], wrong)
                if fates.shape[0] and status[g] == code.SETTLED:
                    _tell(s, stage, fates[g], retreats[g])
        return made_from

    return compiled_and_cached(play_all)


play_all_games = _entry(sources_checksum())
