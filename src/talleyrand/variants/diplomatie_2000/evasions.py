"""Retreats (kind R): no fleet goes to the far north in autumn, and M leave when the turn ends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from talleyrand.engine import retreats
from talleyrand.engine.board import Board
from talleyrand.engine.errors import NotAllowed, Refusal
from talleyrand.engine.game import Retreats
from talleyrand.engine.orders import Measure, Order
from talleyrand.engine.outcome import Cause, Outcome, Result, Verdict
from talleyrand.engine.position import Position, province_of
from talleyrand.engine.rulebook import Rulebook

from .mandates import removed
from .moves import frozen_place


class Evasions(Retreats):
    """Kind R."""

    @staticmethod
    def adjudicate(
        board: Board, position: Position, orders: Mapping[str, Sequence[Order]], book: Rulebook
    ) -> Outcome:
        """Carry out the retreats, then take away the M that leave with the turn."""
        opened = _opened(board, position)
        judged = retreats.adjudicate(board, opened, orders, book)
        after = removed(judged.after)
        left = [unit for unit in judged.after.units if unit not in after.units]
        leave = tuple(
            Verdict(unit.name, unit.power, None, (Result.DISBANDED,), Cause("mandate_leaves"))
            for unit in left
        )
        return replace(judged, verdicts=(*judged.verdicts, *leave), after=after)

    @staticmethod
    def check(board: Board, position: Position, power: str, order: Order, book: Rulebook) -> Order | Refusal:
        """A retreat as it will be followed, or why it is impossible."""
        if isinstance(order, Measure):
            return NotAllowed("wrong_phase", text=order.words)
        return retreats.check(board, _opened(board, position), power, order, book)

    @staticmethod
    def choosers(board: Board, position: Position, book: Rulebook) -> tuple[str, ...]:  # noqa: ARG004
        """Everybody with a dislodged unit that has somewhere to go, the Secretary-General for the UN's."""
        have = {one.unit.power for one in _opened(board, position).dislodged if one.retreats}
        return tuple(seat for seat in board.seats if seat in have)

    @staticmethod
    def options(board: Board, position: Position, power: str, book: Rulebook) -> tuple[Order, ...]:
        """Every retreat and disbandment that a seat may order."""
        return retreats.options(board, _opened(board, position), power, book)


def _opened(board: Board, position: Position) -> Position:
    """The position with the retreats that are open: none to a frozen sea."""
    dislodged = tuple(
        one._replace(
            retreats=tuple(
                place
                for place in one.retreats
                if not frozen_place(board, position, one.unit.kind, province_of(place))
            )
        )
        for one in position.dislodged
    )
    return replace(position, dislodged=dislodged)
