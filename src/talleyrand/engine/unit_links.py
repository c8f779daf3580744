"""Which units of a movement phase their orders bring together: who attacks and helps whom, who bears on whom.

Units are numbered in the order of their provinces, and a set of them is a whole number with a bit for each.
Which order a unit follows hangs on the units that its orders speak of, and on the fleets where one of them
may need a chain (`reads`). Apart from the rest are judged those whose orders touch one another, directly or
through others (`near`); fewer bear on what becomes of one unit (`bearing_on`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from .board import Board, province_of
from .convoys import can_convoy
from .orders import Convoy, Move, Order, Support
from .position import Position, Unit

UnitSet = int
"""Some units of a phase, a bit for each."""
NOBODY: UnitSet = 0
HELPING = (Support, Convoy)


def each_unit(units: UnitSet) -> list[UnitSet]:
    """The units of a set one by one, each as a set, in their order."""
    found = []
    while units:
        first = units & -units
        found.append(first)
        units ^= first
    return found


def unit_numbers(units: UnitSet) -> list[int]:
    """The numbers of the units of a set, in their order."""
    return [one.bit_length() - 1 for one in each_unit(units)]


class NearUnits(NamedTuple):
    """Some units one by one, the nearest first, and all of them."""

    nearest_first: Sequence[UnitSet]
    together: UnitSet


class UnitLinks:
    """The units of a phase with the orders for them.

    `provinces` are those of its units by their numbers, `bits` each unit as a set by its province. `given`
    holds the orders for each unit; `attackers` and `helpers` by province the units that attack it, and those
    that support or convoy the unit in it. Of `may_need_fleets` an order, or the one it supports, may need a
    chain of fleets.
    """

    def __init__(self, board: Board, position: Position, orders: Mapping[str, Sequence[Order]]) -> None:
        self.board, self.position = board, position
        self.provinces = tuple(sorted(position.units_by_province))
        self.units = tuple(position.units_by_province[province] for province in self.provinces)
        self.bits = {province: 1 << number for number, province in enumerate(self.provinces)}
        self.everybody = (1 << len(self.units)) - 1
        self._take(orders)
        self.attackers: defaultdict[str, UnitSet] = defaultdict(int)
        self.helpers: defaultdict[str, UnitSet] = defaultdict(int)
        self.attack_count: defaultdict[str, int] = defaultdict(int)
        self.convoying = self.may_need_fleets = NOBODY
        self._touching: defaultdict[str, UnitSet] = defaultdict(int)
        self._touched = [*map(self._places_touched, range(len(self.units)))]
        self._near: dict[int, NearUnits] = {}
        self._shores: dict[str, UnitSet] = {}
        self._waters: dict[UnitSet, Sequence[UnitSet]] = {}
        self.attacking = [self.attackers.get(province, NOBODY) for province in self.provinces]
        """For each unit, those that attack it."""
        self.helping = [self.helpers.get(province, NOBODY) for province in self.provinces]
        """For each unit, those that support or convoy it."""

    def _take(self, orders: Mapping[str, Sequence[Order]]) -> None:
        """Note the orders for each unit, and those of its own power."""
        bits, units = self.bits, self.units
        self.given: list[list[Order]] = [[] for _ in units]
        self._own: list[list[Order]] = [[] for _ in units]
        for power, sheet in orders.items():
            for order in sheet:
                bit = bits.get(province_of(order.unit.location)) if order.unit is not None else None
                if bit is not None:
                    number = bit.bit_length() - 1
                    self.given[number].append(order)
                    if units[number].power == power:
                        self._own[number].append(order)

    def _places_touched(self, number: int) -> set[str]:
        """The provinces that a unit's orders speak of, its own among them; notes who speaks of them."""
        bit, province = 1 << number, self.provinces[number]
        found = {province}
        for order in self.given[number]:
            if isinstance(order, Move):
                goal = province_of(order.to)
                found.add(goal)
                found.update(order.path)
                self.attackers[goal] |= bit
                self.attack_count[goal] += 1
            elif isinstance(order, HELPING):
                target, goal = province_of(order.target.location), province_of(order.to or "")
                found.add(target)
                if goal:
                    found.add(goal)
                self.helpers[target] |= bit
                if isinstance(order, Convoy):
                    self.convoying |= bit
            else:
                continue
            if self._needs_fleets(order):
                self.may_need_fleets |= bit
        for place in found:
            self._touching[place] |= bit
        return found

    def _needs_fleets(self, order: Order) -> bool:
        """Whether an order of a unit that stands, or the one it supports, may need a chain of fleets."""
        if isinstance(order, Move):
            far = self._is_far(province_of(order.unit.location), province_of(order.to))
            return order.via or bool(order.path) or far
        if isinstance(order, Support) and order.to:
            return self._is_far(province_of(order.target.location), province_of(order.to))
        return isinstance(order, Convoy)

    def _is_far(self, province: str, goal: str) -> bool:
        """Whether the unit of a province does not reach another by a step of its own."""
        unit = self.position.units_by_province.get(province)
        return unit is None or goal not in self.board.adjacent_provinces[unit.kind][unit.location]

    def named(self, units: Iterable[Unit]) -> UnitSet:
        """These units; one that is not of the phase counts as a unit beyond all that are."""
        bits, beyond, found = self.bits, self.everybody + 1, NOBODY
        for unit in units:
            found |= bits.get(unit.province, beyond)
        return found

    # who touches whom -------------------------------------------------------------------------

    def near(self, number: int) -> NearUnits:
        """The units that may bear on one another with this one."""
        if number not in self._near:
            self._near[number] = self._spread(number)
        return self._near[number]

    def _spread(self, number: int) -> NearUnits:
        linked = self._linked
        found = edge = 1 << number
        listed = []
        while edge:
            near = NOBODY
            while edge:
                first = edge & -edge
                edge ^= first
                listed.append(first)
                near |= linked[first]
            edge = near & ~found
            found |= edge
        return NearUnits(listed, found)

    @cached_property
    def _linked(self) -> Mapping[UnitSet, UnitSet]:
        """For each unit, those whose orders speak of what its own speak of, and the fleets it may need."""
        touching, found = self._touching, {}
        for number, touched in enumerate(self._touched):
            bit = 1 << number
            near = self._fleets if self.may_need_fleets & bit else NOBODY
            for place in touched:
                near |= touching[place]
            found[bit] = near
        return found

    def touching_near(self, number: int) -> UnitSet:
        """The units whose orders speak of a neighbour of this one's province."""
        touching, found = self._touching, NOBODY
        for place in self.board.neighbours[self.provinces[number]]:
            found |= touching.get(place, NOBODY)
        return found

    @cached_property
    def _fleets(self) -> UnitSet:
        return sum(1 << number for number, unit in enumerate(self.units) if can_convoy(self.board, unit))

    @cached_property
    def intricate(self) -> UnitSet:
        """The units whose orders may depend on fleets, or count only because another does not."""
        several = sum(1 << number for number, given in enumerate(self.given) if len(given) > 1)
        carried = NOBODY
        for number in unit_numbers(self.convoying):
            for order in self.given[number]:
                if isinstance(order, Convoy):
                    carried |= self.bits.get(order.target.province, NOBODY)
        return several | carried | self.may_need_fleets

    @cached_property
    def reads(self) -> Sequence[UnitSet]:
        """For each unit, those that tell which of its orders counts."""
        return [*map(self._ordered_links, range(len(self.units)))]

    def _ordered_links(self, number: int) -> UnitSet:
        found, needs_fleets = NOBODY, self.may_need_fleets >> number & 1
        for order in self._own[number]:
            if isinstance(order, HELPING):
                army = province_of(order.target.location)
                found |= self.bits.get(army, NOBODY)
            elif needs_fleets and isinstance(order, Move):
                army = self.provinces[number]
            else:
                continue
            if needs_fleets and self._needs_fleets(order):
                found |= self._fleets_between(army, province_of(order.to or ""))
        return found

    def _fleets_between(self, origin: str, goal: str) -> UnitSet:
        """The fleets that may be links of a chain from province to province, of all those on the board."""
        starts, ends = self.shore(origin), self.shore(goal)
        return sum(water for water in self.waters(self._fleets) if water & starts and water & ends)

    # fleets -----------------------------------------------------------------------------------

    def shore(self, province: str) -> UnitSet:
        """The fleets beside a province that may convoy."""
        if province not in self._shores:
            seas = self.board.adjacent_seas.get(province, ())
            self._shores[province] = self._fleets & sum([self.bits.get(sea, NOBODY) for sea in seas])
        return self._shores[province]

    def waters(self, fleets: UnitSet) -> Sequence[UnitSet]:
        """These fleets in groups, from each of which a chain reaches all of its group and no other."""
        if fleets not in self._waters:
            self._waters[fleets] = [*self._joined(fleets)]
        return self._waters[fleets]

    def _joined(self, fleets: UnitSet) -> Iterator[UnitSet]:
        beside, rest = self._beside, fleets
        while rest:
            water = edge = rest & -rest
            while edge:
                first = edge & -edge
                near = beside[first] & fleets & ~water
                water |= near
                edge = edge ^ first | near
            yield water
            rest &= ~water

    @cached_property
    def _beside(self) -> Mapping[UnitSet, UnitSet]:
        """For each fleet that may convoy, those that touch it."""
        return {
            fleet: self.shore(self.provinces[fleet.bit_length() - 1]) for fleet in each_unit(self._fleets)
        }

    # who bears on whom ------------------------------------------------------------------------

    def bearing_on(self, number: int, standing: UnitSet) -> UnitSet:
        """A unit and all that bear on it, directly or through others, of those that stand: without the rest
        becomes of it what becomes of it beside them, but for the places that it may retreat to.

        A move reads who stands at its goal, who else attacks it and who helps each of them; a unit in its
        place reads who attacks it. A support is read whole, the unit that it speaks of only for its order:
        what becomes of that unit decides no support. Where orders are `intricate`, all are read that touch.
        """
        decisions, orders = self._decisions_read, self._orders_read
        found = rest = (1 << number | self.attacking[number]) & standing
        seen = NOBODY
        while rest:
            first = rest & -rest
            here = first.bit_length() - 1
            seen |= orders[here]
            near = decisions[here] & standing & ~found
            found |= near
            rest = rest ^ first | near
        return (found | seen) & standing

    @cached_property
    def _decisions_read(self) -> Sequence[UnitSet]:
        """For each unit, those of which its own decision reads what becomes of them."""
        found = []
        for number, given in enumerate(self.given):
            if self.intricate >> number & 1:
                read = self._linked[1 << number]
            elif given and isinstance(given[0], Move):
                goal = province_of(given[0].to)
                read = self.attackers[goal] | self.bits.get(goal, NOBODY) | self.helping[number]
            else:
                read = self.attacking[number] | self.helping[number]
            found.append(read)
        return found

    @cached_property
    def _orders_read(self) -> Sequence[UnitSet]:
        """For each unit, those of which its own decision reads the order, and what tells which that is."""
        reads, found = self.reads, []
        for number, given in enumerate(self.given):
            read = reads[number]
            for order in given:
                if isinstance(order, Support):
                    for place in (order.target.location, order.to or ""):
                        spoken = self.bits.get(province_of(place), NOBODY)
                        read |= spoken | (reads[spoken.bit_length() - 1] if spoken else NOBODY)
            found.append(read)
        return found
