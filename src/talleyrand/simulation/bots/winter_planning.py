"""A power's retreats, builds and removals by the value of places, compiled."""

from __future__ import annotations

from talleyrand.simulation import array_layout as code
from talleyrand.simulation.array_layout import Int64Array, Scalar, UInt16Array
from talleyrand.simulation.numba_compiler import compiled

from .bot_context import BotBoard
from .move_planning import BANNED, DONE, noisy_value, write_order
from .place_values import RIVALS, ValuationWorkspace, ValueWeights
from .random_streams import StreamArray

# What a unit's own centre adds to the worth of its place, if another power could come there without it.
EXPOSED = 8.0


@compiled
def plan_retreats(
    f: BotBoard,
    w: ValueWeights,
    d: ValuationWorkspace,
    places: UInt16Array,
    escapes: Int64Array,
    power: Scalar,
    sheet: UInt16Array,
    lot: StreamArray,
) -> None:
    """Send every dislodged unit to the best place left; two of a power never go to the same one."""
    d.seen[DONE] = 0
    for unit in range(places.shape[1]):
        if places[code.DISLODGED_KIND, unit] != code.NONE and places[code.DISLODGED_POWER, unit] == power:
            _retreat(f, w, d, places, escapes, unit, sheet, lot)


@compiled
def _retreat(
    f: BotBoard,
    w: ValueWeights,
    d: ValuationWorkspace,
    places: UInt16Array,
    escapes: Int64Array,
    unit: Scalar,
    sheet: UInt16Array,
    lot: StreamArray,
) -> None:
    kind, location = places[code.DISLODGED_KIND, unit], places[code.DISLODGED_LOCATION, unit]
    best, most = code.NONE, BANNED
    for i in range(f.board_arrays.near.shape[2]):
        if escapes[unit] >> i & 1:
            step = f.board_arrays.near[kind, location, i]
            worth = noisy_value(w, d.value[f.node[kind, step]], lot)
            if worth > most and not d.seen[DONE, f.board_arrays.province[step]]:
                best, most = step, worth
    if best == code.NONE:
        write_order(sheet, unit, code.DISBAND, code.NONE, code.NONE)
    else:
        d.seen[DONE, f.board_arrays.province[best]] = 1
        write_order(sheet, unit, code.RETREAT, code.NONE, best)


# winter -------------------------------------------------------------------------------------------


@compiled
def builds_and_removals(
    f: BotBoard, places: UInt16Array, clock: Int64Array, rights: Int64Array, power: Scalar
) -> tuple[int, int]:
    """The builds that a power may make and the removals that it owes (`engine.adjustments`)."""
    units, owned, had, lost, free = 0, 0, 0, 0, 0
    for place in range(places.shape[1]):
        units += places[code.KIND, place] != code.NONE and places[code.POWER, place] == power
        owned += places[code.CENTRE, place] == power
        had += places[code.BEFORE, place] == power
        lost += places[code.BEFORE, place] == power and places[code.CENTRE, place] != power
        free += is_free_home_of(f, places, power, place)
    removals = (
        min(units, lost + max(0, units - had)) if clock[code.BEFORE_IS_KNOWN] else max(0, units - owned)
    )
    builds: Scalar = owned - units + removals
    if not removals:
        builds = max(builds, rights[power])
    return max(0, min(builds, free)), removals


@compiled
def is_free_home_of(f: BotBoard, places: UInt16Array, power: Scalar, home: Scalar) -> bool:
    """Whether a power may build in a home centre."""
    return bool(
        f.homes[power, home] and places[code.CENTRE, home] == power and places[code.KIND, home] == code.NONE
    )


@compiled
def plan_winter(
    f: BotBoard,
    w: ValueWeights,
    d: ValuationWorkspace,
    places: UInt16Array,
    due: tuple[int, int],
    power: Scalar,
    sheet: UInt16Array,
    lot: StreamArray,
) -> None:
    """Build where it is worth most, what is worth most; remove the units that are worth least."""
    for _ in range(due[1]):
        _remove(f, w, d, places, power, sheet, lot)
    units, fleets = 0, 0
    for place in range(places.shape[1]):
        if places[code.KIND, place] != code.NONE and places[code.POWER, place] == power:
            units += 1
            fleets += f.moves_at_sea[places[code.KIND, place]]
    for _ in range(due[0]):
        fleets += _build(f, w, d, places, power, sheet, fleets / max(1, units), lot)
        units += 1


@compiled
def _remove(
    f: BotBoard,
    w: ValueWeights,
    d: ValuationWorkspace,
    places: UInt16Array,
    power: Scalar,
    sheet: UInt16Array,
    lot: StreamArray,
) -> None:
    worst: Scalar = code.NONE
    least = -BANNED
    for unit in range(places.shape[1]):
        free = sheet[code.ORDER_KIND, unit] == code.NONE
        if places[code.KIND, unit] != code.NONE and places[code.POWER, unit] == power and free:
            worth = noisy_value(w, d.value[f.node[places[code.KIND, unit], places[code.LOCATION, unit]]], lot)
            if places[code.CENTRE, unit] == power and d.counts[RIVALS, unit]:
                worth += EXPOSED
            if worth < least:
                worst, least = unit, worth
    if worst != code.NONE:
        write_order(sheet, worst, code.REMOVE, code.NONE, code.NONE)


@compiled
def _build(
    f: BotBoard,
    w: ValueWeights,
    d: ValuationWorkspace,
    places: UInt16Array,
    power: Scalar,
    sheet: UInt16Array,
    share: float,
    lot: StreamArray,
) -> int:
    """Build one unit; 1 for a fleet. `share`: of the power's units those that are fleets."""
    best: Scalar = code.NONE
    most = BANNED
    for n in range(len(f.nodes)):
        kind, place = f.nodes[n, 0], f.nodes[n, 1]
        home = f.board_arrays.province[place]
        if is_free_home_of(f, places, power, home) and sheet[code.ORDER_KIND, home] == code.NONE:
            worth = noisy_value(w, d.value[n], lot)
            worth -= abs(worth) * (w.afloat * share if f.moves_at_sea[kind] else w.afloat * (1.0 - share))
            worth -= 0.0 if f.captures[kind] else abs(worth)
            if worth > most:
                best, most = n, worth
    if best == code.NONE:
        return 0
    kind, place = f.nodes[best, 0], f.nodes[best, 1]
    home = f.board_arrays.province[place]
    sheet[code.ORDER_KIND, home], sheet[code.ORDER_TARGET, home] = code.BUILD, kind
    sheet[code.ORDER_GOAL, home], sheet[code.ORDER_VIA, home] = place, 0
    return int(f.moves_at_sea[kind])
