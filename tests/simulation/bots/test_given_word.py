"""Bots order as they have agreed to."""

from __future__ import annotations

from dataclasses import replace

import pytest

from talleyrand import rulebooks, variants
from talleyrand.engine.board import province_of
from talleyrand.engine.orders import Convoy, Move, Support, parse_normal
from talleyrand.engine.position import Unit
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


@pytest.mark.parametrize("seed", [1902, 1907])
def test_the_search_leans_on_no_unit_that_owes_something_else(seed: int) -> None:
    gone = ("LON", "WAR", *GAME.board.homes["GERMANY"])
    stay = [one for one in GAME.start.units if one.province not in gone]
    german = [Unit(one[0], one[2:], "GERMANY") for one in ("A BER", "A SIL", "A RUH", "F DEN")]
    others = [Unit("A", "MUN", "RUSSIA"), Unit("F", "BEL", "ENGLAND"), *stay]
    at = replace(GAME.start, units=(*german, *others))
    owed = BotDuties({}, (parse_normal("A RUH S F BEL"),))
    found = orders_for_power(GAME, BOOK, at, "GERMANY", by_name("search", "easy"), seed, duties=owed)
    assert owed.owes[0] in found
    supports = [one for one in found if isinstance(one, Support)]
    assert not any(one.target.province == "RUH" and one.to for one in supports), found


@pytest.mark.parametrize("bot", ["values", "search"])
def test_nothing_agreed_changes_nothing(bot: str) -> None:
    empty = BotDuties({"GERMANY": frozenset()})
    assert orders(bot, empty) == orders(bot, NO_DUTIES) == orders(bot, empty)
