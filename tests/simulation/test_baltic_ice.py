"""Baltic Ice between bots: its phases are the engine's, and nobody sails in the ice."""

from __future__ import annotations

from talleyrand import rulebooks, variants
from talleyrand.engine import game
from talleyrand.engine.position import Phase
from talleyrand.simulation.batch_adjudicator import FallbackReason
from talleyrand.simulation.bots.bot_registry import by_name
from talleyrand.simulation.bots.power_orders import orders_for_power
from talleyrand.simulation.game_runner import GameRunner
from talleyrand.variants.baltic_ice import ice

SETTING = variants.load("baltic_ice").definition
BOARD, BOOK = SETTING.board, rulebooks.load("anjou_feu").adjudication_rules
SPRING = "S1703M"


def test_games_in_arrays_leave_such_phases_to_the_engine() -> None:
    assert not SETTING.has_standard_phases
    assert variants.load("trio").definition.has_standard_phases
    runner = GameRunner(SETTING, BOOK)
    games = runner.start(2)
    assert runner.step(games, games.blank_orders()).left_to_engine == {FallbackReason.OWN_PHASE: 2}


def test_bots_keep_the_rule_from_start_to_end() -> None:
    under_ice = ice.board_in(BOARD, Phase.parse(SPRING)).adjacent_locations["F"]
    for number, name in enumerate(("random", "values")):
        standing, springs = SETTING.start, 0
        while standing.phase.year < 1706:
            rules = SETTING.rules_for(standing.phase)
            orders = {
                power: orders_for_power(SETTING, BOOK, standing, power, by_name(name), number)
                for power in rules.powers_with_choices(BOARD, standing, BOOK)
            }
            done = game.play_phase(SETTING, standing, orders, BOOK)
            assert not done.outcome.refused
            if standing.phase.season == "S":
                moved = [
                    one for one in done.outcome.verdicts if "moves" in one.results and one.unit.kind == "F"
                ]
                assert all(one.to in under_ice.get(one.unit.location, ()) for one in moved)
                springs += len(moved)
            assert done.next_position
            standing = done.next_position
        assert springs
