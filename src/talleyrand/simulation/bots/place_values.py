"""What places are worth to a power: the worth of centres, spread over the board step by step, compiled.

After the description of David Norman's DumbBot: each centre is worth the size of its owner, or that of the
power that threatens it; the worth spreads over neighbours round by round; near worth counts most; one's own
strength around a province adds to it, and that of the strongest rival takes from it.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from talleyrand.engine.board import Board
from talleyrand.engine.calendar import Calendar
from talleyrand.simulation import array_layout as code
from talleyrand.simulation.array_layout import Int64Array, Scalar, UInt8Array, UInt16Array
from talleyrand.simulation.numba_compiler import compiled

from .bot_context import BotBoard, BotContext, GivenWord, bot_board

FloatArray = NDArray[np.float64]


class ValueWeights(NamedTuple):
    """How a bot values provinces: our own numbers.

    `near` (2, rounds): what the worth spread over so many steps counts for, in the last moves before centres
    change hands and in earlier ones. A power of n centres is worth (n + `size`) squared to those who attack
    it, a neutral centre as much as one of `neutral` centres. `defence`: a threatened centre of one's own,
    beside one to attack. `strength` and `rivalry`: a unit that could help, and one that could oppose.
    `ferry`: all the shores across a sea together, beside one step. `afloat`: how much a fleet in a
    power that has them already counts less in winter. By how much the worth of a place is multiplied for who
    enters it where others can come with as many: `contested`, nobody stands there; `withstood`, a foreign
    unit does; `alone`, one does and no second unit could help. `noise`: how far, at most, chance changes a
    value.
    """

    near: FloatArray
    size: float
    neutral: float
    defence: float
    strength: float
    rivalry: float
    ferry: float
    afloat: float
    contested: float
    withstood: float
    alone: float
    noise: float


# Autumn: what can be taken now. Spring: what can be reached by autumn. By `benchmarks.value_weights`.
_NEAR = np.array(
    [[9.3, 0.64, 0.53, 0.9, 1.61, 0.11, 0.09, 0.09], [3.51, 5.61, 0.91, 0.79, 0.57, 0.68, 0.08, 0.06]]
)


def value_weights(noise: float) -> ValueWeights:
    """The bot's weights, with so much chance."""
    return ValueWeights(_NEAR, 14.6, 3.5, 0.4, 0.09, 0.86, 0.29, 0.2, 0.9, 1.6, 0.4, noise)


# Rows of a desk's counts and of its marks, a column for each province.
RIVALS, HELPED, OWN, COUNTS = range(4)


class ValuationWorkspace(NamedTuple):
    """Room to think in. `reach` (powers, P): the units of each power that could go to a province next.

    `sizes` (powers); `value_spread` (season, P, N) the part of a province's worth that comes to a node,
    `value` (N) what a node is worth to a power. `counts` (COUNTS, P) and the rest are those of
    `move_planning`. `word`: what was promised.
    """

    reach: Int64Array
    sizes: FloatArray
    spread: FloatArray
    value: FloatArray
    counts: Int64Array
    taste: FloatArray
    lists: UInt16Array
    seen: UInt8Array
    word: GivenWord


def valuation_workspace(facts: BotContext) -> ValuationWorkspace:
    """A desk for one bot on one board."""
    powers, provinces = facts.bot_board.homes.shape
    steps = facts.bot_board.board_arrays.near.shape[2]
    return ValuationWorkspace(
        np.zeros((powers, provinces), np.int64),
        np.zeros(powers),
        value_spread(facts.definition.board, facts.definition.calendar),
        np.zeros(len(facts.bot_board.nodes)),
        np.zeros((COUNTS, provinces), np.int64),
        np.zeros((provinces, steps + 1)),
        np.zeros((8, provinces), np.uint16),
        np.zeros((4, provinces), np.uint8),
        facts.given_word,
    )


@lru_cache(maxsize=16)
def value_spread(board: Board, calendar: Calendar) -> FloatArray:
    """How much of a province's worth comes to a node by the bot's weights (`spread_worth`)."""
    return spread_worth(bot_board(board, calendar), value_weights(noise=0.0))


