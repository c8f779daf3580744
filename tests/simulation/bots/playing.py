"""Games between bots, as the tests of bots play them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from talleyrand import rulebooks, variants
from talleyrand.simulation.bots.bot_protocol import Bot
from talleyrand.simulation.bots.facts import Facts
from talleyrand.simulation.bots.streams import starts
from talleyrand.simulation.bots.trying import share
from talleyrand.simulation.codes import Cells
from talleyrand.simulation.referee import Referee
from talleyrand.simulation.world import Games


def facts_of(variant: str = "classic", book: str = "datc") -> Facts:
    return Facts(variants.load(variant).setting, rulebooks.load(book).judge)


def ordered(facts: Facts, games: Games, bots: Sequence[Bot], numbers: Sequence[int], phase: int) -> Cells:
    """The sheets of a phase: the bots go round the powers, a step a game."""
    powers = games.rights.shape[1]
    seats = (np.arange(powers) - np.array(numbers)[:, None]) % len(bots)
    sheets, streams = games.sheets(), starts(1901, numbers, phase, powers)
    for seat, bot in enumerate(bots):
        bot.order(facts, games, seats == seat, sheets, streams)
    return sheets


def shares(facts: Facts, bots: Sequence[Bot], games: int, until: int) -> NDArray[np.float64]:
    """What each bot has of the squares of all centres at the end, as a mean over its games and seats."""
    referee, numbers = Referee(facts.setting, facts.book, until), range(games)
    played, phase = referee.start(games), 0
    while not played.over.all():
        step = referee.step(played, ordered(facts, played, bots, numbers, phase))
        assert not step.illegal
        phase += 1
    powers = played.rights.shape[1]
    ends = np.stack([share(played, power) for power in range(powers)], axis=1)
    seats = (np.arange(powers) - np.arange(games)[:, None]) % len(bots)
    return np.array([ends[seats == seat].mean() for seat in range(len(bots))])
