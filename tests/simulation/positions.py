"""Positions with legal orders for the kernel and the engine: crowds with many convoys, and games."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import NamedTuple

from talleyrand import variants
from talleyrand.engine import legality
from talleyrand.engine.board import Board, Province, Terrain
from talleyrand.engine.errors import OrderRefusal
from talleyrand.engine.orders import Order
from talleyrand.engine.position import Position
from talleyrand.engine.rulebook import Rulebook
from tests.oracle.crowds import draw
from tests.peers import positions as spread

Sheets = Mapping[str, Sequence[Order]]


class Legal(NamedTuple):
    """What the judges are given: legal orders, and the units whose every order was impossible."""

    position: Position
    orders: Mapping[tuple[str, str], Order]
    misordered: frozenset[str]


def crowded(board: Board) -> Board:
    """The same board for seven powers at least, as many as a crowd may have."""
    more = (f"POWER{number}" for number in range(len(board.powers), 7))
    return replace(board, homes={**board.homes, **dict.fromkeys(more, ())})


def many_seas() -> Board:
    """Sixty-two seas side by side between two shores: more than compiled code counts fleets."""
    classic = variants.load("classic").definition.board
    seas = {f"S{number}": Province(f"S{number}", Terrain.SEA, number) for number in range(62)}
    shores = {code: Province(code, Terrain.COASTAL, 62 + number) for number, code in enumerate(("LA", "LB"))}
    touching = frozenset((shore, sea) for shore in shores for sea in seas)
    return Board({**seas, **shores}, classic.kinds, classic.homes, frozenset(), touching)


def crowds(board: Board, seed: int, count: int) -> Iterator[tuple[Position, Sheets]]:
    """Crowds round convoys, and armies spread over a region; a few powers wrote nothing or are passive."""
    for number in range(count):
        lot = Random(f"simulation {seed}/{number}")
        if number % 3:
            position, orders = draw(lot, board)
        else:
            drawn = spread.draw(board, seed, number)
            position, orders = drawn.position, dict(drawn.orders)
        yield _left_alone(position, lot), sheets(orders)


def sheets(orders: Mapping[tuple[str, str], Order]) -> Sheets:
    """The orders of each power."""
    written: dict[str, list[Order]] = {}
    for (power, _), order in orders.items():
        written.setdefault(power, []).append(order)
    return written


def _left_alone(position: Position, lot: Random) -> Position:
    powers = sorted({unit.power for unit in position.units})
    if lot.random() < 0.9 or not powers:
        return position
    idle = lot.choice(powers)
    provinces = frozenset(unit.province for unit in position.units if unit.power == idle)
    return lot.choice(
        (
            replace(position, powers_in_disorder=frozenset({idle})),
            replace(position, passive=frozenset({idle})),
            replace(position, provinces_in_disorder=provinces),
        )
    )


def legal(board: Board, position: Position, written: Sheets, book: Rulebook) -> Legal:
    """The orders that count by a book, as the engine settles them."""

    def verify(power: str, order: Order) -> Order | OrderRefusal:
        return legality.check_movement_order(board, position, power, order, book)

    settled = legality.settle_movement_orders(verify, written, book)
    return Legal(position, settled.accepted, legality.misordered_provinces(position, settled))
