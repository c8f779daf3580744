"""Careless orders are left out of a sheet before it is tried."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from talleyrand.engine.orders import parse_normal
from talleyrand.engine.position import Unit
from talleyrand.simulation import array_layout
from talleyrand.simulation.bots import by_name
from talleyrand.simulation.bots.tidy_sheets import tidy_sheets
from tests.simulation.bots.playing import facts_of, ordered


@pytest.mark.parametrize(
    ("orders", "tidy"),
    [
        # the one with help goes
        (
            ["A PAR - BUR", "A MAR - BUR", "A GAS S A MAR - BUR"],
            ["A PAR H", "A MAR - BUR", "A GAS S A MAR - BUR"],
        ),
        # nobody goes where another stays; who is stopped stays, and is no way for the next one
        (["A GAS - PAR", "A PAR - BUR", "A MAR - BUR"], ["A GAS H", "A PAR H", "A MAR - BUR"]),
        (["A PAR H", "A GAS - PAR", "A MAR - GAS"], ["A PAR H", "A GAS H", "A MAR H"]),
        # help for what nobody does
        (["A PAR - BUR", "A MAR S A PAR - GAS", "A GAS H"], ["A PAR - BUR", "A MAR H", "A GAS H"]),
        (["A PAR - BUR", "A GAS S A PAR", "A MAR H"], ["A PAR - BUR", "A GAS H", "A MAR H"]),
        # round in a ring, and help for somebody else's unit
        (
            ["A PAR - GAS", "A GAS - MAR", "A MAR - BUR"],
            ["A PAR - GAS", "A GAS - MAR", "A MAR - BUR"],
        ),
        (["A PAR S A MUN - BUR", "A GAS H", "A MAR H"], ["A PAR S A MUN - BUR", "A GAS H", "A MAR H"]),
    ],
)
def test_careless_orders_become_holds(orders: list[str], tidy: list[str]) -> None:
    facts = facts_of()
    games = facts.runner.start(1)
    start = facts.definition.start
    units = [Unit("A", place, "FRANCE") for place in ("PAR", "MAR", "GAS")]
    others = [unit for unit in start.units if unit.power != "FRANCE"]
    facts.runner.write(replace(start, units=(*units, *others)), games, 0)
    sheets = games.blank_orders()
    facts.runner.write_orders({"FRANCE": [parse_normal(line) for line in orders]}, games, 0, sheets)
    columns = np.array([facts.runner.names.provinces.index(unit.location) for unit in units])
    found = tidy_sheets(facts.bot_board.board_arrays.province, np.sort(columns), sheets)
    assert {str(order) for order in facts.runner.orders_of(games, 0, found)["FRANCE"]} == set(tidy)


def test_what_search_orders_is_tidy() -> None:
    facts = facts_of()
    games, bot = facts.runner.start(1), by_name("search", "easy", by_count=True)
    province = facts.bot_board.board_arrays.province
    for phase in range(2):
        sheets = ordered(facts, games, [bot], [1901], phase)
        places = games.places[0]
        for power in range(7):
            units = np.flatnonzero(
                (places[array_layout.KIND] != array_layout.NONE) & (places[array_layout.POWER] == power)
            )
            assert (tidy_sheets(province, units, sheets) == sheets).all()
        facts.runner.step(games, sheets)
