"""The movement phase by its definitions alone, for judging the judge.

A `World` says of every move whether it succeeds and of every convoyed attack whether its convoy takes
place. From it everything else follows by the rules: who is dislodged, what is cut, how strong each
attack is. A world is *consistent* when these, recomputed, give the same world again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations
from typing import NamedTuple

from talleyrand.engine.board import Board, province_of
from talleyrand.engine.orders import Convoy, Move, Order, Support
from talleyrand.engine.position import Position, Unit
from talleyrand.engine.rulebook import Rulebook


class World(NamedTuple):
    """The moves that succeed and the convoys that take place, by the province of the mover."""

    moved: frozenset[str]
    sailed: frozenset[str]


@dataclass(frozen=True, eq=False)
class Orders:
    """Legal orders, one a unit at most, read by the definitions of the rules.

    `counted` says of some supports once and for all whether they count; `harmless` names attacks that,
    by convoy, cut none.
    """

    board: Board
    position: Position
    given: Mapping[str, Order]
    book: Rulebook
    counted: Mapping[str, bool] = field(default_factory=dict)
    harmless: frozenset[str] = frozenset()

    def with_facts(self, counted: Mapping[str, bool], harmless: Set[str]) -> Orders:
        """The same orders, with facts that a rulebook has settled beforehand."""
        return replace(self, counted={**self.counted, **counted}, harmless=self.harmless | harmless)

    # what was ordered

    @cached_property
    def units(self) -> Mapping[str, Unit]:
        return {unit.province: unit for unit in self.position.units}

    @cached_property
    def goals(self) -> Mapping[str, str]:
        """Each mover's province with the province it attacks."""
        return {at: province_of(order.to) for at, order in self.given.items() if isinstance(order, Move)}

    @cached_property
    def against(self) -> Mapping[str, tuple[str, ...]]:
        """Each attacked province with its attackers' provinces."""
        goals = self.goals
        return {goal: tuple(at for at in goals if goals[at] == goal) for goal in set(goals.values())}

    @cached_property
    def offered(self) -> Mapping[str, frozenset[str]]:
        """For each mover the fleets ordered to convoy exactly this attack."""
        convoys = {at: order for at, order in self.given.items() if isinstance(order, Convoy)}
        return {
            mover: frozenset(
                at for at, order in convoys.items() if (order.target.province, order.to) == (mover, goal)
            )
            for mover, goal in self.goals.items()
        }

    @cached_property
    def travel(self) -> Mapping[str, str]:
        """For each mover `land`, `sea`, or `either` (by sea where the convoy takes place, else by land)."""
        return {mover: self._travel(mover) for mover in self.goals}

    def _travel(self, mover: str) -> str:
        unit, goal = self.units[mover], self.goals[mover]
        near = {province_of(place) for place in self.board.steps[unit.kind].get(unit.location, ())}
        if goal not in near:
            return "sea"
        order = self.given[mover]
        asked = isinstance(order, Move) and order.via
        rule, otherwise = self.book.land_or_sea_route, self.book.route_fallback
        if rule == "opposite_move_only":
            swap = self.goals.get(goal) == mover and bool(self.chains(mover, self.offered[mover]))
            return "either" if swap else "land"
        sea = asked or (rule != "marker_required" and self._means_sea(mover))
        if rule == "own_chain_or_marker":
            return "sea" if sea else "land"
        return ("either" if otherwise == "to_land" else "sea") if sea else "land"

    def _means_sea(self, mover: str) -> bool:
        """Whether the fleets of the army's own power show that it goes by sea."""
        power, offered = self.units[mover].power, self.offered[mover]
        if self.book.land_or_sea_route == "own_fleet_or_marker":
            return any(self.units[fleet].power == power for fleet in offered)
        own = {fleet for fleet in self._afloat if self.units[fleet].power == power}
        return any(chain & own and chain & own <= offered for chain in self.chains(mover, self._afloat))

    @cached_property
    def _afloat(self) -> frozenset[str]:
        board = self.board
        return frozenset(
            at for at, unit in self.units.items() if board.kinds[unit.kind].convoys and board.is_sea(at)
        )

    def chains(self, mover: str, fleets: Set[str]) -> list[frozenset[str]]:
        """The smallest sets of these fleets that link the mover to its goal: no fleet can be spared."""
        found: list[frozenset[str]] = []
        for size in range(1, len(fleets) + 1):
            for some in map(frozenset, combinations(sorted(fleets), size)):
                if not any(chain <= some for chain in found) and self._links(mover, some):
                    found.append(some)
        return found

    def _links(self, mover: str, fleets: Set[str]) -> bool:
        touching = self.board.neighbours
        reached = {fleet for fleet in fleets if fleet in self.board.waters.get(mover, ())}
        for _ in fleets:
            reached |= {fleet for fleet in fleets if touching[fleet] & reached}
        return any(fleet in self.board.waters.get(self.goals[mover], ()) for fleet in reached)

    @cached_property
    def _all_chains(self) -> Mapping[str, list[frozenset[str]]]:
        return {mover: self.chains(mover, fleets) for mover, fleets in self.offered.items()}

    @cached_property
    def supports(self) -> Mapping[str, Support]:
        """The supports that match what their unit does."""
        return {
            at: order
            for at, order in self.given.items()
            if isinstance(order, Support) and self._matches(at, order)
        }

    def _matches(self, at: str, order: Support) -> bool:
        target = order.target.province
        lost = self.units[target].power in self.position.disorder
        if lost and self.book.civil_disorder_support == "forbidden":
            return False
        move = self.given.get(target)
        if not isinstance(move, Move):
            return order.to is None
        if order.to is None or province_of(order.to) != province_of(move.to):
            return False
        return self._coast_matches(at, order.to, self.units[target], move.to)

    def _coast_matches(self, at: str, said: str, target: Unit, real: str) -> bool:
        own = target.power == self.units[at].power
        rule = self.book.support_coast_own if own else self.book.support_coast_foreign
        if rule == "ignored" or said == real:
            return True
        if "/" in said:
            return False
        near = self.board.steps[target.kind][target.location]
        choice = sum(province_of(place) == said for place in near) > 1
        return not (choice and rule == "must_match")

    @cached_property
    def helping(self) -> Mapping[str, tuple[str, ...]]:
        """Each supported unit's province with its supporters' provinces."""
        targets = {order.target.province for order in self.supports.values()}
        return {
            target: tuple(at for at, order in self.supports.items() if order.target.province == target)
            for target in targets
        }

    def directed(self, supporter: str) -> str:
        """The province a support acts in."""
        order = self.supports[supporter]
        return province_of(order.to) if order.to else order.target.province

    # what follows from a world

    def dislodger(self, at: str, world: World) -> str | None:
        """Who dislodges the unit of a province, if anybody."""
        if at not in self.units or at in world.moved:
            return None
        return next((mover for mover in self.against.get(at, ()) if mover in world.moved), None)

    def convoy_stands(self, mover: str, world: World) -> bool:
        """Whether enough of the fleets that convoy an attack keep their place."""
        lost = {fleet for fleet in self.offered[mover] if self.dislodger(fleet, world)}
        chains = self._all_chains[mover]
        whole = [chain for chain in chains if not chain & lost]
        return bool(whole) and (self.book.multi_route_disruption == "all_routes" or whole == chains)

    def by_sea(self, mover: str, world: World) -> bool:
        """Whether a move is one by convoy, disrupted or not."""
        return self.travel[mover] == "sea" or (self.travel[mover] == "either" and mover in world.sailed)

    def felt(self, mover: str, world: World) -> bool:
        """Whether an attack has an effect where it goes: not if its convoy is disrupted."""
        return self.travel[mover] != "sea" or mover in world.sailed

    def head_on(self, mover: str, world: World) -> bool:
        """Whether mover and goal attack each other, neither by convoy."""
        goal = self.goals[mover]
        return (
            self.goals.get(goal) == mover and not self.by_sea(mover, world) and not self.by_sea(goal, world)
        )

    def cutters(self, supporter: str, world: World) -> list[str]:
        """The attacks that cut a support."""
        return [mover for mover in self.against.get(supporter, ()) if self.cuts(mover, supporter, world)]

    def cuts(self, mover: str, supporter: str, world: World) -> bool:
        """Whether an attack cuts a support."""
        same = self.units[mover].power == self.units[supporter].power
        if same or not self.felt(mover, world):
            return False
        spared = mover in self.harmless and self.by_sea(mover, world)
        if spared or self._keeps_its_convoy(mover, supporter, world):
            return False
        if mover != self.directed(supporter):
            return True
        strict = self.book.support_cut_by_convoy_from_target == "cut" and self.by_sea(mover, world)
        return strict or mover in world.moved

    def _keeps_its_convoy(self, mover: str, supporter: str, world: World) -> bool:
        """Whether the rule that a convoyed army spares supports against its own convoy applies."""
        rule, where = self.book.convoy_self_protection, self.directed(supporter)
        if rule == "cuts" or not self.by_sea(mover, world):
            return False
        if rule == "never_cuts_action_in_convoy_sea":
            return isinstance(self.given.get(where), Convoy)
        attack = self.supports[supporter].to is not None
        if not attack or where not in self.offered[mover]:
            return False
        if rule == "never_cuts_any_convoying_fleet":
            return True
        lost = {fleet for fleet in self.offered[mover] if self.dislodger(fleet, world)}
        possible = [chain for chain in self._all_chains[mover] if not chain & (lost - {where})]
        return all(where in chain for chain in possible)

    def counts(self, supporter: str, world: World) -> bool:
        """Whether a matching support is given."""
        if supporter in self.counted:
            return self.counted[supporter]
        return not self.cutters(supporter, world)

    def helped(self, at: str, world: World, without: str = "") -> int:
        """One, and one for each support given; those of the power `without` left out."""
        return 1 + sum(
            self.units[supporter].power != without and self.counts(supporter, world)
            for supporter in self.helping.get(at, ())
        )

    def attack(self, mover: str, world: World) -> int:
        """The strength of an attack: no unit dislodges, nor helps to dislodge, one of its own power."""
        goal = self.goals[mover]
        if not self.felt(mover, world):
            return 0
        leaves = goal in world.moved and not self.head_on(mover, world)
        if goal not in self.units or leaves:
            return self.helped(mover, world)
        if self.units[goal].power == self.units[mover].power:
            return 0
        return self.helped(mover, world, without=self.units[goal].power)

    def resistance(self, mover: str, world: World) -> int:
        """The strength that an attack must overcome in the unit where it goes."""
        goal = self.goals[mover]
        if goal not in self.units:
            return 0
        if self.head_on(mover, world):
            return self.helped(goal, world)
        if goal in self.goals:
            return 0 if goal in world.moved else 1
        return self.helped(goal, world)

    def prevention(self, mover: str, world: World) -> int:
        """The strength with which an attack keeps others out of where it goes."""
        goal = self.goals[mover]
        if not self.felt(mover, world):
            return 0
        robbed = self.dislodger(mover, world) == goal
        if robbed and (self.book.dislodged_unit_effect == "never" or self.head_on(mover, world)):
            return 0
        return self.helped(mover, world)

    def succeeds(self, mover: str, world: World) -> bool:
        """Whether an attack is stronger than all that opposes it."""
        strength = self.attack(mover, world)
        rivals = (other for other in self.against[self.goals[mover]] if other != mover)
        return strength > self.resistance(mover, world) and all(
            strength > self.prevention(rival, world) for rival in rivals
        )

    def holds_true(self, kind: str, mover: str, world: World) -> bool:
        """What a world makes of one of its own statements: `moved` or `sailed`."""
        return self.succeeds(mover, world) if kind == "moved" else self.convoy_stands(mover, world)

    def linked(self) -> Iterator[frozenset[str]]:
        """The movers in groups: orders linked by a shared space, a support or a convoy."""
        spaces: list[set[str]] = []
        for at, order in self.given.items():
            touched = {at, *self._touched(order)}
            near = [space for space in spaces if space & touched]
            spaces = [space for space in spaces if not space & touched]
            spaces.append(touched.union(*near))
        for space in spaces:
            if movers := space & set(self.goals):
                yield frozenset(movers)

    @staticmethod
    def _touched(order: Order) -> set[str]:
        touched = set()
        if isinstance(order, Move | Support | Convoy) and order.to:
            touched.add(province_of(order.to))
        if isinstance(order, Support | Convoy):
            touched.add(order.target.province)
        return touched
