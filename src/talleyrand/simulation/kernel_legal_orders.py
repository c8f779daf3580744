"""Every legal order of many games, compiled (`PhaseRules.options`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from . import array_layout as code
from .array_layout import Int64Array, Scalar, UInt8Array, UInt16Array
from .board_arrays import BoardArrays
from .kernel_legality import (
    FleetChart,
    chart_fleets,
    fleets_on_routes,
    is_free_home,
    may_land,
    reachable_fleets,
)
from .kernel_winter import POSSIBLE, REMOVALS, count_adjustments
from .numba_compiler import compiled, compiled_and_cached, sources_checksum
from .setup_arrays import SetupArrays


class LegalOrdersWorkspace(NamedTuple):
    """What one game's options are found with: `chart` of the fleets; `passage` (P) the fleets that the army
    of a province may pass; `routes` (P, P) those on a proper route; `due` as of a winter."""

    chart: FleetChart
    passage: Int64Array
    routes: Int64Array
    due: Int64Array


def legal_orders_workspace(chart: FleetChart, due: Int64Array) -> LegalOrdersWorkspace:
    """Room for one board."""
    provinces = len(chart.shores)
    return LegalOrdersWorkspace(
        chart, np.zeros(provinces, np.int64), np.zeros((provinces, provinces), np.int64), due
    )


@compiled
def _add_row(rows: UInt16Array, count: int, what: int, target: Scalar, goal: Scalar, via: int) -> int:
    """Write one order if there is room; gives the number of the next."""
    if count < rows.shape[0]:
        rows[count, code.ORDER_KIND], rows[count, code.ORDER_TARGET] = what, target
        rows[count, code.ORDER_GOAL], rows[count, code.ORDER_VIA] = goal, via
    return count + 1


# movement -----------------------------------------------------------------------------------------


@compiled
def _survey(t: BoardArrays, k: LegalOrdersWorkspace, places: UInt16Array) -> int:
    """Find the fleets, and for each army those that it may pass and the routes to each shore; gives how many
    fleets there are, or TOO_MANY."""
    fleets = chart_fleets(t, k.chart, places)
    for at in range(places.shape[1]):
        k.passage[at] = 0
        if fleets > 0 and places[code.KIND, at] != code.NONE and t.sails[places[code.KIND, at]]:
            k.passage[at] = reachable_fleets(k.chart, fleets, k.chart.shores[at], -1)
            if k.passage[at]:
                _survey_routes(t, k, places, fleets, at)
    return fleets


@compiled
def _survey_routes(
    t: BoardArrays, k: LegalOrdersWorkspace, places: UInt16Array, fleets: int, at: int
) -> None:
    for goal in range(places.shape[1]):
        k.routes[at, goal] = 0
        if k.chart.shores[goal] & k.passage[at] and may_land(t, places[code.KIND, at], at, t.whole[goal]):
            k.routes[at, goal] = fleets_on_routes(k.chart, fleets, at, goal)


@compiled
def _list_moves(
    t: BoardArrays,
    c: SetupArrays,
    k: LegalOrdersWorkspace,
    places: UInt16Array,
    rows: UInt16Array,
    count: int,
    at: int,
) -> int:
    kind, location = places[code.KIND, at], places[code.LOCATION, at]
    for i in range(t.near.shape[2]):
        goal = t.near[kind, location, i]
        if goal == code.NONE:
            break
        count = _add_row(rows, count, code.MOVE, code.NONE, goal, 0)
        if (
            c.choices[code.CONVOY_CAN_BE_ASKED]
            and t.sails[kind]
            and k.chart.shores[t.province[goal]] & k.passage[at]
        ):
            count = _add_row(rows, count, code.MOVE, code.NONE, goal, 1)
    if k.passage[at] and c.choices[code.PATH_NEED_NOT_BE_NAMED]:
        for there in range(places.shape[1]):
            if _is_far(t, k, places, at, there, k.passage[at]):
                count = _add_row(rows, count, code.MOVE, code.NONE, t.whole[there], 0)
    return count


@compiled
def _is_far(
    t: BoardArrays, k: LegalOrdersWorkspace, places: UInt16Array, at: int, there: Scalar, passage: Scalar
) -> bool:
    """Whether an army may go to a province by sea alone."""
    if (
        not k.chart.shores[there] & passage
        or t.reach[places[code.KIND, at], places[code.LOCATION, at], there]
    ):
        return False
    return may_land(t, places[code.KIND, at], at, t.whole[there])


@compiled
def _list_supports(
    t: BoardArrays,
    k: LegalOrdersWorkspace,
    places: UInt16Array,
    rows: UInt16Array,
    count: int,
    at: int,
    fleets: int,
) -> int:
    kind, location = places[code.KIND, at], places[code.LOCATION, at]
    for target in range(places.shape[1]):
        if target == at or places[code.KIND, target] == code.NONE:
            continue
        if t.reach[kind, location, target]:
            count = _add_row(rows, count, code.SUPPORT_HOLD, target, code.NONE, 0)
        for i in range(t.near.shape[2]):
            goal = t.near[places[code.KIND, target], places[code.LOCATION, target], i]
            if goal == code.NONE:
                break
            if t.reach[kind, location, t.province[goal]]:
                count = _add_row(rows, count, code.SUPPORT_MOVE, target, goal, 0)
        if k.passage[target]:
            count = _list_far_supports(t, k, places, rows, count, at, target, fleets)
    return count


@compiled
def _list_far_supports(
    t: BoardArrays,
    k: LegalOrdersWorkspace,
    places: UInt16Array,
    rows: UInt16Array,
    count: int,
    at: int,
    target: int,
    fleets: int,
) -> int:
    """The supports of a unit for an army's moves by sea, which do not pass the unit itself."""
    kind, location, passage = places[code.KIND, at], places[code.LOCATION, at], k.passage[target]
    if k.chart.berth[at] >= 0:
        passage = reachable_fleets(k.chart, fleets, k.chart.shores[target], k.chart.berth[at])
    last = code.NONE
    for i in range(t.near.shape[2]):
        goal = t.near[kind, location, i]
        if goal == code.NONE:
            break
        there = t.province[goal]
        if there != last and _is_far(t, k, places, target, there, passage):
            count = _add_row(rows, count, code.SUPPORT_MOVE, target, t.whole[there], 0)
        last = there
    return count


