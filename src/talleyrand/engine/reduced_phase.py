"""A movement phase judged again without some of its units: what becomes of those that are left.

Units are numbered in the order of their provinces, and a set of them is a whole number with a bit for each.
Nothing is settled twice that a removal does not touch. Which order a unit follows hangs on the units that its
orders speak of, and on the fleets where one of them may need a chain; so it is looked up, not checked again.
Causes, retreats and notes are left out, for nobody asks. `CompiledRemovals` may judge many removals at
once, and gives the same.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from . import legality, paradoxes
from .board import Board, province_of
from .civil_disorder import apply_civil_disorder
from .convoys import can_convoy, has_route, seas_on_proper_routes
from .errors import OrderRefusal
from .movement_resolution import MovementResolution
from .movement_verdicts import results_by_province
from .orders import Convoy, Move, Order, Support
from .outcome import OrderResult
from .position import Position, Unit
from .rulebook import Rulebook
from .step_budget import StepBudget

UnitSet = int
"""Some units of a phase, a bit for each."""
NOBODY: UnitSet = 0
Fates = bytes
"""For each unit of a phase by its number, what becomes of it: the number of its result, and these marks."""
FATE_RESULTS = (
    OrderResult.HOLDS,
    OrderResult.MOVES,
    OrderResult.BOUNCES,
    OrderResult.CONVOY_DISRUPTED,
    OrderResult.SUPPORT_GIVEN,
    OrderResult.SUPPORT_CUT,
    OrderResult.SUPPORT_VOID,
    OrderResult.CONVOYS,
    OrderResult.CONVOY_VOID,
)
FALLEN, LOST, UNORDERED = 16, 32, 64
"""Dislodged; destroyed; none of its orders counts."""

RemovalJudge = Callable[[Sequence[UnitSet]], Sequence[Fates | None]]
"""Tells at once what becomes of several sets of units, each alone on the board; None where the engine has to
tell."""


class BudgetExceeded(Exception):
    """A reason takes more effort than there is for it."""


class FollowedOrder(NamedTuple):
    """The order that a unit follows, None where none counts, and whether all it has are impossible."""

    order: Order | None
    is_misordered: bool


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


class UnitCircle:
    """Units of a phase that are judged apart from the rest, and what became of them without some."""

    def __init__(self, phase: ReducedPhase, members: UnitSet) -> None:
        self.phase, self.members = phase, members
        self._paid: set[UnitSet] = set()
        weights = [phase.weights[number] for number in unit_numbers(members)]
        self._weight = sum(weights)
        self._same_weight = weights[0] if len({*weights}) == 1 else 0

    def pay(self, asked: Iterable[UnitSet]) -> None:
        """Spend the effort for removals, but for those that are paid; raises BudgetExceeded."""
        phase, paid = self.phase, self._paid
        due = [removed for removed in dict.fromkeys(asked) if removed not in paid]
        if phase.try_pay(self.steps(due)):
            paid.update(due)
            return
        for removed in due:
            if not phase.try_pay(self.steps((removed,))):
                raise BudgetExceeded
            paid.add(removed)

    def fates(self, unit: int, removals: Iterable[UnitSet]) -> list[int]:
        """What becomes of a unit without each of these."""
        members, known, judge = self.members, self.phase.fates, self.phase.judge
        return [(known.get(members & ~removed) or judge(members & ~removed))[unit] for removed in removals]

    def steps(self, removals: Iterable[UnitSet]) -> int:
        """The effort for some removals."""
        members, weights = self.members, self.phase.weights
        if self._same_weight:
            return self._same_weight * sum([(members & ~removed).bit_count() for removed in removals])
        spared = [sum([weights[one] for one in unit_numbers(members & removed)]) for removed in removals]
        return self._weight * len(spared) - sum(spared)


class ReducedPhase:
    """A phase that may be judged again without some of its units.

    `provinces` are those of its units by their numbers, `bits` each unit as a set by its province. `given`
    holds the orders for each unit; `attackers` and `helpers` by province the units that attack it, and those
    that support or convoy the unit in it. `followed` tells by province what is known to be followed.
    """

    def __init__(
        self,
        board: Board,
        position: Position,
        orders: Mapping[str, Sequence[Order]],
        book: Rulebook,
        followed: Mapping[str, Order | None] | None = None,
        effort: StepBudget | None = None,
        compiled: CompiledRemovals | None = None,
    ) -> None:
        self.board, self.position, self.book = board, position, book
        self.effort, self._compiled = effort, compiled
        self._share = effort.remaining // 4 if effort else 0
        self._spared = 0
        self.provinces = tuple(sorted(position.units_by_province))
        self.units = tuple(position.units_by_province[province] for province in self.provinces)
        self.bits = {province: 1 << number for number, province in enumerate(self.provinces)}
        self.everybody = (1 << len(self.units)) - 1
        self._take(orders)
        self.attackers: defaultdict[str, UnitSet] = defaultdict(int)
        self.helpers: defaultdict[str, UnitSet] = defaultdict(int)
        self.attack_count: Counter[str] = Counter()
        self.convoying = NOBODY
        self._touching: defaultdict[str, UnitSet] = defaultdict(int)
        self._touched = [*map(self._places_touched, range(len(self.units)))]
        self._near_first: dict[int, list[UnitSet]] = {}
        self._circles: dict[UnitSet, UnitCircle] = {}
        self.fates: dict[UnitSet, Fates] = {}
        self._seen = NOBODY, position.with_units({})
        self._seas: dict[UnitSet, frozenset[str]] = {}
        self._followed: dict[tuple[int, UnitSet], FollowedOrder] = {}
        for number, province in enumerate(self.provinces):
            order = (followed or {}).get(province)
            if order is not None and self._own[number] == [order]:
                self._followed[number, self.reads[number]] = FollowedOrder(order, is_misordered=False)

    def _take(self, orders: Mapping[str, Sequence[Order]]) -> None:
        """Note the orders for each unit, those of its own power, and the steps that it takes (`weights`)."""
        self.given: list[list[Order]] = [[] for _ in self.units]
        self._own: list[list[Order]] = [[] for _ in self.units]
        for power, sheet in orders.items():
            for order in sheet:
                bit = self.bits.get(order.unit.province) if order.unit is not None else None
                if bit is not None:
                    number = bit.bit_length() - 1
                    self.given[number].append(order)
                    if self.units[number].power == power:
                        self._own[number].append(order)
        self.weights = [1 + len(given) for given in self.given]

    def _places_touched(self, number: int) -> set[str]:
        """The provinces that a unit's orders speak of, its own among them; notes who speaks of them."""
        bit = 1 << number
        found = {self.provinces[number]}
        for order in self.given[number]:
            if isinstance(order, Move):
                goal = province_of(order.to)
                found.add(goal)
                found.update(order.path)
                self.attackers[goal] |= bit
                self.attack_count[goal] += 1
            elif isinstance(order, Support | Convoy):
                target = order.target.province
                found.add(target)
                if order.to:
                    found.add(province_of(order.to))
                self.helpers[target] |= bit
                if isinstance(order, Convoy):
                    self.convoying |= bit
        for place in found:
            self._touching[place] |= bit
        return found

    @cached_property
    def attacking(self) -> Sequence[UnitSet]:
        """For each unit, those that attack it."""
        return [self.attackers.get(province, NOBODY) for province in self.provinces]

    @cached_property
    def helping(self) -> Sequence[UnitSet]:
        """For each unit, those that support or convoy it."""
        return [self.helpers.get(province, NOBODY) for province in self.provinces]

    def named(self, units: Iterable[Unit]) -> UnitSet:
        """These units; one that is not of the phase counts as a unit beyond all that are."""
        bits, beyond, found = self.bits, self.everybody + 1, NOBODY
        for unit in units:
            found |= bits.get(unit.province, beyond)
        return found

    # who is judged with whom ------------------------------------------------------------------

    def near_first(self, number: int) -> list[UnitSet]:
        """The units that may bear on one another with this one, the nearest first."""
        if number not in self._near_first:
            self._near_first[number] = self._spread(number)
        return self._near_first[number]

    def circle(self, number: int, *, with_retreats: bool = False) -> UnitCircle:
        """The same units, to be judged; with those that may close its retreats too, if asked for."""
        members = sum(self.near_first(number))
        if with_retreats:
            touching = NOBODY
            for place in self.board.neighbours[self.provinces[number]]:
                touching |= self._touching.get(place, NOBODY)
            for one in unit_numbers(touching & ~members):
                members |= sum(self.near_first(one))
        if members not in self._circles:
            self._circles[members] = UnitCircle(self, members)
        return self._circles[members]

    def _spread(self, number: int) -> list[UnitSet]:
        linked = self._linked
        found = edge = 1 << number
        listed = []
        while edge:
            near = NOBODY
            for one in each_unit(edge):
                listed.append(one)
                near |= linked[one]
            edge = near & ~found
            found |= edge
        return listed

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

    @cached_property
    def may_need_fleets(self) -> UnitSet:
        """The units of which an order, or the one it supports, may need a chain of fleets."""
        return sum(
            1 << number for number, orders in enumerate(self.given) if any(map(self._needs_fleets, orders))
        )

    def _needs_fleets(self, order: Order) -> bool:
        if isinstance(order, Move):
            return order.via or bool(order.path) or self._far(order.unit.province, order.to)
        if isinstance(order, Support):
            return bool(order.to) and self._far(order.target.province, order.to)
        return isinstance(order, Convoy)

    def _far(self, province: str, to: str | None) -> bool:
        """Whether a unit does not reach a place by a step of its own."""
        unit = self.position.units_by_province.get(province)
        return (
            unit is None
            or province_of(to or "") not in self.board.adjacent_provinces[unit.kind][unit.location]
        )

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

    # what is followed -------------------------------------------------------------------------

    @cached_property
    def reads(self) -> Sequence[UnitSet]:
        """For each unit, those that tell which of its orders counts."""
        return [*map(self._read, range(len(self.units)))]

    def _read(self, number: int) -> UnitSet:
        found, needs_fleets = NOBODY, self.may_need_fleets >> number & 1
        for order in self._own[number]:
            if isinstance(order, Move):
                army = self.provinces[number]
            elif isinstance(order, Support | Convoy):
                army = order.target.province
                found |= self.bits.get(army, NOBODY)
            else:
                continue
            if needs_fleets and self._needs_fleets(order):
                found |= self._fleets_between(army, province_of(order.to or ""))
        return found

    def _fleets_between(self, origin: str, goal: str) -> UnitSet:
        """The fleets that may be links of a chain from province to province, of all those on the board."""
        waters, fleets = self.board.adjacent_seas, self._fleets
        found = NOBODY
        edge = [sea for sea in waters.get(origin, ()) if self.bits.get(sea, NOBODY) & fleets]
        while edge:
            for sea in edge:
                found |= self.bits[sea]
            near = {sea for here in edge for sea in waters[here]}
            edge = [sea for sea in near if self.bits.get(sea, NOBODY) & fleets & ~found]
        ends = sum(self.bits.get(sea, NOBODY) for sea in waters.get(goal, ()))
        return found if found & ends else NOBODY

    def followed(self, number: int, standing: UnitSet) -> FollowedOrder:
        """The order that a unit follows with only these units on the board."""
        read = self.reads[number] & standing
        key = number, read
        if key not in self._followed:
            self._followed[key] = self._settle(number, read | 1 << number)
        return self._followed[key]

    def _with_only(self, standing: UnitSet) -> Position:
        """The position with these units alone: kept, for many orders are asked about one after the other."""
        if self._seen[0] != standing:
            at = {self.provinces[number]: self.units[number] for number in unit_numbers(standing)}
            self._seen = standing, self.position.with_units(at)
        return self._seen[1]

    def _settle(self, number: int, standing: UnitSet) -> FollowedOrder:
        book, orders, unit = self.book, self._own[number], self.units[number]
        if len(orders) == 1:
            return self._settle_only(number, standing)
        seen = self._with_only(standing)

        def verify(power: str, order: Order) -> Order | OrderRefusal:
            return legality.check_movement_order(self.board, seen, power, order, book)

        settled = legality.settle_movement_orders(verify, {unit.power: orders}, book)
        misordered = unit.province in legality.misordered_provinces(seen, settled)
        return FollowedOrder(settled.accepted.get((unit.power, unit.province)), misordered)

    def _settle_only(self, number: int, standing: UnitSet) -> FollowedOrder:
        """The same where there is nothing to choose from: the common case."""
        unit, (order,) = self.units[number], self._own[number]
        helps = order.target.province if isinstance(order, Support | Convoy) else unit.province
        if self.bits.get(helps, NOBODY) & standing:
            possible = self._as_possible(number, order, standing)
            if possible is not None:
                return FollowedOrder(possible, is_misordered=False)
        named = order.unit is not None and order.unit.kind == unit.kind
        return FollowedOrder(None, is_misordered=named and unit.power not in self.position.passive)

    def _as_possible(self, number: int, order: Order, standing: UnitSet) -> Order | None:
        """An order as it is followed, if it is possible; the unit that it speaks of is there."""
        unit, names_route = self.units[number], isinstance(order, Move) and (order.via or order.path)
        if self.reads[number] & ~standing and not names_route:
            usual = self.followed(number, self.everybody).order
            if usual is not None:
                return usual if self._has_fleets(unit, order, standing) else None
        seen = self._with_only(standing)
        checked = legality.check_movement_order(self.board, seen, unit.power, order, self.book)
        return None if isinstance(checked, OrderRefusal) else checked

    def _has_fleets(self, unit: Unit, order: Order, standing: UnitSet) -> bool:
        """Whether the fleets that an order needs, which is possible beside all units, are among these."""
        fleets = standing & self._fleets
        if fleets not in self._seas:
            self._seas[fleets] = frozenset(self.provinces[number] for number in unit_numbers(fleets))
        seas = self._seas[fleets]
        if isinstance(order, Convoy):
            goal = province_of(order.to)
            return unit.province in seas_on_proper_routes(self.board, seas, order.target.province, goal)
        if isinstance(order, Move):
            return has_route(self.board, seas, unit.province, province_of(order.to))
        if isinstance(order, Support) and order.to:
            seas, army = seas - {unit.province}, order.target.province
            return has_route(self.board, seas, army, province_of(order.to))
        return True

    # judging ----------------------------------------------------------------------------------

    def judge(self, standing: UnitSet) -> Fates:
        """What becomes of these units, alone on the board; kept."""
        position, orders, misordered = self._with_only(standing), {}, []
        followed = {
            province: self.followed(self.bits[province].bit_length() - 1, standing)
            for province in position.units_by_province
        }
        for province, (order, spoilt) in followed.items():
            if order is not None:
                orders[position.units_by_province[province].power, province] = order
            elif spoilt:
                misordered.append(province)
        led = apply_civil_disorder(position, orders, self.book)
        battle = MovementResolution(self.board, led, orders, self.book, frozenset(misordered))
        paradoxes.resolve_decisions(battle)
        fates = bytearray(len(self.units))
        for province, results in results_by_province(battle).items():
            number = self.bits[province].bit_length() - 1
            fates[number] = _FATES[results] + (UNORDERED if followed[province].order is None else 0)
        self.fates[standing] = bytes(fates)
        return self.fates[standing]

    @cached_property
    def _removal_judge(self) -> RemovalJudge | None:
        return None if self._compiled is None else self._compiled(self)

    @property
    def is_compiled(self) -> bool:
        """Whether many removals may be judged at once."""
        return self._removal_judge is not None

    def judge_ahead(self, wanted: Iterable[tuple[UnitCircle, Sequence[UnitSet]]], most: int) -> int:
        """Judge at once those removals that are not; gives how many steps they are, and judges none where
        these are more than `most`."""
        unknown: dict[UnitSet, UnitSet] = {}
        steps = 0
        for circle, removals in wanted:
            asked = {circle.members & ~removed: removed for removed in removals}
            new = {units: asked[units] for units in asked if units not in self.fates and units not in unknown}
            steps += circle.steps(new.values())
            unknown |= new
        if steps <= most and len(unknown) > _FEW:
            assert self._removal_judge is not None
            for standing, fates in zip(unknown, self._removal_judge([*unknown]), strict=True):
                if fates is not None:
                    self.fates[standing] = fates
        return steps

    def expect(self, circle: UnitCircle, removals: Sequence[UnitSet]) -> None:
        """Judge at once, ahead of the questions, the removals that will be asked for, if they can be paid."""
        if self.is_compiled:
            self.judge_ahead([(circle, removals)], self.most_steps - self._spared)

    # effort -----------------------------------------------------------------------------------

    def begin(self) -> None:
        """A further reason is looked for, and has its share of the effort."""
        if self.effort is not None:
            self._spared = max(0, self.effort.remaining - self._share)

    def try_pay(self, steps: int) -> bool:
        """Count the steps of what is asked for, unless they are too many."""
        return self.effort is None or self.effort.try_spend(steps, self._spared)

    @property
    def most_steps(self) -> int:
        """How many steps may still be made for all reasons together."""
        return _MANY_STEPS if self.effort is None else self.effort.remaining


CompiledRemovals = Callable[[ReducedPhase], RemovalJudge | None]
"""Makes what judges removals at once out of a phase; None where it cannot."""
_FATES = {
    (result, *fallen): number + marks
    for number, result in enumerate(FATE_RESULTS)
    for fallen, marks in (
        ((), 0),
        ((OrderResult.DISLODGED,), FALLEN),
        ((OrderResult.DISLODGED, OrderResult.DESTROYED), FALLEN | LOST),
    )
}
_RESULTS = {fate: results for results, fate in _FATES.items()}
_MANY_STEPS = 1 << 40
# So few are judged sooner by the engine.
_FEW = 2


def fate_results(fate: int) -> tuple[str, ...]:
    """The results that a fate stands for."""
    return _RESULTS[fate & ~UNORDERED]
