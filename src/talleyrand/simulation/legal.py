"""Which orders are legal, compiled (`engine.legality`, `engine.retreats`, `engine.adjustments`).

An order counts as it stands: with the coasts it needs and no others.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .codes import (
    BUILD,
    CENTRE,
    CONVOY,
    DISBAND,
    FALLEN_KIND,
    FALLEN_LOCATION,
    HOLD,
    KIND,
    LOCATION,
    MARKED,
    MOST_FLEETS,
    MOVE,
    NONE,
    PLAIN,
    POWER,
    REMOVE,
    RETREAT,
    SHEET_GOAL,
    SHEET_ORDER,
    SHEET_TARGET,
    SHEET_VIA,
    SUPPORT_HOLD,
    SUPPORT_MOVE,
    TOUCHING,
    Cell,
    Cells,
    Masks,
)
from .compiling import compiled
from .courses import Course
from .tables import Table
from .ways import TOO_MANY, walk


class Chart(NamedTuple):
    """Where the fleets of one game are that convoy, a bit for each: `shores` (P) those that touch a province,
    `berth` (P) the number of the one that is there or -1, `search` what `ways.walk` works on, `lost` (1)
    whether there were too many routes to walk."""

    shores: Masks
    berth: Masks
    search: Masks
    lost: Masks


@compiled
def chart_fleets(t: Table, chart: Chart, places: Cells) -> int:
    """Find the fleets; how many there are, or TOO_MANY."""
    count, chart.lost[0] = 0, 0
    for province in range(places.shape[1]):
        chart.shores[province], chart.berth[province] = 0, -1
    for sea in range(places.shape[1]):
        if places[KIND, sea] != NONE and t.sea[sea] and t.convoys[places[KIND, sea]]:
            if count == MOST_FLEETS:
                return TOO_MANY
            chart.berth[sea] = count
            for province in range(places.shape[1]):
                chart.shores[province] |= np.int64(t.waters[province, sea]) << count
            count += 1
    for sea in range(places.shape[1]):
        if chart.berth[sea] >= 0:
            chart.search[TOUCHING, chart.berth[sea]] = chart.shores[sea]
    return count


@compiled
def sail(chart: Chart, count: int, starts: Cell, without: Cell) -> Cell:
    """The fleets that an army may pass beginning with these, but for one that is left out (-1: none)."""
    barred = 0 if without < 0 else np.int64(1) << without
    reached = starts & ~barred
    edge = reached
    while edge:
        onward = 0
        for fleet in range(count):
            if edge >> fleet & 1:
                onward |= chart.search[TOUCHING, fleet]
        edge = onward & ~(reached | barred)
        reached |= edge
    return reached


@compiled
def linked(chart: Chart, count: int, origin: Cell, goal: Cell, without: Cell) -> bool:
    """Whether fleets make a route from province to province."""
    ends = chart.shores[goal]
    if not ends or not chart.shores[origin]:
        return False
    return bool(sail(chart, count, chart.shores[origin], without) & ends)


@compiled
def on_routes(chart: Chart, count: int, origin: Cell, goal: Cell) -> Cell:
    """The fleets that lie on a proper route from province to province."""
    starts, ends = chart.shores[origin], chart.shores[goal]
    if not starts or not ends:
        return 0
    if count == 1:
        return 1
    found = walk(chart.search, starts, ends, count, 0, 0)
    if found == TOO_MANY:
        chart.lost[0] = 1
    return found


@compiled
def is_step(t: Table, kind: Cell, location: Cell, goal: Cell) -> bool:
    """Whether a unit may step from a location to another."""
    for i in range(t.near.shape[2]):
        if t.near[kind, location, i] == goal:
            return True
        if t.near[kind, location, i] == NONE:
            return False
    return False


@compiled
def may_land(t: Table, kind: Cell, origin: Cell, goal: Cell) -> bool:
    """Whether a unit of this kind may go by sea to a location, fleets permitting."""
    there = t.province[goal]
    return bool(there != origin and goal == t.whole[there] and t.sails[kind] and t.stands[kind, goal])


# movement -----------------------------------------------------------------------------------------


@compiled
def moves_legally(
    t: Table, c: Course, chart: Chart, count: int, places: Cells, at: int, sheet: Cells
) -> bool:
    """Whether the unit of a province may follow a movement order, on its sheet."""
    what = sheet[SHEET_ORDER, at]
    if what == HOLD:
        return True
    if what == MOVE:
        return _may_move(t, c, chart, count, places, at, sheet)
    target = sheet[SHEET_TARGET, at]
    if target >= places.shape[1] or target == at or places[KIND, target] == NONE:
        return False
    if what == SUPPORT_HOLD:
        return bool(t.reach[places[KIND, at], places[LOCATION, at], target])
    if what == SUPPORT_MOVE:
        return _may_support(t, chart, count, places, at, sheet)
    return bool(what == CONVOY and _may_convoy(t, chart, count, places, at, sheet))


@compiled
def _may_move(t: Table, c: Course, chart: Chart, count: int, places: Cells, at: int, sheet: Cells) -> bool:
    goal, via = sheet[SHEET_GOAL, at], sheet[SHEET_VIA, at] == 1
    if goal >= t.province.shape[0] or t.province[goal] == at:
        return False
    kind, location, there = places[KIND, at], places[LOCATION, at], t.province[goal]
    if t.reach[kind, location, there]:
        if not is_step(t, kind, location, goal):
            return False
        return not via or bool(c.choices[MARKED] and t.sails[kind] and linked(chart, count, at, there, -1))
    if via or not c.choices[PLAIN] or not may_land(t, kind, at, goal):
        return False
    return linked(chart, count, at, there, -1)


@compiled
def _may_support(t: Table, chart: Chart, count: int, places: Cells, at: int, sheet: Cells) -> bool:
    target, goal = sheet[SHEET_TARGET, at], sheet[SHEET_GOAL, at]
    if goal >= t.province.shape[0]:
        return False
    there = t.province[goal]
    if there == target or not t.reach[places[KIND, at], places[LOCATION, at], there]:
        return False
    kind, location = places[KIND, target], places[LOCATION, target]
    if t.reach[kind, location, there]:
        return goal == t.whole[there] or is_step(t, kind, location, goal)
    return may_land(t, kind, target, goal) and linked(chart, count, target, there, chart.berth[at])


@compiled
def _may_convoy(t: Table, chart: Chart, count: int, places: Cells, at: int, sheet: Cells) -> bool:
    target, goal = sheet[SHEET_TARGET, at], sheet[SHEET_GOAL, at]
    if (
        goal >= t.province.shape[0]
        or chart.berth[at] < 0
        or not may_land(t, places[KIND, target], target, goal)
    ):
        return False
    return bool(on_routes(chart, count, target, t.province[goal]) >> chart.berth[at] & 1)


# retreats and winter ------------------------------------------------------------------------------


@compiled
def retreats_legally(t: Table, places: Cells, escapes: Masks, at: int, sheet: Cells) -> bool:
    """Whether the unit dislodged from a province may follow a retreat order."""
    if sheet[SHEET_ORDER, at] == DISBAND:
        return True
    if sheet[SHEET_ORDER, at] != RETREAT or sheet[SHEET_GOAL, at] == NONE:
        return False
    kind, location = places[FALLEN_KIND, at], places[FALLEN_LOCATION, at]
    for i in range(t.near.shape[2]):
        if t.near[kind, location, i] == sheet[SHEET_GOAL, at]:
            return bool(escapes[at] >> i & 1)
    return False


@compiled
def adjusts_legally(t: Table, c: Course, places: Cells, due: Masks, at: int, sheet: Cells) -> bool:
    """Whether a build or removal in a province is one that its power may order; `due` (2, power) holds the
    possible builds and the removals."""
    if places[KIND, at] != NONE:
        return bool(sheet[SHEET_ORDER, at] == REMOVE and due[1, places[POWER, at]] > 0)
    if sheet[SHEET_ORDER, at] != BUILD or not is_free_home(c, places, at) or due[0, places[CENTRE, at]] <= 0:
        return False
    kind, goal = sheet[SHEET_TARGET, at], sheet[SHEET_GOAL, at]
    if kind >= t.stands.shape[0] or goal >= t.province.shape[0]:
        return False
    return bool(t.province[goal] == at and t.stands[kind, goal])


@compiled
def is_free_home(c: Course, places: Cells, at: int) -> bool:
    """Whether a province is an empty home centre of the power that owns it."""
    owner = places[CENTRE, at]
    return bool(owner != NONE and places[KIND, at] == NONE and c.homes[owner, at])
