"""Bots order as they have agreed to."""

from __future__ import annotations

import pytest

from talleyrand import rulebooks, variants
from talleyrand.engine.board import province_of
from talleyrand.engine.orders import Convoy, Move, Support, parse_normal
from talleyrand.negotiation.bot_duties import NO_DUTIES, BotDuties
from talleyrand.simulation.bots import by_name
from talleyrand.simulation.bots.power_orders import orders_for_power

GAME = variants.load("classic").definition
BOOK = rulebooks.load("datc").adjudication_rules


def orders(bot: str, duties: BotDuties) -> list[str]:
    found = orders_for_power(GAME, BOOK, GAME.start, "GERMANY", by_name(bot, "easy"), 1901, duties=duties)
    return [str(one) for one in found]


def goals(lines: list[str]) -> set[str]:
    """Where somebody goes or is helped to go."""
    read = [parse_normal(line) for line in lines]
    return {province_of(one.to) for one in read if isinstance(one, Move | Support | Convoy) and one.to}


@pytest.mark.parametrize("bot", ["values", "search"])
def test_a_closed_province_is_not_entered(bot: str) -> None:
    usual = goals(orders(bot, NO_DUTIES))
    assert usual
    found = orders(bot, BotDuties({"GERMANY": frozenset(usual)}))
    assert not goals(found) & usual
    assert goals(found), "it goes elsewhere"
    everywhere = frozenset(GAME.board.provinces)
    assert not goals(orders(bot, BotDuties({"GERMANY": everywhere})))


@pytest.mark.parametrize("bot", ["values", "search"])
def test_a_support_that_is_owed_is_given(bot: str) -> None:
    owed = parse_normal("A MUN S A VIE - TYR")  # which no bot gives unasked
    assert str(owed) not in orders(bot, NO_DUTIES)
    assert str(owed) in orders(bot, BotDuties({}, (owed,)))


@pytest.mark.parametrize("bot", ["values", "search"])
def test_nothing_agreed_changes_nothing(bot: str) -> None:
    empty = BotDuties({"GERMANY": frozenset()})
    assert orders(bot, empty) == orders(bot, NO_DUTIES) == orders(bot, empty)
