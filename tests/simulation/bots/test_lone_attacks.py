"""`values` does not throw one unit after another, unhelped, against a foreign one that stays."""

from __future__ import annotations

import numpy as np

from talleyrand.simulation import array_layout as code
from talleyrand.simulation.array_layout import UInt16Array
from talleyrand.simulation.bots import by_name
from tests.simulation.bots.playing import facts_of, ordered

GAMES, PHASES = 30, 12


def test_few_attacks_are_made_alone() -> None:
    facts = facts_of()
    games, bot = facts.runner.start(GAMES), by_name("values")
    province, alone, orders = facts.bot_board.board_arrays.province, 0, 0
    for phase in range(PHASES):
        sheets = ordered(facts, games, [bot], range(GAMES), phase)
        for game in np.flatnonzero(games.clock[:, code.STAGE] == code.MOVEMENT):
            places, sheet = games.places[game], sheets[game]
            units = np.flatnonzero(places[code.KIND] != code.NONE)
            orders += len(units)
            alone += sum(goes_alone(province, places, sheet, int(unit)) for unit in units)
        facts.runner.step(games, sheets)
    assert alone < 0.15 * orders


def goes_alone(province: UInt16Array, places: UInt16Array, sheet: UInt16Array, unit: int) -> bool:
    """Whether a unit goes, without help, where a foreign one stands."""
    if sheet[code.ORDER_KIND, unit] != code.MOVE:
        return False
    there = province[sheet[code.ORDER_GOAL, unit]]
    if places[code.KIND, there] == code.NONE or places[code.POWER, there] == places[code.POWER, unit]:
        return False
    helped = (sheet[code.ORDER_KIND] == code.SUPPORT_MOVE) & (sheet[code.ORDER_TARGET] == unit)
    return not helped.any()
