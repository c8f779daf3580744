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
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import cached_property
from itertools import combinations
from typing import NamedTuple

from .board import Board, province_of
from .orders import Convoy, Move, Order, Support
from .outcome import CauseCode, OrderResult, Verdict
from .position import Position, Unit
from .reduced_phase import NOBODY, BudgetExceeded, CompiledRemovals, Fate, ReducedPhase, Removed, UnitCircle
from .rulebook import Rulebook
from .step_budget import StepBudget

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
        self.scene = ReducedPhase(board, position, orders, book, effort, compiled)
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
        if province not in self._searched:
            return VerdictReason()
        self.scene.begin()
        try:
            return self._ahead[province].paid() if province in self._ahead else self._looked_for(verdict)
        except BudgetExceeded:
            self.is_incomplete = True
            return VerdictReason()

    def _looked_for(self, verdict: Verdict) -> VerdictReason:
        search = _search(self.scene, verdict, pays=True)
        for wanted in search.steps():
            self.scene.expect([(search.circle, removed) for removed in wanted])
        return search.reason

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
        judged at once; none where that would take more effort than there is."""
        if not self.scene.is_compiled:
            return {}
        scene, left = self.scene, self.scene.most_steps
        searches = {
            province: _search(scene, verdict, pays=False) for province, verdict in self._searched.items()
        }
        running = [(search, search.steps()) for search in searches.values()]
        while running:
            wanted = {search: next(steps, None) for search, steps in running}
            rows = [(search.circle, removed) for search, sets in wanted.items() for removed in sets or ()]
            left -= scene.judge_ahead(rows, left)
            if left < 0:
                return {}
            running = [(search, steps) for search, steps in running if wanted[search] is not None]
        return searches


def _hangs_on_nobody(scene: ReducedPhase, province: str, verdict: Verdict) -> bool:
    """Whether a success plainly does: the common case, told without judging again."""
    order, book = verdict.order, scene.book
    if verdict.cause.code in _OF_THE_ORDER:
        return False
    goal = province_of(order.to) if isinstance(order, Move) else province
    rivals = scene.attack_count[goal] - isinstance(order, Move)
    if rivals or verdict.results not in _PLAIN or (goal != province and goal in scene.given):
        return False
    # under some books, a unit whose order becomes impossible can no longer be supported
    if book.illegal_order == "ignored_and_hold" or book.civil_disorder_support == "forbidden":
        return False
    if isinstance(order, Support) and scene.is_intricate(order.target.province):
        return False
    return not scene.is_intricate(province)


def _search(scene: ReducedPhase, verdict: Verdict, *, pays: bool) -> _Search:
    of_the_order = verdict.cause.code in _OF_THE_ORDER
    return (_SpoiltOrderSearch if of_the_order else _SmallestSetSearch)(scene, verdict, pays=pays)


class _Search(ABC):
    """A search for one reason, in steps: before each it tells the removals that it will ask for.

    It `pays` for what it asks for, or notes it, so that it can be `paid` later.
    """

    def __init__(self, scene: ReducedPhase, circle: UnitCircle, verdict: Verdict, *, pays: bool) -> None:
        self.scene, self.circle, self.verdict, self.pays = scene, circle, verdict, pays
        self.province = verdict.unit.province
        self.reason = VerdictReason()
        self._asked: list[Removed] = []

    @abstractmethod
    def steps(self) -> Iterator[Sequence[Removed]]:
        """The removals that each step asks for; after the last the reason is found."""

    def paid(self) -> VerdictReason:
        """The reason, once its effort is spent; raises BudgetExceeded."""
        for removed in self._asked:
            self.circle.pay(removed)
        return self.reason

    def _fate(self, removed: Removed) -> Fate:
        if self.pays:
            self.circle.pay(removed)
        else:
            self._asked.append(removed)
        return self.circle.fate(self.province, removed)


class _SpoiltOrderSearch(_Search):
    """Whether an order would not count without those it speaks of; another may take its place."""

    def __init__(self, scene: ReducedPhase, verdict: Verdict, *, pays: bool) -> None:
        super().__init__(scene, scene.circle(verdict.unit.province), verdict, pays=pays)

    def steps(self) -> Iterator[Sequence[Removed]]:
        gone = frozenset(unit.province for unit in self.verdict.cause.units)
        yield NOBODY, gone
        if self._fate(NOBODY) != self._fate(gone):
            self.reason = reason_from_cause(self.verdict)


class _SmallestSetSearch(_Search):
    """The smallest sets of units without which one verdict would be another."""

    def __init__(self, scene: ReducedPhase, verdict: Verdict, *, pays: bool) -> None:
        province, order = verdict.unit.province, verdict.order
        circle = scene.circle(province, with_retreats=OrderResult.DISLODGED in verdict.results)
        super().__init__(scene, circle, verdict, pays=pays)
        self._goal = province_of(order.to) if isinstance(order, Move) else province
        self._named = frozenset(unit.province for unit in verdict.cause.units)
        self._direct = self._read_first()
        self._near = self._nearest_first()
        self.found: dict[Removed, int] = {}

    def steps(self) -> Iterator[Sequence[Removed]]:
        near = self._near
        singles = [frozenset((place,)) for place in near]
        yield [NOBODY, *singles]
        self.base = self._fate(NOBODY)
        self._look(singles)
        yield from self._try(near[:_NEAR], 2)
        if _TURNED not in self.found.values() and (self._named or self._direct):
            yield from self._try(near[:_NEAREST], 3)
        yield from self._try_together()
        sets = self._best()
        if sets:
            at = self.scene.position.units_by_province
            units, *others = [tuple(at[place] for place in places) for places in sets]
            self.reason = VerdictReason(units, tuple(others), self.change(sets))

    def _best(self) -> list[list[str]]:
        """Up to MOST_SETS of those found, the one that tells the rule best first."""
        best = max(self.found.values(), default=_SPOILT)
        chosen = [found for found, change in self.found.items() if change == best]
        if best == _SPOILT:
            chosen = [found for found in chosen if found <= self._named]
        ranked = sorted(chosen, key=self._rank)[:MOST_SETS]
        return [sorted(found, key=self._near.index) for found in ranked]

    def change(self, sets: Iterable[Iterable[str]]) -> CounterfactualChange | None:
        """What the verdict would be without any one of these sets of provinces' units."""
        fates = [self._fate(frozenset(places)) for places in sets]
        if not isinstance(self.verdict.order, Move | Support | Convoy):
            fell = OrderResult.DISLODGED in self.base[0]
            turned = all((OrderResult.DISLODGED in results) != fell for results, _ in fates)
            return (CounterfactualChange.STAYS if fell else CounterfactualChange.FALLS) if turned else None
        well = self._well(self.base)
        turned = all(self._well(fate) != well for fate in fates)
        return (CounterfactualChange.FAILS if well else CounterfactualChange.SUCCEEDS) if turned else None

    def _nearest_first(self) -> list[str]:
        """The others, those first that the rule speaks of and the decision reads; never the object of the
        order itself."""
        order, scene = self.verdict.order, self.scene
        whose = order.target.province if isinstance(order, Support | Convoy) else ""
        spoken = sorted(self._named & scene.given.keys())
        read = {*spoken, *self._direct}
        bearing = self._attacking(read).union(*(scene.helpers.get(place, ()) for place in read))
        circle = scene.near_first(self.province)
        found = dict.fromkeys((*spoken, *self._direct, *sorted(bearing), *circle))
        return [at for at in found if at not in (self.province, whose)]

    def _read_first(self) -> list[str]:
        """The units that the decision reads first: at the goal, attacking it, helping this one."""
        scene, goal = self.scene, self._goal
        at_goal = [goal] if goal in scene.given else []
        helpers = scene.helpers.get(self.province, ())
        carriers = (at for at in helpers if any(isinstance(one, Convoy) for one in scene.given[at]))
        rivals = sorted(self._attacking({self.province, goal, *carriers}))
        return [at for at in dict.fromkeys((*at_goal, *rivals, *helpers)) if at != self.province]

    def _attacking(self, places: Collection[str]) -> set[str]:
        """The units that attack one of these provinces."""
        return set[str]().union(*(self.scene.attackers.get(place, ()) for place in places))

    def _try(self, pool: Sequence[str], size: int) -> Iterator[Sequence[Removed]]:
        smaller = [found for found in self.found if len(found) > 1]
        enough = {place for found in self.found if len(found) == 1 for place in found}
        sets = map(frozenset, combinations([place for place in pool if place not in enough], size))
        wanted = [removed for removed in sets if not any(found <= removed for found in smaller)]
        yield wanted
        self._look(wanted)

    def _look(self, wanted: Iterable[Removed]) -> None:
        fate_of, base = self._fate, self.base
        for removed in wanted:
            fate = fate_of(removed)
            if fate is not base and fate != base:
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

    def _try_together(self) -> Iterator[Sequence[Removed]]:
        """All that oppose this unit at once, or all that help it, where no smaller set has them."""
        helpers, opposers = self._sides()
        for side in (opposers, helpers):
            if side and not any(found <= side for found, change in self.found.items() if change):
                yield from self._shrink(side)

    def _sides(self) -> tuple[Removed, Removed]:
        """Who helps this unit, and who opposes it: at the goal, or with an attack on it."""
        direct = frozenset(self._direct).intersection(self._near)
        opposers = direct & {self._goal, *self._attacking((self.province, self._goal))}
        return direct - opposers, opposers

    def _shrink(self, side: Removed) -> Iterator[Sequence[Removed]]:
        """Leave out one unit after the other while the verdict still changes; keep what is smallest."""
        if not self._changes(side):
            return
        left = side
        for place in sorted(side):
            if len(left) > 1 and self._changes(left - {place}):
                left = left - {place}
        if len(left) <= _LARGEST:
            for size in range(1, len(left) + 1):
                yield from self._try(sorted(left), size)

    def _changes(self, removed: Removed) -> bool:
        return self._fate(removed) != self.base

    def _rank(self, found: Removed) -> tuple[bool, bool, int, list[int]]:
        spoken = self._named
        whole = not (spoken and found <= spoken), not (spoken and found >= spoken)
        return *whole, len(found), sorted(self._near.index(place) for place in found)