@compiled
def _list_convoys(
    t: BoardArrays, k: LegalOrdersWorkspace, places: UInt16Array, rows: UInt16Array, count: int, at: int
) -> int:
    berth = k.chart.berth[at]
    for army in range(places.shape[1]):
        if k.passage[army] >> berth & 1:
            for goal in range(places.shape[1]):
                if k.routes[army, goal] >> berth & 1:
                    count = _add_row(rows, count, code.CONVOY, army, t.whole[goal], 0)
    return count


@compiled
def _list_movement(
    t: BoardArrays,
    c: SetupArrays,
    k: LegalOrdersWorkspace,
    places: UInt16Array,
    rows: UInt16Array,
    first: Int64Array,
    count: int,
    fleets: int,
) -> int:
    for at in range(places.shape[1]):
        first[at] = count
        if places[code.KIND, at] != code.NONE:
            count = _add_row(rows, count, code.HOLD, code.NONE, code.NONE, 0)
            count = _list_moves(t, c, k, places, rows, count, at)
            count = _list_supports(t, k, places, rows, count, at, fleets)
            if k.chart.berth[at] >= 0:
                count = _list_convoys(t, k, places, rows, count, at)
    return count


# retreats and winter ------------------------------------------------------------------------------


@compiled
def _list_retreats(
    t: BoardArrays, places: UInt16Array, escapes: Int64Array, rows: UInt16Array, first: Int64Array, count: int
) -> int:
    for at in range(places.shape[1]):
        first[at] = count
        kind, location = places[code.DISLODGED_KIND, at], places[code.DISLODGED_LOCATION, at]
        if kind != code.NONE:
            for i in range(t.near.shape[2]):
                if escapes[at] >> i & 1:
                    count = _add_row(rows, count, code.RETREAT, code.NONE, t.near[kind, location, i], 0)
            count = _add_row(rows, count, code.DISBAND, code.NONE, code.NONE, 0)
    return count


