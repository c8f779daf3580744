"""From games to places: each person's entries, what they count for, the total, and the order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

from talleyrand.tournament.board_rules import seat_players
from talleyrand.tournament.model import Event, EventBoard, ScoreAdjustment
from talleyrand.tournament.regulations import RoundWeights

from . import score_factors
from .score_factors import (
    ONE,
    GameMeasure,
    PointsTakers,
    SeatClaim,
    counted_entries,
    make_entry,
    points_takers,
    regulation_number,
)
from .scored_games import (
    BEGUN_STATES,
    PlayedGames,
    ScoredGame,
    counting_result,
    did_not_happen,
    is_intimate,
    score_games,
)
from .standing_values import PersonStanding, ScoreFactor, StandingEntry, Standings, WorkingStep


def compute_standings(
    event: Event,
    through: int | None = None,
    provisional: bool = False,
    *,
    measure: GameMeasure | None = None,
    personal: bool = False,
    bonus: bool = True,
) -> Standings:
    """The standings after a round, the last one where none is said; raises InvalidEvent for bad regulations.

    `provisional`: also results that nobody has confirmed, and boards as if they ended now. `measure`: instead
    of points, something else that a game and a power give, with the same coefficients, without rulings on
    points; `personal`: to each who sat there for himself, whoever has the points. `bonus`: whether finalists
    have theirs.
    """
    found = score_games(event, through, provisional=provisional)
    points = StandingsCalculation(found, provisional)
    taken = points_takers(found.games, points.before_rulings)
    reckoning = replace(points, measure=measure, personal=personal, bonus=bonus)
    lines = [line for one in sorted(reckoning.people) if (line := reckoning.standing(one, taken))]
    return Standings(_placed(lines), found.through, provisional, found.final, found.faults, found.games)


def _placed(lines: Sequence[PersonStanding]) -> tuple[PersonStanding, ...]:
    """Best first; equal totals share the best of their places."""
    ordered = sorted(lines, key=lambda line: (-line.total, line.person))
    first: dict[Fraction, int] = {}
    for at, line in enumerate(ordered, 1):
        first.setdefault(line.total, at)
    return tuple(replace(line, place=first[line.total]) for line in ordered)


@dataclass(frozen=True)
class StandingsCalculation:
    """One reckoning of an event's standings."""

    played: PlayedGames
    provisional: bool = False
    measure: GameMeasure | None = None
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
    def _seats(self) -> Mapping[int, list[tuple[ScoredGame, str]]]:
        """Where each person sat, from the beginning or later."""
        found: dict[int, list[tuple[ScoredGame, str]]] = {}
        for game in self.played.games:
            for power, seat in game.table.seats.items():
                for one in dict.fromkeys(seat_players(seat)):
                    found.setdefault(one, []).append((game, power))
        return found

    @cached_property
    def _factors(self) -> Mapping[tuple[int, int], tuple[ScoreFactor, ...]]:
        found = self.played
        return {
            (game.round, game.board): tuple(score_factors.board_factors(found, game)) for game in found.games
        }

    @cached_property
    def _intimate(self) -> Mapping[int, tuple[tuple[int, str], ...]]:
        return intimate_results(self.event, self.played.through, provisional=self.provisional)

    @cached_property
    def _waiting(self) -> Mapping[int, set[int]]:
        """For each person the rounds in which he sits on a board without a result."""
        found: dict[int, set[int]] = {}
        for at, board in self.played.waiting:
            for seat in self.event.rounds[at].boards[board].seats.values():
                found.setdefault(seat.person or 0, set()).add(at)
        return found

    def before_rulings(self, person: int, taken: PointsTakers) -> Fraction:
        """Somebody's total without rulings on it: what tells whether a replacement benefits him."""
        claims = self._claims(person, taken)
        entries = self._entries(person, claims)
        return [step.points for step in self._steps(person, claims, entries)][-1]

    def standing(self, person: int, taken: PointsTakers) -> PersonStanding | None:
        """Somebody's total with its entries and lines, without a place; None where he has nothing to rank."""
        claims = self._claims(person, taken)
        entries = self._entries(person, claims)
        told = self._rulings(person)
        if not (entries or told or person in self._intimate):
            return None
        steps = [*self._steps(person, claims, entries)]
        steps += score_factors.adjust_total(
            steps[-1].points, score_factors.adjustments_on_total(entries, told)
        )
        return PersonStanding(0, person, steps[-1].points, tuple(entries), tuple(steps))

    def _rulings(self, person: int) -> list[ScoreAdjustment]:
        return [] if self.measure else score_factors.adjustments_of(self.event, person, self.played.through)

    def _claims(self, person: int, taken: PointsTakers) -> list[SeatClaim]:
        found: list[SeatClaim] = []
        shared = score_factors.personal_claims if self.personal else score_factors.seat_claims
        for game, power in self._seats.get(person, ()):
            taker = taken.get((game.round, game.board, power))
            found += shared(self.played.rules, game, power, taker)
        return [claim for claim in found if claim.person == person]

    def _entries(self, person: int, claims: Sequence[SeatClaim]) -> list[StandingEntry]:
        given = [
            make_entry(claim, self._factors[claim.game.round, claim.game.board], self.measure)
            for claim in claims
        ]
        counted = counted_entries(given, self.played.rules, self._waiting.get(person, set()))
        ruled = score_factors.adjust_rounds([*counted], [one for one in self._rulings(person) if one.round])
        rested = rounds_sat_out(self.event, person, self.played.through) | self._kept_rest(person, claims)
        return weigh_entries(self.played, person, ruled, rested)

    def _kept_rest(self, person: int, claims: Sequence[SeatClaim]) -> set[int]:
        """Rounds in which he had stood down, and took over a game that is not his after all."""
        his = {claim.place for claim in claims}
        return {
            game.round
            for game, power in self._seats.get(person, ())
            for relief in game.table.seats[power].reliefs
            if relief.person == person and relief.rested and (game.round, game.board, power) not in his
        }

    def _steps(
        self, person: int, claims: Sequence[SeatClaim], entries: Sequence[StandingEntry]
    ) -> Iterator[WorkingStep]:
        """From the sum of entries to the total."""
        counted = [one for one in entries if one.counted]
        total = sum((one.points for one in counted), Fraction(0))
        yield WorkingStep("sum", total, {"games": Fraction(len(counted))})
        for factor in self._whole_standings(person, claims, counted):
            total = total * factor.value
            yield WorkingStep(factor.kind, total, factor.facts)

    def _whole_standings(
        self, person: int, claims: Sequence[SeatClaim], counted: Sequence[StandingEntry]
    ) -> Iterator[ScoreFactor]:
        """What the whole is multiplied by."""
        yield from self._shared(counted)
        yield from self._intimate_bonus(person)
        final = self.played.rules.final
        finalist = any(claim.kept and claim.game.table.final for claim in claims)
        if self.bonus and finalist and final and self.played.final and regulation_number(final.bonus) != ONE:
            value = regulation_number(final.bonus)
            yield ScoreFactor("finalist", value, {"percent": (value - 1) * 100})

    def _shared(self, counted: Sequence[StandingEntry]) -> Iterator[ScoreFactor]:
        more = weights_in_force(self.played).shared
        if more is not None and len(counted) + more > 0:
            facts = {"games": Fraction(len(counted)), "more": Fraction(more)}
            yield ScoreFactor("shared", Fraction(1, len(counted) + more), facts)

    def _intimate_bonus(self, person: int) -> Iterator[ScoreFactor]:
        """Percentages of several rounds add up: each line multiplies what the ones before made of it."""
        before = ONE
        for at, word in self._intimate.get(person, ()):
            percent = regulation_number(self.played.rules.intimate.get(word, "0"))
            value = (before + percent) / before
            before += percent
            yield ScoreFactor(f"intimate_{word}", value, {"round": str(at), "percent": percent * 100})


