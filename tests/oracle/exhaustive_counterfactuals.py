"""The search for reasons as it was before it became fast: the phase is judged again as a whole for each set.

Kept as the oracle of `talleyrand.engine.counterfactuals`, which has to find the same.

Why, by counterfactual: which units, had they not been there, would have changed a verdict.

A reason is a smallest set of units: with all of them off the board, and their orders with them, the unit's
verdict is another; with only some of them, it is the same. Where several sets would do, they are
alternatives. They are found by judging the phase again without them, so they are right whatever the
rulebook; only the units whose orders touch one another, directly or through others, are judged again.

Nobody is named by what depends on nobody: an attack that nothing opposes, a unit that nothing reaches,
a convoy that was never complete.

In a position that no game reaches a phase would be judged a thousand times: a `StepBudget` says how much of
that is done. No single reason takes more than a quarter of it, so that some is left to the others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from functools import cached_property
from itertools import combinations
from typing import NamedTuple

from talleyrand.engine import movement
from talleyrand.engine.board import Board, province_of
from talleyrand.engine.convoys import can_convoy
from talleyrand.engine.orders import Convoy, Move, Order, Support
from talleyrand.engine.outcome import CauseCode, OrderResult, Verdict
from talleyrand.engine.position import Position, Unit
from talleyrand.engine.rulebook import Rulebook
from talleyrand.engine.step_budget import StepBudget

MOST_SETS = 4
"""So many alternatives are told at most, those nearest to the rule that decided first."""
# Single units are tried all; pairs and threes among so many of the nearest; larger sets only out of those
# that oppose a unit together, or help it.
_NEAR, _NEAREST, _LARGEST = 8, 6, 7
_SPOILT, _OTHERWISE, _TURNED = 0, 1, 2

Removed = frozenset[str]
Fate = tuple[tuple[str, ...], bool]
Fates = Mapping[str, Fate]
_PLAIN = frozenset(((OrderResult.MOVES,), (OrderResult.HOLDS,), (OrderResult.SUPPORT_GIVEN,)))
_GOOD = frozenset((OrderResult.MOVES, OrderResult.SUPPORT_GIVEN, OrderResult.CONVOYS, OrderResult.HOLDS))
# The order itself speaks of these units; without them there would be no such order.
_OF_THE_ORDER = frozenset(
    (
        CauseCode.SUPPORTED_UNIT_MOVES,
        CauseCode.SUPPORTED_UNIT_STAYS,
        CauseCode.SUPPORTED_UNIT_ELSEWHERE,
        CauseCode.SUPPORTED_UNIT_MISORDERED,
        CauseCode.COAST_NOT_SAID,
        CauseCode.COAST_DIFFERS,
        CauseCode.POWER_IN_DISORDER,
        CauseCode.ARMY_OTHERWISE,
        CauseCode.ARMY_BY_LAND,
        CauseCode.OTHER_PATH,
        CauseCode.CHAIN_INCOMPLETE,
        CauseCode.CONVOY_STANDS,
        CauseCode.CONVOY_READY,
        CauseCode.CHAIN_BROKEN,
    )
)


class CounterfactualChange(StrEnum):
    """What a verdict would be instead: an order that succeeds or fails, a unit that stays or falls."""

    SUCCEEDS = "succeeds"
    FAILS = "fails"
    STAYS = "stays"
    FALLS = "falls"


class _BudgetExceeded(Exception):
    """A reason takes more effort than there is for it."""


class VerdictReason(NamedTuple):
    """The units that decided a verdict, all of them together; `any_of`: other such sets, each enough.

    `change` is what becomes of the order without any one of these sets; None where that differs, or is
    neither one nor the other.
    """

    units: tuple[Unit, ...] = ()
    any_of: tuple[tuple[Unit, ...], ...] = ()
    change: CounterfactualChange | None = None

    @property
    def sets(self) -> tuple[tuple[Unit, ...], ...]:
        """All of them, none where nobody is named."""
        return (self.units, *self.any_of) if self.units else ()


def reason_from_cause(verdict: Verdict) -> VerdictReason:
    """The reason of a verdict that is no movement's: the units its cause names."""
    return VerdictReason(verdict.cause.units)


