"""Why, by counterfactual: which units, had they not been there, would have changed a verdict.

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

from abc import ABC, abstractmethod
from collections.abc import Generator, Iterable, Mapping, Sequence
from enum import StrEnum
from functools import cached_property
from itertools import combinations
from typing import NamedTuple

from .board import Board, province_of
from .orders import Convoy, Move, Order, Support
from .outcome import CauseCode, OrderResult, Verdict
from .position import Position, Unit
from .reduced_phase import (
    FATES,
    UNORDERED,
    BudgetExceeded,
    CompiledRemovals,
    ReducedPhase,
    UnitCircle,
    fate_results,
)
from .rulebook import Rulebook
from .step_budget import StepBudget
from .unit_links import HELPING, NOBODY, NearUnits, UnitSet, each_unit, unit_numbers

MOST_SETS = 4
"""So many alternatives are told at most, those nearest to the rule that decided first."""
# Single units are tried all; pairs and threes among so many of the nearest; larger sets only out of those
# that oppose a unit together, or help it.
_NEAR, _NEAREST, _LARGEST = 8, 6, 7
_SPOILT, _OTHERWISE, _TURNED = 0, 1, 2

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


def _goes_well(results: Sequence[str]) -> bool:
    fallen = OrderResult.DISLODGED in results and results[0] in (OrderResult.HOLDS, OrderResult.CONVOYS)
    return results[0] in _GOOD and not fallen


_WELL = frozenset(fate for fate in FATES if _goes_well(fate_results(fate)))
_STRANDED = frozenset(fate for fate in FATES if OrderResult.CONVOY_DISRUPTED in fate_results(fate))


class CounterfactualChange(StrEnum):
    """What a verdict would be instead: an order that succeeds or fails, a unit that stays or falls."""

    SUCCEEDS = "succeeds"
    FAILS = "fails"
    STAYS = "stays"
    FALLS = "falls"


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
    looked for to the end. `is_incomplete` tells whether some were not. What is `compiled` judges faster, and
    changes nothing else.
    """

    def __init__(
        self,
        board: Board,
        position: Position,
        orders: Mapping[str, Sequence[Order]],
        book: Rulebook,
        verdicts: Iterable[Verdict],
        effort: StepBudget | None = None,
        compiled: CompiledRemovals | None = None,
    ) -> None:
        self.is_incomplete = False
        self.verdicts: dict[str, Verdict] = {}
        for verdict in verdicts:
            if (
                verdict.unit.province in position.units_by_province
            ):  # not a unit that the walk to the next choice has built
                self.verdicts.setdefault(verdict.unit.province, verdict)
        followed = {province: verdict.order for province, verdict in self.verdicts.items()}
        self.scene = ReducedPhase(board, position, orders, book, followed, effort, compiled)
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
        if province not in self._searched:
            return VerdictReason()
        self.scene.begin()
        try:
            return (self._ahead.get(province) or _search(self.scene, verdict)).paid()
        except BudgetExceeded:
            self.is_incomplete = True
            return VerdictReason()

    @cached_property
    def _searched(self) -> Mapping[str, Verdict]:
        """The verdicts whose reason has to be looked for."""
        return {
            province: verdict
            for province, verdict in self.verdicts.items()
            if not _hangs_on_nobody(self.scene, province, verdict)
        }

    @cached_property
    def _ahead(self) -> dict[str, _Search]:
        """The searches for all reasons, each as far as the others at any time, so that all they want is
        judged at once; to the end, or as far as there is effort for all."""
        if not self.scene.is_compiled:
            return {}
        left = self.scene.most_steps
        searches = {province: _search(self.scene, verdict) for province, verdict in self._searched.items()}
        running = [*searches.values()]
        while running:
            left -= self.scene.judge_ahead([search.wanted for search in running], left)
            if left < 0:
                break
            running = [search for search in running if search.goes_on()]
        return searches


def _hangs_on_nobody(scene: ReducedPhase, province: str, verdict: Verdict) -> bool:
    """Whether a success plainly does: the common case, told without judging again."""
    order, book = verdict.order, scene.book
    if verdict.cause.code in _OF_THE_ORDER:
        return False
    goal = province_of(order.to) if isinstance(order, Move) else province
    rivals = scene.attack_count[goal] - isinstance(order, Move)
    if rivals or verdict.results not in _PLAIN or (goal != province and goal in scene.bits):
        return False
    # under some books, a unit whose order becomes impossible can no longer be supported
    if book.illegal_order == "ignored_and_hold" or book.civil_disorder_support == "forbidden":
        return False
    concerned = scene.bits[province]
    if isinstance(order, Support):
        concerned |= scene.bits.get(order.target.province, NOBODY)
    return not concerned & scene.intricate


