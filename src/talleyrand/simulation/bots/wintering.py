"""A power's retreats, builds and removals by the value of places, compiled."""

from __future__ import annotations

from talleyrand.simulation.codes import (
    BEFORE,
    BUILD,
    CENTRE,
    COUNTED,
    DISBAND,
    FALLEN_KIND,
    FALLEN_LOCATION,
    FALLEN_POWER,
    KIND,
    LOCATION,
    NONE,
    POWER,
    REMOVE,
    RETREAT,
    SHEET_GOAL,
    SHEET_ORDER,
    SHEET_TARGET,
    SHEET_VIA,
    Cell,
    Cells,
    Masks,
)
from talleyrand.simulation.compiling import compiled

from .facts import Ground
from .planning import BANNED, DONE, savoured, write
from .streams import Stream
from .valuing import Desk
from .weights import Weights


@compiled
def plan_retreats(
    f: Ground, w: Weights, d: Desk, places: Cells, escapes: Masks, power: Cell, sheet: Cells, lot: Stream
) -> None:
    """Send every dislodged unit to the best place left; two of a power never go to the same one."""
    d.seen[DONE] = 0
    for unit in range(places.shape[1]):
        if places[FALLEN_KIND, unit] != NONE and places[FALLEN_POWER, unit] == power:
            _retreat(f, w, d, places, escapes, unit, sheet, lot)


@compiled
def _retreat(
    f: Ground, w: Weights, d: Desk, places: Cells, escapes: Masks, unit: Cell, sheet: Cells, lot: Stream
) -> None:
    kind, location = places[FALLEN_KIND, unit], places[FALLEN_LOCATION, unit]
    best, most = NONE, BANNED
    for i in range(f.table.near.shape[2]):
        if escapes[unit] >> i & 1:
            step = f.table.near[kind, location, i]
            worth = savoured(w, d.value[f.node[kind, step]], lot)
            if worth > most and not d.seen[DONE, f.table.province[step]]:
                best, most = step, worth
    if best == NONE:
        write(sheet, unit, DISBAND, NONE, NONE)
    else:
        d.seen[DONE, f.table.province[best]] = 1
        write(sheet, unit, RETREAT, NONE, best)


# winter -------------------------------------------------------------------------------------------


@compiled
def dues(f: Ground, places: Cells, clock: Masks, rights: Masks, power: Cell) -> tuple[int, int]:
    """The builds that a power may make and the removals that it owes (`engine.balances`)."""
    units, owned, had, lost, free = 0, 0, 0, 0, 0
    for place in range(places.shape[1]):
        units += places[KIND, place] != NONE and places[POWER, place] == power
        owned += places[CENTRE, place] == power
        had += places[BEFORE, place] == power
        lost += places[BEFORE, place] == power and places[CENTRE, place] != power
        free += is_free(f, places, power, place)
    removals = min(units, lost + max(0, units - had)) if clock[COUNTED] else max(0, units - owned)
    builds: Cell = owned - units + removals
    if not removals:
        builds = max(builds, rights[power])
    return max(0, min(builds, free)), removals


@compiled
def is_free(f: Ground, places: Cells, power: Cell, home: Cell) -> bool:
    """Whether a power may build in a home centre."""
    return bool(f.homes[power, home] and places[CENTRE, home] == power and places[KIND, home] == NONE)


@compiled
def plan_winter(
    f: Ground,
    w: Weights,
    d: Desk,
    places: Cells,
    due: tuple[int, int],
    power: Cell,
    sheet: Cells,
    lot: Stream,
) -> None:
    """Build where it is worth most, what is worth most; remove the units that are worth least."""
    for _ in range(due[1]):
        _remove(f, w, d, places, power, sheet, lot)
    units, fleets = 0, 0
    for place in range(places.shape[1]):
        if places[KIND, place] != NONE and places[POWER, place] == power:
            units += 1
            fleets += f.afloat[places[KIND, place]]
    for _ in range(due[0]):
        fleets += _build(f, w, d, places, power, sheet, fleets / max(1, units), lot)
        units += 1


@compiled
def _remove(f: Ground, w: Weights, d: Desk, places: Cells, power: Cell, sheet: Cells, lot: Stream) -> None:
    worst: Cell = NONE
    least = -BANNED
    for unit in range(places.shape[1]):
        free = sheet[SHEET_ORDER, unit] == NONE
        if places[KIND, unit] != NONE and places[POWER, unit] == power and free:
            worth = savoured(w, d.value[f.node[places[KIND, unit], places[LOCATION, unit]]], lot)
            if worth < least:
                worst, least = unit, worth
    if worst != NONE:
        write(sheet, worst, REMOVE, NONE, NONE)


@compiled
def _build(
    f: Ground, w: Weights, d: Desk, places: Cells, power: Cell, sheet: Cells, share: float, lot: Stream
) -> int:
    """Build one unit; 1 for a fleet. `share`: of the power's units those that are fleets."""
    best: Cell = NONE
    most = BANNED
    for n in range(len(f.nodes)):
        kind, place = f.nodes[n, 0], f.nodes[n, 1]
        home = f.table.province[place]
        if is_free(f, places, power, home) and sheet[SHEET_ORDER, home] == NONE:
            worth = savoured(w, d.value[n], lot)
            worth -= abs(worth) * (w.afloat * share if f.afloat[kind] else w.afloat * (1.0 - share))
            worth -= 0.0 if f.captures[kind] else abs(worth)
            if worth > most:
                best, most = n, worth
    if best == NONE:
        return 0
    kind, place = f.nodes[best, 0], f.nodes[best, 1]
    home = f.table.province[place]
    sheet[SHEET_ORDER, home], sheet[SHEET_TARGET, home] = BUILD, kind
    sheet[SHEET_GOAL, home], sheet[SHEET_VIA, home] = place, 0
    return int(f.afloat[kind])
