"""Rulings on points: sanctions, and whatever the director has decided, in the order in which he did."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from talleyrand.tournament import regulations
from talleyrand.tournament.event_errors import InvalidEvent
from talleyrand.tournament.model import AdjustmentEffect, Event, ScoreAdjustment

from .score_factors import number_as_written
from .standing_values import StandingEntry, WorkingStep

TOTAL = 0


def adjustments_of(event: Event, person: int, through: int) -> list[ScoreAdjustment]:
    """The rulings on somebody up to a round, and on his total; raises BadEvent for a value that is none."""
    found = [(number, one) for number, one in sorted(event.adjustments.items()) if one.person == person]
    for number, one in found:
        if regulations.exact_amount(one.value) is None:
            where = f"adjustments.{number}.value"
            raise InvalidEvent("event_not_a_fraction", where=where, value=one.value[:40])
    return [one for _, one in found if one.round <= through]


def apply_adjustment(points: Fraction, ruling: ScoreAdjustment) -> WorkingStep:
    """A ruling on points."""
    value = regulations.exact_amount(ruling.value) or Fraction(0)
    after = {
        AdjustmentEffect.ADD: points + value,
        AdjustmentEffect.TIMES: points * value,
        AdjustmentEffect.SET: value,
    }[ruling.effect]
    facts = {"value": number_as_written(ruling.value), "why": ruling.why.rstrip(" .")}
    return WorkingStep(f"ruling_{ruling.effect}", after, facts)


def adjust_rounds(entries: Sequence[StandingEntry], told: Iterable[ScoreAdjustment]) -> list[StandingEntry]:
    """The entries after rulings on their rounds; what is set without a game is an entry of its own.

    A factor holds for every game of the round, an addition and a setting for the first.
    """
    ruled = list(entries)
    for ruling in told:
        at = [place for place, one in enumerate(ruled) if one.round == ruling.round and one.counted]
        if not at and ruling.effect is AdjustmentEffect.SET:
            ruled.append(_own(ruling))
        for place in at if ruling.effect is AdjustmentEffect.TIMES else at[:1]:
            step = apply_adjustment(ruled[place].weighted, ruling)
            steps = (*ruled[place].steps, step)
            ruled[place] = replace(ruled[place], weighted=step.points, steps=steps)
    return sorted(ruled, key=lambda one: (one.round, one.board, one.power))


def _own(ruling: ScoreAdjustment) -> StandingEntry:
    step = apply_adjustment(Fraction(0), ruling)
    facts = {**step.facts, "round": str(ruling.round)}
    step = replace(step, kind="ruling_alone", facts=facts)
    return StandingEntry(ruling.round, 0, "", Fraction(0), step.points, steps=(step,))


def adjustments_on_total(
    entries: Sequence[StandingEntry], told: Iterable[ScoreAdjustment]
) -> Iterator[ScoreAdjustment]:
    """The rulings that fall on the total: those meant for it, and those on a round that he did not play."""
    played = {one.round for one in entries if one.counted}
    yield from (one for one in told if one.round == TOTAL or one.round not in played)


def adjust_total(points: Fraction, told: Iterable[ScoreAdjustment]) -> Iterator[WorkingStep]:
    """The lines of rulings on a total; a factor for a round not played changes nothing, and says so."""
    for ruling in told:
        step = apply_adjustment(points, ruling)
        if ruling.round != TOTAL and ruling.effect is not AdjustmentEffect.ADD:
            step = WorkingStep("ruling_void", points, {**step.facts, "round": str(ruling.round)})
        points = step.points
        yield step