def _search(scene: ReducedPhase, verdict: Verdict) -> _Search:
    of_the_order = verdict.cause.code in _OF_THE_ORDER
    return (_SpoiltOrderSearch if of_the_order else _SmallestSetSearch)(scene, verdict)


_Steps = Generator[Sequence[UnitSet], None, None]


class _Search(ABC):
    """A search for one reason, in steps: `wanted` are the sets of units that the next one asks for, each
    alone on the board; after the last the `reason` is found.

    It notes the removals that it asks for, so that they can be `paid` later.
    """

    def __init__(self, scene: ReducedPhase, circle: UnitCircle, verdict: Verdict) -> None:
        self.scene, self.circle, self.verdict = scene, circle, verdict
        self.own = scene.bits[verdict.unit.province]
        self.reason = VerdictReason()
        self.wanted: Sequence[UnitSet] = ()
        self._number = self.own.bit_length() - 1
        self._pays = False
        self._asked: list[UnitSet] = []
        self._steps = self.steps()

    @abstractmethod
    def steps(self) -> _Steps:
        """The sets of units that each step asks for."""

    def goes_on(self) -> bool:
        """Make the next step, all that it asks for judged; whether there is another."""
        self.wanted = next(self._steps, ())
        return bool(self.wanted)

    def paid(self) -> VerdictReason:
        """The reason, once its effort is spent; raises BudgetExceeded."""
        self.circle.pay(self._asked)
        self._pays = True
        more = bool(self.wanted) or self.goes_on()
        while more:
            self.scene.expect(self.wanted)
            more = self.goes_on()
        return self.reason

    def _fates(self, removals: Sequence[UnitSet]) -> Generator[Sequence[UnitSet], None, list[int]]:
        """What becomes of the unit without each of these: asked for in a step, then told."""
        members = self.circle.members
        standing = [members & ~removed for removed in removals]
        yield standing
        if self._pays:
            self.circle.pay(removals)
        else:
            self._asked += removals
        return self.scene.fates_of(self._number, standing)


class _SpoiltOrderSearch(_Search):
    """Whether an order would not count without those it speaks of; another may take its place."""

    def __init__(self, scene: ReducedPhase, verdict: Verdict) -> None:
        number = scene.bits[verdict.unit.province].bit_length() - 1
        super().__init__(scene, scene.circle(number), verdict)

    def steps(self) -> _Steps:
        both = NOBODY, self.scene.named(self.verdict.cause.units)
        as_it_is, without = yield from self._fates(both)
        if as_it_is != without:
            self.reason = reason_from_cause(self.verdict)


