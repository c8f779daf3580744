"""The phases of the war: as everywhere, but for what neutral Italy closes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from talleyrand.engine import checked_orders, movement
from talleyrand.engine.board import Board, province_of
from talleyrand.engine.errors import OrderNotAllowed, OrderRefusal
from talleyrand.engine.game import AdjustmentRules, MovementRules, OrdersByPower, PhaseRules, RetreatRules
from talleyrand.engine.orders import Order, Support
from talleyrand.engine.outcome import OrderResult, PhaseOutcome, Verdict
from talleyrand.engine.position import DislodgedUnit, Position
from talleyrand.engine.rulebook import Rulebook

from .sides import ITALY, closed_provinces, is_italy_neutral, touches_no_italian_unit


def _led(board: Board, position: Position) -> Position:
    """The position with neutral Italy's units led by nobody, and no retreat to where nobody may go."""
    if not is_italy_neutral(position):
        return position
    closed = closed_provinces(board, position)
    fallen = tuple(_kept_out(one, closed) for one in position.dislodged)
    return position.changed(passive=position.passive | {ITALY}, dislodged=fallen)


def _kept_out(one: DislodgedUnit, closed: frozenset[str]) -> DislodgedUnit:
    return one._replace(retreats=tuple(place for place in one.retreats if province_of(place) not in closed))


def _refusal(board: Board, position: Position, power: str, order: Order) -> OrderRefusal | None:
    """What Italy's neutrality has against an order."""
    if not is_italy_neutral(position):
        return None
    if power == ITALY:
        return OrderNotAllowed("italy_unled")
    to = getattr(order, "to", None)
    if to is not None and province_of(to) in closed_provinces(board, position):
        return OrderNotAllowed("italy_closed", places=(province_of(to),))
    if isinstance(order, Support) and touches_no_italian_unit(position):
        target = position.units_by_province.get(order.target.province)
        if target is not None and target.power == ITALY:
            return OrderNotAllowed("italy_unsupported", units=(str(target),))
    return None


class NeutralRules:
    """The rules of a kind of phase in which nobody leads Italy or enters it while it is neutral."""

    def __init__(self, rules: PhaseRules) -> None:
        self.usual_rules = rules

    def adjudicate(
        self, board: Board, position: Position, orders: OrdersByPower, book: Rulebook
    ) -> PhaseOutcome:
        """What becomes of the orders."""
        outcome = self.usual_rules.adjudicate(board, _led(board, position), orders, book)
        after = outcome.position_after.changed(passive=position.passive)
        return replace(outcome, position_after=after)

    def check_order(
        self, board: Board, position: Position, power: str, order: Order, book: Rulebook
    ) -> Order | OrderRefusal:
        """The order as it will be followed, or why it is impossible."""
        led = _led(board, position)
        return _refusal(board, position, power, order) or self.usual_rules.check_order(
            board, led, power, order, book
        )

    def powers_with_choices(self, board: Board, position: Position, book: Rulebook) -> tuple[str, ...]:
        """The powers that have something to decide: not neutral Italy."""
        return self.usual_rules.powers_with_choices(board, _led(board, position), book)

    def legal_orders(self, board: Board, position: Position, power: str, book: Rulebook) -> tuple[Order, ...]:
        """Every legal order of a power."""
        listed = self.usual_rules.legal_orders(board, _led(board, position), power, book)
        return tuple(order for order in listed if _refusal(board, position, power, order) is None)


class NeutralMovementRules(NeutralRules):
    """Kind M."""

    def adjudicate(
        self, board: Board, position: Position, orders: OrdersByPower, book: Rulebook
    ) -> PhaseOutcome:
        """What becomes of the orders; those into Italy are impossible, and so are retreats to it."""

        def check(
            board: Board, led: Position, power: str, order: Order, book: Rulebook
        ) -> Order | OrderRefusal:
            return _refusal(board, led, power, order) or checked_orders.check_order_once(
                board, led, power, order, book
            )

        led, closed = _led(board, position), closed_provinces(board, position)
        judged = movement.adjudicate_checked(board, led, orders, book, check)
        fallen = tuple(_kept_out(one, closed) for one in judged.dislodged)
        lost = {one.unit.province for one in fallen if not one.retreats}
        possible = {
            power: [one for one in some if _refusal(board, position, power, one) is None]
            for power, some in orders.items()
        }
        after = judged.position_after.changed(passive=position.passive, dislodged=fallen)
        verdicts = tuple(_with_fate(one, lost) for one in judged.verdicts)
        return replace(judged, verdicts=verdicts, position_after=after, plain_movement=(led, possible))


def _with_fate(verdict: Verdict, lost: set[str]) -> Verdict:
    """The verdict of a unit that could only retreat to where nobody may go: it is destroyed."""
    fallen = OrderResult.DISLODGED in verdict.results and verdict.unit.province in lost
    if not fallen or OrderResult.DESTROYED in verdict.results:
        return verdict
    return verdict._replace(results=(*verdict.results, OrderResult.DESTROYED))


class NeutralAdjustmentRules(NeutralRules, AdjustmentRules):
    """Kind A."""


PHASES: Mapping[str, PhaseRules] = {
    "M": NeutralMovementRules(MovementRules()),
    "R": NeutralRules(RetreatRules()),
    "A": NeutralAdjustmentRules(AdjustmentRules()),
}
