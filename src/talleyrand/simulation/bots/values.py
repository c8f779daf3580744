"""`values`: a bot that goes where the worth is, of DumbBot's class. One call for a batch of games."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np

from talleyrand.simulation.codes import ADJUSTMENTS, MOVEMENT, OVER, PHASE, RETREATS, STAGE, Cells, Masks
from talleyrand.simulation.compiling import compiled, compiled_and_kept, edition
from talleyrand.simulation.world import Games

from .bot_protocol import Asked
from .facts import Facts, Ground
from .planning import plan_moves
from .streams import Stream
from .valuing import Desk, appraise, desk, look_around
from .weights import Floats, Weights, weights
from .wintering import dues, plan_retreats, plan_winter

WriteAll = Callable[[Ground, Weights, Desk, Cells, Masks, Masks, Masks, Asked, Cells, Stream], int]

# How much chance there is in each strength's values.
NOISE: Mapping[str, float] = {"easy": 2.0, "normal": 0.5, "hard": 0.15}


@compiled
def _write_one(
    f: Ground,
    w: Weights,
    d: Desk,
    places: Cells,
    escapes: Masks,
    clock: Masks,
    rights: Masks,
    power: int,
    sheet: Cells,
    lot: Stream,
) -> None:
    moves = f.moves_left[clock[PHASE]]
    stage = clock[STAGE]
    # What is built in winter moves in spring; a unit that retreats in autumn stands where it takes.
    appraise(f, w, d, places, power, 1 if moves > 1 or stage >= ADJUSTMENTS else 0)
    if stage == MOVEMENT:
        plan_moves(f, w, d, places, power, sheet, lot)
    elif stage == RETREATS:
        plan_retreats(f, w, d, places, escapes, power, sheet, lot)
    else:
        # A variant's own phase too: what is no build there counts as no order.
        plan_winter(f, w, d, places, dues(f, places, clock, rights, power), power, sheet, lot)


def _entry(made_from: int) -> WriteAll:
    """`write_all` made from this edition of the sources, which Numba cannot tell by itself."""

    def write_all(
        f: Ground,
        w: Weights,
        d: Desk,
        places: Cells,
        escapes: Masks,
        clock: Masks,
        rights: Masks,
        asked: Asked,
        orders: Cells,
        streams: Stream,
    ) -> int:
        """Write the orders of every power asked for, in games that are not over; gives the edition."""
        for game in range(places.shape[0]):
            if clock[game, OVER] or not asked[game].any():
                continue
            look_around(f, w, d, places[game])
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

    return compiled_and_kept(write_all)


write_all = _entry(edition(Path(__file__).parent))


class Values:
    """The bot; one object plays any board, one call at a time."""

    name = "values"

    def __init__(self, strength: str = "normal", noise: float | None = None) -> None:
        self.weights = weights(NOISE[strength] if noise is None else noise)
        self._room: tuple[Ground, Desk] | None = None

    def order(self, facts: Facts, games: Games, asked: Asked, orders: Cells, streams: Stream) -> None:
        """Write the orders of the powers asked for into the sheets; the streams stay as they are."""
        if self._room is None or self._room[0] is not facts.ground:
            self._room = facts.ground, desk(facts)
        with np.errstate(over="ignore"):
            write_all(
                facts.ground,
                self.weights,
                self._room[1],
                games.places,
                games.escapes,
                games.clock,
                games.rights,
                asked,
                orders,
                streams.copy(),
            )

    def worth(self) -> Floats:
        """What each node was worth to the last power that was asked for; nothing before that."""
        return np.zeros(0) if self._room is None else self._room[1].value.copy()
