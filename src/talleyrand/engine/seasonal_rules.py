"""Borders that are closed in some seasons, for moves and retreats.

The variant's board has every border that is ever open, so that what holds a position of one season
holds those of all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from .board import Board
from .errors import OrderRefusal
from .game import MovementRules, OrdersByPower, PhaseRules, RetreatRules
from .orders import Order
from .outcome import PhaseOutcome
from .position import Phase, Position
from .rulebook import Rulebook

PhaseBoard = Callable[[Board, Phase], Board]


class SeasonalRules:
    """The rules of a kind of phase on the board as it is in that phase.

    `phase_board` gives it: the whole board, or one with fewer borders, the same object each time. An order
    that only the whole board would allow gets the season's refusal of `refusals`, for whose code the
    variant has a sentence.
    """

    def __init__(
        self, rules: PhaseRules, phase_board: PhaseBoard, refusals: Mapping[str, OrderRefusal]
    ) -> None:
        self.wrapped_rules, self.phase_board, self.refusals = rules, phase_board, refusals

    def board_in(self, board: Board, phase: Phase) -> Board:
        """The board as units move on it in a phase."""
        return self.phase_board(board, phase)

    def adjudicate(
        self, board: Board, position: Position, orders: OrdersByPower, book: Rulebook
    ) -> PhaseOutcome:
        """What becomes of the orders."""
        return self.wrapped_rules.adjudicate(self.board_in(board, position.phase), position, orders, book)

    def check_order(
        self, board: Board, position: Position, power: str, order: Order, book: Rulebook
    ) -> Order | OrderRefusal:
        """The order as it will be followed, or why it is impossible."""
        seen, verify = self.board_in(board, position.phase), self.wrapped_rules.check_order
        found = verify(seen, position, power, order, book)
        if seen is board or not isinstance(found, OrderRefusal):
            return found
        if order.unit is None or isinstance(verify(board, position, power, order, book), OrderRefusal):
            return found
        refusal = self.refusals[position.phase.season]
        return replace(refusal, units=(str(order.unit),), nearest_order=found.nearest_order)

    def powers_with_choices(self, board: Board, position: Position, book: Rulebook) -> tuple[str, ...]:
        """The powers that have something to decide."""
        seen = self.board_in(board, position.phase)
        return self.wrapped_rules.powers_with_choices(seen, position, book)

    def legal_orders(self, board: Board, position: Position, power: str, book: Rulebook) -> tuple[Order, ...]:
        """Every legal order of a power."""
        seen = self.board_in(board, position.phase)
        return self.wrapped_rules.legal_orders(seen, position, power, book)


class _SeasonalMovement(SeasonalRules, MovementRules):
    """Kind M."""


class _SeasonalRetreats(SeasonalRules, RetreatRules):
    """Kind R."""

    def legal_orders(self, board: Board, position: Position, power: str, book: Rulebook) -> tuple[Order, ...]:
        """Every retreat and disbandment of a power.

        A position set up by hand may list a space as open to a retreat that the season closes.
        """
        found = super().legal_orders(board, position, power, book)
        return tuple(
            order
            for order in found
            if not isinstance(self.check_order(board, position, power, order, book), OrderRefusal)
        )


def seasonal_phase_rules(
    phase_board: PhaseBoard, refusals: Mapping[str, OrderRefusal]
) -> Mapping[str, PhaseRules]:
    """The rules of moves and retreats on a board that changes with the season: see `SeasonalRules`."""
    return {
        "M": _SeasonalMovement(MovementRules(), phase_board, refusals),
        "R": _SeasonalRetreats(RetreatRules(), phase_board, refusals),
    }
