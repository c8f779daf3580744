"""Questions that no game asks, made to take as long as can be: drawn from a seed."""

from __future__ import annotations

from random import Random
from typing import Any

from talleyrand import variants
from talleyrand.engine.board import Board
from talleyrand.formats import adjudication

Question = dict[str, Any]
# Each was the dearest line of its kind, found by changing word after word.
SLOW_LINES = (
    "A est A east cs / Bur east cs est est Ska army army ; A Bur est A / Ska army cs Bur A / ' Ska east",
    "S ; ; ; ; Golfe ; ; S ; ; S C ; S S ; ; ; ; ; S ; S S ; S S S S ; ; ; ; ; ; S S ; ; S S S ; ; S ; S S",
    "Lon Lon Lon Pet ; F ; Lon A cs A ; A ; Lon ; of Lon A Lon ; A ; A A Pet A Lon A A ; A côte ; Lon Lon",
    "; " * 150,
    "A " * 150,
    "Mar, " * 60,
    "A Par S A Bur - Mun or " * 12,
)


def full_board(seed: int, book: str = "datc", variant: str = "classic") -> Question:
    """An army in every land, moving or carried far away, and a fleet in every sea, which convoys."""
    lot, board = Random(seed), variants.load(variant).definition.board
    armies = [place for place in sorted(board.provinces) if _is_land(board, place)]
    coast = [place for place in armies if board.adjacent_seas.get(place)]
    goals = {place: _goal(lot, board, place, coast) for place in armies}
    units: dict[str, list[str]] = {power: [] for power in board.powers}
    orders: dict[str, list[str]] = {power: [] for power in board.powers}
    for place in sorted(board.provinces):
        power = lot.choice(board.powers)
        if place in goals:
            units[power].append(f"A {place}")
            orders[power].append(f"A {place} - {goals[place]}")
        elif board.is_sea(place):
            carried = lot.choice(coast)
            units[power].append(f"F {place}")
            orders[power].append(f"F {place} C A {carried} - {goals[carried]}")
    return _question(variant, book, units, orders)


def _goal(lot: Random, board: Board, place: str, coast: list[str]) -> str:
    near = [other for other in sorted(board.neighbours[place]) if _is_land(board, other)]
    return lot.choice([other for other in coast if other != place] if place in coast else near)


def contradictions(seed: int, lines: int, book: str = "datc", units: int = 34) -> Question:
    """So many legal orders for so many units: most contradict one another."""
    lot, board = Random(seed), variants.load("classic").definition.board
    standing: dict[str, list[str]] = {power: [] for power in board.powers}
    places = [
        place for place in sorted(board.provinces) if board.is_sea(place) or board.can_stand("A", place)
    ]
    for place in lot.sample(places, units):
        standing[lot.choice(board.powers)].append(f"{'F' if board.is_sea(place) else 'A'} {place}")
    asked = _question("classic", book, standing, {})
    menu: Any = adjudication.legal_orders(asked)
    possible = [(power, one) for power in menu for unit in menu[power] for one in menu[power][unit]]
    for power, order in (lot.choice(possible) for _ in range(lines)):
        asked["orders"].setdefault(power, []).append(order)
    return asked


def _is_land(board: Board, place: str) -> bool:
    return board.can_stand("A", place)


def slow_sheets(line: str, lines: int = 400) -> Question:
    """The same line again and again, from every power, on a board of 34 units."""
    asked = contradictions(1, 0)
    return {**asked, "orders": {power: [line] * lines for power in asked["units"]}}


def _question(variant: str, book: str, units: dict[str, list[str]], orders: dict[str, list[str]]) -> Question:
    return {"variant": variant, "rulebook": book, "phase": "S1901M", "units": units, "orders": orders}
