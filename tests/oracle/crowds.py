"""Small crowds of units whose orders meet, drawn by a seed: convoys, those who disturb them, supports."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from random import Random
from typing import NamedTuple

from talleyrand.engine import legality
from talleyrand.engine.board import Board, Ground, Province, province_of
from talleyrand.engine.errors import Refusal
from talleyrand.engine.orders import Convoy, Hold, Move, Order, Support
from talleyrand.engine.position import Phase, Position, Unit
from talleyrand.engine.rulebook import Rulebook

MOST = 13


class Crowd(NamedTuple):
    """Units, and one legal order for each, by (power, province)."""

    position: Position
    orders: dict[tuple[str, str], Order]

    def by_province(self) -> dict[str, Order]:
        """Each province with its unit's order."""
        return {province: order for (_, province), order in self.orders.items()}

    def lines(self) -> dict[str, str]:
        """Each power's orders, a comma between."""
        powers = dict.fromkeys(unit.power for unit in self.position.units)
        return {
            power: ", ".join(
                str(self.orders.get((power, unit.province), Hold(unit.name)))
                for unit in self.position.units
                if unit.power == power
            )
            for power in powers
        }


def draw(random: Random, board: Board, book: Rulebook) -> Crowd:
    """A crowd in a corner of the board: drawn at large, or round convoys that their own effect endangers."""
    if random.random() < 0.7:
        return _Knots(random, board, book).crowd()
    position = _position(random, board)
    return Crowd(position, _Plan(random, board, position, book).orders())


def _position(random: Random, board: Board) -> Position:
    """Fleets on neighbouring seas, and units of all sorts on their shores."""
    seas = sorted(filter(board.is_sea, board.provinces))
    here = random.choice(seas if random.random() < 0.85 else sorted(board.provinces))
    near = sorted(board.provinces, key=lambda code: (board.distance(code, [here]), random.random()))
    count = min(random.randint(5, 12), len(near))
    taken = random.sample(near[: count + random.randint(1, 5)], count)
    powers = random.sample(board.powers, random.randint(2, 4))
    return Position(Phase("S", 1901, "M"), tuple(_unit(random, board, code, powers) for code in taken))


def _unit(random: Random, board: Board, code: str, powers: list[str]) -> Unit:
    kinds = [letter for letter in board.kinds for _ in board.standing(letter, code)]
    kind = random.choice(kinds)
    return Unit(kind, random.choice(board.standing(kind, code)), random.choice(powers))


