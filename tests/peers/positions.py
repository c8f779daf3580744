"""Positions and orders drawn at random for the classic board: crowded, contested, reproducible.

One number gives one position, whatever was drawn before. All orders are legal by the DATC's book.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from random import Random
from typing import NamedTuple

from talleyrand.engine import convoys, legality
from talleyrand.engine.board import Board, province_of
from talleyrand.engine.errors import OrderRefusal
from talleyrand.engine.orders import Convoy, Hold, Move, Support
from talleyrand.engine.position import Phase, Position, Unit, UnitName
from talleyrand.engine.rulebook import Rulebook

BOOK = Rulebook()
SPRING = Phase("S", 1901, "M")
MovementOrder = Hold | Move | Support | Convoy
Orders = Mapping[tuple[str, str], MovementOrder]


class Drawn(NamedTuple):
    """A position with a legal order for each unit, by (power, province)."""

    number: int
    position: Position
    orders: Orders


def draw(board: Board, seed: int, number: int) -> Drawn:
    """The position of this number: 10 to 34 units of several powers, crowded together."""
    lot = Random(f"{seed}/{number}")
    position = Position(SPRING, _units(board, lot))
    return Drawn(number, position, orders(board, position, lot))


def read(lines: Iterable[str]) -> Drawn:
    """A position written as one order a line, `POWER order`: the units are those that are ordered."""
    orders = dict(_order(line) for line in lines)
    units = (Unit(order.unit.kind, order.unit.location, power) for (power, _), order in orders.items())
    return Drawn(-1, Position(SPRING, tuple(units)), orders)


def write(drawn: Drawn) -> list[str]:
    """The same, the other way round."""
    return [f"{power} {order}" for (power, _), order in drawn.orders.items()]


def _order(line: str) -> tuple[tuple[str, str], MovementOrder]:
    power, kind, location, sign, *rest = line.split()
    name = UnitName(kind, location)
    target = UnitName(*rest[:2]) if sign in "SC" else name
    to = rest[-1] if len(rest) == 4 else None
    order: MovementOrder = Hold(name)
    if sign == "-":
        order = Move(name, rest[0], via=rest[1:] == ["VIA"])
    elif sign == "S":
        order = Support(name, target, to)
    elif sign == "C":
        order = Convoy(name, target, str(to))
    return (power, name.province), order


def _units(board: Board, lot: Random) -> tuple[Unit, ...]:
    count = lot.randint(10, 34)
    powers = lot.sample(board.powers, lot.randint(2, len(board.powers)))
    region = _region(board, lot, min(len(board.provinces), int(count * lot.uniform(1.2, 2))))
    places = sorted(lot.sample(region, min(count, len(region))))
    return tuple(_unit(board, lot, code, lot.choice(powers)) for code in places)


def _region(board: Board, lot: Random, size: int) -> list[str]:
    """So many provinces that hang together."""
    start = lot.choice(sorted(board.neighbours))
    region, edge = {start}, sorted(board.neighbours[start])
    while len(region) < size and edge:
        code = edge.pop(lot.randrange(len(edge)))
        region.add(code)
        edge = sorted({*edge, *board.neighbours[code]} - region)
    return sorted(region)


def _unit(board: Board, lot: Random, code: str, power: str) -> Unit:
    places = [(kind, place) for kind in board.kinds for place in board.standable_locations(kind, code)]
    return Unit(*lot.choice(places), power)


def orders(
    board: Board, position: Position, lot: Random, wanted: Iterable[str] = ()
) -> dict[tuple[str, str], MovementOrder]:
    """A legal order for each unit: attacks, on the wanted places above all (some drawn here where none
    is named), their supports and convoys."""
    drawing = _Drawing(board, position, lot, wanted)
    drawing.embark()
    drawing.attack()
    drawing.convoy()
    drawing.support()
    return {
        (unit.power, unit.province): drawing.orders.get(unit.province, Hold(unit.name))
        for unit in position.units
    }


class _Drawing:
    def __init__(self, board: Board, position: Position, lot: Random, wanted: Iterable[str]) -> None:
        self.board, self.position, self.lot = board, position, lot
        self.orders: dict[str, MovementOrder] = {}
        codes = sorted(board.provinces)
        self.wanted = set(wanted) or set(lot.sample(codes, len(codes) // 2))
        self.fleets = convoys.convoying_fleets(board, position)

    def _give(self, unit: Unit, order: MovementOrder) -> bool:
        if isinstance(
            legality.check_movement_order(self.board, self.position, unit.power, order, BOOK), OrderRefusal
        ):
            return False
        self.orders[unit.province] = order
        return True

    def _free(self, share: float) -> Iterator[Unit]:
        """Units without order, each with this chance, in a random order."""
        units = [unit for unit in self.position.units if unit.province not in self.orders]
        self.lot.shuffle(units)
        yield from (unit for unit in units if self.lot.random() < share)

    def _prefer(self, places: list[str]) -> str:
        wanted = [place for place in places if province_of(place) in self.wanted]
        return self.lot.choice(wanted if wanted and self.lot.random() < 0.7 else places)

    def embark(self) -> None:
        """Attacks by convoy; where their fleets lie is then worth attacking."""
        for army in self._free(0.3):
            landings = self._landings(army)
            if landings and army.province not in self.orders:
                self._sail(army, self._prefer(landings))

    def attack(self) -> None:
        for unit in self._free(0.5):
            near = sorted(self.board.adjacent_locations[unit.kind].get(unit.location, ()))
            if near:
                self._give(unit, Move(unit.name, self._prefer(near)))

    def _landings(self, unit: Unit) -> list[str]:
        if not self.board.kinds[unit.kind].convoyable:
            return []
        return [
            code
            for code in sorted(self.board.provinces)
            if legality.can_be_convoyed(self.board, unit, code, self.fleets)
        ]

    def _sail(self, army: Unit, goal: str) -> None:
        """An attack by convoy, and orders for the fleets of one or two routes."""
        near = goal in self.board.adjacent_provinces[army.kind].get(army.location, ())
        if not self._give(army, Move(army.name, goal, via=near and self.lot.random() < 0.6)):
            return
        routes = list(convoys.proper_routes(self.board, self.fleets, army.province, goal))
        for route in self.lot.sample(routes, min(len(routes), self.lot.randint(1, 2))):
            for sea in route:
                fleet = self.position.units_by_province[sea]
                if sea not in self.orders and self.lot.random() < 0.95:
                    self._give(fleet, Convoy(fleet.name, army.name, goal))
                    self.wanted.add(sea)

    def convoy(self) -> None:
        """A few convoys for armies that do otherwise."""
        armies = [unit for unit in self.position.units if self.board.kinds[unit.kind].convoyable]
        for unit in self._free(0.04):
            if armies and convoys.can_convoy(self.board, unit):
                army = self.lot.choice(armies)
                landings = self._landings(army)
                if landings:
                    self._give(unit, Convoy(unit.name, army.name, self.lot.choice(landings)))

    def support(self) -> None:
        for unit in list(self._free(0.9)):
            attacks, stays = self._supportable(unit)
            if attacks and self.lot.random() < 0.8:
                target, order = self.lot.choice(attacks)
                self._give(unit, Support(unit.name, target.name, self._spoken(order.to)))
            elif stays:
                target = self._likely(stays)
                self._give(unit, Support(unit.name, target.name))

    def _supportable(self, unit: Unit) -> tuple[list[tuple[Unit, Move]], list[Unit]]:
        reach = self.board.adjacent_provinces[unit.kind].get(unit.location, frozenset())
        others = [other for other in self.position.units if other != unit]
        attacks = [
            (other, order)
            for other in others
            if isinstance(order := self.orders.get(other.province), Move) and province_of(order.to) in reach
        ]
        return attacks, [other for other in others if other.province in reach]

    def _likely(self, others: list[Unit]) -> Unit:
        """A unit that stays, as a rule."""
        stays = [other for other in others if not isinstance(self.orders.get(other.province), Move)]
        return self.lot.choice(stays if stays and self.lot.random() < 0.8 else others)

    def _spoken(self, to: str) -> str:
        """The goal as a support names it: now and then another coast, or none."""
        chance = self.lot.random()
        if "/" in to and chance < 0.2:
            return province_of(to)
        if "/" in to and chance < 0.3:
            return self.lot.choice(self.board.provinces[province_of(to)].locations)
        return to
