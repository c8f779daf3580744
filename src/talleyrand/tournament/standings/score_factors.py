"""What a person has of each game: its factors, which entries count, replacements, rulings on points.

A game's points are multiplied by its round, its number of players, and who sat there how long. Rulings are
applied in the order in which the director made them.

To whose benefit a replacement is: source: Anjou Feu regulations, replacement of a player. Reading taken: it
benefits the newcomer where his total is higher with the game than without it, all else as it is. Of several
newcomers in a seat, the last one whom it benefits has the points.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import groupby

from talleyrand.tournament import board_rules, regulations, round_timing
from talleyrand.tournament.board_rules import seat_players
from talleyrand.tournament.event_errors import InvalidEvent
from talleyrand.tournament.model import (
    AdjustmentEffect,
    Event,
    EventBoard,
    PowerSeat,
    ScoreAdjustment,
    SeatReplacement,
)
from talleyrand.tournament.regulations import Regulations, TwoBoardsScore, TwoPowersScore

from .scored_games import PlayedGames, ScoredGame
from .standing_values import ScoreFactor, StandingEntry, WorkingStep

ONE = Fraction(1)
SeatKey = tuple[int, int, str]  # round, board and power of a seat


def regulation_number(text: str) -> Fraction:
    """A number of regulations, which have been checked."""
    found = regulations.exact_amount(text)
    assert found is not None
    return found


def number_as_written(text: str) -> str | Fraction:
    """A number as a line tells it: 6/9 as it is written, 1.10 in the manner of the language."""
    return text if "/" in text else regulation_number(text)


def board_factors(played: PlayedGames, game: ScoredGame) -> Iterator[ScoreFactor]:
    """What holds for the whole board."""
    rule = round_timing.round_rule(played.rules, game.round)
    apart = played.final and bool(rule.aside) and not game.table.final
    coefficient = (
        rule.aside
        if apart and (played.rules.final is not None and played.rules.final.round == game.round)
        else rule.coefficient
    )
    if regulation_number(coefficient) != ONE:
        kind = "aside" if coefficient != rule.coefficient else "round"
        yield ScoreFactor(
            kind,
            regulation_number(coefficient),
            {"round": str(game.round), "coefficient": number_as_written(coefficient)},
        )
    size = played.rules.sizes.get(str(game.players))
    if size is not None:
        yield _of_size(played, game, size)


def _of_size(played: PlayedGames, game: ScoredGame, size: str) -> ScoreFactor:
    count = Fraction(game.players)
    if played.rules.parallel and is_spared(played, game.round):
        return ScoreFactor("parallel", ONE, {"count": count})
    return ScoreFactor(
        "size", regulation_number(size), {"count": count, "coefficient": number_as_written(size)}
    )


def is_spared(played: PlayedGames, round_number: int) -> bool:
    """Whether of several boards short of a scripted power one was completed by a latecomer."""
    tables = played.event.rounds[round_number].boards.values()
    short = [table for table in tables if table.counts and board_rules.scripted_powers(table.variant)]
    return len(short) > 1 and any(_is_complete(table) for table in short)


def _is_complete(table: EventBoard) -> bool:
    scripted = board_rules.scripted_powers(table.variant)
    return all(power in table.seats and table.seats[power].person is not None for power in scripted)


@dataclass(frozen=True)
class SeatClaim:
    """A person's part of a seat: the factors that are his alone. `kept`: the points of the game are his."""

    person: int
    game: ScoredGame
    power: str
    factors: tuple[ScoreFactor, ...] = ()
    kept: bool = True

    @property
    def place(self) -> SeatKey:
        """Where he sat."""
        return self.game.round, self.game.board, self.power


def seat_claims(rules: Regulations, game: ScoredGame, power: str, taker: int | None) -> Iterator[SeatClaim]:
    """Who has what of a seat. `taker`: the newcomer, by his place in `reliefs`, to whose benefit it is; None:
    the first player keeps the points, less what newcomers played, for whom it did not happen."""
    seat = game.table.seats[power]
    if seat.person is None:
        yield from (SeatClaim(relief.person, game, power) for relief in seat.reliefs[:1])
        return
    if taker is None:
        kept = (*_late(rules, seat), *_replaced(rules, seat.reliefs))
        yield SeatClaim(seat.person, game, power, kept)
        return
    relief, after = seat.reliefs[taker], seat.reliefs[taker + 1 :]
    lost = ScoreFactor("replaced_lost", Fraction(0), {"person": str(relief.person)})
    yield SeatClaim(seat.person, game, power, (lost,), kept=False)
    took = ScoreFactor("relief", ONE, {"person": str(seat.person)})
    yield SeatClaim(relief.person, game, power, (took, *_replaced(rules, after)))


def personal_claims(
    rules: Regulations, game: ScoredGame, power: str, taker: int | None
) -> Iterator[SeatClaim]:
    """The same of what is given to people, not to seats: each who sat there has his own, whole but for the
    seasons that he missed at the start."""
    seat = game.table.seats[power]
    owner = seat.person if taker is None else seat.reliefs[taker].person
    for person in dict.fromkeys(seat_players(seat)):
        late = tuple(_late(rules, seat)) if person == seat.person else ()
        yield SeatClaim(person, game, power, late, kept=person == owner)


