"""Finds what places are worth to `values`: python -m benchmarks.value_weights [--rounds N] > LOG

The weights of `simulation.bots.place_values`, by an evolution strategy (Rechenberg, 1973) from those found
when a step counted alike whoever stood in its way, with a first guess at what that changes: in each round,
fourteen variations of the weights play one against six, against the bot before with little chance and with
more; the next round varies the mean of the best five. The same seed gives the same weights. In the end the
bot found and the one before play one against six of each other, with games that the search did not see.
Winning is not all: what it found last, and why other weights are used, stands in its log.
"""

from __future__ import annotations

import argparse
import sys
from math import log
from time import process_time

import numpy as np

from talleyrand import rulebooks, variants
from talleyrand.simulation.bots.bot_context import BotContext
from talleyrand.simulation.bots.place_values import (
    FloatArray,
    ValueWeights,
    spread_worth,
    valuation_workspace,
)
from talleyrand.simulation.bots.random_streams import stream_starts
from talleyrand.simulation.bots.search_bot import share_of_squares
from talleyrand.simulation.bots.value_bot import ValueBot
from talleyrand.simulation.game_runner import GameRunner

SEED, UNSEEN, LAST_YEAR, TRIED, BEST, FIRST_STEP, SHRINKS = 5, 900, 1909, 14, 5, 0.2, 0.96
NOISE = 0.1
BEFORE = ValueWeights(
    np.array(
        [[9.3, 0.64, 0.53, 0.9, 1.61, 0.11, 0.09, 0.09], [3.51, 5.61, 0.91, 0.79, 0.57, 0.68, 0.08, 0.06]]
    ),
    *(14.6, 3.5, 0.4, 0.09, 0.86, 0.29, 0.2, 1.0, 1.0, 1.0, NOISE),
)
FIRST = BEFORE._replace(contested=1.3, withstood=0.9, alone=0.4)
FACTS = BotContext(variants.load("classic").definition, rulebooks.load("datc").adjudication_rules)
POWERS = len(FACTS.definition.board.powers)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--games", type=int, default=1400, help="of each pairing in the end")
    options = parser.parse_args()
    before, found = weighing(BEFORE), weighing(evolved(options.rounds))
    print(found.weights)
    for what, one, six in (("found", found, before), ("before", before, found)):
        shares = shares_of_one(one, six, options.games, 1910, UNSEEN)
        error = 200 * shares.std() / len(shares) ** 0.5
        print(f"{what}, against six of the other: {100 * shares.mean():.1f} ± {error:.1f} %")
    return 0


def evolved(rounds: int) -> ValueWeights:
    """The weights after so many rounds; tells of each."""
    rivals = (weighing(BEFORE), 210, 0), (weighing(BEFORE._replace(noise=0.4)), 140, 1000)
    lots, mean, step = np.random.default_rng(SEED), _as_row(FIRST), FIRST_STEP
    part = np.array([log(BEST + 0.5) - log(place) for place in range(1, BEST + 1)])
    part /= part.sum()
    for turn in range(rounds):
        ways, shares = lots.normal(size=(TRIED, len(mean))), []
        for way in ways:
            bot = weighing(_from_row(mean + step * way))
            won = [shares_of_one(bot, six, games, LAST_YEAR, seed + turn) for six, games, seed in rivals]
            shares.append(np.mean([each.mean() for each in won]))
        best = np.argsort(-np.array(shares), kind="stable")[:BEST]
        mean, step = mean + step * (part @ ways[best]), step * SHRINKS
        print(
            f"round {turn + 1}: best {max(shares):.3f}, mean {np.mean(shares):.3f}, {process_time():.0f} s",
            flush=True,
        )
    return _from_row(mean)


def _as_row(weights: ValueWeights) -> FloatArray:
    row: FloatArray = np.log(np.concatenate([np.ravel(number) for number in weights[:-1]]))
    return row


def _from_row(row: FloatArray) -> ValueWeights:
    numbers, spread = np.exp(row), BEFORE.near.size
    near = numbers[:spread].reshape(BEFORE.near.shape)
    return ValueWeights._make([near, *numbers[spread:].tolist(), NOISE])


def weighing(weights: ValueWeights) -> ValueBot:
    """The bot with other weights."""
    bot = ValueBot(noise=weights.noise)
    bot.weights = weights
    spread = spread_worth(FACTS.bot_board, weights)
    bot._room = FACTS.bot_board, valuation_workspace(FACTS)._replace(spread=spread)
    return bot


def shares_of_one(one: ValueBot, six: ValueBot, count: int, until: int, seed: int) -> FloatArray:
    """What one has of the squares at the end of each game against six, from each seat in turn."""
    runner, phase = GameRunner(FACTS.definition, FACTS.book, until), 0
    games = runner.start(count, [str(number) for number in range(count)])
    seat = np.arange(POWERS) == (np.arange(count) % POWERS)[:, None]
    while not games.over.all():
        sheets, streams = games.blank_orders(), stream_starts(seed, range(count), phase, POWERS)
        one.write_orders(FACTS, games, seat, sheets, streams)
        six.write_orders(FACTS, games, ~seat, sheets, streams)
        runner.step(games, sheets)
        phase += 1
    ends: FloatArray = np.stack([share_of_squares(games, power) for power in range(POWERS)], axis=1)[seat]
    return ends


if __name__ == "__main__":
    sys.exit(main())
