"""A power that plays by a script, in games by the thousand: judged by the engine, or refused."""

import pytest

from talleyrand import rulebooks, variants
from talleyrand.simulation.bots.answering import answer
from talleyrand.simulation.bots.facts import Facts
from talleyrand.simulation.bots.registry import by_name
from talleyrand.simulation.judging import Reason
from talleyrand.simulation.referee import Referee
from talleyrand.simulation.shards.faults import ShardError
from tests.simulation.shards.plans import plan

SETTING = variants.load("survivor_turkey").setting
BOOK = rulebooks.load("anjou_feu").judge


def turkey(referee: Referee, games: object) -> list[str]:
    return sorted(str(unit.name) for unit in referee.read(games, 0).units if unit.power == "TURKEY")  # type: ignore[arg-type]


def test_the_referee_plays_the_script() -> None:
    referee = Referee(SETTING, BOOK)
    games = referee.start(2)
    orders = referee.options(games)
    assert not any(
        unit.power == "TURKEY" and orders.first[0, at] < orders.first[0, at + 1]
        for at, code in enumerate(referee.names.provinces)
        for unit in referee.read(games, 0).units
        if unit.province == code
    )
    step = referee.step(games, games.sheets())
    assert step.by_engine == {Reason.OWN_PHASE: 2}
    assert turkey(referee, games) == ["A ANK", "A BUL", "F CON"]
    referee.step(games, games.sheets())
    assert turkey(referee, games) == ["A ANK", "A BUL", "A SMY", "F CON"]


def test_bots_play_beside_it() -> None:
    assert not Facts(SETTING, BOOK).setting.scripted
    found = answer(SETTING, BOOK, SETTING.start, "RUSSIA", by_name("values"), 1901)
    assert {str(order.unit) for order in found} == {"A MOS", "F SEV", "F STP/SC", "A WAR"}


def test_such_games_are_not_simulated_by_the_thousand() -> None:
    with pytest.raises(ShardError) as refused:
        plan("hold", variant="survivor_turkey", rulebook="anjou_feu", games=1, shards=1, years=2).check()
    assert refused.value.code == "scripted_variant"
