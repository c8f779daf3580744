"""Games between bots, as the tests of bots play them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from talleyrand import rulebooks, variants
from talleyrand.simulation.array_layout import UInt16Array
from talleyrand.simulation.bots.bot_context import BotContext
from talleyrand.simulation.bots.bot_protocol import Bot
from talleyrand.simulation.bots.random_streams import stream_starts
from talleyrand.simulation.bots.search_bot import share_of_squares
from talleyrand.simulation.game_batch import GameBatch
from talleyrand.simulation.game_runner import GameRunner


def facts_of(variant: str = "classic", book: str = "datc") -> BotContext:
    return BotContext(variants.load(variant).definition, rulebooks.load(book).adjudication_rules)


def ordered(
    facts: BotContext, games: GameBatch, bots: Sequence[Bot], numbers: Sequence[int], phase: int
) -> UInt16Array:
    """The sheets of a phase: the bots go round the powers, a step a game."""
    powers = games.build_rights.shape[1]
    seats = (np.arange(powers) - np.array(numbers)[:, None]) % len(bots)
    sheets, streams = games.blank_orders(), stream_starts(1901, numbers, phase, powers)
    for seat, bot in enumerate(bots):
        bot.write_orders(facts, games, seats == seat, sheets, streams)
    return sheets


def shares(facts: BotContext, bots: Sequence[Bot], games: int, until: int) -> NDArray[np.float64]:
    """What each bot has of the squares of all centres at the end, as a mean over its games and seats."""
    referee, numbers = GameRunner(facts.definition, facts.book, until), range(games)
    played, phase = referee.start(games), 0
    while not played.over.all():
        step = referee.step(played, ordered(facts, played, bots, numbers, phase))
        assert not step.illegal
        phase += 1
    powers = played.build_rights.shape[1]
    ends = np.stack([share_of_squares(played, power) for power in range(powers)], axis=1)
    seats = (np.arange(powers) - np.arange(games)[:, None]) % len(bots)
    return np.array([ends[seats == seat].mean() for seat in range(len(bots))])
