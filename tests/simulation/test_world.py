"""Diplomatie 2000 between bots: whole games of twenty-one states, every invariant held after every phase.

A few in the everyday run, two hundred with `--full`; `--seed` draws others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import cycle
from time import monotonic

import pytest

from talleyrand import rulebooks
from talleyrand.engine.position import Position
from talleyrand.simulation.bots import by_name
from talleyrand.simulation.bots.bot_context import BotContext
from talleyrand.simulation.engine_game import EngineGame
from talleyrand.variants.diplomatie_2000 import year_end
from tests.simulation.world_ledger import BOARD, WORLD, Ledger

BOOK = rulebooks.load("anjou_feu").adjudication_rules
FACTS = BotContext(WORLD.definition, BOOK)
LAST = 2020
Record = Callable[[str, object], None]


def game(seed: int, number: int, bots: str = "values", until: int = LAST) -> EngineGame:
    """A game of these bots, who go round the seats."""
    table = zip(BOARD.seats, cycle(bots.split()), strict=False)
    return EngineGame(FACTS, {seat: by_name(bot) for seat, bot in table}, seed, number, until)


def followed(played: EngineGame) -> Ledger:
    """The ledger of a game that was played to its end."""
    ledger = Ledger()
    while not played.over:
        before = played.position
        turn = played.step()
        try:
            ledger.follow(before, played.orders, turn)
        except AssertionError as fault:
            told = f"seed {played.seed}, game {played.number}, {before.phase}"
            raise AssertionError(f"{told}: {fault}") from fault
    assert ledger.winner == played.winner
    return ledger


@pytest.mark.long
def test_games_of_twenty_one_bots_hold_together(seed: int, full: bool, record_property: Record) -> None:
    seen: Counter[str] = Counter()
    winners: Counter[str] = Counter()
    years: list[int] = []
    begun, games = monotonic(), 200 if full else 3
    for number in range(games):
        played = game(seed, number)
        seen += followed(played).seen
        winners.update(played.winner or ("nobody",))
        years.append(played.position.phase.year - 2000)
    pace = (monotonic() - begun) / games
    told = f"{games} games, seed {seed}: {sum(years) / games:.1f} years, {pace:.1f} s a game"
    record_property("sampled", f"{told}; won by {dict(winners.most_common())}")
    record_property("sampled", f"what happened: {dict(sorted(seen.items()))}")
    assert len(years) == games
    for something in ("adopted 1", "adopted 2", "adopted 3", "aid paid", "subverted units", "built M"):
        assert seen[something], something


Told = dict[str, int]


def _without_embargo(counted: Callable[[Position, str], Told]) -> Callable[[Position, str], Told]:
    def allowance(position: Position, state: str) -> Told:
        granted = counted(position, state)
        return {**granted, "allowed": granted["allowed"] + granted["embargo"]}

    return allowance


def _without_contribution(counted: Callable[[Position, str], Told]) -> Callable[[Position, str], Told]:
    def score(position: Position, state: str) -> Told:
        told = counted(position, state)
        return {**told, "total": told["total"] - told["contribution"]}

    return score


@pytest.mark.parametrize(
    ("name", "spoilt"), [("unit_allowance", _without_embargo), ("state_score", _without_contribution)]
)
def test_the_ledger_notices_other_rules(
    name: str, spoilt: Callable[..., object], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A rule that is changed under the bots does not pass."""
    monkeypatch.setattr(year_end, name, spoilt(getattr(year_end, name)))
    with pytest.raises(AssertionError, match="game 1, F2001"):
        followed(game(1901, 1, until=2001))


@pytest.mark.long
@pytest.mark.parametrize("bots", ["hold", "random", "values random hold random"])
def test_the_bots_that_do_not_think_play_it_as_well(bots: str, seed: int) -> None:
    played = game(seed, 0, bots, 2002)
    followed(played)
    assert played.position.phase.year == 2003


@pytest.mark.long
def test_the_same_seed_is_the_same_game(seed: int) -> None:
    first, second, other = (game(seed + one, 3, until=2001) for one in (0, 0, 1))
    for played in (first, second, other):
        while not played.over:
            played.step()
    assert first.position == second.position != other.position
