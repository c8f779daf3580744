"""Units and orders put together one by one on a part of the board, drawn by a seed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from random import Random
from typing import NamedTuple

from talleyrand.engine.board import Board, province_of
from talleyrand.engine.orders import Hold, Move, Order, Support
from talleyrand.engine.position import Phase, Position, Unit
from talleyrand.engine.rulebook import Rulebook
from tests.oracle.reading import Reading

MOST = 18
SPRING = Phase("S", 1901, "M")
PLAIN = Rulebook()


class Crowd(NamedTuple):
    """Units, and one order for each that has one, by (power, province)."""

    position: Position
    orders: dict[tuple[str, str], Order]

    def by_province(self) -> dict[str, Order]:
        """Each province with its unit's order."""
        return {province: order for (_, province), order in self.orders.items()}

    def by_power(self) -> dict[str, list[Order]]:
        """Each power's orders, as it would send them."""
        sent: dict[str, list[Order]] = {}
        for (power, _), order in self.orders.items():
            sent.setdefault(power, []).append(order)
        return sent

    def lines(self) -> dict[str, str]:
        """Each power's orders, a comma between; the units without order among them."""
        powers = dict.fromkeys(unit.power for unit in self.position.units)
        return {power: ", ".join(self._lines(power)) for power in powers}

    def _lines(self, power: str) -> Iterator[str]:
        for unit in self.position.units:
            if unit.power == power:
                yield str(self.orders.get((power, unit.province), Hold(unit.name)))


def naming_seas(random: Random, board: Board, crowd: Crowd, share: float) -> Crowd:
    """The same crowd; a share of those who move by sea name the seas, most often some that carry them."""
    reading = Reading(board, crowd.position, crowd.by_province(), PLAIN)
    orders = dict(crowd.orders)
    for (power, at), order in crowd.orders.items():
        if isinstance(order, Move) and random.random() < share:
            paths = _paths(reading, at, order, all_fleets=random.random() < 0.1)
            orders[power, at] = replace(order, path=random.choice(paths)) if paths else order
    return Crowd(crowd.position, orders)


def _paths(reading: Reading, at: str, move: Move, *, all_fleets: bool) -> list[tuple[str, ...]]:
    fleets = reading.waters.fleets if all_fleets else reading.offered.get(at, frozenset())
    return list(reading.waters.paths(at, province_of(move.to), fleets))


@lru_cache(maxsize=8)
def standing(board: Board) -> Mapping[tuple[str, str], tuple[str, ...]]:
    """For a kind of unit and a province the locations at which such a unit may stand."""
    return {
        (kind, code): board.standable_locations(kind, code)
        for kind in board.kinds
        for code in board.provinces
    }


class Scene:
    """A part of the board that fills with units and orders."""

    def __init__(self, random: Random, board: Board) -> None:
        self.random, self.board = random, board
        self.standing = standing(board)
        self.powers = random.sample(board.powers, random.choice((2, 3, 4, 5)))
        self.units: dict[str, Unit] = {}
        self.orders: dict[str, Order] = {}

    def crowd(self) -> Crowd:
        """What stands here, with few of the orders that are impossible."""
        position = Position(SPRING, tuple(self.units.values()))
        reading = Reading(self.board, position, {}, PLAIN)
        return Crowd(
            position,
            {
                (self.units[at].power, at): order
                for at, order in self.orders.items()
                if self.random.random() < 0.1 or reading.possible(order)
            },
        )

    def place(self, code: str, kind: str, side: int) -> Unit | None:
        """The idle unit of this kind there, a new one of that side where the place is free."""
        if code not in self.units and len(self.units) < MOST and self.standing[kind, code]:
            place = self.random.choice(self.standing[kind, code])
            self.units[code] = Unit(kind, place, self._power(side))
        unit = self.units.get(code)
        return unit if unit and unit.kind == kind and code not in self.orders else None

    def _power(self, side: int) -> str:
        if self.random.random() < 0.9:
            return self.powers[side % len(self.powers)]
        return self.random.choice(self.powers)

    def shores(self, sea: str, kind: str) -> list[str]:
        """The provinces round a sea where a unit of this kind may stand."""
        near = sorted(self.board.neighbours[sea])
        return [code for code in near if self.standing[kind, code]] or [sea]

    def meddle(self) -> None:
        """One more unit close by, that attacks where others do or supports one of them."""
        board, random = self.board, self.random
        moves = [order for order in self.orders.values() if isinstance(order, Move)]
        if not moves:
            return
        move = random.choice(moves)
        where = random.choice([province_of(move.to), province_of(move.to), move.unit.province, *self.orders])
        code = random.choice(sorted(board.neighbours[where]))
        unit = self.place(code, random.choice("AFF"), random.choice((0, 1, 1, 2)))
        if unit is None:
            return
        if where == province_of(move.to) and random.random() < 0.55:
            self.orders[code] = Support(unit.name, move.unit, move.to)
        elif random.random() < 0.6:
            self.orders[code] = Move(unit.name, self.landing(unit, where))
        elif where in self.units and not isinstance(self.orders.get(where), Move):
            self.orders[code] = Support(unit.name, self.units[where].name)

    def landing(self, unit: Unit, goal: str) -> str:
        """A location of a province that a unit reaches, the province itself where it reaches none."""
        return self.random.choice(self.board.landing_locations(unit.kind, unit.location, goal) or (goal,))
