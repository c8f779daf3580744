"""Small crowds of units whose orders meet, drawn by a seed: convoys, those who disturb them, supports."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from random import Random

from talleyrand.engine.board import Board, Province, Terrain, province_of
from talleyrand.engine.orders import Convoy, Hold, Move, Order, Support
from talleyrand.engine.position import Position, Unit
from tests.oracle.patterns import draw_patterns
from tests.oracle.reading import Reading
from tests.oracle.scenes import PLAIN, SPRING, Crowd, Scene


def draw(random: Random, board: Board) -> Crowd:
    """A crowd in a corner: a known paradox, convoys that their own effect endangers, or what comes."""
    chance = random.random()
    if chance < 0.45:
        return draw_patterns(random, board)
    if chance < 0.8:
        return _Knots(random, board).crowd()
    position = _position(random, board)
    return Crowd(position, _Plan(random, board, position).orders())


def _position(random: Random, board: Board) -> Position:
    """Fleets on neighbouring seas, and units of all sorts on their shores."""
    seas = sorted(filter(board.is_sea, board.provinces))
    here = random.choice(seas if random.random() < 0.85 else sorted(board.provinces))
    near = sorted(board.provinces, key=lambda code: (board.spaces_to_nearest(code, [here]), random.random()))
    count = min(random.randint(5, 12), len(near))
    taken = random.sample(near[: count + random.randint(1, 5)], count)
    powers = random.sample(board.powers, random.randint(2, 4))
    return Position(SPRING, tuple(_unit(random, board, code, powers) for code in taken))


def _unit(random: Random, board: Board, code: str, powers: list[str]) -> Unit:
    kinds = [letter for letter in board.kinds for _ in board.standable_locations(letter, code)]
    kind = random.choice(kinds)
    return Unit(kind, random.choice(board.standable_locations(kind, code)), random.choice(powers))


class _Plan:
    """Who does what: first the attacks, then those who help or carry them, then the rest."""

    def __init__(self, random: Random, board: Board, position: Position) -> None:
        self.random, self.board, self.position = random, board, position
        self.taken: dict[str, Order] = {}
        self.reading = Reading(board, position, {}, PLAIN)
        self.fleets = self.reading.waters.fleets

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
        if self.reading.possible(order):
            self.taken[unit.province] = order

    def _attack(self, unit: Unit) -> Order:
        steps = sorted(self.board.adjacent_locations[unit.kind].get(unit.location, ()))
        shores = self._shores(unit) if self.board.kinds[unit.kind].convoyable else []
        goals = shores * 2 + steps if self.random.random() < 0.7 and shores else steps or shores
        goals += [place for place in goals if province_of(place) in self.position.units_by_province] * 3
        if not goals:
            return Hold(unit.name)
        goal = self.random.choice(goals)
        return Move(unit.name, goal, via=province_of(goal) in shores and self.random.random() < 0.5)

    def _shores(self, unit: Unit) -> list[str]:
        return [
            code
            for code in sorted(self.board.provinces)
            if self.board.can_stand(unit.kind, code)
            and self.reading.waters.chains(unit.province, code, self.fleets)
        ]

    def _help(self, unit: Unit) -> Order:
        moves = [order for order in self.taken.values() if isinstance(order, Move)]
        fit: list[Order] = []
        for move in moves:
            to = move.to if self.random.random() < 0.8 else province_of(move.to)
            fit += self._legal(Convoy(unit.name, move.unit, province_of(move.to))) * 4
            fit += self._legal(Support(unit.name, move.unit, to)) * 3
        for other in self.position.units:
            if not isinstance(self.taken.get(other.province), Move):
                fit += self._legal(Support(unit.name, other.name))
        return self.random.choice(fit or [Hold(unit.name)])

    def _legal(self, order: Order) -> list[Order]:
        return [order] if self.reading.possible(order) else []


class _Knots(Scene):
    """Convoys whose landing would cut the very supports that decide over their fleets."""

    def __init__(self, random: Random, board: Board) -> None:
        super().__init__(random, board)
        self.landings: list[tuple[str, list[str]]] = []
        here = random.choice(sorted(filter(board.is_sea, board.provinces)))
        self.near = [code for code in board.provinces if board.spaces_to_nearest(code, [here]) <= 2]
        self.waters = [code for code in self.near if board.is_sea(code)]

    def crowd(self) -> Crowd:
        wanted, tries = self.random.choice((1, 2, 2, 2, 3)), 0
        while wanted and tries < 12:
            tries += 1
            wanted -= self._convoy()
        for goal, chain in self.landings:
            others = [sea for other, seas in self.landings if other != goal for sea in seas]
            near = [sea for sea in others if sea in self.board.adjacent_seas[goal]]
            self._endanger(self.random.choice(near if near and self.random.random() < 0.8 else chain), goal)
        for _ in range(self.random.randint(2, 8)):
            self.meddle()
        return super().crowd()

    def _convoy(self) -> bool:
        """An army, one to three fleets in a row, a shore; somebody there, somebody who attacks a fleet."""
        board, random = self.board, self.random
        chain = [random.choice(self.waters)]
        while random.random() < 0.3:
            chain.append(random.choice(sorted(board.adjacent_seas[chain[-1]]) or chain))
        start, goal = (random.choice(self.shores(sea, "A")) for sea in (chain[0], chain[-1]))
        if start == goal or start in self.orders or {*chain} & {*self.orders}:
            return False
        army = self.place(start, "A", 0)
        fleets = [self.place(sea, "F", 0) for sea in chain]
        if army is None:
            return False
        self.orders[start] = Move(army.name, goal, via=random.random() < 0.5)
        for fleet in fleets:
            if fleet is not None and random.random() < 0.97:
                self.orders.setdefault(fleet.province, Convoy(fleet.name, army.name, goal))
        self.landings.append((goal, chain))
        return True

    def _endanger(self, sea: str, goal: str) -> None:
        """An attack on the fleet of a sea, with a support from the convoy's goal for it or against it."""
        attacks = [at for at, order in self.orders.items() if isinstance(order, Move) and order.to == sea]
        shore = self.random.choice([code for code in self.shores(sea, "F") if code != goal] or [sea])
        attacker = self.place(shore, "F", 1) if not attacks else self.units[attacks[0]]
        if attacker and not attacks:
            self.orders[shore] = Move(attacker.name, sea)
        supporter = self.place(goal, "F", 1)
        if supporter and attacker and self.random.random() < 0.55:
            self.orders[goal] = Support(supporter.name, attacker.name, sea)
        elif supporter and sea in self.units:
            self.orders[goal] = Support(supporter.name, self.units[sea].name)
            self._reinforce(sea)

    def _reinforce(self, sea: str) -> None:
        """A support for an attack on a fleet."""
        moves = [order for order in self.orders.values() if isinstance(order, Move) and order.to == sea]
        code = self.random.choice(sorted(self.board.neighbours[sea]))
        unit = self.place(code, "F", 1)
        if unit and moves:
            self.orders[code] = Support(unit.name, moves[0].unit, sea)


def small_board(random: Random, like: Board) -> Board:
    """A few seas and shores, nearly all of which touch, with the kinds and powers of another board."""
    seas = [f"S{number}" for number in range(random.randint(2, 4))]
    shores = [f"L{number}" for number in range(random.randint(4, 7))]
    provinces = {
        code: Province(code, Terrain.SEA if code in seas else Terrain.COASTAL, number)
        for number, code in enumerate((*seas, *shores))
    }
    touching = {(a, b) for a in provinces for b in provinces if a < b and random.random() < 0.6}
    touching |= {("L0", seas[0]), *pairwise(seas), *((shore, random.choice(seas)) for shore in shores[1:])}
    dry = [pair for pair in sorted(touching) if not set(seas) & set(pair)]
    land = frozenset(pair for pair in dry if random.random() < 0.5)
    return Board(provinces, like.kinds, like.homes, land, frozenset(touching - land))
