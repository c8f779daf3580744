"""A power's moves by the value of places, compiled.

Unit by unit, in any order: each goes to the best place it may reach, unless another of its power stays or
goes there; then it helps that one, where help is needed. Armies may sail over fleets of their own.
"""

from __future__ import annotations

from talleyrand.simulation import array_layout as code
from talleyrand.simulation.array_layout import Scalar, UInt16Array
from talleyrand.simulation.numba_compiler import compiled

from .bot_context import BotBoard
from .place_values import HELPED, RIVALS, ValuationWorkspace, ValueWeights
from .random_streams import StreamArray, random_below, random_fraction

# Lists of a desk: the power's units, those that wait for another's decision, who comes to a province, seas
# on an army's way and the one each was reached from. Marks: decided, waiting, seas
# reached, shores reached.
UNITS, WAITING, COMING, SEAS, FROM, BY_SEA = range(6)
DONE, WAITS, REACHED, LANDED = range(4)
BANNED = -1e9


@compiled
def plan_moves(
    f: BotBoard,
    w: ValueWeights,
    d: ValuationWorkspace,
    places: UInt16Array,
    power: Scalar,
    sheet: UInt16Array,
    lot: StreamArray,
) -> None:
    """Write the moves of a power whose values stand on the desk."""
    count = _list_units(d, places, power, lot)
    d.seen[:] = 0
    d.counts[HELPED] = 0
    d.lists[COMING] = code.NONE
    for i in range(count):
        _taste(f, w, d, places, d.lists[UNITS, i], lot)
    for i in range(count):
        unit = d.lists[UNITS, i]
        if f.convoyable[places[code.KIND, unit]] and not d.seen[DONE, unit]:
            _sail(f, w, d, places, power, unit, sheet, lot)
    for i in range(count):
        if not d.seen[DONE, d.lists[UNITS, i]]:
            _decide(f, d, places, d.lists[UNITS, i], sheet)
    for i in range(count):
        if sheet[code.ORDER_KIND, d.lists[UNITS, i]] == code.HOLD:
            _help(f, d, places, power, d.lists[UNITS, i], sheet)


@compiled
def _list_units(d: ValuationWorkspace, places: UInt16Array, power: Scalar, lot: StreamArray) -> int:
    count = 0
    for province in range(places.shape[1]):
        if places[code.KIND, province] != code.NONE and places[code.POWER, province] == power:
            d.lists[UNITS, count] = province
            count += 1
    for i in range(count - 1, 0, -1):
        j = random_below(lot, i + 1)
        kept = d.lists[UNITS, i]
        d.lists[UNITS, i] = d.lists[UNITS, j]
        d.lists[UNITS, j] = kept
    return count


@compiled
def _taste(
    f: BotBoard, w: ValueWeights, d: ValuationWorkspace, places: UInt16Array, unit: Scalar, lot: StreamArray
) -> None:
    """What each step is worth to a unit today, and in the last column to stay."""
    kind, location = places[code.KIND, unit], places[code.LOCATION, unit]
    last = f.board_arrays.near.shape[2]
    for i in range(last):
        step = f.board_arrays.near[kind, location, i]
        if step == code.NONE or d.word.closed[places[code.POWER, unit], f.board_arrays.province[step]]:
            d.taste[unit, i] = BANNED
        else:
            worth = d.value[f.node[kind, step]]
            outlook = _outlook(w, d, places, places[code.POWER, unit], f.board_arrays.province[step])
            d.taste[unit, i] = noisy_value(w, worth * outlook if worth > 0.0 else worth, lot)
    d.taste[unit, last] = noisy_value(w, d.value[f.node[kind, location]], lot)


@compiled
def _outlook(
    w: ValueWeights, d: ValuationWorkspace, places: UInt16Array, power: Scalar, there: Scalar
) -> Scalar:
    """By how much a place's worth is multiplied for who would have to enter it."""
    own, rivals = d.reach[power, there], d.counts[RIVALS, there]
    if places[code.KIND, there] == code.NONE:
        return w.contested if own <= rivals else 1.0
    if places[code.POWER, there] == power:
        return 1.0
    if own < 2:
        return w.alone
    return w.withstood if own <= rivals else 1.0


@compiled
def noisy_value(w: ValueWeights, value: Scalar, lot: StreamArray) -> Scalar:
    """A value as it seems today."""
    return value + abs(value) * w.noise * (2.0 * random_fraction(lot) - 1.0)


