"""The same seed gives the same orders: on every machine, in every batch, compiled or not."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest

from talleyrand.simulation.bots import by_name
from talleyrand.simulation.bots.bot_protocol import Bot
from talleyrand.simulation.bots.random_streams import (
    RandomStream,
    random_fraction,
    stream_start,
    stream_starts,
)
from talleyrand.simulation.bots.search_bot import SearchBot, SearchBudget
from tests.simulation.bots.playing import facts_of, ordered

BOTS: list[Bot] = [
    by_name("random"),
    by_name("values"),
    SearchBot(budget=SearchBudget(6, 4, 1, 4, 60.0, SearchBudget(4, 3, 1, 4, 60.0), levels=2)),
]
# What splitmix64 gives from 0 (the reference implementation in C, https://prng.di.unimi.it/splitmix64.c).
REFERENCE = (0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F)
ELSEWHERE = """
import sys, warnings
sys.modules["numba"] = None
warnings.simplefilter("ignore")
from tests.simulation.bots.test_streams import first_sheets
print(first_sheets("values") + first_sheets("random"))
"""
WORTH = """
from zlib import crc32
from talleyrand import variants
from talleyrand.simulation.bots.place_values import value_spread
game = variants.load("classic").setting
print(crc32(value_spread(game.board, game.calendar).tobytes()))
"""


def test_streams_are_those_of_splitmix64() -> None:
    # As a function of Python: what is compiled is called by what is compiled alone.
    draw = getattr(random_fraction, "py_func", random_fraction)
    state, lots = np.zeros(1, np.uint64), RandomStream(0)
    with np.errstate(over="ignore"):
        for number in REFERENCE:
            assert draw(state) == (number >> 11) / (1 << 53)
            assert lots.random_below(1 << 53) == number >> 11


def test_each_power_starts_where_its_numbers_say() -> None:
    streams = stream_starts(-7, [3, 1_000_000_007], 12, 5)
    for row, game in enumerate((3, 1_000_000_007)):
        assert streams[row].tolist() == [stream_start(-7, game, 12, power) for power in range(5)]
    assert len(np.unique(stream_starts(1, range(1000), 0, 7))) == 7000


@pytest.mark.long
@pytest.mark.parametrize("bot", BOTS, ids=lambda bot: bot.name)
def test_orders_do_not_depend_on_the_batch(bot: Bot) -> None:
    facts = facts_of()
    numbers, games = [4, 5, 6], facts.runner.start(3)
    facts.runner.step(games, ordered(facts, games, [by_name("values")], numbers, 0))
    together = ordered(facts, games, [bot], numbers, 1)
    for row in (2, 0, 1):
        alone = ordered(facts, games.copy_games([row]), [bot], [numbers[row]], 1)
        assert (alone[0] == together[row]).all()


def first_sheets(bot: str) -> str:
    facts = facts_of()
    return str(ordered(facts, facts.runner.start(2), [by_name(bot)], [1, 2], 0).tolist())


def worth_on(processor: str) -> str:
    """What places are worth, as NumPy reckons on some kind of processor."""
    told = subprocess.run(
        [sys.executable, "-c", WORTH],
        env={**os.environ, "OPENBLAS_CORETYPE": processor},
        capture_output=True,
        text=True,
        check=True,
    )
    return told.stdout.strip()


@pytest.mark.long
def test_places_are_worth_the_same_on_every_processor() -> None:
    old, new = worth_on("Prescott"), worth_on("Haswell")
    assert old == new
    assert old.isdecimal()


@pytest.mark.long
def test_orders_are_the_same_without_numba() -> None:
    told = subprocess.run([sys.executable, "-c", ELSEWHERE], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == first_sheets("values") + first_sheets("random")