class _Plan:
    """Who does what: first the attacks, then those who help or carry them, then the rest."""

    def __init__(self, random: Random, board: Board, position: Position, book: Rulebook) -> None:
        self.random, self.board, self.position, self.book = random, board, position, book
        self.taken: dict[str, Order] = {}
        seas = [unit for unit in position.units if board.is_sea(unit.province)]
        self.fleets = {unit.province for unit in seas if board.kinds[unit.kind].convoys}

    def orders(self) -> dict[tuple[str, str], Order]:
        for unit in self._shuffled():
            if self.random.random() < self._eagerness(unit):
                self._take(unit, self._attack(unit))
        for unit in self._shuffled():
            if unit.province not in self.taken and self.random.random() < 0.95:
                self._take(unit, self._help(unit))
        return {(unit.power, unit.province): self.taken[unit.province] for unit in self._standing()}

    def _standing(self) -> Iterator[Unit]:
        return (unit for unit in self.position.units if unit.province in self.taken)

    def _shuffled(self) -> list[Unit]:
        return self.random.sample(self.position.units, len(self.position.units))

    def _eagerness(self, unit: Unit) -> float:
        if unit.province in self.fleets:
            return 0.3
        return 0.75 if self.board.kinds[unit.kind].convoyable else 0.45

    def _take(self, unit: Unit, order: Order) -> None:
        legal = legality.check(self.board, self.position, unit.power, order, self.book)
        if not isinstance(legal, Refusal):
            self.taken[unit.province] = legal

    def _attack(self, unit: Unit) -> Order:
        steps = sorted(self.board.steps[unit.kind].get(unit.location, ()))
        shores = self._shores(unit) if self.board.kinds[unit.kind].convoyable else []
        goals = shores * 2 + steps if self.random.random() < 0.7 and shores else steps or shores
        goals += [place for place in goals if province_of(place) in self.position.at] * 3
        if not goals:
            return Hold(unit.name)
        goal = self.random.choice(goals)
        return Move(unit.name, goal, via=province_of(goal) in shores and self.random.random() < 0.5)

    def _shores(self, unit: Unit) -> list[str]:
        return [
            code
            for code in sorted(self.board.provinces)
            if legality.can_sail(self.board, unit, code, self.fleets)
        ]

    def _help(self, unit: Unit) -> Order:
        moves = [order for order in self.taken.values() if isinstance(order, Move)]
        fit: list[Order] = []
        for move in moves:
            to = move.to if self.random.random() < 0.8 else province_of(move.to)
            fit += self._legal(unit, Convoy(unit.name, move.unit, province_of(move.to))) * 4
            fit += self._legal(unit, Support(unit.name, move.unit, to)) * 3
        for other in self.position.units:
            if not isinstance(self.taken.get(other.province), Move):
                fit += self._legal(unit, Support(unit.name, other.name))
        return self.random.choice(fit or [Hold(unit.name)])

    def _legal(self, unit: Unit, order: Order) -> list[Order]:
        legal = legality.check(self.board, self.position, unit.power, order, self.book)
        return [] if isinstance(legal, Refusal) else [legal]


