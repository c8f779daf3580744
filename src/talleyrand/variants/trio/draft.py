"""The draft of Trio: before the first year each power chooses the units of its home centres.

It goes like a winter's builds, with one rule of its own: at most one patrol a power.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from talleyrand.engine import adjustments
from talleyrand.engine.board import Board, Mobility
from talleyrand.engine.game import AdjustmentRules, OrdersByPower, PhaseRules
from talleyrand.engine.orders import Build
from talleyrand.engine.outcome import Cause, CauseCode, PhaseOutcome
from talleyrand.engine.position import Position, Unit
from talleyrand.engine.rulebook import Rulebook


class DraftRules(AdjustmentRules):
    """Kind D."""

    @staticmethod
    def adjudicate(board: Board, position: Position, orders: OrdersByPower, book: Rulebook) -> PhaseOutcome:
        def one_patrol(order: Build, built: Sequence[Unit]) -> Cause | None:
            patrols = [unit for unit in built if _roams(board, unit.kind)]
            if patrols and _roams(board, order.unit.kind):
                return Cause(CauseCode.ONE_OF_KIND, tuple(patrols))
            return None

        return adjustments.adjudicate(board, position, orders, book, one_patrol)


def _roams(board: Board, letter: str) -> bool:
    return board.kinds[letter].mobility is Mobility.ANY


PHASES: Mapping[str, PhaseRules] = {"D": DraftRules()}