@compiled
def _best(d: ValuationWorkspace, unit: Scalar) -> int:
    best = 0
    for i in range(1, d.taste.shape[1]):
        if d.taste[unit, i] >= d.taste[unit, best]:
            best = i
    return best


# steps --------------------------------------------------------------------------------------------


@compiled
def _decide(
    f: BotBoard, d: ValuationWorkspace, places: UInt16Array, first: Scalar, sheet: UInt16Array
) -> None:
    """Decide for a unit, and before it for those that must say whether they make room."""
    depth = 0
    d.lists[WAITING, 0] = first
    d.seen[WAITS, first] = 1
    while depth >= 0:
        unit = d.lists[WAITING, depth]
        other = _step(f, d, places, unit, sheet)
        if other == code.NONE:
            d.seen[DONE, unit] = 1
            d.seen[WAITS, unit] = 0
            depth -= 1
        else:
            depth += 1
            d.lists[WAITING, depth] = other
            d.seen[WAITS, other] = 1


@compiled
def _step(
    f: BotBoard, d: ValuationWorkspace, places: UInt16Array, unit: Scalar, sheet: UInt16Array
) -> Scalar:
    """Write the order of a unit; or give the unit of its power that has to be asked first."""
    last = f.board_arrays.near.shape[2]
    while True:
        i = _best(d, unit)
        if i == last or d.taste[unit, i] == BANNED:
            sheet[code.ORDER_KIND, unit] = code.HOLD
            return code.NONE
        goal = f.board_arrays.near[places[code.KIND, unit], places[code.LOCATION, unit], i]
        there = f.board_arrays.province[goal]
        own = places[code.KIND, there] != code.NONE and places[code.POWER, there] == places[code.POWER, unit]
        if own and not d.seen[DONE, there] and not d.seen[WAITS, there]:
            return there
        stays = own and (not d.seen[DONE, there] or sheet[code.ORDER_KIND, there] != code.MOVE)
        if not stays and d.lists[COMING, there] == code.NONE:
            write_order(sheet, unit, code.MOVE, code.NONE, goal)
            d.lists[COMING, there] = unit
            return code.NONE
        asked = d.seen[DONE, there] or not own
        if asked and _lend(d, sheet, unit, there, stays):
            return code.NONE
        d.taste[unit, i] = BANNED


@compiled
def write_order(sheet: UInt16Array, unit: Scalar, order: int, target: Scalar, goal: Scalar) -> None:
    """Put an order into the column of its unit."""
    sheet[code.ORDER_KIND, unit] = order
    sheet[code.ORDER_TARGET, unit] = target
    sheet[code.ORDER_GOAL, unit] = goal
    sheet[code.ORDER_VIA, unit] = 0


@compiled
def _lend(d: ValuationWorkspace, sheet: UInt16Array, unit: Scalar, there: Scalar, stays: bool) -> bool:
    """Have a unit support the one that stays in a province or comes there, if it needs more help."""
    if d.counts[HELPED, there] >= d.counts[RIVALS, there]:
        return False
    d.counts[HELPED, there] += 1
    if stays:
        write_order(sheet, unit, code.SUPPORT_HOLD, there, code.NONE)
    else:
        coming = d.lists[COMING, there]
        write_order(sheet, unit, code.SUPPORT_MOVE, coming, sheet[code.ORDER_GOAL, coming])
    return True


# help ---------------------------------------------------------------------------------------------


@compiled
def _help(
    f: BotBoard, d: ValuationWorkspace, places: UInt16Array, power: Scalar, unit: Scalar, sheet: UInt16Array
) -> None:
    """Turn a hold into the support that is worth most, if any is."""
    kind, location = places[code.KIND, unit], places[code.LOCATION, unit]
    best, best_worth = code.NONE, 0.0
    for i in range(f.board_arrays.near.shape[2]):
        step = f.board_arrays.near[kind, location, i]
        if step == code.NONE:
            break
        there = f.board_arrays.province[step]
        worth = d.value[f.node[kind, step]]
        if worth > best_worth and _wants_help(d, places, power, there, sheet):
            best, best_worth = there, worth
    if best != code.NONE:
        _lend(d, sheet, unit, best, d.lists[COMING, best] == code.NONE)


@compiled
def _wants_help(
    d: ValuationWorkspace, places: UInt16Array, power: Scalar, there: Scalar, sheet: UInt16Array
) -> bool:
    if d.counts[HELPED, there] >= d.counts[RIVALS, there]:
        return False
    if d.lists[COMING, there] != code.NONE:
        return True
    own = places[code.KIND, there] != code.NONE and places[code.POWER, there] == power
    return bool(own and sheet[code.ORDER_KIND, there] != code.MOVE)


