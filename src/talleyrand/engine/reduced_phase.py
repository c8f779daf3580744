"""A movement phase judged again without some of its units: what becomes of those that are left.

Nothing is settled twice that a removal does not touch. Which order a unit follows hangs on the units that its
orders speak of, and on the fleets where one of them may need a chain; so it is looked up, not checked again.
Causes, retreats and notes are left out, for nobody asks. `CompiledRemovals` may judge many removals at
once, and gives the same.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple, Protocol

from . import legality, paradoxes
from .board import Board, province_of
from .civil_disorder import apply_civil_disorder
from .convoys import can_convoy
from .errors import OrderRefusal
from .movement_resolution import MovementResolution
from .movement_verdicts import results_by_province
from .orders import Convoy, Move, Order, Support
from .position import Position, Unit
from .rulebook import Rulebook
from .step_budget import StepBudget

Removed = frozenset[str]
NOBODY: Removed = frozenset()
Fate = tuple[tuple[str, ...], bool]


class Fates(Protocol):
    """By province, what becomes of a unit: its results, and whether none of its orders counts."""

    def __getitem__(self, province: str, /) -> Fate: ...


class FollowedOrder(NamedTuple):
    """The order that a unit follows, None where none counts, and whether all it has are impossible."""

    order: Order | None
    is_misordered: bool


FollowedOrders = Mapping[str, FollowedOrder]


class Removal(NamedTuple):
    """Units that are taken away of a circle, the only ones on the board: what all of the circle follow, and
    what the others follow instead without them."""

    removed: Removed
    followed: FollowedOrders
    instead: FollowedOrders


RemovalJudge = Callable[[Sequence[Removal]], Sequence[Fates | None]]
"""Tells at once what becomes of the units that each of several removals leaves; None where the engine has to
tell."""
CompiledRemovals = Callable[[Board, Position, FollowedOrders, Rulebook], RemovalJudge | None]
"""Makes such a judge of a phase with all that its units follow; None where it cannot."""


class BudgetExceeded(Exception):
    """A reason takes more effort than there is for it."""


class UnitCircle:
    """Units of a phase that are judged apart from the rest, and what became of them without some."""

    def __init__(self, phase: ReducedPhase, provinces: frozenset[str]) -> None:
        self.phase, self.provinces = phase, provinces
        at, weights = phase.position.units_by_province, phase.weights
        self.units = {province: at[province] for province in phase.given if province in provinces}
        self.followed = {province: phase.followed(province, provinces) for province in self.units}
        self.weight = sum(weights[province] for province in self.units)
        self._paid: set[Removed] = set()
        self.fates: dict[Removed, Fates] = {}

    def pay(self, removed: Removed) -> None:
        """Spend the effort for one removal, unless it is paid; raises BudgetExceeded."""
        if removed not in self._paid:
            self.phase.pay(self.steps(removed))
            self._paid.add(removed)

    def fate(self, province: str, removed: Removed) -> Fate:
        """What becomes of a unit with some of the others removed."""
        fates = self.fates.get(removed)
        if fates is None:
            fates = self.fates[removed] = self._judge(removed)
        return fates[province]

    def steps(self, removed: Removed) -> int:
        """The effort for one removal."""
        weights = self.phase.weights
        return self.weight - sum(weights[province] for province in removed if province in self.provinces)

    def followed_instead(self, removed: Removed) -> dict[str, FollowedOrder]:
        """What the others follow without these units, where it is not what they follow beside them."""
        dependents = self.phase.dependents
        concerned = {other for one in removed for other in dependents.get(one, ())} - removed
        if not concerned:
            return {}
        standing = self.provinces - removed
        found = {other: self.phase.followed(other, standing) for other in concerned & self.provinces}
        return {other: instead for other, instead in found.items() if instead != self.followed[other]}

    def _judge(self, removed: Removed) -> Fates:
        phase = self.phase
        followed = self.followed | self.followed_instead(removed)
        units = {province: unit for province, unit in self.units.items() if province not in removed}
        orders, misordered = {}, []
        for province, unit in units.items():
            order, spoilt = followed[province]
            if order is not None:
                orders[unit.power, province] = order
            elif spoilt:
                misordered.append(province)
        led = apply_civil_disorder(phase.position.with_units(units), orders, phase.book)
        battle = MovementResolution(phase.board, led, orders, phase.book, frozenset(misordered))
        paradoxes.resolve_decisions(battle)
        return {
            province: (results, followed[province].order is None)
            for province, results in results_by_province(battle).items()
        }


class ReducedPhase:
    """A phase that may be judged again without some of its units.

    `given` holds the orders for each unit; `attackers` and `helpers` for each province the units that attack
    it, and those that support or convoy the unit in it, all in the order of their provinces.
    """

    def __init__(
        self,
        board: Board,
        position: Position,
        orders: Mapping[str, Sequence[Order]],
        book: Rulebook,
        effort: StepBudget | None = None,
        compiled: CompiledRemovals | None = None,
    ) -> None:
        self.board, self.position, self.book = board, position, book
        self.effort, self._compiled = effort, compiled
        self._share = effort.remaining // 4 if effort else 0
        self._spared = 0
        self.given: dict[str, list[Order]] = {province: [] for province in sorted(position.units_by_province)}
        self._own: dict[str, list[Order]] = {province: [] for province in self.given}
        for power, sheet in orders.items():
            for order in sheet:
                if order.unit is not None and order.unit.province in self.given:
                    self._give(power, order.unit.province, order)
        self.weights = {province: 1 + len(given) for province, given in self.given.items()}
        self.attackers: defaultdict[str, dict[str, None]] = defaultdict(dict)
        self.helpers: defaultdict[str, dict[str, None]] = defaultdict(dict)
        self.attack_count: Counter[str] = Counter()
        self._carried: set[str] = set()
        self._touching: defaultdict[str, list[str]] = defaultdict(list)
        self.touched = {province: self._touched(province) for province in self.given}
        self._near_first: dict[str, tuple[str, ...]] = {}
        self._circles: dict[frozenset[str], UnitCircle] = {}
        self._seen = NOBODY, position.with_units({})
        self._followed: dict[tuple[str, frozenset[str]], FollowedOrder] = {}

    def _give(self, power: str, province: str, order: Order) -> None:
        self.given[province].append(order)
        if self.position.units_by_province[province].power == power:
            self._own[province].append(order)

    def _touched(self, province: str) -> frozenset[str]:
        """The provinces that a unit's orders speak of, its own among them; notes who speaks of them."""
        found = {province}
        for order in self.given[province]:
            if isinstance(order, Move):
                goal = province_of(order.to)
                found |= {goal, *order.path}
                self.attackers[goal][province] = None
                self.attack_count[goal] += 1
            elif isinstance(order, Support | Convoy):
                target = order.target.province
                found |= {target, province_of(order.to or province)}
                self.helpers[target][province] = None
                if isinstance(order, Convoy):
                    self._carried.add(target)
        for place in found:
            self._touching[place].append(province)
        return frozenset(found)

    # who is judged with whom ------------------------------------------------------------------

    def near_first(self, province: str) -> tuple[str, ...]:
        """The units that may bear on one another with this one, the nearest first."""
        if province not in self._near_first:
            self._near_first[province] = tuple(self._spread(province))
        return self._near_first[province]

    def circle(self, province: str, *, with_retreats: bool = False) -> UnitCircle:
        """The same units, to be judged; with those that may close its retreats too, if asked for."""
        provinces = frozenset(self.near_first(province))
        if with_retreats:
            near = self.board.neighbours[province]
            touching = dict.fromkeys(one for place in near for one in self._touching.get(place, ()))
            provinces = provinces.union(*map(self.near_first, touching))
        if provinces not in self._circles:
            self._circles[provinces] = UnitCircle(self, provinces)
        return self._circles[provinces]

    def _spread(self, province: str) -> list[str]:
        found, edge = {province: None}, [province]
        places: set[str] = set()
        while edge:
            reached = frozenset[str]().union(*(self.touched[one] for one in edge)) - places
            places |= reached
            near = {one for place in reached for one in self._touching[place]}
            if any(map(self.may_need_fleets, edge)):
                near |= self._fleets
            edge = sorted(near - found.keys())
            found.update(dict.fromkeys(edge))
        return list(found)

    def may_need_fleets(self, province: str) -> bool:
        """Whether an order of this unit, or the one it supports, may need a chain of fleets."""
        return province in self._in_need

    @cached_property
    def _in_need(self) -> frozenset[str]:
        return frozenset(
            province for province, orders in self.given.items() if any(map(self._needs_fleets, orders))
        )

    def _needs_fleets(self, order: Order) -> bool:
        if isinstance(order, Convoy):
            return True
        if isinstance(order, Move):
            return order.via or bool(order.path) or self._far(order.unit.province, order.to)
        return isinstance(order, Support) and bool(order.to) and self._far(order.target.province, order.to)

    def _far(self, province: str, to: str | None) -> bool:
        """Whether a unit does not reach a place by a step of its own."""
        unit = self.position.units_by_province.get(province)
        return (
            unit is None
            or province_of(to or "") not in self.board.adjacent_provinces[unit.kind][unit.location]
        )

    @cached_property
    def _fleets(self) -> frozenset[str]:
        at = self.position.units_by_province
        return frozenset(province for province, unit in at.items() if can_convoy(self.board, unit))

    def is_intricate(self, province: str) -> bool:
        """Whether a unit's order may depend on fleets, or count only because another does not."""
        several = len(self.given.get(province, ())) > 1
        return several or province in self._carried or self.may_need_fleets(province)

    # what is followed -------------------------------------------------------------------------

    @cached_property
    def _reads(self) -> Mapping[str, frozenset[str]]:
        """For each unit, those that tell which of its orders counts."""
        return {province: self._read(province) for province in self.given}

    def _read(self, province: str) -> frozenset[str]:
        orders = self._own[province]
        spoken = {order.target.province for order in orders if isinstance(order, Support | Convoy)}
        fleets = self._fleets if any(map(self._needs_fleets, orders)) else frozenset[str]()
        return fleets | (spoken & self.given.keys())

    @cached_property
    def dependents(self) -> Mapping[str, Collection[str]]:
        """For each unit, the others whose order may count for nothing without it, or another in its place."""
        found: dict[str, list[str]] = {}
        for province, read in self._reads.items():
            for other in read:
                found.setdefault(other, []).append(province)
        return found

    def followed(self, province: str, standing: frozenset[str]) -> FollowedOrder:
        """The order that a unit follows with only these units on the board."""
        reads = self._reads[province]
        key = province, reads & standing if reads else reads
        if key not in self._followed:
            self._followed[key] = self._settle(province, self._with_only(standing))
        return self._followed[key]

    def _with_only(self, standing: frozenset[str]) -> Position:
        """The position with these units alone: kept, for many orders are asked about one after the other."""
        if self._seen[0] != standing:
            at = self.position.units_by_province
            seen = self.position.with_units({one: at[one] for one in self.given if one in standing})
            self._seen = standing, seen
        return self._seen[1]

    def _settle(self, province: str, seen: Position) -> FollowedOrder:
        book, orders, unit = self.book, self._own[province], seen.units_by_province[province]
        if len(orders) == 1:
            return self._settle_only(seen, unit, orders[0])

        def verify(power: str, order: Order) -> Order | OrderRefusal:
            return legality.check_movement_order(self.board, seen, power, order, book)

        settled = legality.settle_movement_orders(verify, {unit.power: orders}, book)
        misordered = province in legality.misordered_provinces(seen, settled)
        return FollowedOrder(settled.accepted.get((unit.power, province)), misordered)

    def _settle_only(self, seen: Position, unit: Unit, order: Order) -> FollowedOrder:
        """The same where there is nothing to choose from: the common case."""
        lost = isinstance(order, Support | Convoy) and order.target.province not in seen.units_by_province
        if not lost:
            checked = legality.check_movement_order(self.board, seen, unit.power, order, self.book)
            if not isinstance(checked, OrderRefusal):
                return FollowedOrder(checked, is_misordered=False)
        named = order.unit is not None and order.unit.kind == unit.kind
        return FollowedOrder(None, is_misordered=named and unit.power not in seen.passive)

    # ahead of the questions -------------------------------------------------------------------

    @cached_property
    def _removal_judge(self) -> RemovalJudge | None:
        if self._compiled is None:
            return None
        everybody = frozenset(self.given)
        followed = {province: self.followed(province, everybody) for province in self.given}
        return self._compiled(self.board, self.position, followed, self.book)

    @property
    def is_compiled(self) -> bool:
        """Whether many removals may be judged at once."""
        return self._removal_judge is not None

    def judge_ahead(self, wanted: Iterable[tuple[UnitCircle, Removed]], most: int) -> int:
        """Judge at once those removals that are not; gives how many steps they are, and judges none where
        these are more than `most`."""
        unknown = [one for one in dict.fromkeys(wanted) if one[1] not in one[0].fates]
        steps = sum(circle.steps(removed) for circle, removed in unknown)
        if steps <= most and len(unknown) > _FEW:
            self._judge_at_once(unknown)
        return steps

    def expect(self, wanted: Iterable[tuple[UnitCircle, Removed]]) -> None:
        """Judge at once, ahead of the questions, the removals that will be asked for, if they can be paid."""
        if self.is_compiled:
            self.judge_ahead(wanted, self.most_steps - self._spared)

    def _judge_at_once(self, wanted: Sequence[tuple[UnitCircle, Removed]]) -> None:
        assert self._removal_judge is not None
        rows = [
            Removal(removed, circle.followed, circle.followed_instead(removed)) for circle, removed in wanted
        ]
        for (circle, removed), fates in zip(wanted, self._removal_judge(rows), strict=True):
            if fates is not None:
                circle.fates[removed] = fates

    # effort -----------------------------------------------------------------------------------

    def begin(self) -> None:
        """A further reason is looked for, and has its share of the effort."""
        if self.effort is not None:
            self._spared = max(0, self.effort.remaining - self._share)

    def pay(self, steps: int) -> None:
        """Count the steps of what is asked for; raises BudgetExceeded where they are too many."""
        if self.effort is not None and not self.effort.try_spend(steps, self._spared):
            raise BudgetExceeded

    @property
    def most_steps(self) -> int:
        """How many steps may still be made for all reasons together."""
        return _MANY_STEPS if self.effort is None else self.effort.remaining


_MANY_STEPS = 1 << 40
# So few are judged sooner by the engine.
_FEW = 2
