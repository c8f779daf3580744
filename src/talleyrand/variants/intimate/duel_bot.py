"""What a bot writes beside moves and retreats: a list in any order, bids for the year, a winter by worth."""

from __future__ import annotations

from collections.abc import Sequence

from talleyrand.engine.board import Board
from talleyrand.engine.orders import Build, Disband, Order, PoliticalOrder
from talleyrand.engine.politics_protocol import BotView
from talleyrand.engine.position import Position
from talleyrand.engine.rulebook import Rulebook

from .bidding import BID, LIST
from .command_rules import CommandedAdjustments, commanded_counts, commanded_powers, ordered_power
from .duel_state import duel_state_of, mercenaries, powers_of_board

YEARLY_SHARE = 2  # a bot spends one credit in two each year


def list_of_homes(
    board: Board,
    position: Position,
    seat: str,
    book: Rulebook,
    view: BotView,
) -> Sequence[Order]:
    """The seven powers in any order."""
    left, found = list(powers_of_board(board)), []
    while left:
        found.append(left.pop(view.random_below(len(left))))
    return (PoliticalOrder(" ".join((LIST, *found))),)


def bids(
    board: Board,
    position: Position,
    seat: str,
    book: Rulebook,
    view: BotView,
) -> Sequence[Order]:
    """Half of its credits, one by one on any mercenary power that still has units."""
    state = duel_state_of(position)
    alive = {unit.power for unit in position.units}
    for_hire = [power for power in mercenaries(board, state) if power in alive]
    found: dict[str, int] = {}
    for _ in range(-(-state.credits.get(seat, 0) // YEARLY_SHARE) if for_hire else 0):
        power = for_hire[view.random_below(len(for_hire))]
        found[power] = found.get(power, 0) + 1
    written = " / ".join(f"{power} {amount}" for power, amount in found.items())
    return (PoliticalOrder(f"{BID} {written}"),) if found else ()


def winter(board: Board, position: Position, seat: str, book: Rulebook, view: BotView) -> Sequence[Order]:
    """For each power that it commands the most useful builds, and the least useful units removed."""
    options = CommandedAdjustments().legal_orders(board, position, seat, book)
    counts = commanded_counts(board, position, book)
    found: list[Order] = []
    for power in commanded_powers(board, position, seat):
        due = counts[power]
        used: set[str] = set()
        own = [order for order in options if ordered_power(board, position, seat, order, book) == power]
        leaving = [order for order in own if isinstance(order, Disband)]
        found += sorted(leaving, key=lambda order: view.unit_value(order.unit))[: due.removals]
        coming = [order for order in own if isinstance(order, Build)]
        for order in sorted(coming, key=lambda order: -view.unit_value(order.unit)):
            if len(used) < due.possible and order.unit.province not in used:
                used.add(order.unit.province)
                found.append(order)
    return found