# convoys ------------------------------------------------------------------------------------------


@compiled
def _sail(
    f: BotBoard,
    w: ValueWeights,
    d: ValuationWorkspace,
    places: UInt16Array,
    power: Scalar,
    army: Scalar,
    sheet: UInt16Array,
    lot: StreamArray,
) -> None:
    """Take an army over free fleets of its power, where that is worth more than what all would do else."""
    found = _flood(f, d, places, power, army)
    d.seen[LANDED] = 0
    if not found:
        return
    kind = places[code.KIND, army]
    most = d.taste[army, _best(d, army)]
    shore: Scalar = code.NONE
    last: Scalar = code.NONE
    gain = 0.0
    for i in range(found):
        sea = d.lists[SEAS, i]
        loss = _detour(d, sea)
        for there in range(places.shape[1]):
            # Only from the nearest sea: a longer way would be no proper route.
            if f.board_arrays.waters[there, sea] and not d.seen[LANDED, there]:
                d.seen[LANDED, there] = 1
                if not _may_land(f, d, places, kind, army, there):
                    continue
                worth = 0.9 * noisy_value(w, d.value[f.node[kind, f.place[there]]], lot) - most - loss
                if worth > gain:
                    shore, last, gain = there, sea, worth
    if shore != code.NONE:
        _embark(f, d, army, shore, last, sheet)


@compiled
def _flood(f: BotBoard, d: ValuationWorkspace, places: UInt16Array, power: Scalar, army: Scalar) -> int:
    """The seas with free fleets that an army can be taken over, nearest first."""
    found = 0
    d.seen[REACHED] = 0
    for sea in range(places.shape[1]):
        if f.board_arrays.waters[army, sea] and _is_free(f, d, places, power, sea):
            d.lists[SEAS, found] = sea
            d.lists[FROM, sea] = code.NONE
            d.seen[REACHED, sea] = 1
            found += 1
    at = 0
    while at < found:
        here = d.lists[SEAS, at]
        at += 1
        for sea in range(places.shape[1]):
            if (
                f.board_arrays.waters[here, sea]
                and not d.seen[REACHED, sea]
                and _is_free(f, d, places, power, sea)
            ):
                d.lists[SEAS, found] = sea
                d.lists[FROM, sea] = here
                d.seen[REACHED, sea] = 1
                found += 1
    return found


@compiled
def _is_free(f: BotBoard, d: ValuationWorkspace, places: UInt16Array, power: Scalar, sea: Scalar) -> bool:
    kind = places[code.KIND, sea]
    if kind == code.NONE or places[code.POWER, sea] != power or d.seen[DONE, sea]:
        return False
    return bool(f.board_arrays.sea[sea] and f.board_arrays.convoys[kind])


@compiled
def _detour(d: ValuationWorkspace, sea: Scalar) -> float:
    """What the fleets from here back to the army would rather do than stay."""
    loss = 0.0
    while sea != code.NONE:
        loss += d.taste[sea, _best(d, sea)] - d.taste[sea, d.taste.shape[1] - 1]
        sea = d.lists[FROM, sea]
    return loss


@compiled
def _may_land(
    f: BotBoard, d: ValuationWorkspace, places: UInt16Array, kind: Scalar, army: Scalar, there: Scalar
) -> bool:
    """Whether an army may sail to a province that it does not reach by land and nobody of its own needs."""
    if there == army or f.board_arrays.sea[there] or f.node[kind, f.place[there]] == code.NONE:
        return False
    if f.board_arrays.reach[kind, places[code.LOCATION, army], there] or d.lists[COMING, there] != code.NONE:
        return False
    if d.word.closed[places[code.POWER, army], there]:
        return False
    return bool(
        places[code.KIND, there] == code.NONE or places[code.POWER, there] != places[code.POWER, army]
    )


@compiled
def _embark(
    f: BotBoard, d: ValuationWorkspace, army: Scalar, shore: Scalar, last: Scalar, sheet: UInt16Array
) -> None:
    goal = f.place[shore]
    write_order(sheet, army, code.MOVE, code.NONE, goal)
    d.lists[COMING, shore] = army
    d.seen[DONE, army] = 1
    sea = last
    while sea != code.NONE:
        write_order(sheet, sea, code.CONVOY, army, goal)
        d.seen[DONE, sea] = 1
        sea = d.lists[FROM, sea]
