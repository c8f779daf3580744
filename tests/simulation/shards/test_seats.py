"""Who plays which power."""

from collections import Counter
from itertools import count

import pytest

from talleyrand import variants
from talleyrand.simulation.bots import by_name, search_bot
from talleyrand.simulation.shards.simulation_plan import BotSeating, ShardError, create_bot, read_seats
from tests.simulation.bots.playing import facts_of, ordered

POWERS = variants.load("classic").board.powers


@pytest.mark.parametrize(
    ("text", "bots", "rotating"),
    [
        ("values", ["values"] * 7, True),
        ("search:hard,values*6", ["search:hard", *["values"] * 6], True),
        (" search , random*2 , hold ", ["search", "random", "random", *["hold"] * 4], True),
        ("FRANCE=search,values", ["values"] * 2 + ["search"] + ["values"] * 4, False),
        ("values,turkey = hold", ["values"] * 6 + ["hold"], False),
    ],
)
def test_tables(text: str, bots: list[str], rotating: bool) -> None:
    assert read_seats(text, POWERS) == BotSeating(tuple(bots), rotating)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "bots_not_understood"),
        ("values,,hold", "bots_not_understood"),
        ("values*0", "bots_not_understood"),
        ("values*six", "bots_not_understood"),
        ("FRANCE=values*2,hold", "bots_not_understood"),
        ("VALUES", "bots_not_understood"),
        ("values*8", "too_many_bots"),
        ("BOREA=values,hold", "unknown_seat"),
        ("FRANCE=values,FRANCE=hold,random", "seat_twice"),
        ("FRANCE=values", "seats_left"),
        ("FRANCE=values,hold,random", "seats_left"),
    ],
)
def test_refused(text: str, code: str) -> None:
    with pytest.raises(ShardError) as refused:
        read_seats(text, POWERS)
    assert refused.value.code == code


def test_each_bot_gets_each_power_equally_often() -> None:
    seats = read_seats("search,random*2,values", POWERS)
    met = Counter(
        (seats.bots[seats.bot(game, power)], power) for game in range(210) for power in range(len(POWERS))
    )
    assert {met["search", power] for power in range(7)} == {30}
    assert {met["random", power] for power in range(7)} == {60}
    assert {met["values", power] for power in range(7)} == {120}


def test_named_seats_stay() -> None:
    seats = read_seats("FRANCE=search,values", POWERS)
    assert {seats.bots[seats.bot(game, POWERS.index("FRANCE"))] for game in range(9)} == {"search"}


@pytest.mark.long
def test_a_slow_machine_plays_the_same_games(monkeypatch: pytest.MonkeyPatch) -> None:
    facts = facts_of()
    games = facts.runner.start(1)
    calm, usual = (ordered(facts, games, [bot], [1], 0) for bot in (create_bot("search"), by_name("search")))
    assert (calm == usual).all()
    monkeypatch.setattr(search_bot, "monotonic", count(step=1000).__next__)
    assert (ordered(facts, games, [create_bot("search")], [1], 0) == calm).all()
    assert (ordered(facts, games, [by_name("search")], [1], 0) != calm).any()


def test_a_machine_without_numba_plays_the_same_games(monkeypatch: pytest.MonkeyPatch) -> None:
    usual = create_bot("search:hard")
    monkeypatch.setattr(search_bot, "NUMBA_AVAILABLE", False)
    assert isinstance(usual, search_bot.SearchBot)
    assert create_bot("search:hard").budget == usual.budget  # type: ignore[attr-defined]
    assert by_name("search", "hard").budget != usual.budget  # type: ignore[attr-defined]
