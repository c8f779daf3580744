"""The PyPI package `diplomacy` 1.1.2 as a judge of one movement phase."""

from __future__ import annotations

import warnings
from collections import defaultdict
from typing import Any

from .positions import Drawn
from .result import Result

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # it leaves the file of its convoys open
    from diplomacy.engine import game as source

__all__ = ["Judge", "NotTaken", "source"]

SPRING = "S1901M"


class NotTaken(Exception):
    """The peer refuses orders that are legal here."""


class Judge:
    """One game, set up again for each position."""

    name = "diplomacy"

    def __init__(self, kind: Any = source.Game) -> None:
        self.game = kind()
        self.game.add_rule("IGNORE_ERRORS")

    def set_up(self, drawn: Drawn) -> None:
        """Put the units on the board and give them their orders; raises NotTaken."""
        game, position = self.game, drawn.position
        game.clear_units()
        game.clear_orders()
        game.set_current_phase(SPRING)
        lines = defaultdict(list)
        for (power, _), order in drawn.orders.items():
            lines[power].append(str(order))
        for power in game.powers:
            game.set_units(power, [str(unit) for unit in position.units if unit.power == power], reset=True)
        game.error = []
        for power in lines:
            game.set_orders(power, lines[power])
        if game.error:
            raise NotTaken("; ".join(map(str, game.error)))

    def judge(self, drawn: Drawn) -> Result:
        """What becomes of the position; raises NotTaken."""
        self.set_up(drawn)
        phase = self.game.process()
        results = {str(unit): list(map(str, found)) for unit, found in phase.results.items()}
        fallen = {
            (unit.power, str(unit)): frozenset[str]()
            for unit in drawn.position.units
            if "dislodged" in results.get(str(unit), ())
        }
        for name, power in self.game.powers.items():
            fallen |= {(name, unit): frozenset(places) for unit, places in power.retreats.items()}
        units = {(name, unit) for name, power in self.game.powers.items() for unit in power.units}
        return Result(frozenset(units), fallen)
