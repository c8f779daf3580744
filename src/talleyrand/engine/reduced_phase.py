"""A movement phase judged again without some of its units: what becomes of those that are left.

Nothing is settled twice that a removal does not touch. Which order a unit follows is looked up by what tells
it, not checked again. Causes, retreats and notes are left out, for nobody asks. `CompiledRemovals` may judge
many removals at once, and gives the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from . import legality, paradoxes
from .board import Board, province_of
from .civil_disorder import apply_civil_disorder
from .convoys import seas_on_proper_routes
from .errors import OrderRefusal
from .movement_resolution import MovementResolution
from .movement_verdicts import results_by_province
from .orders import Convoy, Move, Order, Support
from .outcome import OrderResult
from .position import Position, Unit
from .rulebook import Rulebook
from .step_budget import StepBudget
from .unit_links import HELPING, NOBODY, UnitLinks, UnitSet, unit_numbers

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


class OrderNeeds(NamedTuple):
    """What a unit's only order, possible beside all units, needs: the unit that it is for, and a chain of
    some `fleets` from `starts` to `ends`; where that is not there, the unit follows `otherwise`."""

    order: Order
    usually: FollowedOrder
    otherwise: FollowedOrder
    helped: UnitSet
    fleets: UnitSet
    starts: UnitSet
    ends: UnitSet


class UnitCircle:
    """Units of a phase that are judged apart from the rest, and the removals that are paid for."""

    def __init__(self, phase: ReducedPhase, members: UnitSet) -> None:
        self.phase, self.members = phase, members
        self._paid: set[UnitSet] = set()

    def pay(self, asked: Iterable[UnitSet]) -> None:
        """Spend the effort for removals, but for those that are paid; raises BudgetExceeded."""
        phase, paid, members = self.phase, self._paid, self.members
        due = [removed for removed in dict.fromkeys(asked) if removed not in paid]
        if phase.try_pay([members & ~removed for removed in due]):
            paid.update(due)
            return
        for removed in due:
            if not phase.try_pay([members & ~removed]):
                raise BudgetExceeded
            paid.add(removed)


class ReducedPhase(UnitLinks):
    """A phase that may be judged again without some of its units.

    `followed` tells by province what is known to be followed; `fates` holds what is known to become of units
    that are alone on the board.
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
        super().__init__(board, position, orders)
        self.book, self.effort, self._compiled = book, effort, compiled
        self._share = effort.remaining // 4 if effort else 0
        self._spared = 0
        steps = [1 + len(given) for given in self.given]
        self._with_steps = [
            (most, sum([1 << number for number, each in enumerate(steps) if each == most]))
            for most in {*steps}
        ]
        self._circles: dict[UnitSet, UnitCircle] = {}
        self.fates: dict[UnitSet, Fates] = {}
        self._seen = NOBODY, position.with_units({})
        self._on_routes: dict[tuple[UnitSet, UnitSet, UnitSet], UnitSet] = {}
        self._needs: dict[int, OrderNeeds | None] = {}
        self._followed: dict[tuple[int, UnitSet], FollowedOrder] = {}
        for number, province in enumerate(self.provinces):
            order = (followed or {}).get(province)
            if order is not None and self._own[number] == [order]:
                self._followed[number, self.reads[number]] = FollowedOrder(order, is_misordered=False)

    def circle(self, number: int, *, with_retreats: bool = False) -> UnitCircle:
        """The units that may bear on one another with this one, to be judged; with those that may close its
        retreats too, if asked for."""
        members = self.near(number).together
        if with_retreats:
            for one in unit_numbers(self.touching_near(number) & ~members):
                members |= self.near(one).together
        if members not in self._circles:
            self._circles[members] = UnitCircle(self, members)
        return self._circles[members]

    # what is followed -------------------------------------------------------------------------

    def followed(self, number: int, standing: UnitSet) -> FollowedOrder:
        """The order that a unit follows with only these units on the board."""
        key = number, self.reads[number] & standing
        known = self._followed.get(key)
        if known is None:
            known = self._followed[key] = self._settle(number, key[1] | 1 << number)
        return known

    def _with_only(self, standing: UnitSet) -> Position:
        """The position with these units alone: kept, for many orders are asked about one after the other."""
        if self._seen[0] != standing:
            at = {self.provinces[number]: self.units[number] for number in unit_numbers(standing)}
            self._seen = standing, self.position.with_units(at)
        return self._seen[1]

    def _settle(self, number: int, standing: UnitSet) -> FollowedOrder:
        if self.reads[number] & ~standing:
            if number not in self._needs:
                self._needs[number] = self._needed(number)
            needs = self._needs[number]
            if needs is not None:
                return needs.usually if self._are_met(number, needs, standing) else needs.otherwise
        book, orders, unit = self.book, self._own[number], self.units[number]
        if len(orders) == 1:
            return self._settle_only(unit, orders[0], standing)
        seen = self._with_only(standing)

        def verify(power: str, order: Order) -> Order | OrderRefusal:
            return legality.check_movement_order(self.board, seen, power, order, book)

        settled = legality.settle_movement_orders(verify, {unit.power: orders}, book)
        misordered = unit.province in legality.misordered_provinces(seen, settled)
        return FollowedOrder(settled.accepted.get((unit.power, unit.province)), misordered)

    def _settle_only(self, unit: Unit, order: Order, standing: UnitSet) -> FollowedOrder:
        """The same where there is nothing to choose from: the common case."""
        if self._helped(order) & standing:
            seen = self._with_only(standing)
            checked = legality.check_movement_order(self.board, seen, unit.power, order, self.book)
            if not isinstance(checked, OrderRefusal):
                return FollowedOrder(checked, is_misordered=False)
        return self._without_order(unit, order)

    def _helped(self, order: Order) -> UnitSet:
        """The unit that an order is for."""
        helped = order.target if isinstance(order, HELPING) else order.unit
        return NOBODY if helped is None else self.bits.get(province_of(helped.location), NOBODY)

    def _without_order(self, unit: Unit, order: Order) -> FollowedOrder:
        named = order.unit is not None and order.unit.kind == unit.kind
        return FollowedOrder(None, is_misordered=named and unit.power not in self.position.passive)

    def _needed(self, number: int) -> OrderNeeds | None:
        """What a unit's order needs; None where it has not one, names a route, or cannot follow it anyway."""
        if len(self._own[number]) != 1:
            return None
        (order,), usually = self._own[number], self.followed(number, self.everybody)
        if usually.order is None or (isinstance(order, Move) and (order.via or order.path)):
            return None
        fleets = starts = ends = NOBODY
        if self._needs_fleets(order):
            assert isinstance(order, Move | Support | Convoy)
            helped = order.target if isinstance(order, HELPING) else order.unit
            fleets = self._fleets & ~(1 << number) if isinstance(order, Support) else self._fleets
            starts, ends = self.shore(province_of(helped.location)), self.shore(province_of(order.to or ""))
        otherwise = self._without_order(self.units[number], order)
        return OrderNeeds(order, usually, otherwise, self._helped(order), fleets, starts, ends)

    def _are_met(self, number: int, needs: OrderNeeds, standing: UnitSet) -> bool:
        if not needs.fleets or not needs.helped & standing:
            return bool(needs.helped & standing)
        starts, ends, own = needs.starts, needs.ends, 1 << number
        waters = [water for water in self.waters(needs.fleets & standing) if water & starts and water & ends]
        if not waters or not isinstance(needs.order, Convoy) or own & starts & ends:
            return bool(waters)
        return any(own & self._on_proper_routes(water, needs) for water in waters if own & water)

    def _on_proper_routes(self, water: UnitSet, needs: OrderNeeds) -> UnitSet:
        """The fleets that a convoy may need, of those that reach one another."""
        key, order = (water, needs.starts, needs.ends), needs.order
        if key not in self._on_routes:
            seas = frozenset([self.provinces[fleet] for fleet in unit_numbers(water)])
            assert isinstance(order, Convoy)
            found = seas_on_proper_routes(self.board, seas, order.target.province, province_of(order.to))
            self._on_routes[key] = sum([self.bits[sea] for sea in found])
        return self._on_routes[key]

    # judging ----------------------------------------------------------------------------------

    def fates_of(self, number: int, standing: Iterable[UnitSet]) -> list[int]:
        """What becomes of a unit beside each of these sets of units."""
        known, judge = self.fates, self._judge_for
        return [(known.get(units) or judge(number, units))[number] for units in standing]

    def _judge_for(self, number: int, standing: UnitSet) -> Fates:
        """The same judged now, without those that do not bear on the unit unless it has to retreat."""
        bearing = self.bearing_on(number, standing)
        fates = self.fates.get(bearing) or self.judge(bearing)
        return self.judge(standing) if fates[number] & FALLEN and bearing != standing else fates

    def judge(self, standing: UnitSet) -> Fates:
        """What becomes of these units, alone on the board; kept."""
        numbers, orders, misordered = unit_numbers(standing), {}, []
        followed = [self.followed(number, standing) for number in numbers]
        for number, (order, spoilt) in zip(numbers, followed, strict=True):
            if order is not None:
                orders[self.units[number].power, self.provinces[number]] = order
            elif spoilt:
                misordered.append(self.provinces[number])
        led = apply_civil_disorder(self._with_only(standing), orders, self.book)
        battle = MovementResolution(self.board, led, orders, self.book, frozenset(misordered))
        paradoxes.resolve_decisions(battle)
        fates, results = bytearray(len(self.units)), results_by_province(battle)
        for number, (order, _) in zip(numbers, followed, strict=True):
            fates[number] = _FATES[results[self.provinces[number]]] + (UNORDERED if order is None else 0)
        self.fates[standing] = bytes(fates)
        return self.fates[standing]

    @cached_property
    def _removal_judge(self) -> RemovalJudge | None:
        return None if self._compiled is None else self._compiled(self)

    @property
    def is_compiled(self) -> bool:
        """Whether many sets of units may be judged at once."""
        return self._removal_judge is not None

    def judge_ahead(self, wanted: Iterable[Sequence[UnitSet]], most: int) -> int:
        """Judge at once those sets of units that are not; gives how many steps they are, and judges none
        where these are more than `most`."""
        unknown = [*set().union(*wanted).difference(self.fates)]
        steps = self._steps(unknown)
        if unknown and steps <= most:
            assert self._removal_judge is not None
            told = zip(unknown, self._removal_judge(unknown), strict=True)
            self.fates.update([(units, fates) for units, fates in told if fates is not None])
        return steps

    def expect(self, wanted: Sequence[UnitSet]) -> None:
        """Judge at once, ahead of the questions, what will be asked for, if it can be paid."""
        if self.is_compiled:
            self.judge_ahead([wanted], self.most_steps - self._spared)

    # effort -----------------------------------------------------------------------------------

    def begin(self) -> None:
        """A further reason is looked for, and has its share of the effort."""
        if self.effort is not None:
            self._spared = max(0, self.effort.remaining - self._share)

    def try_pay(self, judged: Sequence[UnitSet]) -> bool:
        """Count the steps of what is judged, unless they are too many."""
        return self.effort is None or self.effort.try_spend(self._steps(judged), self._spared)

    def _steps(self, judged: Sequence[UnitSet]) -> int:
        """One for each unit and each order that is judged."""
        return sum(
            steps * sum([(standing & units).bit_count() for standing in judged])
            for steps, units in self._with_steps
        )

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


FATES = frozenset(_RESULTS)
"""All fates of units whose order counts."""


def fate_results(fate: int) -> tuple[str, ...]:
    """The results that a fate stands for."""
    return _RESULTS[fate & ~UNORDERED]
