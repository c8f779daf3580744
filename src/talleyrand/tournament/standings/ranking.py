"""From games to places: each person's entries, their weights, the total, and the order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

from talleyrand.tournament.boards import sat
from talleyrand.tournament.model import Adjustment, Event

from . import coefficients, rulings, weighing
from .coefficients import ONE, Claim, number
from .entries import Measure, chosen, entry
from .games import Game, Played, played
from .reliefs import Takers, takers
from .values import Entry, Factor, Standing, Standings, Step


def of(
    event: Event,
    through: int | None = None,
    provisional: bool = False,
    *,
    measure: Measure | None = None,
    personal: bool = False,
    bonus: bool = True,
) -> Standings:
    """The standings after a round, the last one where none is said; raises BadEvent for bad regulations.

    `provisional`: also results that nobody has confirmed, and boards as if they ended now. `measure`: instead
    of points, something else that a game and a power give, with the same coefficients, without rulings on
    points; `personal`: to each who sat there for himself, whoever has the points. `bonus`: whether finalists
    have theirs.
    """
    found = played(event, through, provisional=provisional)
    points = Reckoning(found, provisional)
    taken = takers(found.games, points.before_rulings)
    reckoning = replace(points, measure=measure, personal=personal, bonus=bonus)
    lines = [line for one in sorted(reckoning.people) if (line := reckoning.standing(one, taken))]
    return Standings(_placed(lines), found.through, provisional, found.final, found.faults, found.games)


def _placed(lines: Sequence[Standing]) -> tuple[Standing, ...]:
    """Best first; equal totals share the best of their places."""
    ordered = sorted(lines, key=lambda line: (-line.total, line.person))
    first: dict[Fraction, int] = {}
    for at, line in enumerate(ordered, 1):
        first.setdefault(line.total, at)
    return tuple(replace(line, place=first[line.total]) for line in ordered)


@dataclass(frozen=True)
class Reckoning:
    """One reckoning of an event's standings."""

    played: Played
    provisional: bool = False
    measure: Measure | None = None
    personal: bool = False
    bonus: bool = True

    @property
    def event(self) -> Event:
        """The event."""
        return self.played.event

    @cached_property
    def people(self) -> set[int]:
        """Who may have a place."""
        ruled = () if self.measure else (one.person for one in self.event.adjustments.values())
        return {*self._seats, *self._intimate, *ruled}

    @cached_property
    def _seats(self) -> Mapping[int, list[tuple[Game, str]]]:
        """Where each person sat, from the beginning or later."""
        found: dict[int, list[tuple[Game, str]]] = {}
        for game in self.played.games:
            for power, seat in game.table.seats.items():
                for one in dict.fromkeys(sat(seat)):
                    found.setdefault(one, []).append((game, power))
        return found

    @cached_property
    def _factors(self) -> Mapping[tuple[int, int], tuple[Factor, ...]]:
        found = self.played
        return {(game.round, game.board): tuple(coefficients.of_game(found, game)) for game in found.games}

    @cached_property
    def _intimate(self) -> Mapping[int, tuple[tuple[int, str], ...]]:
        return weighing.intimate(self.event, self.played.through, provisional=self.provisional)

    @cached_property
    def _waiting(self) -> Mapping[int, set[int]]:
        """For each person the rounds in which he sits on a board without a result."""
        found: dict[int, set[int]] = {}
        for at, board in self.played.waiting:
            for seat in self.event.rounds[at].boards[board].seats.values():
                found.setdefault(seat.person or 0, set()).add(at)
        return found

    def before_rulings(self, person: int, taken: Takers) -> Fraction:
        """Somebody's total without rulings on it: what tells whether a replacement benefits him."""
        claims = self._claims(person, taken)
        entries = self._entries(person, claims)
        return [step.points for step in self._steps(person, claims, entries)][-1]

    def standing(self, person: int, taken: Takers) -> Standing | None:
        """Somebody's total with its entries and lines, without a place; None where he has nothing to rank."""
        claims = self._claims(person, taken)
        entries = self._entries(person, claims)
        told = self._rulings(person)
        if not (entries or told or person in self._intimate):
            return None
        steps = [*self._steps(person, claims, entries)]
        steps += rulings.on_total(steps[-1].points, rulings.left_over(entries, told))
        return Standing(0, person, steps[-1].points, tuple(entries), tuple(steps))

    def _rulings(self, person: int) -> list[Adjustment]:
        return [] if self.measure else rulings.of_person(self.event, person, self.played.through)

    def _claims(self, person: int, taken: Takers) -> list[Claim]:
        found: list[Claim] = []
        shared = coefficients.parts if self.personal else coefficients.claims
        for game, power in self._seats.get(person, ()):
            taker = taken.get((game.round, game.board, power))
            found += shared(self.played.rules, game, power, taker)
        return [claim for claim in found if claim.person == person]

    def _entries(self, person: int, claims: Sequence[Claim]) -> list[Entry]:
        given = [
            entry(claim, self._factors[claim.game.round, claim.game.board], self.measure) for claim in claims
        ]
        counted = chosen(given, self.played.rules.twice, self._waiting.get(person, set()))
        ruled = rulings.on_rounds([*counted], [one for one in self._rulings(person) if one.round])
        rested = weighing.rested(self.event, person, self.played.through) | self._kept_rest(person, claims)
        return weighing.weighed(self.played, person, ruled, rested)

    def _kept_rest(self, person: int, claims: Sequence[Claim]) -> set[int]:
        """Rounds in which he had stood down, and took over a game that is not his after all."""
        his = {claim.place for claim in claims}
        return {
            game.round
            for game, power in self._seats.get(person, ())
            for relief in game.table.seats[power].reliefs
            if relief.person == person and relief.rested and (game.round, game.board, power) not in his
        }

    def _steps(self, person: int, claims: Sequence[Claim], entries: Sequence[Entry]) -> Iterator[Step]:
        """From the sum of entries to the total."""
        counted = [one for one in entries if one.counted]
        total = sum((one.points for one in counted), Fraction(0))
        yield Step("sum", total, {"games": Fraction(len(counted))})
        for factor in self._whole(person, claims, counted):
            total = total * factor.value
            yield Step(factor.kind, total, factor.facts)

    def _whole(self, person: int, claims: Sequence[Claim], counted: Sequence[Entry]) -> Iterator[Factor]:
        """What the whole is multiplied by."""
        yield from self._shared(counted)
        yield from self._intimate_bonus(person)
        final = self.played.rules.final
        finalist = any(claim.kept and claim.game.table.final for claim in claims)
        if self.bonus and finalist and final and self.played.final and number(final.bonus) != ONE:
            value = number(final.bonus)
            yield Factor("finalist", value, {"percent": (value - 1) * 100})

    def _shared(self, counted: Sequence[Entry]) -> Iterator[Factor]:
        more = weighing.case_of(self.played).shared
        if more is not None and len(counted) + more > 0:
            facts = {"games": Fraction(len(counted)), "more": Fraction(more)}
            yield Factor("shared", Fraction(1, len(counted) + more), facts)

    def _intimate_bonus(self, person: int) -> Iterator[Factor]:
        """Percentages of several rounds add up: each line multiplies what the ones before made of it."""
        before = ONE
        for at, word in self._intimate.get(person, ()):
            percent = number(self.played.rules.intimate.get(word, "0"))
            value = (before + percent) / before
            before += percent
            yield Factor(f"intimate_{word}", value, {"round": str(at), "percent": percent * 100})
