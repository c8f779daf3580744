"""What is compared: who stands where after a movement phase, and who must retreat where."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from talleyrand.engine import movement
from talleyrand.engine.board import Board
from talleyrand.engine.position import Unit
from talleyrand.engine.rulebook import Rulebook

from .positions import Drawn


class Result(NamedTuple):
    """Units as (power, unit) after the phase, and the dislodged with where they may go."""

    units: frozenset[tuple[str, str]]
    dislodged: Mapping[tuple[str, str], frozenset[str]]

    def differences(self, other: Result) -> list[str]:
        """One line for each difference, first ours, then theirs."""
        lines = [f"ours {power} {unit}" for power, unit in sorted(self.units - other.units)]
        lines += [f"theirs {power} {unit}" for power, unit in sorted(other.units - self.units)]
        for unit in sorted({*self.dislodged, *other.dislodged}):
            mine, yours = self.dislodged.get(unit), other.dislodged.get(unit)
            if mine != yours:
                lines.append(f"retreats of {unit[0]} {unit[1]}: ours {_said(mine)}, theirs {_said(yours)}")
        return lines


def _said(places: frozenset[str] | None) -> str:
    return "not dislodged" if places is None else " ".join(sorted(places)) or "none"


def name(unit: Unit) -> tuple[str, str]:
    return unit.power, str(unit)


def ours(board: Board, drawn: Drawn, book: Rulebook) -> Result:
    """What this engine makes of it."""
    after = movement.adjudicate_legal_orders(board, drawn.position, drawn.orders, book).position_after
    return Result(
        frozenset(map(name, after.units)),
        {name(fallen.unit): frozenset(fallen.retreats) for fallen in after.dislodged},
    )
