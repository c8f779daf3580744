"""All rounds of an event at once: built where a construction is known, or from a table, or searched."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from math import comb

from . import bounds, known_rounds
from .bounds import SIZE
from .draw_evaluation import check_boards, check_people
from .known_rounds import Boards, Company
from .round_draw import draw
from .seating_request import EventPlan, PastGame, SeatingError, SeatingHistory, SeatingRequest, Seats, pair
from .seeded_random import SeededRandom

POWERS = ("AUS", "ENG", "FRA", "GER", "ITA", "RUS", "TUR")
MOST_ROUNDS, ATTEMPTS = 20, 3


def plan(people: Sequence[int], rounds: int, seed: str = "", boards: Boards | None = None) -> EventPlan:
    """Plan an event of people who are there in every round.

    `boards`: the powers of each board, the same in all rounds; without them, as many boards of seven as
    there are people for. Who is too many stands down, in turn, those first who have done so least. Raises
    SeatingError for no rounds or too many (`seating_rounds`), too few people for the boards
    (`seating_too_few`), and what `draw` refuses.
    """
    if not 1 <= rounds <= MOST_ROUNDS:
        raise SeatingError("seating_rounds", rounds=str(rounds), most=str(MOST_ROUNDS))
    check_people(people)
    boards = boards or dict.fromkeys(range(1, len(people) // SIZE + 1), POWERS)
    check_boards(boards)
    seats = sum(map(len, boards.values()))
    if not seats or seats > len(people):
        raise SeatingError("seating_too_few", people=str(len(people)), seats=str(seats or SIZE))
    attempts = (_attempt(people, rounds, f"{seed}\n{number}", boards) for number in range(ATTEMPTS))
    best = next(attempts)
    for found in attempts:
        if best.repeats == best.bound:
            break
        best = min(best, found, key=lambda plan: plan.repeats - plan.bound)
    return replace(best, seed=seed)


def _attempt(people: Sequence[int], rounds: int, seed: str, boards: Boards) -> EventPlan:
    resting = _resting(
        people, len(people) - sum(map(len, boards.values())), rounds, SeededRandom(seed, "rest")
    )
    playing = [tuple(person for person in people if person not in rest) for rest in resting]
    return _judged(_drawn(playing, boards, seed), resting, boards, seed)


def _resting(people: Sequence[int], many: int, rounds: int, chance: SeededRandom) -> list[tuple[int, ...]]:
    """Who stands down in each round: those who have done so least, drawn by lot."""
    times, rests = Counter[int](), []
    for _ in range(rounds):
        lots = sorted(chance.shuffled(people), key=times.__getitem__)[:many]
        times.update(lots)
        rests.append(tuple(sorted(lots)))
    return rests


def _drawn(playing: Sequence[tuple[int, ...]], boards: Boards, seed: str) -> list[Seats]:
    """The seats of each round; powers are given out last and for seven rounds at once where that can be."""
    known = _known(playing, boards, seed)
    seats: list[Seats] = [known_rounds.seat_companies(company, boards) for company in known]
    for number in range(len(seats), len(playing)):
        past = SeatingHistory(tuple(PastGame(given) for one in seats for given in one.values()))
        seats.append(draw(SeatingRequest(boards, playing[number], f"{seed}\n{number}", past)).seats)
    alike = len({frozenset(powers) for powers in boards.values()}) == 1
    return known_rounds.give_new_powers(seats, boards, SeededRandom(seed, "powers")) if alike else seats


def _known(playing: Sequence[tuple[int, ...]], boards: Boards, seed: str) -> list[Company]:
    """The first rounds, where everybody plays all of them on boards of seven."""
    if (
        not known_rounds.boards_are_alike(boards)
        or len(set(playing)) > 1
        or len(playing[0]) != len(boards) * SIZE
    ):
        return []
    return known_rounds.known_companies(playing[0], len(boards), len(playing), seed)


def _judged(
    seats: Sequence[Seats], resting: Sequence[tuple[int, ...]], boards: Boards, seed: str
) -> EventPlan:
    tables = [tuple(given.values()) for one in seats for given in one.values()]
    met = Counter(pair(*two) for people in tables for two in combinations(people, 2))
    played = Counter(who for one in seats for given in one.values() for who in given.items())
    names = {power for powers in boards.values() for power in powers}
    games = Counter(person for people in tables for person in people)
    return EventPlan(
        rounds=tuple(seats),
        resting=tuple(resting),
        seed=seed,
        repeats=sum(comb(times, 2) for times in met.values()),
        bound=_bound(resting, len(boards), len(resting[0]) + sum(map(len, boards.values()))),
        power_repeats=sum(times - 1 for times in played.values()),
        power_bound=sum(max(0, count - len(names)) for count in games.values()),
        most_meetings=max(met.values(), default=0),
    )


def _bound(resting: Sequence[tuple[int, ...]], boards: int, people: int) -> int:
    """Of any two rounds: whoever plays in both is spread over the boards of both as evenly as can be."""
    return sum(_two_rounds(people - len({*one, *other}), boards) for one, other in combinations(resting, 2))


def _two_rounds(both: int, boards: int) -> int:
    each, more = divmod(both, boards)
    return more * bounds.fewest_pairs_when_spread(each + 1, boards) + (
        boards - more
    ) * bounds.fewest_pairs_when_spread(each, boards)
