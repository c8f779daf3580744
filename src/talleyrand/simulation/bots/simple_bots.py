"""The two bots that do not think: `hold` and `random`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from talleyrand.simulation import array_layout as code
from talleyrand.simulation.array_layout import Int64Array, Scalar, UInt16Array
from talleyrand.simulation.game_batch import GameBatch
from talleyrand.simulation.numba_compiler import compiled, compiled_and_cached, sources_checksum

from .bot_context import BotBoard, BotContext
from .bot_protocol import PowerMask
from .move_planning import write_order
from .random_streams import StreamArray, random_below
from .winter_planning import builds_and_removals, is_free_home_of


class HoldBot:
    """Stays where it is, disbands what is dislodged, builds nothing; its removals are the book's choice."""

    name = "hold"

    def write_orders(
        self,
        facts: BotContext,  # noqa: ARG002 (Bot)
        games: GameBatch,
        asked: PowerMask,
        orders: UInt16Array,
        streams: StreamArray,  # noqa: ARG002 (Bot)
    ) -> None:
        """Write its orders (`bot_protocol.Bot`)."""
        stage = games.clock[:, code.STAGE]
        for at, kind, power, order in (
            (code.MOVEMENT, code.KIND, code.POWER, code.HOLD),
            (code.RETREATS, code.DISLODGED_KIND, code.DISLODGED_POWER, code.DISBAND),
        ):
            owner = np.minimum(games.places[:, power], asked.shape[1] - 1)
            theirs = np.take_along_axis(asked, owner.astype(np.int64), axis=1)
            mine = theirs & (games.places[:, kind] != code.NONE) & ((stage == at) & ~games.over)[:, None]
            orders[:, code.ORDER_KIND][mine] = order


class RandomBot:
    """Any legal order for each unit, of convoys those over one sea; builds and removes whatever it may."""

    name = "random"

    def write_orders(
        self, facts: BotContext, games: GameBatch, asked: PowerMask, orders: UInt16Array, streams: StreamArray
    ) -> None:
        """Write its orders (`bot_protocol.Bot`)."""
        with np.errstate(over="ignore"):
            draw_random_orders(
                facts.bot_board,
                games.places,
                games.retreat_options,
                games.clock,
                games.build_rights,
                asked,
                orders,
                streams.copy(),
            )


# moves --------------------------------------------------------------------------------------------


@compiled
def _draw_moves(f: BotBoard, places: UInt16Array, power: int, sheet: UInt16Array, lot: StreamArray) -> None:
    for unit in range(places.shape[1]):
        if places[code.KIND, unit] != code.NONE and places[code.POWER, unit] == power:
            write_order(sheet, unit, code.HOLD, code.NONE, code.NONE)
            seen = _draw_step(f, places, unit, sheet, 1, lot)
            seen = _draw_support(f, places, unit, sheet, seen, lot)
            _draw_passage(f, places, unit, sheet, seen, lot)


@compiled
def _draw(
    sheet: UInt16Array, unit: Scalar, order: int, target: Scalar, goal: Scalar, seen: int, lot: StreamArray
) -> int:
    """Take one more order in the place of the one drawn so far, each as likely; gives how many were seen."""
    if random_below(lot, seen + 1) == 0:
        write_order(sheet, unit, order, target, goal)
    return seen + 1


@compiled
def _draw_step(
    f: BotBoard, places: UInt16Array, unit: Scalar, sheet: UInt16Array, seen: int, lot: StreamArray
) -> int:
    for i in range(f.board_arrays.near.shape[2]):
        step = f.board_arrays.near[places[code.KIND, unit], places[code.LOCATION, unit], i]
        if step == code.NONE:
            break
        seen = _draw(sheet, unit, code.MOVE, code.NONE, step, seen, lot)
    return seen


@compiled
def _draw_support(
    f: BotBoard, places: UInt16Array, unit: Scalar, sheet: UInt16Array, seen: int, lot: StreamArray
) -> int:
    reach = f.board_arrays.reach[places[code.KIND, unit], places[code.LOCATION, unit]]
    for other in range(places.shape[1]):
        if places[code.KIND, other] == code.NONE or other == unit:
            continue
        if reach[other]:
            seen = _draw(sheet, unit, code.SUPPORT_HOLD, other, code.NONE, seen, lot)
        for i in range(f.board_arrays.near.shape[2]):
            step = f.board_arrays.near[places[code.KIND, other], places[code.LOCATION, other], i]
            if step == code.NONE:
                break
            if reach[f.board_arrays.province[step]] and f.board_arrays.province[step] != unit:
                seen = _draw(sheet, unit, code.SUPPORT_MOVE, other, step, seen, lot)
    return seen