WHOLE_WEIGHTS = RoundWeights()
ANY = "any"


def weights_in_force(played: PlayedGames) -> RoundWeights:
    """The case of the regulations that holds; where none does, every round counts whole."""
    return next((case for case in played.rules.weighing if _holds(played, case)), WHOLE_WEIGHTS)


def _holds(played: PlayedGames, case: RoundWeights) -> bool:
    if case.final is not None and case.final != played.final:
        return False
    return not case.given or len(_rounds(played, case) - played.barren) in case.given


def _rounds(played: PlayedGames, case: RoundWeights) -> set[int]:
    """The rounds that are weighed against each other, those still to come too."""
    last = max(len(played.rules.rounds), max(played.event.rounds, default=0))
    return set(case.rounds or range(1, last + 1))


def weigh_entries(
    played: PlayedGames, person: int, entries: Sequence[StandingEntry], rested: Iterable[int]
) -> list[StandingEntry]:
    """The entries with their weights, in their order.

    `rested`: rounds in which he stood down as asked. Any of them counts, also one that is not weighed, but
    not one that did not happen.
    """
    case = weights_in_force(played)
    among = _rounds(played, case)
    pool = [entry for entry in entries if entry.counted and entry.round in among]
    best = sorted(pool, key=lambda entry: (-entry.weighted, entry.round, entry.board))
    down = [at for at in sorted(rested) if not did_not_happen(played.event.rounds[at])]
    weights = dict(_weights(played, person, case, best, down))
    return [_with_weight(entry, weights.get((entry.round, entry.board, entry.power))) for entry in entries]