class PhaseReasons:
    """The reasons of one movement phase, each found when it is asked for.

    Takes what `movement.adjudicate` takes, and the verdicts it gave; without an `effort` every reason is
    looked for to the end. `is_incomplete` tells whether some were not.
    """

    def __init__(
        self,
        board: Board,
        position: Position,
        orders: Mapping[str, Sequence[Order]],
        book: Rulebook,
        verdicts: Iterable[Verdict],
        effort: StepBudget | None = None,
    ) -> None:
        self.scene = _ReducedPhase(board, position, orders, book, effort)
        self.is_incomplete = False
        self.verdicts: dict[str, Verdict] = {}
        for verdict in verdicts:
            if (
                verdict.unit.province in position.units_by_province
            ):  # not a unit that the walk to the next choice has built
                self.verdicts.setdefault(verdict.unit.province, verdict)
        self._found: dict[str, VerdictReason] = {}

    def reason_for(self, verdict: Verdict) -> VerdictReason:
        """The reason of one of the verdicts; nobody is named by one that takes too much effort."""
        province = verdict.unit.province
        if self.verdicts.get(province) != verdict:
            return reason_from_cause(verdict)
        if province not in self._found:
            self._found[province] = self._affordable(province, verdict)
        return self._found[province]

    def _affordable(self, province: str, verdict: Verdict) -> VerdictReason:
        self.scene.begin()
        try:
            return self._reason(province, verdict)
        except _BudgetExceeded:
            self.is_incomplete = True
            return VerdictReason()

    def _reason(self, province: str, verdict: Verdict) -> VerdictReason:
        if verdict.cause.code in _OF_THE_ORDER:
            return reason_from_cause(verdict) if self._spoilt(province, verdict) else VerdictReason()
        if self.scene.settled(province, verdict):
            return VerdictReason()
        search = _MinimalSetSearch(self.scene, province, verdict)
        found, at = search.sets(), self.scene.position.units_by_province
        sets = [tuple(at[place] for place in places) for places in found]
        return VerdictReason(sets[0], tuple(sets[1:]), search.change(found)) if sets else VerdictReason()

    def _spoilt(self, province: str, verdict: Verdict) -> bool:
        """Whether the order would not count without those it speaks of; another may take its place."""
        circle = frozenset(self.scene.circle(province))
        base = self.scene.fate(province, circle, frozenset())
        gone = frozenset(unit.province for unit in verdict.cause.units)
        return self.scene.fate(province, circle, gone) != base


class _ReducedPhase:
    """A phase that may be judged again without some of its units."""

    def __init__(
        self,
        board: Board,
        position: Position,
        orders: Mapping[str, Sequence[Order]],
        book: Rulebook,
        effort: StepBudget | None,
    ) -> None:
        self.board, self.position, self.orders, self.book = board, position, orders, book
        self.effort = effort
        self._share = effort.remaining // 4 if effort else 0
        self._spared = 0
        self.given: dict[str, list[Order]] = {province: [] for province in sorted(position.units_by_province)}
        for order in (order for sheet in orders.values() for order in sheet):
            if order.unit is not None and order.unit.province in self.given:
                self.given[order.unit.province].append(order)
        self.touched = {province: self._touched(province) for province in position.units_by_province}
        self._circles: dict[str, tuple[str, ...]] = {}
        self._fates: dict[tuple[frozenset[str], Removed], Fates] = {}

    def _touched(self, province: str) -> frozenset[str]:
        """The provinces that a unit's orders speak of, its own among them."""
        found = {province}
        for order in self.given[province]:
            if isinstance(order, Move):
                found |= {province_of(order.to), *order.path}
            elif isinstance(order, Support | Convoy):
                found |= {order.target.province, province_of(order.to or province)}
        return frozenset(found)

    def circle(self, province: str) -> tuple[str, ...]:
        """The units that may bear on one another with this one, the nearest first."""
        if province not in self._circles:
            self._circles[province] = tuple(self._spread(province))
        return self._circles[province]

    def surroundings(self, province: str) -> frozenset[str]:
        """The same, with those that may close its retreats."""
        near = self.board.neighbours[province]
        others = (self.circle(one) for one, places in self.touched.items() if places & near)
        return frozenset(self.circle(province)).union(*others)

    def _spread(self, province: str) -> list[str]:
        found, edge, rest = [province], {province}, [one for one in self.given if one != province]
        places = set(self.touched[province])
        while edge:
            afloat = self._fleets() if any(map(self._sails, edge)) else frozenset()
            near = [one for one in rest if self.touched[one] & places or one in afloat]
            rest = [one for one in rest if one not in near]
            found += near
            edge = set(near)
            places.update(*(self.touched[one] for one in near))
        return found

    def _sails(self, province: str) -> bool:
        """Whether an order of this unit, or the one it supports, may need a chain of fleets."""
        return any(
            isinstance(order, Convoy)
            or (isinstance(order, Move) and (order.via or order.path or self._far(province, order.to)))
            or (isinstance(order, Support) and order.to and self._far(order.target.province, order.to))
            for order in self.given[province]
        )

    def _far(self, province: str, to: str) -> bool:
        """Whether a unit does not reach a place by a step of its own."""
        unit = self.position.units_by_province.get(province)
        return unit is None or province_of(to) not in self.board.adjacent_provinces[unit.kind][unit.location]

    def _fleets(self) -> frozenset[str]:
        return frozenset(
            at for at, unit in self.position.units_by_province.items() if can_convoy(self.board, unit)
        )

    def settled(self, province: str, verdict: Verdict) -> bool:
        """Whether a success plainly hangs on nobody: the common case, told without judging again."""
        order, aims = verdict.order, self._aims
        concerned = [province]
        if isinstance(order, Support):
            concerned.append(order.target.province)
        goal = province_of(order.to) if isinstance(order, Move) else province
        rivals = aims[goal] - isinstance(order, Move)
        plain = verdict.results in _PLAIN and not rivals and not (goal != province and goal in self.given)
        book = self.book  # under some, a unit whose order becomes impossible can no longer be supported
        strict = book.illegal_order == "ignored_and_hold"
        strict = strict or book.civil_disorder_support == "forbidden"
        return plain and not strict and not any(map(self._intricate, concerned))

    @cached_property
    def _aims(self) -> Counter[str]:
        """How many orders attack each province."""
        moves = (one for orders in self.given.values() for one in orders if isinstance(one, Move))
        return Counter(province_of(move.to) for move in moves)

    def _intricate(self, province: str) -> bool:
        """Whether a unit's order may depend on fleets, or count only because another does not."""
        carried = any(isinstance(one, Convoy) and one.target.province == province for one in self._all)
        return len(self.given[province]) > 1 or carried or self._sails(province)

    @cached_property
    def _all(self) -> list[Order]:
        return [one for orders in self.given.values() for one in orders]

    def fate(self, province: str, circle: frozenset[str], removed: Removed) -> Fate:
        """What becomes of a unit, with only a circle of units on the board, some of them removed."""
        key = circle, removed
        if key not in self._fates:
            self._fates[key] = self._judge(circle - removed)
        return self._fates[key][province]

    def begin(self) -> None:
        """A further reason is looked for, and has its share of the effort."""
        if self.effort is not None:
            self._spared = max(0, self.effort.remaining - self._share)

    def _judge(self, standing: frozenset[str]) -> Fates:
        steps = sum(1 + len(self.given[province]) for province in standing)
        if self.effort is not None and not self.effort.try_spend(steps, self._spared):
            raise _BudgetExceeded
        units = tuple(unit for unit in self.position.units if unit.province in standing)
        sheets = {
            power: [order for order in sheet if order.unit is None or order.unit.province in standing]
            for power, sheet in self.orders.items()
        }
        outcome = movement.adjudicate(self.board, replace(self.position, units=units), sheets, self.book)
        return {
            verdict.unit.province: (verdict.results, verdict.order is None) for verdict in outcome.verdicts
        }


