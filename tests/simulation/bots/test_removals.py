"""Units that hold a centre against a neighbour are not those that bots remove, while others are left."""

from __future__ import annotations

from typing import Any

import pytest

from talleyrand.formats import question_input
from talleyrand.simulation.bots import by_name
from talleyrand.simulation.bots.power_orders import orders_for_power

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


@pytest.mark.parametrize("bot", ["values", "search"])
@pytest.mark.parametrize(
    ("power", "stands", "given_up"),
    [("GERMANY", GERMANY, "F BEL D"), ("AUSTRIA", AUSTRIA, "A TRI D"), ("RUSSIA", RUSSIA, "F EDI D")],
)
def test_a_centre_beside_a_neighbour_is_held(
    bot: str, power: str, stands: dict[str, Any], given_up: str
) -> None:
    asked = question_input.read_question({**stands, "orders": {}})
    setting, book = asked.variant.definition, asked.rulebook.adjudication_rules
    for seed in range(6):
        found = orders_for_power(setting, book, asked.position, power, by_name(bot, "easy"), seed)
        assert len(found) == 1
        assert str(found[0]) != given_up
