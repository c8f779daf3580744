"""Learns what a position promises: python -m benchmarks.position_weights [--games N] > LOG

The weights of `simulation.bots.position_values`, from games that bots play against themselves: first value
bots, which need none; then `search`, thinking little, with those weights, some seats in every second game
with weak value bots, so that there are weak neighbours to learn from. What is learnt is the share of the
squares that each power has three years later. The same seed gives the same weights, to the last digits that
a kind of processor rounds otherwise. The last lines go into `position_values.WEIGHTS`.
"""

from __future__ import annotations

import argparse
import sys
from math import inf
from time import process_time
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from talleyrand import rulebooks, variants
from talleyrand.simulation import array_layout as code
from talleyrand.simulation.array_layout import Int64Array
from talleyrand.simulation.bots import position_values
from talleyrand.simulation.bots.bot_context import BotContext
from talleyrand.simulation.bots.bot_protocol import Bot
from talleyrand.simulation.bots.place_values import FloatArray
from talleyrand.simulation.bots.position_values import FEATURES, LOG_CENTRES, WEIGHTS, position_features
from talleyrand.simulation.bots.random_streams import stream_starts
from talleyrand.simulation.bots.search_bot import SearchBot, SearchBudget, share_of_squares
from talleyrand.simulation.bots.value_bot import ValueBot
from talleyrand.simulation.game_batch import GameBatch
from talleyrand.simulation.game_runner import GameRunner

SEED, LAST_YEAR, AHEAD, LEARNT_TO = 4242, 1910, 3, 1908
STEPS, RATE, DECAY = 800, 0.03, 1e-3


class Lessons(NamedTuple):
    """Positions before moves: the game each comes from, 1 before a year's last moves, what is counted of each
    power, and the share that it had later."""

    game: Int64Array
    last: Int64Array
    features: FloatArray
    shares: FloatArray


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=150, help="games of `search`")
    options = parser.parse_args()
    facts = BotContext(variants.load("classic").definition, rulebooks.load("datc").adjudication_rules)
    WEIGHTS[:] = 0.0
    WEIGHTS[:, LOG_CENTRES] = 1.5
    pupils: tuple[tuple[Bot, int], ...] = (
        (ValueBot("normal"), 2 * options.games),
        (SearchBot(budget=SearchBudget(8, 4, 0, 0, inf)), options.games),
    )
    for bot, games in pupils:
        begun = process_time()
        lessons = play(facts, bot, games)
        spent = process_time() - begun
        print(f"{games} games of {bot.name}: {len(lessons.game)} positions, {spent:.0f} s", flush=True)
        for last in (0, 1):
            WEIGHTS[last] = learn(lessons, last)
    print(np.array2string(position_values.WEIGHTS, separator=", ", precision=3, suppress_small=True))
    return 0


def play(facts: BotContext, bot: Bot, games: int) -> Lessons:
    """What games of a bot against itself teach."""
    found = [_play_one(facts, bot, number) for number in range(games)]
    return Lessons(*(np.concatenate(column) for column in zip(*found, strict=True)))


def _play_one(facts: BotContext, bot: Bot, number: int) -> Lessons:
    runner, weak = GameRunner(facts.definition, facts.book, LAST_YEAR), ValueBot(noise=0.6)
    games, phase = runner.start(1, [f"{SEED}/{number}"]), 0
    powers = games.build_rights.shape[1]
    lot = np.random.default_rng(number).random(powers)
    weakly = np.less(lot, 0.3 if number % 2 else 0.0)[None]
    seen, by_year = [], dict[int, FloatArray]()
    while not games.over.all():
        if games.clock[0, code.STAGE] == code.MOVEMENT:
            seen.append((games.copy_games([0]), int(games.clock[0, code.YEAR])))
            by_year.setdefault(seen[-1][1], _shares(games, powers))
        sheets, streams = games.blank_orders(), stream_starts(SEED, [number], phase, powers)
        bot.write_orders(facts, games, ~weakly, sheets, streams)
        weak.write_orders(facts, games, weakly, sheets, streams)
        runner.step(games, sheets)
        phase += 1
    end = _shares(games, powers)
    used = [(position, year) for position, year in seen if year <= LEARNT_TO]
    moves = facts.bot_board.moves_left
    return Lessons(
        np.full(len(used), number),
        np.array([int(moves[int(position.clock[0, code.PHASE])] == 1) for position, _ in used]),
        np.concatenate([position_features(facts, position) for position, _ in used]),
        np.stack([by_year.get(year + AHEAD, end) for _, year in used]),
    )


def _shares(games: GameBatch, powers: int) -> FloatArray:
    return np.array([share_of_squares(games, power)[0] for power in range(powers)])


def learn(lessons: Lessons, last: int) -> FloatArray:
    """The weights that foretell the shares best; says how much of their variance, in every fifth game, which
    is then learnt from as well."""
    rows, held_back = lessons.last == last, lessons.game % 5 == 0
    tried = _fitted(lessons, rows & ~held_back)
    test = rows & held_back
    shares, even = lessons.shares[test], 1 / lessons.shares.shape[1]
    for what, foretold in (("as now", _foretold(lessons, SQUARES)), ("learnt", _foretold(lessons, tried))):
        missed = ((foretold[test] - shares) ** 2).sum() / ((shares - even) ** 2).sum()
        print(f"  before the {('first', 'last')[last]} moves, {what}: {1 - missed:.3f} of the variance")
    return _fitted(lessons, rows)


SQUARES = np.eye(FEATURES)[LOG_CENTRES] * 2  # as if all stayed as it is: shares of the squares


def _foretold(lessons: Lessons, weights: FloatArray) -> FloatArray:
    alive = lessons.features[..., position_values.CENTRES] > 0
    scores = np.where(alive, lessons.features @ weights, -30.0)
    parts = np.exp(scores - scores.max(axis=1, keepdims=True))
    found: FloatArray = parts / parts.sum(axis=1, keepdims=True)
    return found


def _fitted(lessons: Lessons, rows: NDArray[np.bool_]) -> FloatArray:
    """Weights of least cross-entropy, by Adam's steps (Kingma and Ba, 2014)."""
    some = Lessons(lessons.game[rows], lessons.last[rows], lessons.features[rows], lessons.shares[rows])
    scale = some.features.reshape(-1, FEATURES).std(axis=0) + 1e-9
    weights, mean, square = np.zeros(FEATURES), np.zeros(FEATURES), np.zeros(FEATURES)
    for step in range(1, STEPS + 1):
        missed = _foretold(some, weights / scale) - some.shares
        slope = (missed[..., None] * some.features / scale).sum(axis=(0, 1)) / len(missed) + DECAY * weights
        mean, square = 0.9 * mean + 0.1 * slope, 0.999 * square + 0.001 * slope**2
        weights = weights - RATE * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-9)
    found: FloatArray = weights / scale
    return found


if __name__ == "__main__":
    sys.exit(main())
