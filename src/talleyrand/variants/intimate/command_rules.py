"""Moves, retreats and winters in which two sides write the orders to the units of the powers they command.

The engine judges by power, as always; a side's sheet is parted among its powers, and what came of it is told
under the side. A power that nobody has hired holds, retreats nowhere, builds nothing, and loses units by
the rules.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from talleyrand.engine import adjustments
from talleyrand.engine.adjustments import AdjustmentCount
from talleyrand.engine.board import Board, province_of
from talleyrand.engine.errors import OrderNotAllowed, OrderRefusal
from talleyrand.engine.game import AdjustmentRules, MovementRules, OrdersByPower, PhaseRules, RetreatRules
from talleyrand.engine.orders import Build, Order, PoliticalOrder, Waive
from talleyrand.engine.outcome import PhaseOutcome
from talleyrand.engine.position import Position
from talleyrand.engine.rulebook import Rulebook

from .duel_state import SIDES, duel_state_of, powers_of_board


def commanded_powers(board: Board, position: Position, side: str) -> tuple[str, ...]:
    """The powers with land whose units a side orders, its home power first."""
    state = duel_state_of(position)
    led = [power for power in powers_of_board(board) if state.leader(power) == side]
    return tuple(sorted(led, key=lambda power: power != state.homes.get(side)))


def judged_position(board: Board, position: Position) -> Position:
    """The position as the engine judges it: powers without a side stand still, those of a side that wrote
    nothing are in disorder."""
    state = duel_state_of(position)
    leaders = {power: state.leader(power) for power in powers_of_board(board)}
    return position.changed(
        passive=frozenset(power for power, side in leaders.items() if not side),
        powers_in_disorder=frozenset(p for p, side in leaders.items() if side in position.powers_in_disorder),
        torn=frozenset(power for power, side in leaders.items() if side in position.torn),
    )


class _PartedSheets:
    """The sheets of both sides, parted by the powers whose units they order."""

    def __init__(self, board: Board, position: Position, orders: OrdersByPower, book: Rulebook) -> None:
        self.board, self.position, self.book = board, position, book
        self.state = duel_state_of(position)
        self.lines: dict[str, list[tuple[str, int, Order]]] = {}
        for side, own in orders.items():
            for number, order in enumerate(own):
                power = ordered_power(board, position, side, order, book, own[:number])
                self.lines.setdefault(power, []).append((side, number, order))

    @property
    def orders(self) -> Mapping[str, Sequence[Order]]:
        return {power: [order for _, _, order in lines] for power, lines in self.lines.items()}

    def outcome_by_side(self, outcome: PhaseOutcome) -> PhaseOutcome:
        """The outcome with every verdict and refusal under the side that leads, by its own sheet."""
        verdicts = tuple(
            one._replace(
                power=self.state.leader(one.power) or one.power,
                number=None if one.number is None else self.lines[one.power][one.number][1],
            )
            for one in outcome.verdicts
        )
        refused = tuple(
            one._replace(
                power=self.lines[one.power][one.number][0], number=self.lines[one.power][one.number][1]
            )
            for one in outcome.refused
        )
        after = outcome.position_after.changed(
            passive=self.position.passive,
            powers_in_disorder=self.position.powers_in_disorder,
            torn=self.position.torn,
        )
        return replace(outcome, verdicts=verdicts, refused=refused, position_after=after)


def ordered_power(
    board: Board, position: Position, side: str, order: Order, book: Rulebook, before: Sequence[Order] = ()
) -> str:
    """The power that an order is for, where its side commands that power; else the side itself, which has no
    unit and no home.

    A waiver, which names no power, goes to the first with a build left after the lines `before` it.
    """
    led = commanded_powers(board, position, side)
    if isinstance(order, Waive):
        taken = [
            ordered_power(board, position, side, one, book, before[:at]) for at, one in enumerate(before)
        ]
        due = adjustments.adjustment_counts(board, judged_position(board, position), book)
        return next((power for power in led if due[power].possible > taken.count(power)), side)
    if order.unit is None:
        return side
    if isinstance(order, Build):
        code = province_of(order.unit.location)
        return next((power for power in led if code in position.homes_of(board, power)), side)
    fallen = (one.unit for one in position.dislodged if one.unit.province == order.unit.province)
    standing = position.units_by_province.get(order.unit.province)
    unit = next(fallen, None) if position.phase.kind == "R" else standing
    return unit.power if unit is not None and unit.power in led else side


class _CommandedRules:
    """What the three kinds of phase have in common; `wrapped_rules` are the engine's."""

    wrapped_rules: PhaseRules

    def adjudicate(
        self, board: Board, position: Position, orders: OrdersByPower, book: Rulebook
    ) -> PhaseOutcome:
        """What becomes of the orders."""
        sheets = _PartedSheets(board, position, orders, book)
        judged = judged_position(board, position)
        outcome = self.wrapped_rules.adjudicate(board, judged, sheets.orders, book)
        if position.phase.kind == "M":
            outcome = replace(outcome, plain_movement=(judged, sheets.orders))
        return sheets.outcome_by_side(outcome)

    def check_order(
        self, board: Board, position: Position, power: str, order: Order, book: Rulebook
    ) -> Order | OrderRefusal:
        """The order as it will be followed, or why it is impossible."""
        if isinstance(order, PoliticalOrder):
            return OrderNotAllowed("wrong_phase", text=order.text)
        whose = ordered_power(board, position, power, order, book)
        return self.wrapped_rules.check_order(board, judged_position(board, position), whose, order, book)

    def powers_with_choices(self, board: Board, position: Position, book: Rulebook) -> tuple[str, ...]:
        """The sides with something to decide."""
        state = duel_state_of(position)
        deciding = self.wrapped_rules.powers_with_choices(board, judged_position(board, position), book)
        leaders = {state.leader(power) for power in deciding}
        return tuple(side for side in SIDES if side in leaders)

    def legal_orders(self, board: Board, position: Position, power: str, book: Rulebook) -> tuple[Order, ...]:
        """Every legal order to the units of the powers that a side commands."""
        judged = judged_position(board, position)
        return tuple(
            order
            for led in commanded_powers(board, position, power)
            for order in self.wrapped_rules.legal_orders(board, judged, led, book)
        )


class CommandedMovement(_CommandedRules, MovementRules):
    """Kind M."""

    wrapped_rules = MovementRules()


class CommandedRetreats(_CommandedRules, RetreatRules):
    """Kind R."""

    wrapped_rules = RetreatRules()


class CommandedAdjustments(_CommandedRules, AdjustmentRules):
    """Kind A."""

    wrapped_rules = AdjustmentRules()


def commanded_counts(board: Board, position: Position, book: Rulebook) -> dict[str, AdjustmentCount]:
    """What the winter owes each power, and each side for all that it commands."""
    counts = adjustments.adjustment_counts(board, judged_position(board, position), book)
    return {**counts, **dict(_by_side(board, position, counts))}


def _by_side(
    board: Board, position: Position, counts: Mapping[str, AdjustmentCount]
) -> Iterator[tuple[str, AdjustmentCount]]:
    for side in SIDES:
        led = [counts[power] for power in commanded_powers(board, position, side)]
        yield (
            side,
            AdjustmentCount(
                sum(one.balance for one in led),
                sum(one.possible for one in led),
                sum(one.removals for one in led),
            ),
        )
