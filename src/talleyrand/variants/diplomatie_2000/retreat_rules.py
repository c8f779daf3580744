"""Retreats (kind R): no fleet goes to the far north in autumn, and M leave when the turn ends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from talleyrand.engine import retreats
from talleyrand.engine.board import Board
from talleyrand.engine.errors import OrderNotAllowed, OrderRefusal
from talleyrand.engine.game import RetreatRules
from talleyrand.engine.orders import Order, PoliticalOrder
from talleyrand.engine.outcome import Cause, OrderResult, PhaseOutcome, Verdict
from talleyrand.engine.position import Position, province_of
from talleyrand.engine.rulebook import Rulebook

from .mandate_movement import is_frozen
from .political_state import without_departed_mandates


class WorldRetreatRules(RetreatRules):
    """Kind R."""

    @staticmethod
    def adjudicate(
        board: Board, position: Position, orders: Mapping[str, Sequence[Order]], book: Rulebook
    ) -> PhaseOutcome:
        """Carry out the retreats, then take away the M that leave with the turn."""
        opened = _opened(board, position)
        judged = retreats.adjudicate(board, opened, orders, book)
        after = without_departed_mandates(judged.position_after)
        left = [unit for unit in judged.position_after.units if unit not in after.units]
        leave = tuple(
            Verdict(unit.name, unit.power, None, (OrderResult.DISBANDED,), Cause("mandate_leaves"))
            for unit in left
        )
        return replace(judged, verdicts=(*judged.verdicts, *leave), position_after=after)

    @staticmethod
    def check_order(
        board: Board, position: Position, power: str, order: Order, book: Rulebook
    ) -> Order | OrderRefusal:
        """A retreat as it will be followed, or why it is impossible."""
        if isinstance(order, PoliticalOrder):
            return OrderNotAllowed("wrong_phase", text=order.text)
        return retreats.check_retreat(board, _opened(board, position), power, order, book)

    @staticmethod
    def powers_with_choices(board: Board, position: Position, book: Rulebook) -> tuple[str, ...]:  # noqa: ARG004
        """Everybody with a dislodged unit that has somewhere to go, the Secretary-General for the UN's."""
        have = {one.unit.power for one in _opened(board, position).dislodged if one.retreats}
        return tuple(seat for seat in board.seats if seat in have)

    @staticmethod
    def legal_orders(board: Board, position: Position, power: str, book: Rulebook) -> tuple[Order, ...]:
        """Every retreat and disbandment that a seat may order."""
        return retreats.legal_orders(board, _opened(board, position), power, book)


def _opened(board: Board, position: Position) -> Position:
    """The position with the retreats that are open: none to a frozen sea."""
    dislodged = tuple(
        one._replace(
            retreats=tuple(
                place
                for place in one.retreats
                if not is_frozen(board, position, one.unit.kind, province_of(place))
            )
        )
        for one in position.dislodged
    )
    return replace(position, dislodged=dislodged)
