"""One step of many games, compiled: every phase as `engine.game.play` plays it.

What compiled code cannot play is left as it was, and its status says why.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from .codes import (
    ADJUSTMENTS,
    BY,
    CONTESTED,
    COUNTS,
    DEEPEST,
    FALLEN_BY,
    FALLEN_KIND,
    FALLEN_LOCATION,
    FALLEN_POWER,
    FALLEN_ROUTE,
    FATE_ROWS,
    GOAL,
    HOLD,
    KERNEL,
    KIND,
    LOCATION,
    MARKS,
    MOST_FLEETS,
    MOVE,
    MOVEMENT,
    MOVES,
    NONE,
    ORDER,
    OVER,
    OWN,
    PHASE_ROWS,
    POWER,
    RESULT,
    RETREATS,
    ROUTE,
    RULE,
    SEARCH_ROWS,
    SETTLED,
    SHEET_GOAL,
    SHEET_ORDER,
    SHEET_TARGET,
    SHEET_VIA,
    SHUT,
    STAGE,
    SUPPORT_HOLD,
    TARGET,
    TOO_LARGE,
    UNIT_COUNT,
    UNKNOWN,
    VIA,
    WORK_ROWS,
    Bytes,
    Cell,
    Cells,
    Masks,
)
from .compiling import compiled, compiled_and_kept, edition
from .courses import Course
from .kernel import settle, tell
from .legal import Chart, chart_fleets, moves_legally
from .seasons import disperse, proceed, retreat
from .tables import Table
from .winter import DUE_ROWS, Ledger, adjust, balance, read_sheet, vacate


class Space(NamedTuple):
    """What compiled code works in: the kernel's workspace, and one game's phase, fates, retreats, chart,
    ledger and units on the run."""

    w: Cells
    m: Masks
    counts: Masks
    phase: Cells
    fates: Cells
    retreats: Masks
    chart: Chart
    ledger: Ledger
    going: Cells


def workspace(provinces: int, powers: int, choices: Cells | None) -> Space:
    """Room for one board, with a book's choices."""
    w = np.zeros((WORK_ROWS, max(provinces, MOST_FLEETS)), np.uint16)
    if choices is not None:
        w[RULE, : len(choices)] = choices
    search = np.zeros((SEARCH_ROWS, DEEPEST), np.int64)
    return Space(
        w,
        search,
        np.zeros(COUNTS, np.int64),
        np.zeros((PHASE_ROWS, provinces), np.uint16),
        np.zeros((FATE_ROWS, provinces), np.uint16),
        np.zeros(provinces, np.int64),
        Chart(np.zeros(provinces, np.int64), np.zeros(provinces, np.int64), search, np.zeros(1, np.int64)),
        Ledger(np.zeros((DUE_ROWS, powers), np.int64), np.zeros(provinces, np.uint8)),
        np.zeros((2, provinces), np.uint16),
    )


@compiled
def _play(
    t: Table,
    c: Course,
    s: Space,
    places: Cells,
    escapes: Masks,
    clock: Masks,
    rights: Masks,
    sheet: Cells,
    illegal: Masks,
) -> int:
    """One phase of one game, and the way to the next; gives the status."""
    stage, wrong = clock[STAGE], 0
    if stage == MOVEMENT:
        status, wrong = _move(t, c, s, places, escapes, sheet)
    elif stage == RETREATS:
        status, wrong = SETTLED, retreat(t, c, s.going, places, escapes, sheet)
    elif stage == ADJUSTMENTS:
        balance(c, s.ledger.due, places, clock, rights)
        wrong = read_sheet(t, c, s.ledger, places, sheet)
        status = adjust(c, s.ledger, places, clock, rights, sheet)
    else:
        status = OWN
    if status != SETTLED:
        return status
    illegal[0] += wrong
    return proceed(c, s.ledger, places, escapes, clock, rights, sheet)


# movement -----------------------------------------------------------------------------------------


