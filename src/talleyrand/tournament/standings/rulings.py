"""Rulings on points: sanctions, and whatever the director has decided, in the order in which he did."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from talleyrand.tournament import regulations
from talleyrand.tournament.errors import BadEvent
from talleyrand.tournament.model import Adjustment, Effect, Event

from .coefficients import shown
from .values import Entry, Step

TOTAL = 0


def of_person(event: Event, person: int, through: int) -> list[Adjustment]:
    """The rulings on somebody up to a round, and on his total; raises BadEvent for a value that is none."""
    found = [(number, one) for number, one in sorted(event.adjustments.items()) if one.person == person]
    for number, one in found:
        if regulations.amount(one.value) is None:
            where = f"adjustments.{number}.value"
            raise BadEvent("event_not_a_fraction", where=where, value=one.value[:40])
    return [one for _, one in found if one.round <= through]


def applied(points: Fraction, ruling: Adjustment) -> Step:
    """A ruling on points."""
    value = regulations.amount(ruling.value) or Fraction(0)
    after = {Effect.ADD: points + value, Effect.TIMES: points * value, Effect.SET: value}[ruling.effect]
    facts = {"value": shown(ruling.value), "why": ruling.why.rstrip(" .")}
    return Step(f"ruling_{ruling.effect}", after, facts)


def on_rounds(entries: Sequence[Entry], told: Iterable[Adjustment]) -> list[Entry]:
    """The entries after rulings on their rounds; what is set without a game is an entry of its own.

    A factor holds for every game of the round, an addition and a setting for the first.
    """
    ruled = list(entries)
    for ruling in told:
        at = [place for place, one in enumerate(ruled) if one.round == ruling.round and one.counted]
        if not at and ruling.effect is Effect.SET:
            ruled.append(_own(ruling))
        for place in at if ruling.effect is Effect.TIMES else at[:1]:
            step = applied(ruled[place].weighted, ruling)
            steps = (*ruled[place].steps, step)
            ruled[place] = replace(ruled[place], weighted=step.points, steps=steps)
    return sorted(ruled, key=lambda one: (one.round, one.board, one.power))


def _own(ruling: Adjustment) -> Entry:
    step = applied(Fraction(0), ruling)
    facts = {**step.facts, "round": str(ruling.round)}
    step = replace(step, kind="ruling_alone", facts=facts)
    return Entry(ruling.round, 0, "", Fraction(0), step.points, steps=(step,))


def left_over(entries: Sequence[Entry], told: Iterable[Adjustment]) -> Iterator[Adjustment]:
    """The rulings that fall on the total: those meant for it, and those on a round that he did not play."""
    played = {one.round for one in entries if one.counted}
    yield from (one for one in told if one.round == TOTAL or one.round not in played)


def on_total(points: Fraction, told: Iterable[Adjustment]) -> Iterator[Step]:
    """The lines of rulings on a total; a factor for a round not played changes nothing, and says so."""
    for ruling in told:
        step = applied(points, ruling)
        if ruling.round != TOTAL and ruling.effect is not Effect.ADD:
            step = Step("ruling_void", points, {**step.facts, "round": str(ruling.round)})
        points = step.points
        yield step