def _weights(
    played: PlayedGames, person: int, case: RoundWeights, best: Sequence[StandingEntry], down: Sequence[int]
) -> Iterator[tuple[tuple[int, int, str], ScoreFactor]]:
    outside = played.event.people[person].office not in played.rules.organisation
    table = case.rested if down and outside and str(len(best)) in case.rested else case.weights
    listed = table.get(str(len(best)), table.get(ANY))
    for at, entry in enumerate(best):
        weight = ONE if listed is None else regulation_number(listed[at]) if at < len(listed) else Fraction(0)
        facts: dict[str, str | Fraction] = {"percent": weight * 100, "rank": Fraction(at + 1)}
        facts["of"] = Fraction(len(best))
        kind = "weight_whole" if listed is None else "weight"
        if table is case.rested:
            kind, facts = "weight_rested", {**facts, "rounds": ", ".join(map(str, down))}
        yield (entry.round, entry.board, entry.power), ScoreFactor(kind, weight, facts)


def _with_weight(entry: StandingEntry, why: ScoreFactor | None) -> StandingEntry:
    if not entry.counted:
        return entry
    why = why or ScoreFactor("weight_apart", ONE, {"percent": Fraction(100), "round": str(entry.round)})
    step = WorkingStep(why.kind, entry.weighted * why.value, why.facts)
    return replace(entry, weight=why.value, why=why, steps=(*entry.steps, step))


def intimate_results(
    event: Event, through: int, *, provisional: bool
) -> Mapping[int, tuple[tuple[int, str], ...]]:
    """How intimate games ended for each person: "won", "lost" or "level", by round."""
    found: dict[int, list[tuple[int, str]]] = {}
    for at, one in sorted(event.rounds.items()):
        if at > through or one.state not in BEGUN_STATES or one.cancelled:
            continue
        for person, balance in _balances(one.boards.values(), provisional=provisional).items():
            word = "level" if not balance else "won" if balance > 0 else "lost"
            found.setdefault(person, []).append((at, word))
    return {person: tuple(games) for person, games in found.items()}


def _balances(tables: Iterable[EventBoard], *, provisional: bool) -> dict[int, int]:
    """Intimate games won less those lost, of each person who played any to an end."""
    found: dict[int, int] = {}
    for table in filter(is_intimate, tables):
        result = counting_result(table, provisional=provisional)
        for power, seat in table.seats.items() if result else ():
            if seat.person is not None and result is not None:
                won = (power == result.winner) - (result.winner not in ("", power))
                found[seat.person] = found.get(seat.person, 0) + won
    return found


def rounds_sat_out(event: Event, person: int, through: int) -> set[int]:
    """The rounds in which somebody stood down at the organisation's request."""
    asked = {
        at
        for at, one in event.rounds.items()
        if one.state in BEGUN_STATES and person in one.resting and one.resting[person].asked
    }
    return {at for at in asked if at <= through}
