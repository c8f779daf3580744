"""Search beats values, values beats random, random beats hold: by a margin that chance does not make."""

from __future__ import annotations

import pytest

from talleyrand.simulation.bots import by_name
from talleyrand.simulation.bots.search_bot import SearchBot, SearchBudget
from talleyrand.simulation.numba_compiler import NUMBA_AVAILABLE
from tests.simulation.bots.playing import facts_of, shares

pytestmark = pytest.mark.skipif(not NUMBA_AVAILABLE, reason="without Numba such games take hours")
SMALL = SearchBudget(sheets=16, samples=8, rounds=1, variants=12, seconds=60.0)


@pytest.mark.long
def test_search_beats_values() -> None:
    """One against six: an even share would be a seventh."""
    mine, *_ = shares(facts_of(), [SearchBot(budget=SMALL), *[by_name("values", "hard")] * 6], 14, 1907)
    assert mine > 0.19


@pytest.mark.parametrize(
    ("stronger", "weaker", "margin"), [("values", "random", 4.0), ("random", "hold", 1.5)]
)
def test_one_bot_beats_the_other(stronger: str, weaker: str, margin: float) -> None:
    """They sit in turn round the table."""
    one, other = shares(facts_of(), [by_name(stronger), by_name(weaker)], 40, 1906)
    assert one > margin * other


def test_strengths_differ() -> None:
    one, other = shares(facts_of(), [by_name("values"), by_name("values", "easy")], 100, 1910)
    assert one > 1.15 * other


@pytest.mark.long
@pytest.mark.parametrize("variant", ["sandad", "trio"])
def test_search_beats_values_on_other_boards(variant: str) -> None:
    facts = facts_of(variant)
    powers = len(facts.definition.board.powers)
    until = facts.definition.calendar.first.year + 5
    mine, *_ = shares(facts, [SearchBot(budget=SMALL), *[by_name("values")] * (powers - 1)], 20, until)
    assert mine > 1.1 / powers
