"""Meta's `dipcc` (facebookresearch/diplomacy_cicero, MIT) as a judge of movement phases, where it was built.

Its documents say how: `make dipcc` in its repository, which leaves the module `pydipcc` in `fairdiplomacy/`.
Its games are set up from JSON, orders among it.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from time import process_time
from typing import Any

from talleyrand.engine import movement
from talleyrand.engine.board import province_of
from talleyrand.engine.orders import Move
from talleyrand.variants import load
from tests.peers.positions import BOOK, Drawn

BOARD = load("classic").board


@dataclass(frozen=True)
class DipccJudge:
    """The module `pydipcc`."""

    module: Any

    @classmethod
    def in_folder(cls, folder: Path) -> DipccJudge:
        """The module of a folder; raises ImportError."""
        sys.path.insert(0, str(folder))
        try:
            return cls(import_module("pydipcc"))
        finally:
            sys.path.remove(str(folder))

    def process(self, positions: Sequence[Drawn]) -> float:
        """Processor seconds for `Game.process()`, units and orders in place."""
        games = [self.module.Game.from_json(game_json(drawn)) for drawn in positions]
        begun = process_time()
        for game in games:
            game.process()
        return process_time() - begun

    def count_alike(self, positions: Sequence[Drawn]) -> int:
        """In how many positions the same units stand afterwards as by our engine."""
        alike = 0
        for drawn in positions:
            game = self.module.Game.from_json(game_json(drawn))
            game.process()
            after = movement.adjudicate_legal_orders(BOARD, drawn.position, drawn.orders, BOOK).position_after
            theirs = {(power, name) for power, names in game.get_units().items() for name in names}
            alike += {one for one in theirs if not one[1].startswith("*")} == {
                (unit.power, str(unit)) for unit in after.units
            }
        return alike


def game_json(drawn: Drawn) -> str:
    """A game that stands at a position, its orders given."""
    units, orders, phase = (
        defaultdict[str, list[str]](list),
        defaultdict[str, list[str]](list),
        drawn.position.phase,
    )
    for unit in drawn.position.units:
        units[unit.power].append(str(unit))
    for (power, _), order in drawn.orders.items():
        sails = isinstance(order, Move) and not order.via and not _touch(order)
        orders[power].append(f"{order} VIA" if sails else str(order))
    state = {"name": str(phase), "units": units, "centers": BOARD.homes, "retreats": {}}
    return json.dumps({"phases": [{"name": str(phase), "state": state, "orders": orders}]})


def _touch(move: Move) -> bool:
    near = BOARD.adjacent_provinces[move.unit.kind].get(move.unit.location, frozenset())
    return province_of(move.to) in near
