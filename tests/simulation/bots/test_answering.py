"""The door for pages and the command line: legal, complete orders in any phase of any variant."""

from __future__ import annotations

from dataclasses import replace

import pytest

from talleyrand import rulebooks, variants
from talleyrand.engine.errors import OrderRefusal, UnknownName
from talleyrand.engine.game import GameDefinition, play_phase
from talleyrand.engine.orders import Disband, Hold, Order, PoliticalOrder, Waive
from talleyrand.engine.outcome import OrderResult
from talleyrand.engine.position import DislodgedUnit, Phase, Position, Unit
from talleyrand.engine.rulebook import Rulebook
from talleyrand.simulation import bots
from talleyrand.simulation.bots.power_orders import orders_for_power
from talleyrand.simulation.game_runner import GameRunner
from tests.variants.plain import PLAIN

PHASES = 7
WORLD = variants.load("diplomatie_2000").definition
OTHER = ("classic", "anjou_feu")


def answered(
    setting: GameDefinition, book: Rulebook, position: Position, bot: str, seed: int
) -> dict[str, list[Order]]:
    choosers = setting.rules_for(position.phase).powers_with_choices(setting.board, position, book)
    return {
        power: orders_for_power(setting, book, position, power, bots.by_name(bot, "easy"), seed)
        for power in choosers
    }


@pytest.mark.one_in(4)
@pytest.mark.parametrize(("variant", "book"), [*((name, "datc") for name in PLAIN), OTHER])
@pytest.mark.parametrize("bot", bots.names())
def test_orders_are_legal_and_complete(bot: str, variant: str, book: str) -> None:
    setting, judge = variants.load(variant).definition, rulebooks.load(book).adjudication_rules
    position: Position | None = setting.start
    for _ in range(PHASES):
        if position is None:
            break
        orders = answered(setting, judge, position, bot, seed=1901)
        for power, sheet in orders.items():
            assert_legal(setting, judge, position, power, sheet)
            assert_complete(setting, judge, position, power, sheet)
        position = play_phase(setting, position, orders, judge).next_position
    assert position is None or position.phase.year > setting.start.phase.year


def assert_legal(
    setting: GameDefinition, book: Rulebook, position: Position, power: str, sheet: list[Order]
) -> None:
    rules = setting.rules_for(position.phase)
    for order in sheet:
        assert not isinstance(rules.check_order(setting.board, position, power, order, book), OrderRefusal), (
            order
        )
    outcome = rules.adjudicate(setting.board, position, {power: sheet}, book)
    void = {OrderResult.BUILD_VOID, OrderResult.REMOVAL_IGNORED}
    assert not [verdict for verdict in outcome.verdicts if void & set(verdict.results)]


def assert_complete(
    setting: GameDefinition, book: Rulebook, position: Position, power: str, sheet: list[Order]
) -> None:
    options = setting.rules_for(position.phase).legal_orders(setting.board, position, power, book)
    if position.phase.kind in "MR":
        assert {order.unit for order in sheet} == {order.unit for order in options}
        assert len(sheet) == len({order.unit for order in sheet})


@pytest.mark.long
@pytest.mark.parametrize("bot", bots.bots_for_variant(WORLD))
def test_orders_are_lawful_and_complete_where_there_are_votes(bot: str) -> None:
    """One order for each unit that a seat leads; whoever has no land writes as well."""
    book = rulebooks.load("anjou_feu").adjudication_rules
    position, seen = WORLD.start, set[str]()
    for _ in range(PHASES):
        orders = answered(WORLD, book, position, bot, seed=1901)
        assert orders == answered(WORLD, book, position, bot, seed=1901)
        rules = WORLD.rules_for(position.phase)
        for seat, sheet in orders.items():
            assert [rules.check_order(WORLD.board, position, seat, order, book) for order in sheet] == sheet
            led = {unit.name for unit in position.units if unit.power == seat and unit.kind != "M"}
            units = [order.unit for order in sheet if order.unit]
            if position.phase.kind == "M" and bot != "random":  # by lot it may take away an M
                assert sorted(units) == sorted(led)
            seen.update(seat for order in sheet if isinstance(order, PoliticalOrder))
        turn = play_phase(WORLD, position, orders, book)
        assert turn.next_position is not None
        position = turn.next_position
    assert position.phase.year > WORLD.start.phase.year
    assert bot == "hold" or seen == set(WORLD.board.seats)


