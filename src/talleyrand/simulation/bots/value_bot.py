"""`values`: a bot that goes where the worth is, of DumbBot's class. One call for a batch of games."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np

from talleyrand.simulation import array_layout as code
from talleyrand.simulation.array_layout import Int64Array, Scalar, UInt16Array
from talleyrand.simulation.game_batch import GameBatch
from talleyrand.simulation.numba_compiler import compiled, compiled_and_cached, sources_checksum

from .bot_context import BotBoard, BotContext
from .bot_protocol import PowerMask
from .move_planning import plan_moves
from .place_values import (
    FloatArray,
    ValuationWorkspace,
    ValueWeights,
    count_reach,
    fill_values,
    valuation_workspace,
    value_weights,
)
from .random_streams import StreamArray
from .winter_planning import builds_and_removals, plan_retreats, plan_winter

# How much chance there is in each strength's values. Less than a tenth changes nothing: `hard`, which older
# games name, is `normal`.
NOISE: Mapping[str, float] = {"easy": 1.1, "normal": 0.1, "hard": 0.1}


@compiled
def _has_retreats(places: UInt16Array, power: Scalar) -> bool:
    """Whether a unit of the power is dislodged."""
    for place in range(places.shape[1]):
        if places[code.DISLODGED_KIND, place] != code.NONE and places[code.DISLODGED_POWER, place] == power:
            return True
    return False


@compiled
def _write_one(
    f: BotBoard,
    w: ValueWeights,
    d: ValuationWorkspace,
    places: UInt16Array,
    escapes: Int64Array,
    clock: Int64Array,
    rights: Int64Array,
    power: int,
    sheet: UInt16Array,
    lot: StreamArray,
) -> None:
    moves = f.moves_left[clock[code.PHASE]]
    stage = clock[code.STAGE]
    if stage == code.RETREATS and not _has_retreats(places, power):
        return
    # What is built in winter moves in spring; a unit that retreats in autumn stands where it takes.
    fill_values(f, w, d, places, power, 1 if moves > 1 or stage >= code.ADJUSTMENTS else 0)
    if stage == code.MOVEMENT:
        plan_moves(f, w, d, places, power, sheet, lot)
    elif stage == code.RETREATS:
        plan_retreats(f, w, d, places, escapes, power, sheet, lot)
    else:
        # A variant's own phase too: what is no build there counts as no order.
        plan_winter(f, w, d, places, builds_and_removals(f, places, clock, rights, power), power, sheet, lot)


def _entry(made_from: int) -> Callable[..., int]:
    """`write_value_orders` made from this edition of the sources, which Numba cannot tell by itself."""

    def write_all(
        f: BotBoard,
        w: ValueWeights,
        d: ValuationWorkspace,
        places: UInt16Array,
        escapes: Int64Array,
        clock: Int64Array,
        rights: Int64Array,
        asked: PowerMask,
        orders: UInt16Array,
        streams: StreamArray,
    ) -> int:
        """Write the orders of every power asked for, in games that are not over; gives the edition."""
        for game in range(places.shape[0]):
            if clock[game, code.OVER] or not asked[game].any():
                continue
            count_reach(f, w, d, places[game])
            for power in range(asked.shape[1]):
                if asked[game, power]:
                    _write_one(
                        f,
                        w,
                        d,
                        places[game],
                        escapes[game],
                        clock[game],
                        rights[game],
                        power,
                        orders[game],
                        streams[game, power : power + 1],
                    )
        return made_from

    return compiled_and_cached(write_all)


write_value_orders = _entry(sources_checksum(Path(__file__).parent))


class ValueBot:
    """The bot; one object plays any board, one call at a time."""

    name = "values"

    def __init__(self, strength: str = "normal", noise: float | None = None) -> None:
        self.weights = value_weights(NOISE[strength] if noise is None else noise)
        self._room: tuple[BotBoard, ValuationWorkspace] | None = None

    def write_orders(
        self, facts: BotContext, games: GameBatch, asked: PowerMask, orders: UInt16Array, streams: StreamArray
    ) -> None:
        """Write the orders of the powers asked for into the sheets; the streams stay as they are."""
        if self._room is None or self._room[0] is not facts.bot_board:
            self._room = facts.bot_board, valuation_workspace(facts)
        with np.errstate(over="ignore"):
            write_value_orders(
                facts.bot_board,
                self.weights,
                self._room[1]._replace(word=facts.given_word),
                games.places,
                games.retreat_options,
                games.clock,
                games.build_rights,
                asked,
                orders,
                streams.copy(),
            )

    def node_values(self) -> FloatArray:
        """What each node was worth to the last power that was asked for; nothing before that."""
        return np.zeros(0) if self._room is None else self._room[1].value.copy()