class _Knots:
    """Convoys whose landing would cut the very supports that decide over their fleets."""

    def __init__(self, random: Random, board: Board, book: Rulebook) -> None:
        self.random, self.board, self.book = random, board, book
        self.powers = random.sample(board.powers, 3)
        self.units: dict[str, Unit] = {}
        self.orders: dict[str, Order] = {}
        self.landings: list[tuple[str, list[str]]] = []
        here = random.choice(sorted(filter(board.is_sea, board.provinces)))
        self.near = [code for code in board.provinces if board.distance(code, [here]) <= 2]
        self.waters = [code for code in self.near if board.is_sea(code)]

    def crowd(self) -> Crowd:
        wanted, tries = self.random.choice((1, 2, 2, 2, 3)), 0
        while wanted and tries < 12:
            tries += 1
            wanted -= self._convoy()
        for goal, chain in self.landings:
            others = [sea for other, seas in self.landings if other != goal for sea in seas]
            near = [sea for sea in others if sea in self.board.waters[goal]]
            self._endanger(self.random.choice(near if near and self.random.random() < 0.8 else chain), goal)
        for _ in range(self.random.randint(2, 8)):
            self._meddle()
        position = Position(Phase("S", 1901, "M"), tuple(self.units.values()))
        checked = {
            at: legality.check(self.board, position, self.units[at].power, order, self.book)
            for at, order in self.orders.items()
        }
        legal = {at: order for at, order in checked.items() if not isinstance(order, Refusal)}
        return Crowd(position, {(self.units[at].power, at): order for at, order in legal.items()})

    def _place(self, code: str, kind: str, side: int) -> Unit | None:
        """The unit of this kind there, a new one of that side where the place is free."""
        if code not in self.units and len(self.units) < MOST and self.board.standing(kind, code):
            place = self.random.choice(self.board.standing(kind, code))
            power = self.powers[side] if self.random.random() < 0.8 else self.random.choice(self.powers)
            self.units[code] = Unit(kind, place, power)
        unit = self.units.get(code)
        return unit if unit and unit.kind == kind and code not in self.orders else None

    def _convoy(self) -> bool:
        """An army, one to three fleets in a row, a shore; somebody there, somebody who attacks a fleet."""
        board, random = self.board, self.random
        chain = [random.choice(self.waters)]
        while random.random() < 0.3:
            chain.append(random.choice(sorted(board.waters[chain[-1]]) or chain))
        start, goal = (random.choice(self._shores(sea, "A")) for sea in (chain[0], chain[-1]))
        if start == goal or start in self.orders or {*chain} & {*self.orders}:
            return False
        army = self._place(start, "A", 0)
        fleets = [self._place(sea, "F", 0) for sea in chain]
        if army is None:
            return False
        self.orders[start] = Move(army.name, goal, via=random.random() < 0.5)
        for fleet in fleets:
            if fleet is not None and random.random() < 0.97:
                self.orders.setdefault(fleet.province, Convoy(fleet.name, army.name, goal))
        self.landings.append((goal, chain))
        return True

    def _shores(self, sea: str, kind: str) -> list[str]:
        near = sorted(self.board.neighbours[sea])
        return [code for code in near if self.board.standing(kind, code)] or [sea]

    def _endanger(self, sea: str, goal: str) -> None:
        """An attack on the fleet of a sea, with a support from the convoy's goal for it or against it."""
        attacks = [at for at, order in self.orders.items() if isinstance(order, Move) and order.to == sea]
        shore = self.random.choice([code for code in self._shores(sea, "F") if code != goal] or [sea])
        attacker = self._place(shore, "F", 1) if not attacks else self.units[attacks[0]]
        if attacker and not attacks:
            self.orders[shore] = Move(attacker.name, sea)
        supporter = self._place(goal, "F", 1)
        if supporter and attacker and self.random.random() < 0.55:
            self.orders[goal] = Support(supporter.name, attacker.name, sea)
        elif supporter and sea in self.units:
            self.orders[goal] = Support(supporter.name, self.units[sea].name)
            self._reinforce(sea)

    def _reinforce(self, sea: str) -> None:
        """A support for an attack on a fleet."""
        moves = [order for order in self.orders.values() if isinstance(order, Move) and order.to == sea]
        code = self.random.choice(sorted(self.board.neighbours[sea]))
        unit = self._place(code, "F", 1)
        if unit and moves:
            self.orders[code] = Support(unit.name, moves[0].unit, sea)

    def _meddle(self) -> None:
        """One more unit close by, that attacks where others do or supports one of them."""
        board, random = self.board, self.random
        moves = [order for order in self.orders.values() if isinstance(order, Move)]
        if not moves:
            return
        move = random.choice(moves)
        where = random.choice([province_of(move.to), province_of(move.to), move.unit.province, *self.orders])
        code = random.choice(sorted(board.neighbours[where]))
        unit = self._place(code, random.choice("AFF"), random.choice((0, 1, 1, 2)))
        if unit is None:
            return
        if where == province_of(move.to) and random.random() < 0.55:
            self.orders[code] = Support(unit.name, move.unit, move.to)
        elif random.random() < 0.6:
            self.orders[code] = Move(unit.name, where)
        elif where in self.units and not isinstance(self.orders.get(where), Move):
            self.orders[code] = Support(unit.name, self.units[where].name)


def small_board(random: Random, like: Board) -> Board:
    """A few seas and shores, nearly all of which touch, with the kinds and powers of another board."""
    seas = [f"S{number}" for number in range(random.randint(2, 4))]
    shores = [f"L{number}" for number in range(random.randint(4, 7))]
    provinces = {
        code: Province(code, Ground.SEA if code in seas else Ground.COASTAL, number)
        for number, code in enumerate((*seas, *shores))
    }
    touching = {(a, b) for a in provinces for b in provinces if a < b and random.random() < 0.6}
    touching |= {("L0", seas[0]), *pairwise(seas), *((shore, random.choice(seas)) for shore in shores[1:])}
    dry = [pair for pair in sorted(touching) if not set(seas) & set(pair)]
    land = frozenset(pair for pair in dry if random.random() < 0.5)
    return Board(provinces, like.kinds, like.homes, land, frozenset(touching - land))