@compiled
def _draw_passage(
    f: BotBoard, places: UInt16Array, unit: Scalar, sheet: UInt16Array, seen: int, lot: StreamArray
) -> int:
    """Over one sea: of an army to the other shores, of a fleet for the armies round its sea."""
    for sea in range(places.shape[1]):
        fleet = places[code.KIND, sea]
        if fleet == code.NONE or not (f.board_arrays.sea[sea] and f.board_arrays.convoys[fleet]):
            continue
        for army in range(places.shape[1]):
            kind = places[code.KIND, army]
            carried = kind != code.NONE and f.convoyable[kind] and f.board_arrays.waters[army, sea]
            if not carried or (unit != army and unit != sea):
                continue
            for shore in range(places.shape[1]):
                if (
                    shore == army
                    or not f.board_arrays.waters[shore, sea]
                    or f.node[kind, f.place[shore]] == code.NONE
                ):
                    continue
                if unit == sea:
                    seen = _draw(sheet, unit, code.CONVOY, army, f.place[shore], seen, lot)
                elif not f.board_arrays.reach[kind, places[code.LOCATION, army], shore]:
                    seen = _draw(sheet, unit, code.MOVE, code.NONE, f.place[shore], seen, lot)
    return seen


# retreats and winter ------------------------------------------------------------------------------


@compiled
def _draw_retreats(
    f: BotBoard, places: UInt16Array, escapes: Int64Array, power: int, sheet: UInt16Array, lot: StreamArray
) -> None:
    for unit in range(places.shape[1]):
        kind = places[code.DISLODGED_KIND, unit]
        if kind == code.NONE or places[code.DISLODGED_POWER, unit] != power:
            continue
        write_order(sheet, unit, code.DISBAND, code.NONE, code.NONE)
        seen = 1
        for i in range(f.board_arrays.near.shape[2]):
            if escapes[unit] >> i & 1:
                step = f.board_arrays.near[kind, places[code.DISLODGED_LOCATION, unit], i]
                seen = _draw(sheet, unit, code.RETREAT, code.NONE, step, seen, lot)


@compiled
def _draw_winter(
    f: BotBoard, places: UInt16Array, due: tuple[int, int], power: int, sheet: UInt16Array, lot: StreamArray
) -> None:
    for _ in range(due[1]):
        _draw_one(f, places, power, sheet, code.REMOVE, lot)
    for _ in range(due[0]):
        _draw_one(f, places, power, sheet, code.BUILD, lot)


@compiled
def _draw_one(
    f: BotBoard, places: UInt16Array, power: int, sheet: UInt16Array, order: int, lot: StreamArray
) -> None:
    """One build, or one removal, in a column that is still free."""
    found, kind, place, seen = code.NONE, code.NONE, code.NONE, 0
    for n in range(len(f.nodes)):
        here = f.board_arrays.province[f.nodes[n, 1]]
        stands = places[code.KIND, here] == f.nodes[n, 0] and places[code.LOCATION, here] == f.nodes[n, 1]
        open_ = (
            is_free_home_of(f, places, power, here)
            if order == code.BUILD
            else stands and places[code.POWER, here] == power
        )
        if open_ and sheet[code.ORDER_KIND, here] == code.NONE:
            if random_below(lot, seen + 1) == 0:
                found, kind, place = here, f.nodes[n, 0], f.nodes[n, 1]
            seen += 1
    if seen and order == code.BUILD:
        write_order(sheet, found, code.BUILD, kind, place)
    elif seen:
        write_order(sheet, found, code.REMOVE, code.NONE, code.NONE)


def _entry(made_from: int) -> Callable[..., int]:
    """`draw_random_orders` made from this edition of the sources, which Numba cannot tell by itself."""

    def draw_all(
        f: BotBoard,
        places: UInt16Array,
        escapes: Int64Array,
        clock: Int64Array,
        rights: Int64Array,
        asked: PowerMask,
        orders: UInt16Array,
        streams: StreamArray,
    ) -> int:
        """Draw orders for every power asked for, in games that are not over; gives the edition."""
        for game in range(places.shape[0]):
            stage = clock[game, code.STAGE]
            for power in range(asked.shape[1]):
                lot = streams[game, power : power + 1]
                if clock[game, code.OVER] or not asked[game, power]:
                    continue
                if stage == code.MOVEMENT:
                    _draw_moves(f, places[game], power, orders[game], lot)
                elif stage == code.RETREATS:
                    _draw_retreats(f, places[game], escapes[game], power, orders[game], lot)
                else:
                    due = builds_and_removals(f, places[game], clock[game], rights[game], power)
                    _draw_winter(f, places[game], due, power, orders[game], lot)
        return made_from

    return compiled_and_cached(draw_all)


draw_random_orders = _entry(sources_checksum(Path(__file__).parent))