def test_a_world_without_owners_or_with_absent_states_is_played_as_well() -> None:
    book = rulebooks.load("anjou_feu").adjudication_rules
    for phase in ("S2001P", "F2001M", "W2001A"):
        position = replace(
            WORLD.start, phase=Phase.parse(phase), centres=None, powers_in_disorder=frozenset({"RUSS"})
        )
        for seat in ("RUSS", "CHIN", "ONU"):
            orders_for_power(WORLD, book, position, seat, bots.by_name("values", "easy"), seed=1)


def test_a_bot_that_knows_nothing_of_votes_writes_none() -> None:
    with pytest.raises(UnknownName, match="unknown_bot"):
        answered(WORLD, rulebooks.load("datc").adjudication_rules, WORLD.start, "search", seed=1)
    with pytest.raises(ValueError, match="politics"):
        GameRunner(WORLD, rulebooks.load("datc").adjudication_rules)


def test_hold_moves_nobody_and_builds_nothing() -> None:
    setting, book = variants.load("classic").definition, rulebooks.load("datc").adjudication_rules
    orders = answered(setting, book, setting.start, "hold", seed=1)
    assert all(isinstance(order, Hold) for sheet in orders.values() for order in sheet)
    winter = replace(setting.start, phase=Phase("W", 1901, "A"), units=())
    assert answered(setting, book, winter, "hold", seed=1)["FRANCE"] == [Waive()] * 3
    fallen = DislodgedUnit(Unit("A", "BUR", "FRANCE"), "PAR", retreats=("GAS", "MAR"))
    dislodged = replace(setting.start, phase=Phase("S", 1901, "R"), dislodged=(fallen,))
    assert answered(setting, book, dislodged, "hold", seed=1) == {"FRANCE": [Disband(fallen.unit.name)]}


def test_a_position_without_owners_is_played_as_well() -> None:
    setting, book = variants.load("classic").definition, rulebooks.load("datc").adjudication_rules
    position = replace(setting.start, centres=None, powers_in_disorder=frozenset({"ITALY"}))
    for power, sheet in answered(setting, book, position, "values", seed=1).items():
        assert_legal(setting, book, position, power, sheet)
        assert_complete(setting, book, position, power, sheet)


def test_a_retreat_that_is_no_step_is_chosen_by_lot() -> None:
    setting, book = variants.load("classic").definition, rulebooks.load("datc").adjudication_rules
    fallen = DislodgedUnit(Unit("A", "BUR", "FRANCE"), "PAR", convoyed=False, retreats=("MOS",))
    position = replace(setting.start, phase=Phase("S", 1901, "R"), dislodged=(fallen,))
    for bot in ("values", "search"):
        (order,) = orders_for_power(setting, book, position, "FRANCE", bots.by_name(bot, "easy"), seed=1901)
        assert str(order) in {"A BUR R MOS", "A BUR D"}


def test_progress_is_told_from_none_to_all() -> None:
    setting, book, told = (
        variants.load("classic").definition,
        rulebooks.load("datc").adjudication_rules,
        list[float](),
    )
    orders_for_power(setting, book, setting.start, "FRANCE", bots.by_name("search", "normal"), 1, told.append)
    assert told == sorted(told)
    assert (told[0], told[-1]) == (0.0, 1.0)


def test_the_same_seed_gives_the_same_orders() -> None:
    setting, book = variants.load("classic").definition, rulebooks.load("datc").adjudication_rules
    one, same, other = (answered(setting, book, setting.start, "random", seed) for seed in (1, 1, 2))
    assert one == same != other


def test_unknown_bots_and_strengths_are_refused() -> None:
    with pytest.raises(UnknownName, match="unknown_bot"):
        bots.by_name("deep")
    with pytest.raises(UnknownName, match="unknown_strength"):
        bots.by_name("random", "superb")
