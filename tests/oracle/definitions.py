"""The movement phase by its definitions alone, for judging the judge.

A `World` says of every move whether it succeeds and of every convoyed attack whether its convoy takes
place. From it everything else follows by the rules: who is dislodged, what is cut, how strong each
attack is. A world is *consistent* when these, recomputed, give the same world again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

from talleyrand.engine.board import province_of
from talleyrand.engine.orders import Convoy, Move, Order, Support
from tests.oracle.reading import Chain, Reading


class World(NamedTuple):
    """The moves that succeed, the convoys that take place and the kept supports that last, by province."""

    moved: Set[str]
    sailed: Set[str]
    lasting: Set[str] = frozenset()


@dataclass(frozen=True, eq=False)
class Orders(Reading):
    """What follows from a world, and the facts that a rulebook has settled beforehand.

    Attacks that are `absent` do not exist. Those that are `tame` cut no support into a sea whose unit
    is ordered to convoy; those that are `harmless` cut none at all. `kept` says of some supports once
    and for all whether they count; of these the `fragile` are lost all the same when an attack of the
    `core` dislodges their giver.
    """

    absent: frozenset[str] = frozenset()
    tame: frozenset[str] = frozenset()
    harmless: frozenset[str] = frozenset()
    core: frozenset[str] = frozenset()
    fragile: frozenset[str] = frozenset()
    kept: Mapping[str, bool] = field(default_factory=dict)

    def without(self, attacks: Set[str]) -> Orders:
        """The same orders, as if these attacks did not exist."""
        return replace(self, absent=self.absent | attacks)

    def taming(self, attacks: Set[str]) -> Orders:
        """The same orders, these attacks cutting no action in a sea with a convoy."""
        return replace(self, tame=self.tame | attacks)

    def keeping(self, supports: Mapping[str, bool], attacks: Set[str]) -> Orders:
        """The same orders, these supports counted or not whatever these attacks do to their givers."""
        lossy = self.book.paradox_support_survives_dislodgement == "no"
        fragile = {at for at in supports if lossy and supports[at]}
        return replace(
            self,
            kept={**self.kept, **supports},
            core=self.core | attacks,
            fragile=self.fragile | fragile,
        )

    # convoys

    def convoy_stands(self, mover: str, world: World) -> bool:
        """Whether enough of the fleets that convoy an attack keep their place."""
        whole = self._whole(mover, world)
        every = self.book.multi_route_disruption == "any_route"
        return bool(whole) and (not every or len(whole) == len(self.routes[mover]))

    def _whole(self, mover: str, world: World, spared: str = "") -> list[Chain]:
        """The routes of which no fleet is dislodged; one fleet's fate may be left open."""
        routes = self.routes[mover]
        lost = {sea for sea in frozenset().union(*routes) - {spared} if self.dislodger(sea, world)}
        return [route for route in routes if not route & lost]

    def _wins_by_land(self, mover: str, world: World) -> bool:
        """Whether a move would succeed if it and the opposite one met by land."""
        by_land = _Without(world.sailed, (mover, self.goals[mover]))
        return self.succeeds(mover, world._replace(sailed=by_land))

    def by_sea(self, mover: str, world: World) -> bool:
        """Whether a move is one by convoy, disrupted or not."""
        if self.travel[mover] in ("land", "sea"):
            return self.travel[mover] == "sea"
        if mover not in world.sailed:
            return False
        return self.travel[mover] == "either" or not self._wins_by_land(mover, world)

    def arrives(self, mover: str, world: World) -> bool:
        """Whether an attack reaches the province it is aimed at."""
        return mover not in self.absent and (self.travel[mover] != "sea" or mover in world.sailed)

    def felt(self, mover: str, world: World) -> bool:
        """Whether an attack cuts and keeps others out where it goes."""
        if self.arrives(mover, world):
            return True
        rule = self.book.disrupted_convoy_effect
        return mover not in self.absent and rule == "cuts_and_bounces" and bool(self.routes[mover])

    # meetings

    def dislodger(self, at: str, world: World) -> str | None:
        """Who dislodges the unit of a province, if anybody."""
        attackers = self.against.get(at, ()) if at in self.units else ()
        if not attackers or (at in self.goals and at in world.moved):
            return None
        return next((mover for mover in attackers if mover in world.moved), None)

    def head_on(self, mover: str, world: World) -> bool:
        """Whether mover and goal attack each other, neither by convoy unless no exchange is allowed."""
        goal = self.goals[mover]
        if self.goals.get(goal) != mover or {mover, goal} & self.absent:
            return False
        if self.book.convoy_exchange == "forbidden":
            return self.arrives(mover, world) and self.arrives(goal, world)
        return not self.by_sea(mover, world) and not self.by_sea(goal, world)

    @cached_property
    def comes_from(self) -> Mapping[str, str]:
        """The last fleet of every route offered to an attack by sea, where a book meets it there."""
        if self.book.convoy_origin_in_head_to_head != "last_fleet":
            return {}
        by_sea = [mover for mover in self.goals if self.travel[mover] in ("sea", "either")]
        last = {mover: self._last_of(mover, self.routes[mover]) for mover in by_sea}
        return {mover: sea for mover, sea in last.items() if sea}

    def _last_of(self, mover: str, routes: Sequence[Chain]) -> str | None:
        """The fleet with which all these routes end, if there is one."""
        shore, named = self.board.adjacent_seas[self.goals[mover]], self._named(mover)
        last = {named[-1]} if named and routes else {sea for route in routes for sea in route & shore}
        return last.pop() if len(last) == 1 else None

    def meets_at_sea(self, army: str, fleet: str) -> bool:
        """Whether a fleet that leaves the army's goal attacks the sea the army comes from."""
        sea = self.comes_from.get(army)
        present = army not in self.absent and fleet not in self.absent
        return present and sea is not None and self.goals[army] == fleet and self.goals.get(fleet) == sea

    def faces(self, mover: str, world: World) -> bool:
        """Whether an attack meets the unit where it goes head-on, by land or, by sea, at the last fleet."""
        at_sea = self.meets_at_sea(mover, self.goals[mover]) and self.by_sea(mover, world)
        return at_sea or self.head_on(mover, world)

    # supports

    def cutters(self, supporter: str, world: World) -> list[str]:
        """The attacks that cut a support."""
        return [mover for mover in self.against.get(supporter, ()) if self.cuts(mover, supporter, world)]

    def cuts(self, mover: str, supporter: str, world: World) -> bool:
        """Whether an attack cuts a support."""
        same = self.units[mover].power == self.units[supporter].power
        if same or self._spares(mover, supporter) or not self.felt(mover, world):
            return False
        if self._keeps_its_convoy(mover, supporter, world):
            return False
        if mover == self.directed(supporter):
            strict = self.book.support_cut_by_convoy_from_target == "cut" and self.by_sea(mover, world)
            return strict or mover in world.moved
        return not self.from_sea_attacked(mover, supporter, world) or mover in world.moved

    def _spares(self, mover: str, supporter: str) -> bool:
        """Whether the rule for a paradox keeps an attack from cutting a support."""
        tamed = mover in self.tame and isinstance(self.given.get(self.directed(supporter)), Convoy)
        return tamed or mover in self.harmless

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
        possible = self._whole(mover, world, spared=where)
        return bool(possible) and all(where in route for route in possible)

    def from_sea_attacked(self, mover: str, supporter: str, world: World) -> bool:
        """Whether a convoyed attack counts as coming from the sea that the support is an attack on."""
        if self.book.convoy_origin_in_paradoxes != "last_fleet" or not self.by_sea(mover, world):
            return False
        where = self.directed(supporter)
        attack = self.supports[supporter].to is not None
        if not attack or where not in self.offered[mover]:
            return False
        return self._last_of(mover, self._whole(mover, world, spared=where)) == where

    def counts(self, supporter: str, world: World) -> bool:
        """Whether a matching support is given."""
        if supporter in self.fragile and supporter not in world.lasting:
            return False
        if supporter in self.kept:
            return self.kept[supporter]
        return not self.cutters(supporter, world)

    def lasts(self, supporter: str, world: World) -> bool:
        """Whether no attack of the core dislodges the giver of a kept support."""
        return not any(mover in self.core and mover in world.moved for mover in self.against[supporter])

    # strengths

    def helped(self, at: str, world: World, without: str = "") -> int:
        """One, and one for each support given; those of the power `without` left out."""
        return 1 + sum(
            self.units[supporter].power != without and self.counts(supporter, world)
            for supporter in self.helping.get(at, ())
        )

    def attack(self, mover: str, world: World) -> int:
        """The strength of an attack: no unit dislodges, nor helps to dislodge, one of its own power."""
        goal = self.goals[mover]
        if not self.arrives(mover, world):
            return 0
        if goal not in self.units or self._leaves(mover, goal, world):
            return self.helped(mover, world)
        if self.units[goal].power == self.units[mover].power:
            return 0
        return self.helped(mover, world, without=self.units[goal].power)

    def _leaves(self, mover: str, goal: str, world: World) -> bool:
        """Whether the unit attacked goes away, not against its attacker."""
        return goal in self.goals and goal in world.moved and not self.faces(mover, world)

    def resistance(self, mover: str, world: World) -> int:
        """The strength that an attack must overcome in the unit where it goes."""
        goal = self.goals[mover]
        if goal not in self.units:
            return 0
        if self.faces(mover, world):
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
        # the dislodger could as well have come by a convoy that stands: the unit keeps its effect
        relieved = self.travel.get(goal) == "relief" and goal in world.sailed
        head_on = self.head_on(mover, world) and not relieved
        if robbed and (self.book.dislodged_unit_effect == "never" or head_on):
            return 0
        return self.helped(mover, world)

    def succeeds(self, mover: str, world: World) -> bool:
        """Whether an attack is stronger than all that opposes it."""
        strength = self.attack(mover, world)
        rivals = (other for other in self.against[self.goals[mover]] if other != mover)
        return (
            strength > self.resistance(mover, world)
            and all(strength > self.prevention(rival, world) for rival in rivals)
            and all(strength > self.helped(army, world) for army in self._met_by(mover))
        )

    def _met_by(self, fleet: str) -> Iterator[str]:
        """The armies that the unit leaving their goal meets at the sea they come from."""
        return (army for army in self.against.get(fleet, ()) if self.meets_at_sea(army, fleet))

    def holds_true(self, kind: str, at: str, world: World) -> bool:
        """What a world makes of one of its own statements: `moved`, `sailed` or `lasting`."""
        return {"moved": self.succeeds, "sailed": self.convoy_stands, "lasting": self.lasts}[kind](at, world)

    # groups

    def linked(self) -> Iterator[frozenset[str]]:
        """The provinces in groups: orders linked by a shared space, a support or a convoy."""
        spaces: list[set[str]] = []
        for at, order in self.given.items():
            touched = {at, *self._touched(order)}
            near = [space for space in spaces if space & touched]
            spaces = [space for space in spaces if not space & touched]
            spaces.append(touched.union(*near))
        yield from map(frozenset, spaces)

    @staticmethod
    def _touched(order: Order) -> set[str]:
        touched = set()
        if isinstance(order, Move | Support | Convoy) and order.to:
            touched.add(province_of(order.to))
        if isinstance(order, Support | Convoy):
            touched.add(order.target.province)
        return touched


class _Without(Set[str]):
    """All of a set but some."""

    def __init__(self, whole: Set[str], missing: tuple[str, ...]) -> None:
        self.whole, self.missing = whole, missing

    def __contains__(self, item: object) -> bool:
        return item not in self.missing and item in self.whole

    def __iter__(self) -> Iterator[str]:
        return (item for item in self.whole if item not in self.missing)

    def __len__(self) -> int:
        return sum(1 for _ in self)
