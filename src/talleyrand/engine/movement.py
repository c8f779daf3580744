"""The movement phase: moves, supports and convoys, judged all at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from . import checked_orders, civil_disorder, legality, paradoxes
from .board import Board
from .errors import OrderRefusal
from .movement_resolution import MovementResolution
from .movement_verdicts import PositionAfterMoves, movement_verdicts
from .orders import Order
from .outcome import PhaseOutcome
from .position import Position
from .rulebook import Rulebook

CheckMovementOrder = Callable[[Board, Position, str, Order, Rulebook], Order | OrderRefusal]


def adjudicate(
    board: Board, position: Position, orders: Mapping[str, Sequence[Order]], book: Rulebook
) -> PhaseOutcome:
    """Judge every order received, by power; illegal ones are refused and their units hold.

    Gives the verdict of every unit, and the position with the moves made: the dislodged with their
    retreats, the provinces left empty by a stand-off.
    """
    return adjudicate_checked(board, position, orders, book, checked_orders.check_order_once)


def adjudicate_checked(
    board: Board,
    position: Position,
    orders: Mapping[str, Sequence[Order]],
    book: Rulebook,
    check: CheckMovementOrder,
) -> PhaseOutcome:
    """The same where a variant has more against orders: `check` tells one as it will be followed, or why it
    is impossible."""

    def verify(power: str, order: Order) -> Order | OrderRefusal:
        return check(board, position, power, order, book)

    settled = legality.settle_movement_orders(verify, orders, book)
    led = civil_disorder.apply_civil_disorder(position, settled.accepted, book)
    outcome = adjudicate_legal_orders(
        board, led, settled.accepted, book, legality.misordered_provinces(position, settled)
    )
    after = outcome.position_after
    if led is not position:
        after = after.changed(
            powers_in_disorder=position.powers_in_disorder, provinces_in_disorder=frozenset()
        )
    return replace(
        outcome,
        verdicts=settled.number_verdicts(outcome.verdicts),
        position_after=after,
        refused=settled.refused,
    )


def adjudicate_legal_orders(
    board: Board,
    position: Position,
    accepted: Mapping[tuple[str, str], Order],
    book: Rulebook,
    misordered: frozenset[str] = frozenset(),
) -> PhaseOutcome:
    """Judge legal orders, one a unit, by (power, province), as `legality.settle` gives them.

    `misordered` names the provinces of units whose every order was refused as impossible.
    """
    battle = MovementResolution(board, position, accepted, book, misordered)
    paradoxes.resolve_decisions(battle)
    aftermath = PositionAfterMoves(battle)
    after = position.changed(
        units=aftermath.units,
        dislodged=tuple(aftermath.dislodged.values()),
        contested=aftermath.contested,
    )
    return PhaseOutcome(movement_verdicts(battle, aftermath), after)