class _MinimalSetSearch:
    """The smallest sets of units without which one verdict would be another."""

    def __init__(self, scene: _ReducedPhase, province: str, verdict: Verdict) -> None:
        self.scene, self.province, self.verdict = scene, province, verdict
        self.circle = frozenset(scene.circle(province))
        if OrderResult.DISLODGED in verdict.results:
            self.circle = scene.surroundings(province)
        self.base = scene.fate(province, self.circle, frozenset())
        self.found: dict[Removed, int] = {}

    def sets(self) -> list[list[str]]:
        """Up to MOST_SETS of them, the one that tells the rule best first."""
        near = self._near()
        self._try(near, (1,))
        self._try(near[:_NEAR], (2,))
        if _TURNED not in self.found.values() and self._worth_more():
            self._try(near[:_NEAREST], (3,))
        self._try_together(near)
        best = max(self.found.values(), default=_SPOILT)
        chosen = [found for found, change in self.found.items() if change == best]
        if best == _SPOILT:
            chosen = [found for found in chosen if found <= self._named()]
        ranked = sorted(chosen, key=lambda found: self._rank(found, near))[:MOST_SETS]
        return [sorted(found, key=near.index) for found in ranked]

    def change(self, sets: Iterable[Iterable[str]]) -> CounterfactualChange | None:
        """What the verdict would be without any one of these sets of provinces' units."""
        fates = [self.scene.fate(self.province, self.circle, frozenset(places)) for places in sets]
        if not isinstance(self.verdict.order, Move | Support | Convoy):
            fell = OrderResult.DISLODGED in self.base[0]
            turned = all((OrderResult.DISLODGED in results) != fell for results, _ in fates)
            return (CounterfactualChange.STAYS if fell else CounterfactualChange.FALLS) if turned else None
        well = self._well(self.base)
        turned = all(self._well(fate) != well for fate in fates)
        return (CounterfactualChange.FAILS if well else CounterfactualChange.SUCCEEDS) if turned else None

    def _named(self) -> set[str]:
        return {unit.province for unit in self.verdict.cause.units}

    def _worth_more(self) -> bool:
        return bool(self._named() or self._direct())

    def _near(self) -> list[str]:
        """The others, those first that the rule speaks of and the decision reads; never the object of the
        order itself."""
        order, direct = self.verdict.order, self._direct()
        whose = order.target.province if isinstance(order, Support | Convoy) else ""
        spoken = [at for at in self.scene.given if at in self._named()]
        circle = self.scene.circle(self.province)
        found = dict.fromkeys((*spoken, *direct, *self._bearing_on({*spoken, *direct}), *circle))
        return [at for at in found if at not in (self.province, whose)]

    def _direct(self) -> list[str]:
        """The units that the decision reads first: at the goal, attacking it, helping this one."""
        order = self.verdict.order
        goal = province_of(order.to) if isinstance(order, Move) else self.province
        at_goal = [goal] if goal in self.scene.given else []
        helpers = [at for at in self.scene.given if self._helps(at)]
        rivals = self._bearing_on({self.province, goal, *self._carriers(helpers)}, attacks_only=True)
        return [at for at in dict.fromkeys((*at_goal, *rivals, *helpers)) if at != self.province]

    def _carriers(self, helpers: Iterable[str]) -> Iterator[str]:
        return (at for at in helpers if any(isinstance(one, Convoy) for one in self.scene.given[at]))

    def _bearing_on(self, places: Collection[str], *, attacks_only: bool = False) -> list[str]:
        """The units that attack one of these provinces, or help the unit in it."""
        return [
            at
            for at, orders in self.scene.given.items()
            for one in orders
            if (isinstance(one, Move) and province_of(one.to) in places)
            or (not attacks_only and isinstance(one, Support | Convoy) and one.target.province in places)
        ]

    def _try(self, pool: Sequence[str], sizes: Iterable[int]) -> None:
        for size in sizes:
            for places in combinations(pool, size):
                self._look(frozenset(places))

    def _look(self, removed: Removed) -> None:
        if any(found <= removed for found in self.found):
            return
        fate = self.scene.fate(self.province, self.circle, removed)
        if fate != self.base:
            self.found[removed] = self._change(fate)

    def _change(self, fate: Fate) -> int:
        """How much a change tells: most where a success becomes a failure or the reverse."""
        if self._well(self.base):
            return _TURNED
        if fate[1] and self.verdict.order is not None:
            return _SPOILT
        arrives = OrderResult.CONVOY_DISRUPTED in self.base[0] and OrderResult.CONVOY_DISRUPTED not in fate[0]
        return _TURNED if self._well(fate) or arrives else _OTHERWISE

    def _well(self, fate: Fate) -> bool:
        results, unordered = fate
        spoilt = unordered and self.verdict.order is not None
        fallen = OrderResult.DISLODGED in results and results[0] in (OrderResult.HOLDS, OrderResult.CONVOYS)
        return results[0] in _GOOD and not fallen and not spoilt

    def _try_together(self, near: Sequence[str]) -> None:
        """All that oppose this unit at once, or all that help it, where no smaller set has them."""
        helpers, opposers = self._sides(near)
        for side in (opposers, helpers):
            if side and not any(found <= side for found, change in self.found.items() if change):
                self._shrink(side)

    def _sides(self, near: Sequence[str]) -> tuple[Removed, Removed]:
        """Who helps this unit, and who opposes it: at the goal, or with an attack on it."""
        direct = [at for at in self._direct() if at in near]
        order = self.verdict.order
        goal = province_of(order.to) if isinstance(order, Move) else self.province
        attackers = self._bearing_on({self.province, goal}, attacks_only=True)
        opposers = frozenset(at for at in direct if at == goal or at in attackers)
        return frozenset(direct) - opposers, opposers

    def _helps(self, other: str) -> bool:
        return any(
            isinstance(given, Support | Convoy) and given.target.province == self.province
            for given in self.scene.given[other]
        )

    def _shrink(self, side: Removed) -> None:
        """Leave out one unit after the other while the verdict still changes; keep what is smallest."""
        if not self._changes(side):
            return
        left = side
        for place in sorted(side):
            if len(left) > 1 and self._changes(left - {place}):
                left = left - {place}
        if len(left) <= _LARGEST:
            for size in range(1, len(left) + 1):
                for places in combinations(sorted(left), size):
                    self._look(frozenset(places))

    def _changes(self, removed: Removed) -> bool:
        return self.scene.fate(self.province, self.circle, removed) != self.base

    def _rank(self, found: Removed, near: Sequence[str]) -> tuple[bool, bool, int, list[int]]:
        spoken = self._named()
        whole = not (spoken and found <= spoken), not (spoken and found >= spoken)
        return *whole, len(found), sorted(near.index(place) for place in found)
