"""A power that plays by a script, in games by the thousand: judged by the engine."""

from pathlib import Path

import pytest

from talleyrand import rulebooks, variants
from talleyrand.simulation.batch_adjudicator import FallbackReason
from talleyrand.simulation.bots.bot_context import BotContext
from talleyrand.simulation.bots.bot_registry import by_name
from talleyrand.simulation.bots.power_orders import orders_for_power
from talleyrand.simulation.game_runner import GameRunner
from talleyrand.simulation.shards.result_queries import SimulationResults
from talleyrand.simulation.shards.simulation_plan import SCRIPT, ShardError
from tests.simulation.shards.plans import plan, played

SETTING = variants.load("survivor_turkey").definition
BOOK = rulebooks.load("anjou_feu").adjudication_rules


def turkey(referee: GameRunner, games: object) -> list[str]:
    return sorted(str(unit.name) for unit in referee.read(games, 0).units if unit.power == "TURKEY")  # type: ignore[arg-type]


def test_the_referee_plays_the_script() -> None:
    referee = GameRunner(SETTING, BOOK)
    games = referee.start(2)
    orders = referee.legal_orders(games)
    assert not any(
        unit.power == "TURKEY" and orders.first[0, at] < orders.first[0, at + 1]
        for at, code in enumerate(referee.names.provinces)
        for unit in referee.read(games, 0).units
        if unit.province == code
    )
    step = referee.step(games, games.blank_orders())
    assert step.left_to_engine == {FallbackReason.OWN_PHASE: 2}
    assert turkey(referee, games) == ["A ANK", "A BUL", "F CON"]
    referee.step(games, games.blank_orders())
    assert turkey(referee, games) == ["A ANK", "A BUL", "A SMY", "F CON"]


def test_bots_play_beside_it() -> None:
    assert not BotContext(SETTING, BOOK).definition.scripted_powers
    found = orders_for_power(SETTING, BOOK, SETTING.start, "RUSSIA", by_name("values"), 1901)
    assert {str(order.unit) for order in found} == {"A MOS", "F SEV", "F STP/SC", "A WAR"}


def test_six_bots_go_round_and_the_script_keeps_its_seat(tmp_path: Path) -> None:
    bots = "hold,values"
    asked = plan(bots, variant="survivor_turkey", rulebook="anjou_feu", games=2, shards=1, years=2)
    assert len(asked.bots) == len(SETTING.players)
    results = SimulationResults(played(tmp_path, asked).path)
    first, second = results.game(0), results.game(1)
    assert [row["bot"] for row in first] == ["hold", *["values"] * 5, SCRIPT]
    assert [row["bot"] for row in second] == ["values", "hold", *["values"] * 4, SCRIPT]
    for rows in (first, second):
        turkey = next(row for row in rows if row["power"] == "TURKEY")
        assert not any(phase["orders"] for phase in turkey["phases"])  # they follow from the script


def test_nobody_else_plays_the_script_s_power() -> None:
    with pytest.raises(ShardError) as refused:
        plan("TURKEY=values,hold", variant="survivor_turkey", games=1, shards=1)
    assert refused.value.code == "unknown_seat"
    with pytest.raises(ShardError) as refused:
        plan("hold*7", variant="survivor_turkey", games=1, shards=1)
    assert refused.value.code == "too_many_bots"
