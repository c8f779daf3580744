"""What a position before a power's moves promises each of them: a share of the game, compiled.

A weighted sum of what can be counted (centres, units, and who is the stronger around each province) is made
into shares that add up to one. The weights are learnt from games of `search` against itself
(`benchmarks.position_weights`); what is counted means the same on every board.
"""

from __future__ import annotations

from collections.abc import Callable
from math import exp, log
from pathlib import Path

import numpy as np

from talleyrand.simulation import array_layout as code
from talleyrand.simulation.array_layout import Int64Array, Scalar, UInt16Array
from talleyrand.simulation.game_batch import GameBatch
from talleyrand.simulation.numba_compiler import compiled, compiled_and_cached, sources_checksum

from .bot_context import BotBoard, BotContext
from .place_values import FloatArray, add_steps

# What is counted of a power. A power's force in a province: its units that stand there or could go there; the
# rival's is that of the strongest other power. A foreign centre is one of another power, or a neutral one.
(
    LOG_CENTRES,
    CENTRES,
    SQUARE,
    UNITS_OVER_CENTRES,
    FOREIGN_STRONGER,
    FOREIGN_EQUAL,
    NEUTRAL_STRONGER,
    NEUTRAL_CONTESTED,
    OWN_WEAKER,
    OWN_EQUAL,
    OWN_STRONGER,
    PROVINCES_STRONGER,
    UNITS_ON_CENTRES,
    HOMES,
) = range(14)
FEATURES = 14

# While the year's captures are far, and before its last moves, which settle them.
FAR = (1.228, -0.024, 0.231, 0.126, 0.046, 0.039, 0.101, -0.181, -0.238, -0.145, -0.127, 0.031, 0.024, 0.038)
NEAR = (1.184, 0.019, 0.184, 0.063, 0.13, 0.051, 0.216, 0.065, -0.276, -0.195, -0.178, 0.024, 0.058, 0.04)
WEIGHTS = np.array([FAR, NEAR])


@compiled
def _count_force(f: BotBoard, places: UInt16Array, force: Int64Array, counted: FloatArray) -> None:
    """Each power's force in each province, and its units."""
    for province in range(places.shape[1]):
        kind = places[code.KIND, province]
        if kind == code.NONE:
            continue
        power, location = places[code.POWER, province], places[code.LOCATION, province]
        force[power, province] += 1
        counted[power, UNITS_OVER_CENTRES] += 1.0
        counted[power, UNITS_ON_CENTRES] += f.centre[province]
        add_steps(f, kind, location, force[power])


@compiled
def _count_province(
    f: BotBoard, owner: Scalar, force: Int64Array, province: Scalar, counted: FloatArray
) -> None:
    """What one province adds to what is counted of each power."""
    first, second, strongest = 0, 0, -1
    for power in range(len(force)):
        if force[power, province] > first:
            first, second, strongest = force[power, province], first, power
        elif force[power, province] > second:
            second = force[power, province]
    for power in range(len(force)):
        own = force[power, province]
        rival = second if power == strongest else first
        counted[power, PROVINCES_STRONGER] += own > rival
        if not f.centre[province]:
            continue
        if owner == power:
            counted[power, CENTRES] += 1.0
            counted[power, HOMES] += f.homes[power, province]
            counted[power, OWN_WEAKER] += rival > own
            counted[power, OWN_EQUAL] += rival == own
            counted[power, OWN_STRONGER] += 0 < rival < own
        elif own > 0 and owner == code.NONE:
            counted[power, NEUTRAL_STRONGER] += own > rival
            counted[power, NEUTRAL_CONTESTED] += own <= rival
        elif own > 0:
            counted[power, FOREIGN_STRONGER] += own > rival
            counted[power, FOREIGN_EQUAL] += own == rival


@compiled
def _share_out(counted: FloatArray, centres: Scalar, weights: FloatArray, values: FloatArray) -> None:
    """Shares out of what was counted; who has no centre has none."""
    total = 0.0
    for power in range(len(values)):
        own = counted[power, CENTRES]
        counted[power, LOG_CENTRES] = log(max(own, 0.5))
        counted[power, SQUARE] = own * own / max(1.0, centres)
        counted[power, UNITS_OVER_CENTRES] -= own
        score = 0.0
        for feature in range(FEATURES):
            score += counted[power, feature] * weights[feature]
        values[power] = exp(min(score, 50.0)) if own > 0.0 else 0.0
        total += values[power]
    for power in range(len(values)):
        values[power] /= max(total, 1e-300)


def _entry(made_from: int) -> Callable[..., int]:
    """`write_position_values` made from this edition of the sources, which Numba cannot tell by itself."""

    def write_all(
        f: BotBoard,
        weights: FloatArray,
        force: Int64Array,
        counted: FloatArray,
        places: UInt16Array,
        clock: Int64Array,
        values: FloatArray,
    ) -> int:
        """Write each power's share of each game, and in `counted` what it is made of; gives the edition."""
        centres = 0.0
        for province in range(places.shape[2]):
            centres += f.centre[province]
        for game in range(places.shape[0]):
            winner = clock[game, code.WINNER]
            if winner >= 0:
                values[game] = 0.0
                values[game, winner] = 1.0
                continue
            room = counted[game % len(counted)]
            force[:] = 0
            room[:] = 0.0
            _count_force(f, places[game], force, room)
            for province in range(places.shape[2]):
                _count_province(f, places[game, code.CENTRE, province], force, province, room)
            last = 1 if f.moves_left[clock[game, code.PHASE]] == 1 else 0
            _share_out(room, centres, weights[last], values[game])
        return made_from

    return compiled_and_cached(write_all)


write_position_values = _entry(sources_checksum(Path(__file__).parent))


def position_values(facts: BotContext, games: GameBatch, weights: FloatArray = WEIGHTS) -> FloatArray:
    """The share of the game that each power may expect: (game, power). All of it for who has won."""
    return _order_values(facts, games, weights, rooms=1)[0]


def position_features(facts: BotContext, games: GameBatch) -> FloatArray:
    """What is counted of each power of games that nobody has won: (game, power, feature)."""
    return _order_values(facts, games, WEIGHTS, rooms=max(1, len(games)))[1]


def _order_values(
    facts: BotContext, games: GameBatch, weights: FloatArray, rooms: int
) -> tuple[FloatArray, FloatArray]:
    powers, provinces = facts.bot_board.homes.shape
    values, counted = np.zeros((len(games), powers)), np.zeros((rooms, powers, FEATURES))
    force = np.zeros((powers, provinces), np.int64)
    write_position_values(facts.bot_board, weights, force, counted, games.places, games.clock, values)
    return values, counted