def _late(rules: Regulations, seat: PowerSeat) -> Iterator[ScoreFactor]:
    if seat.missed:
        left = max(0, rules.late - seat.missed)
        facts: dict[str, str | Fraction] = {
            "seasons": Fraction(seat.missed),
            "coefficient": f"{left}/{rules.late}",
        }
        yield ScoreFactor("late", Fraction(left, rules.late), facts)


def _replaced(rules: Regulations, reliefs: tuple[SeatReplacement, ...]) -> Iterator[ScoreFactor]:
    if reliefs:
        seasons = sum(relief.seasons for relief in reliefs)
        left = max(0, rules.replaced - seasons)
        names = ", ".join(str(relief.person) for relief in reliefs)
        facts: dict[str, str | Fraction] = {
            "people": names,
            "seasons": Fraction(seasons),
            "coefficient": f"{left}/{rules.replaced}",
        }
        yield ScoreFactor("replaced", Fraction(left, rules.replaced), facts)


GameMeasure = Callable[[ScoredGame, str, int], Fraction]  # of a game, a power, and who sat there


def make_entry(claim: SeatClaim, board: Iterable[ScoreFactor], measure: GameMeasure | None) -> StandingEntry:
    """What a claim gives: the raw score, or what is measured, times the factors of its board and its own."""
    game, power = claim.game, claim.power
    raw = measure(game, power, claim.person) if measure else game.raw(power)
    factors = (*board, *claim.factors)
    steps = [WorkingStep("raw", raw, {"round": str(game.round), "board": str(game.board), "power": power})]
    for factor in factors:
        steps.append(WorkingStep(factor.kind, steps[-1].points * factor.value, factor.facts))
    return StandingEntry(
        round=game.round,
        board=game.board,
        power=power,
        raw=raw,
        weighted=steps[-1].points,
        factors=factors,
        steps=tuple(steps),
        provisional=game.provisional,
        final=game.table.final,
        working=game.scores[power].working if not measure and power in game.scores else (),
    )


def counted_entries(
    entries: Iterable[StandingEntry], rules: Regulations, waiting: set[int]
) -> Iterator[StandingEntry]:
    """The entries by round and board: of several powers of a board, and of several boards, what the
    regulations say counts. `waiting`: rounds in which he still plays on another board."""
    ordered = sorted(entries, key=lambda one: (one.round, one.board, one.power))
    for number, group in groupby(ordered, key=lambda one: one.round):
        boards = [_of_board(list(held), rules.pairs) for _, held in groupby(group, key=lambda one: one.board)]
        yield from _of_round(boards, rules.twice, waiting=number in waiting)


def _of_board(held: list[StandingEntry], pairs: TwoPowersScore) -> list[StandingEntry]:
    if pairs is TwoPowersScore.BOTH:
        return held
    best = max(held, key=lambda one: one.weighted)
    return [one if one is best else _passed(one, "two_powers") for one in held]


def _of_round(
    boards: Sequence[list[StandingEntry]], twice: TwoBoardsScore, *, waiting: bool
) -> Iterator[StandingEntry]:
    for one in (one for held in boards for one in held):
        if not one.counted or twice is TwoBoardsScore.BOTH:
            yield one
        elif waiting and not one.provisional:
            yield _passed(one, "two_boards_waiting")
        else:
            yield one if one in _of_boards(boards, twice) else _passed(one, f"two_boards_{twice}")


def _of_boards(boards: Sequence[list[StandingEntry]], twice: TwoBoardsScore) -> list[StandingEntry]:
    """The entries of the board that counts."""
    pick = min if twice is TwoBoardsScore.WORSE else max
    return pick(boards, key=lambda held: sum(one.weighted for one in held if one.counted))


def _passed(one: StandingEntry, kind: str) -> StandingEntry:
    """An entry that does not count, and why."""
    return replace(one, counted=False, steps=(*one.steps, WorkingStep(kind, Fraction(0))))


PointsTakers = Mapping[SeatKey, int | None]
TotalFunction = Callable[[int, PointsTakers], Fraction]


def points_takers(games: tuple[ScoredGame, ...], total: TotalFunction) -> PointsTakers:
    """For each seat that changed hands, the newcomer who has its points; None: the first player keeps them.

    One benefit may hang on another: each is asked again until none changes, at most once for each seat.
    """
    seats = {
        (game.round, game.board, power): seat.reliefs
        for game in games
        for power, seat in game.table.seats.items()
        if seat.reliefs and seat.person is not None
    }
    found: dict[SeatKey, int | None] = dict.fromkeys(seats)
    for _ in seats:
        before = dict(found)
        for place, reliefs in seats.items():
            found[place] = _taker(place, reliefs, found, total)
        if found == before:
            break
    return found


def _taker(
    place: SeatKey, reliefs: tuple[SeatReplacement, ...], found: PointsTakers, total: TotalFunction
) -> int | None:
    for at in reversed(range(len(reliefs))):
        person = reliefs[at].person
        if total(person, {**found, place: at}) > total(person, {**found, place: None}):
            return at
    return None


TOTAL = 0


def adjustments_of(event: Event, person: int, through: int) -> list[ScoreAdjustment]:
    """The rulings on somebody up to a round, and on his total; raises InvalidEvent for a value that is
    none.
    """
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
