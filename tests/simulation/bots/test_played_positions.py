"""Positions in which bots played badly: winters that gave a centre up, an autumn that left one."""

from __future__ import annotations

from typing import Any

import pytest

from talleyrand.engine.orders import Order
from talleyrand.formats import question_input
from talleyrand.simulation.bots import by_name
from talleyrand.simulation.bots.bot_protocol import Bot
from talleyrand.simulation.bots.power_orders import orders_for_power
from talleyrand.simulation.numba_compiler import NUMBA_AVAILABLE

# Winters of a game that was played: the unit that was removed, and the centre was lost with it.
GERMANY: dict[str, Any] = {
    "phase": "W1903A",
    "units": {
        "GERMANY": ["F BEL", "A PRU", "A MUN", "A KIE", "A HOL"],
        "FRANCE": ["A PIC", "A BUR", "F ENG", "A SPA"],
        "RUSSIA": ["A WAR", "A MOS", "F SWE"],
        "ENGLAND": ["F NTH", "F NWY", "A LON"],
    },
    "centers": {
        "GERMANY": ["BEL", "MUN", "KIE", "HOL"],
        "FRANCE": ["PAR", "BRE", "MAR", "SPA", "POR"],
        "RUSSIA": ["WAR", "MOS", "STP", "SWE"],
        "ENGLAND": ["LON", "LVP", "EDI", "NWY"],
    },
}
AUSTRIA: dict[str, Any] = {
    "phase": "W1903A",
    "units": {
        "AUSTRIA": ["A TRI", "F ION", "A VIE", "A BUD"],
        "ITALY": ["A VEN", "F ADR", "A ROM", "F TUN"],
        "RUSSIA": ["A RUM", "A GAL", "F SEV", "A WAR"],
        "TURKEY": ["A BUL", "A SER", "F AEG", "F GRE"],
    },
    "centers": {
        "AUSTRIA": ["TRI", "VIE", "BUD"],
        "ITALY": ["VEN", "ROM", "NAP", "TUN"],
        "RUSSIA": ["RUM", "SEV", "WAR", "MOS", "STP"],
        "TURKEY": ["BUL", "SER", "GRE", "CON", "ANK", "SMY"],
    },
}
RUSSIA: dict[str, Any] = {
    "phase": "W1905A",
    "units": {
        "RUSSIA": ["F EDI", "A FIN", "A STP"],
        "ENGLAND": ["F NTH", "A YOR", "F NWG"],
        "TURKEY": ["A MOS", "A SEV", "A WAR"],
        "GERMANY": ["A SWE", "F DEN", "A BER"],
    },
    "centers": {
        "RUSSIA": ["EDI", "STP"],
        "ENGLAND": ["LON", "LVP", "NWY"],
        "TURKEY": ["MOS", "SEV", "WAR", "CON", "ANK", "SMY"],
        "GERMANY": ["SWE", "DEN", "BER", "KIE", "MUN"],
    },
}


# In spring Warsaw was entered: it is taken if the army stays.
WARSAW: dict[str, Any] = {
    "phase": "F1904M",
    "units": {
        "GERMANY": ["A WAR", "A BER", "A MUN", "F DEN"],
        "RUSSIA": ["A MOS", "A GAL", "F SWE"],
        "FRANCE": ["A BUR", "F ENG", "A BEL", "A HOL"],
        "AUSTRIA": ["A VIE", "A BUD"],
        "TURKEY": ["A RUM", "A SEV", "F BLA", "A BUL"],
        "ITALY": ["A TYR", "A VEN", "F ION"],
        "ENGLAND": ["F NTH", "F NWY", "A LON"],
    },
    "centers": {
        "GERMANY": ["BER", "MUN", "KIE", "DEN"],
        "RUSSIA": ["WAR", "MOS", "STP", "SWE"],
        "FRANCE": ["PAR", "BRE", "MAR", "SPA", "POR", "BEL", "HOL"],
        "AUSTRIA": ["VIE", "BUD", "TRI"],
        "TURKEY": ["CON", "ANK", "SMY", "BUL", "RUM", "SEV", "SER", "GRE"],
        "ITALY": ["ROM", "NAP", "VEN", "TUN"],
        "ENGLAND": ["LON", "LVP", "EDI", "NWY"],
    },
}


def ordered(stands: dict[str, Any], power: str, bot: Bot, seed: int) -> list[Order]:
    asked = question_input.read_question({**stands, "orders": {}})
    setting, book = asked.variant.definition, asked.rulebook.adjudication_rules
    return orders_for_power(setting, book, asked.position, power, bot, seed)


@pytest.mark.parametrize("bot", ["values", "search"])
@pytest.mark.parametrize(
    ("power", "stands", "given_up"),
    [("GERMANY", GERMANY, "F BEL D"), ("AUSTRIA", AUSTRIA, "A TRI D"), ("RUSSIA", RUSSIA, "F EDI D")],
)
def test_a_centre_beside_a_neighbour_is_held(
    bot: str, power: str, stands: dict[str, Any], given_up: str
) -> None:
    for seed in range(6):
        (removal,) = ordered(stands, power, by_name(bot, "easy"), seed)
        assert str(removal) != given_up


@pytest.mark.skipif(not NUMBA_AVAILABLE, reason="without Numba a position takes minutes")
def test_a_centre_entered_in_spring_is_mostly_kept_in_autumn() -> None:
    """By who expects answers alone, in half of the seeds: each of them attacks it with support."""
    bot = by_name("search", by_count=True)
    kept = ["A WAR -" not in " ".join(map(str, ordered(WARSAW, "GERMANY", bot, seed))) for seed in range(8)]
    assert sum(kept) >= 6