class _SmallestSetSearch(_Search):
    """The smallest sets of units without which one verdict would be another."""

    def __init__(self, scene: ReducedPhase, verdict: Verdict) -> None:
        province, order = verdict.unit.province, verdict.order
        number = scene.bits[province].bit_length() - 1
        circle = scene.circle(number, with_retreats=OrderResult.DISLODGED in verdict.results)
        super().__init__(scene, circle, verdict)
        goal = province_of(order.to) if isinstance(order, Move) else province
        self._at_goal = scene.bits.get(goal, NOBODY)
        self._attackers = scene.attacking[number] | scene.attackers.get(goal, NOBODY)
        self._named = scene.named(verdict.cause.units)
        self._marks_that_count = ~NOBODY if verdict.order else ~UNORDERED
        self._direct, self._direct_set = self._read_first()
        self._near, self._near_set = self._nearest_first()
        self.found: dict[UnitSet, int] = {}
        """What becomes of the unit without these."""

    def steps(self) -> _Steps:
        near = self._near
        self.base, *fates = yield from self._fates([NOBODY, *near])
        self._was_well = self._is_well(self.base)
        self._look(near, fates)
        yield from self._try(near[:_NEAR], 2)
        if (self._named or self._direct) and _TURNED not in map(self._change, self.found.values()):
            yield from self._try(near[:_NEAREST], 3)
        yield from self._try_together()
        sets = self._best()
        if sets:
            chosen = [tuple(self._by_nearness(units)) for units in sets]
            self.reason = VerdictReason(chosen[0], tuple(chosen[1:]), self.change(sets))

    def _best(self) -> list[UnitSet]:
        """Up to MOST_SETS of those found, the one that tells the rule best first."""
        changes = {found: self._change(fate) for found, fate in self.found.items()}
        best = max(changes.values(), default=_SPOILT)
        chosen = [found for found, change in changes.items() if change == best]
        if best == _SPOILT:
            chosen = [found for found in chosen if not found & ~self._named]
        return sorted(chosen, key=self._rank)[:MOST_SETS] if len(chosen) > 1 else chosen

    def _by_nearness(self, units: UnitSet) -> list[Unit]:
        return [self.scene.units[one.bit_length() - 1] for one in self._near if one & units]

    def change(self, sets: Sequence[UnitSet]) -> CounterfactualChange | None:
        """What the verdict would be without any one of these sets."""
        fates = [self.found[units] for units in sets]
        if not isinstance(self.verdict.order, Move | Support | Convoy):
            fell = OrderResult.DISLODGED in fate_results(self.base)
            turned = all((OrderResult.DISLODGED in fate_results(fate)) != fell for fate in fates)
            return (CounterfactualChange.STAYS if fell else CounterfactualChange.FALLS) if turned else None
        well = self._was_well
        turned = all(self._is_well(fate) != well for fate in fates)
        return (CounterfactualChange.FAILS if well else CounterfactualChange.SUCCEEDS) if turned else None

    def _nearest_first(self) -> NearUnits:
        """The others, those first that the rule speaks of and the decision reads; never the object of the
        order itself."""
        order, scene = self.verdict.order, self.scene
        spoken, direct, bearing = self._named & scene.everybody, self._direct_set, NOBODY
        for number in unit_numbers(spoken | direct):
            bearing |= scene.attacking[number] | scene.helping[number]
        left_out = self.own
        if isinstance(order, HELPING):
            left_out |= scene.bits.get(order.target.province, NOBODY)
        near, around = scene.near(self._number)
        together = (spoken | direct | bearing | around) & ~left_out
        listed = each_unit(spoken & ~left_out)
        left_out |= spoken
        listed += [one for one in self._direct if not one & left_out]
        left_out |= direct
        listed += each_unit(bearing & ~left_out)
        left_out |= bearing
        return NearUnits(listed + [one for one in near if not one & left_out], together)

    def _read_first(self) -> NearUnits:
        """The units that the decision reads first: at the goal, attacking it, helping this one."""
        scene, rivals, helpers = self.scene, self._attackers, self.scene.helping[self._number]
        for number in unit_numbers(helpers & scene.convoying):
            rivals |= scene.attacking[number]
        at_goal = self._at_goal & ~self.own
        rivals &= ~(at_goal | self.own)
        helpers &= ~(at_goal | rivals | self.own)
        listed = [*each_unit(at_goal), *each_unit(rivals), *each_unit(helpers)]
        return NearUnits(listed, at_goal | rivals | helpers)

    def _try(self, pool: Sequence[UnitSet], size: int) -> _Steps:
        found = self.found
        smaller = [one for one in found if one & (one - 1)]
        wanted = [*map(sum, combinations([one for one in pool if one not in found], size))]
        if smaller:
            wanted = [removed for removed in wanted if not any(found & removed == found for found in smaller)]
        if wanted:
            self._look(wanted, (yield from self._fates(wanted)))

    def _look(self, wanted: Sequence[UnitSet], fates: Sequence[int]) -> None:
        if fates.count(self.base) < len(fates):
            both = zip(wanted, fates, strict=True)
            self.found.update([(removed, fate) for removed, fate in both if fate != self.base])

    def _change(self, fate: int) -> int:
        """How much a change tells: most where a success becomes a failure or the reverse."""
        if self._was_well or self._is_well(fate):
            return _TURNED
        if fate & UNORDERED & self._marks_that_count:
            return _SPOILT
        arrives = self.base & ~UNORDERED in _STRANDED and fate & ~UNORDERED not in _STRANDED
        return _TURNED if arrives else _OTHERWISE

    def _is_well(self, fate: int) -> bool:
        return fate & self._marks_that_count in _WELL

    def _try_together(self) -> _Steps:
        """All that oppose this unit at once, or all that help it, where no smaller set has them."""
        direct = self._direct_set & self._near_set
        opposers = direct & (self._at_goal | self._attackers)
        for side in (opposers, direct & ~opposers):
            smaller = [fate for found, fate in self.found.items() if found & side == found]
            if side & (side - 1) and not any(map(self._change, smaller)):
                yield from self._shrink(side)

    def _shrink(self, side: UnitSet) -> _Steps:
        """Leave out one unit after the other while the verdict still changes; keep what is smallest."""
        if (yield from self._fates((side,))) == [self.base]:
            return
        left = side
        for one in each_unit(side):
            if left != one and (yield from self._fates((left & ~one,))) != [self.base]:
                left &= ~one
        if left.bit_count() <= _LARGEST:
            for size in range(1, left.bit_count() + 1):
                yield from self._try([*each_unit(left)], size)

    def _rank(self, found: UnitSet) -> tuple[bool, bool, int, list[int]]:
        spoken = self._named
        whole = not spoken or bool(found & ~spoken), not spoken or bool(spoken & ~found)
        return *whole, found.bit_count(), [place for place, one in enumerate(self._near) if one & found]