@compiled
def _list_winter(
    t: BoardArrays,
    c: SetupArrays,
    due: Int64Array,
    places: UInt16Array,
    rows: UInt16Array,
    first: Int64Array,
    count: int,
) -> int:
    for at in range(places.shape[1]):
        first[at] = count
        if places[code.KIND, at] != code.NONE:
            if due[REMOVALS, places[code.POWER, at]] > 0:
                count = _add_row(rows, count, code.REMOVE, code.NONE, code.NONE, 0)
        elif is_free_home(c, places, at) and due[POSSIBLE, places[code.CENTRE, at]] > 0:
            count = _list_builds(t, rows, count, at)
    return count


@compiled
def _list_builds(t: BoardArrays, rows: UInt16Array, count: int, at: int) -> int:
    for kind in range(t.stands.shape[0]):
        for location in range(t.whole[at], t.whole[at] + t.coasts[at] + 1):
            if t.stands[kind, location]:
                count = _add_row(rows, count, code.BUILD, kind, location, 0)
    return count


# all of them --------------------------------------------------------------------------------------


@compiled
def _list_game(
    t: BoardArrays,
    c: SetupArrays,
    k: LegalOrdersWorkspace,
    places: UInt16Array,
    escapes: Int64Array,
    clock: Int64Array,
    rights: Int64Array,
    rows: UInt16Array,
    first: Int64Array,
    count: int,
) -> tuple[int, int]:
    """List the options of one game; gives the number of the next order, and the status."""
    if clock[code.STAGE] == code.MOVEMENT:
        fleets = _survey(t, k, places)
        if fleets < 0 or k.chart.lost[0]:
            return count, code.TOO_LARGE
        return _list_movement(t, c, k, places, rows, first, count, fleets), code.SETTLED
    if clock[code.STAGE] == code.RETREATS:
        return _list_retreats(t, places, escapes, rows, first, count), code.SETTLED
    if clock[code.STAGE] == code.ADJUSTMENTS:
        count_adjustments(c, k.due, places, clock, rights)
        return _list_winter(t, c, k.due, places, rows, first, count), code.SETTLED
    return count, code.IN_VARIANT_PHASE


@compiled
def _fill(first: Int64Array, count: int) -> None:
    for at in range(first.shape[0]):
        first[at] = count


@compiled
def _note(due: Int64Array, builds: Int64Array, removals: Int64Array, winter: bool) -> None:
    for power in range(builds.shape[0]):
        builds[power] = due[POSSIBLE, power] if winter else 0
        removals[power] = due[REMOVALS, power] if winter else 0


def _entry(made_from: int) -> Callable[..., tuple[int, int, int]]:
    """`list_legal_orders` made from this edition of the sources, which Numba cannot tell by itself."""

    def list_all(
        t: BoardArrays,
        c: SetupArrays,
        k: LegalOrdersWorkspace,
        places: UInt16Array,
        escapes: Int64Array,
        clock: Int64Array,
        rights: Int64Array,
        rows: UInt16Array,
        first: Int64Array,
        builds: Int64Array,
        removals: Int64Array,
        status: UInt8Array,
        game: int,
        count: int,
    ) -> tuple[int, int, int]:
        """List the options of all games from one on, as long as there is room; gives the game that finds
        none, the number of orders before it, and the edition."""
        for g in range(game, places.shape[0]):
            _fill(first[g], count)
            status[g] = code.SETTLED
            after = count
            if not clock[g, code.OVER]:
                after, status[g] = _list_game(
                    t, c, k, places[g], escapes[g], clock[g], rights[g], rows, first[g], count
                )
            if after > rows.shape[0]:
                return g, count, made_from
            if status[g] == code.SETTLED:
                count = after
                first[g, first.shape[1] - 1] = count
            winter = clock[g, code.STAGE] == code.ADJUSTMENTS and not clock[g, code.OVER]
            _note(k.due, builds[g], removals[g], winter)
        return places.shape[0], count, made_from

    return compiled_and_cached(list_all)


list_legal_orders = _entry(sources_checksum())