def spread_worth(land: BotBoard, w: ValueWeights) -> FloatArray:
    """How much of a province's worth comes to a node in all rounds: (season, province, node).

    In a round a node takes in what it has itself, what its neighbours have, and of the shores that may be
    sailed to what they have on average. That is the same for whatever worth, and so it is done beforehand.
    """
    count = len(land.nodes)
    step = np.eye(count)
    for n in range(count):
        step[n, land.links[land.first_link[n] : land.first_link[n + 1]]] += 1.0
        shores = land.ferries[land.first_ferry[n] : land.first_ferry[n + 1], 1]
        np.add.at(step[n], shores, w.ferry / max(1, len(shores)))
    worth = (land.board_arrays.province[land.nodes[:, 1]] == np.arange(land.homes.shape[1])[:, None]) * 1.0
    found = np.zeros((len(w.near), *worth.shape))
    for turn in range(w.near.shape[1]):
        found += w.near[:, turn, None, None] * worth
        worth = _taken_in(worth, step) / 6.0
    return found


def _taken_in(worth: FloatArray, step: FloatArray) -> FloatArray:
    """What comes to each node in one round. Each kind of processor multiplies matrices in an order of its
    own and rounds otherwise; added up like this, worth is the same on all of them."""
    taken = np.zeros_like(worth)
    for n in range(len(step)):
        near = np.flatnonzero(step[:, n])
        taken[:, near] += worth[:, n, None] * step[near, n]
    return taken


@compiled
def count_reach(f: BotBoard, w: ValueWeights, d: ValuationWorkspace, places: UInt16Array) -> None:
    """Count centres and reach: the same for every power."""
    d.reach[:] = 0
    d.sizes[:] = 0
    for province in range(places.shape[1]):
        owner = places[code.CENTRE, province]
        if owner != code.NONE:
            d.sizes[owner] += 1
        if places[code.KIND, province] != code.NONE:
            _reach_out(f, d, places, province)
    for power in range(len(d.sizes)):
        d.sizes[power] = (d.sizes[power] + w.size) ** 2


@compiled
def add_steps(f: BotBoard, kind: Scalar, location: Scalar, counted: Int64Array) -> None:
    """One more in `counted`, by province, for each province that a unit there could go to."""
    before = code.NONE
    for i in range(f.board_arrays.near.shape[2]):
        step = f.board_arrays.near[kind, location, i]
        if step == code.NONE:
            break
        there = f.board_arrays.province[step]
        if there != before:
            counted[there] += 1
        before = there


@compiled
def _reach_out(f: BotBoard, d: ValuationWorkspace, places: UInt16Array, province: Scalar) -> None:
    kind, power, location = (
        places[code.KIND, province],
        places[code.POWER, province],
        places[code.LOCATION, province],
    )
    add_steps(f, kind, location, d.reach[power])


@compiled
def fill_values(
    f: BotBoard, w: ValueWeights, d: ValuationWorkspace, places: UInt16Array, power: Scalar, season: int
) -> None:
    """Fill `value` for one power. Season 0: centres change hands after the coming moves; 1: later."""
    scale = 0.0
    for size in d.sizes:
        scale += size / len(d.sizes)
    _find_rivals(d, places, power)
    for n in range(len(f.nodes)):
        province = f.board_arrays.province[f.nodes[n, 1]]
        d.value[n] = w.strength * d.reach[power, province] - w.rivalry * d.counts[RIVALS, province]
    for province in range(places.shape[1]):
        worth = _worth(f, w, d, places, power, province) / scale
        if worth > 0.0:
            for n in range(len(d.value)):
                d.value[n] += worth * d.spread[season, province, n]


@compiled
def _find_rivals(d: ValuationWorkspace, places: UInt16Array, power: Scalar) -> None:
    """The most units that any other power could bring against one in each province, its own there too."""
    for province in range(places.shape[1]):
        most = 0
        for other in range(d.reach.shape[0]):
            if other != power:
                here = places[code.KIND, province] != code.NONE and places[code.POWER, province] == other
                most = max(most, d.reach[other, province] + here)
        d.counts[RIVALS, province] = most


@compiled
def _worth(
    f: BotBoard, w: ValueWeights, d: ValuationWorkspace, places: UInt16Array, power: Scalar, province: Scalar
) -> Scalar:
    if not f.centre[province]:
        return 0.0
    owner = places[code.CENTRE, province]
    if owner == code.NONE:
        return (w.neutral + w.size) ** 2
    if owner != power:
        return d.sizes[owner] * d.word.zeal[power, owner]
    threat = 0.0
    for other in range(len(d.sizes)):
        here = places[code.KIND, province] != code.NONE and places[code.POWER, province] == other
        if other != power and (d.reach[other, province] or here):
            threat = max(threat, d.sizes[other])
    return w.defence * threat