@compiled
def _move(t: Table, c: Course, s: Space, places: Cells, escapes: Masks, sheet: Cells) -> tuple[int, int]:
    """Judge the moves of a sheet; gives the status, and how many orders were not legal."""
    if not c.choices[KERNEL]:
        return UNKNOWN, 0
    fleets = chart_fleets(t, s.chart, places)
    if fleets < 0:
        return TOO_LARGE, 0
    illegal = 0
    for at in range(places.shape[1]):
        illegal += _muster(t, c, s, places, sheet, fleets, at)
    if s.chart.lost[0]:
        return TOO_LARGE, 0
    status = settle(t, s.w, s.m, s.phase, s.counts)
    if status == SETTLED:
        tell(t, s.w, s.phase, s.counts[UNIT_COUNT], s.fates, s.retreats)
        _apply(t, s, places, escapes)
    return status, illegal


@compiled
def _muster(t: Table, c: Course, s: Space, places: Cells, sheet: Cells, fleets: int, at: int) -> int:
    """Copy the unit of a province, with its order if that is legal; 1 where it is not."""
    s.phase[KIND, at] = places[KIND, at]
    ordered = sheet[SHEET_ORDER, at] != NONE
    if places[KIND, at] == NONE:
        return int(ordered)
    s.phase[POWER, at], s.phase[LOCATION, at] = places[POWER, at], places[LOCATION, at]
    s.phase[ORDER, at], s.phase[TARGET, at], s.phase[GOAL, at] = HOLD, 0, 0
    s.phase[MARKS, at] = 0
    if not ordered:
        return 0
    if not moves_legally(t, c, s.chart, fleets, places, at, sheet):
        return 1
    _copy_order(s.phase, sheet, at)
    return 0


@compiled
def _copy_order(phase: Cells, sheet: Cells, at: Cell) -> None:
    what = sheet[SHEET_ORDER, at]
    phase[ORDER, at] = what
    if what >= SUPPORT_HOLD:
        phase[TARGET, at] = sheet[SHEET_TARGET, at]
    if what not in (HOLD, SUPPORT_HOLD):
        phase[GOAL, at] = sheet[SHEET_GOAL, at]
    if what == MOVE and sheet[SHEET_VIA, at] == 1:
        phase[MARKS, at] = VIA


@compiled
def _apply(t: Table, s: Space, places: Cells, escapes: Masks) -> None:
    """Take up those who leave, dislodged or not, then set down those who moved."""
    disperse(places, escapes)
    for at in range(places.shape[1]):
        by = s.fates[BY, at]
        escapes[at] = s.retreats[at]
        places[SHUT, at] = s.fates[CONTESTED, at]
        if by != NONE:
            places[FALLEN_KIND, at], places[FALLEN_POWER, at] = s.phase[KIND, at], s.phase[POWER, at]
            places[FALLEN_LOCATION, at], places[FALLEN_BY, at] = s.phase[LOCATION, at], by
            places[FALLEN_ROUTE, at] = s.fates[ROUTE, by]
        if by != NONE or s.fates[RESULT, at] == MOVES:
            vacate(places, at)
    for at in range(places.shape[1]):
        if s.fates[RESULT, at] == MOVES:
            there = t.province[s.phase[GOAL, at]]
            places[KIND, there], places[POWER, there] = s.phase[KIND, at], s.phase[POWER, at]
            places[LOCATION, there] = s.phase[GOAL, at]


PlayAll = Callable[[Table, Course, Space, Cells, Masks, Masks, Masks, Cells, Bytes, Masks], int]


def _entry(made_from: int) -> PlayAll:
    """`play_all` made from this edition of the sources, which Numba cannot tell by itself."""

    def play_all(
        t: Table,
        c: Course,
        s: Space,
        places: Cells,
        escapes: Masks,
        clock: Masks,
        rights: Masks,
        sheets: Cells,
        status: Bytes,
        illegal: Masks,
    ) -> int:
        """One step of every game that is not over, with the status of each; gives the edition."""
        for g in range(places.shape[0]):
            status[g] = SETTLED
            if not clock[g, OVER]:
                status[g] = _play(t, c, s, places[g], escapes[g], clock[g], rights[g], sheets[g], illegal)
        return made_from

    return compiled_and_kept(play_all)


play_all = _entry(edition())
