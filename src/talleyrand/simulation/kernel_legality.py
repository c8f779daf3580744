"""Which orders are legal, compiled (`engine.legality`, `engine.retreats`, `engine.adjustments`).

An order counts as it stands: with the coasts it needs and no others.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from . import array_layout as code
from .array_layout import Int64Array, Scalar, UInt16Array
from .board_arrays import BoardArrays
from .kernel_convoys import TOO_MANY, walk_routes
from .numba_compiler import compiled
from .setup_arrays import SetupArrays


class FleetChart(NamedTuple):
    """Where the fleets of one game are that convoy, a bit for each: `shores` (P) those that touch a province,
    `berth` (P) the number of the one that is there or -1, `search` what `ways.walk` works on, `lost` (1)
    whether there were too many routes to walk."""

    shores: Int64Array
    berth: Int64Array
    search: Int64Array
    lost: Int64Array


@compiled
def chart_fleets(t: BoardArrays, chart: FleetChart, places: UInt16Array) -> int:
    """Find the fleets; how many there are, or TOO_MANY."""
    count, chart.lost[0] = 0, 0
    for province in range(places.shape[1]):
        chart.shores[province], chart.berth[province] = 0, -1
    for sea in range(places.shape[1]):
        if places[code.KIND, sea] != code.NONE and t.sea[sea] and t.convoys[places[code.KIND, sea]]:
            if count == code.MOST_FLEETS:
                return TOO_MANY
            chart.berth[sea] = count
            for province in range(places.shape[1]):
                chart.shores[province] |= np.int64(t.waters[province, sea]) << count
            count += 1
    for sea in range(places.shape[1]):
        if chart.berth[sea] >= 0:
            chart.search[code.TOUCHING, chart.berth[sea]] = chart.shores[sea]
    return count


@compiled
def reachable_fleets(chart: FleetChart, count: int, starts: Scalar, without: Scalar) -> Scalar:
    """The fleets that an army may pass beginning with these, but for one that is left out (-1: none)."""
    barred = 0 if without < 0 else np.int64(1) << without
    reached = starts & ~barred
    edge = reached
    while edge:
        onward = 0
        for fleet in range(count):
            if edge >> fleet & 1:
                onward |= chart.search[code.TOUCHING, fleet]
        edge = onward & ~(reached | barred)
        reached |= edge
    return reached


@compiled
def has_charted_route(chart: FleetChart, count: int, origin: Scalar, goal: Scalar, without: Scalar) -> bool:
    """Whether fleets make a route from province to province."""
    ends = chart.shores[goal]
    if not ends or not chart.shores[origin]:
        return False
    return bool(reachable_fleets(chart, count, chart.shores[origin], without) & ends)


@compiled
def fleets_on_routes(chart: FleetChart, count: int, origin: Scalar, goal: Scalar) -> Scalar:
    """The fleets that lie on a proper route from province to province."""
    starts, ends = chart.shores[origin], chart.shores[goal]
    if not starts or not ends:
        return 0
    if count == 1:
        return 1
    found = walk_routes(chart.search, starts, ends, count, 0, 0)
    if found == TOO_MANY:
        chart.lost[0] = 1
    return found


@compiled
def is_step(t: BoardArrays, kind: Scalar, location: Scalar, goal: Scalar) -> bool:
    """Whether a unit may step from a location to another."""
    for i in range(t.near.shape[2]):
        if t.near[kind, location, i] == goal:
            return True
        if t.near[kind, location, i] == code.NONE:
            return False
    return False


@compiled
def may_land(t: BoardArrays, kind: Scalar, origin: Scalar, goal: Scalar) -> bool:
    """Whether a unit of this kind may go by sea to a location, fleets permitting."""
    there = t.province[goal]
    return bool(there != origin and goal == t.whole[there] and t.sails[kind] and t.stands[kind, goal])


# movement -----------------------------------------------------------------------------------------


@compiled
def is_legal_movement(
    t: BoardArrays,
    c: SetupArrays,
    chart: FleetChart,
    count: int,
    places: UInt16Array,
    at: int,
    sheet: UInt16Array,
) -> bool:
    """Whether the unit of a province may follow a movement order, on its sheet."""
    what = sheet[code.ORDER_KIND, at]
    if what == code.HOLD:
        return True
    if what == code.MOVE:
        return _may_move(t, c, chart, count, places, at, sheet)
    target = sheet[code.ORDER_TARGET, at]
    if target >= places.shape[1] or target == at or places[code.KIND, target] == code.NONE:
        return False
    if what == code.SUPPORT_HOLD:
        return bool(t.reach[places[code.KIND, at], places[code.LOCATION, at], target])
    if what == code.SUPPORT_MOVE:
        return _may_support(t, chart, count, places, at, sheet)
    return bool(what == code.CONVOY and _may_convoy(t, chart, count, places, at, sheet))


@compiled
def _may_move(
    t: BoardArrays,
    c: SetupArrays,
    chart: FleetChart,
    count: int,
    places: UInt16Array,
    at: int,
    sheet: UInt16Array,
) -> bool:
    goal, via = sheet[code.ORDER_GOAL, at], sheet[code.ORDER_VIA, at] == 1
    if goal >= t.province.shape[0] or t.province[goal] == at:
        return False
    kind, location, there = places[code.KIND, at], places[code.LOCATION, at], t.province[goal]
    if t.reach[kind, location, there]:
        if not is_step(t, kind, location, goal):
            return False
        return not via or bool(
            c.choices[code.CONVOY_CAN_BE_ASKED]
            and t.sails[kind]
            and has_charted_route(chart, count, at, there, -1)
        )
    if via or not c.choices[code.PATH_NEED_NOT_BE_NAMED] or not may_land(t, kind, at, goal):
        return False
    return has_charted_route(chart, count, at, there, -1)


@compiled
def _may_support(
    t: BoardArrays, chart: FleetChart, count: int, places: UInt16Array, at: int, sheet: UInt16Array
) -> bool:
    target, goal = sheet[code.ORDER_TARGET, at], sheet[code.ORDER_GOAL, at]
    if goal >= t.province.shape[0]:
        return False
    there = t.province[goal]
    if there == target or not t.reach[places[code.KIND, at], places[code.LOCATION, at], there]:
        return False
    kind, location = places[code.KIND, target], places[code.LOCATION, target]
    if t.reach[kind, location, there]:
        return goal == t.whole[there] or is_step(t, kind, location, goal)
    return may_land(t, kind, target, goal) and has_charted_route(chart, count, target, there, chart.berth[at])


@compiled
def _may_convoy(
    t: BoardArrays, chart: FleetChart, count: int, places: UInt16Array, at: int, sheet: UInt16Array
) -> bool:
    target, goal = sheet[code.ORDER_TARGET, at], sheet[code.ORDER_GOAL, at]
    if (
        goal >= t.province.shape[0]
        or chart.berth[at] < 0
        or not may_land(t, places[code.KIND, target], target, goal)
    ):
        return False
    return bool(fleets_on_routes(chart, count, target, t.province[goal]) >> chart.berth[at] & 1)


# retreats and winter ------------------------------------------------------------------------------


@compiled
def is_legal_retreat(
    t: BoardArrays, places: UInt16Array, escapes: Int64Array, at: int, sheet: UInt16Array
) -> bool:
    """Whether the unit dislodged from a province may follow a retreat order."""
    if sheet[code.ORDER_KIND, at] == code.DISBAND:
        return True
    if sheet[code.ORDER_KIND, at] != code.RETREAT or sheet[code.ORDER_GOAL, at] == code.NONE:
        return False
    kind, location = places[code.DISLODGED_KIND, at], places[code.DISLODGED_LOCATION, at]
    for i in range(t.near.shape[2]):
        if t.near[kind, location, i] == sheet[code.ORDER_GOAL, at]:
            return bool(escapes[at] >> i & 1)
    return False


@compiled
def is_legal_adjustment(
    t: BoardArrays, c: SetupArrays, places: UInt16Array, due: Int64Array, at: int, sheet: UInt16Array
) -> bool:
    """Whether a build or removal in a province is one that its power may order; `due` (2, power) holds the
    possible builds and the removals."""
    if places[code.KIND, at] != code.NONE:
        return bool(sheet[code.ORDER_KIND, at] == code.REMOVE and due[1, places[code.POWER, at]] > 0)
    if (
        sheet[code.ORDER_KIND, at] != code.BUILD
        or not is_free_home(c, places, at)
        or due[0, places[code.CENTRE, at]] <= 0
    ):
        return False
    kind, goal = sheet[code.ORDER_TARGET, at], sheet[code.ORDER_GOAL, at]
    if kind >= t.stands.shape[0] or goal >= t.province.shape[0]:
        return False
    return bool(t.province[goal] == at and t.stands[kind, goal])


@compiled
def is_free_home(c: SetupArrays, places: UInt16Array, at: int) -> bool:
    """Whether a province is an empty home centre of the power that owns it."""
    owner = places[code.CENTRE, at]
    return bool(owner != code.NONE and places[code.KIND, at] == code.NONE and c.homes[owner, at])
