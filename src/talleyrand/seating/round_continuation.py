"""Rounds that go on from an earlier one, so that many boards leave room for the rounds to come.

Whoever searches each round alone ends with rounds that no good one can follow. An earlier round of as many
boards is taken for the first of a pattern (a construction, or a table): who sat where says which place of the
pattern is his, and the other rounds of the pattern follow. Nothing needs to be known of rounds to come, and
nothing is kept but who sat where. Whoever comes instead of somebody else has his place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations

from . import bounds, known_rounds
from .bounds import SIZE
from .seating_request import PastGame, SeatingRequest, Seats, TwoBoardsRule
from .seeded_random import SeededRandom

FEWEST = 6  # boards: on fewer, rounds searched one by one are as good
Slots = dict[int, int]  # the person of each place of a pattern


def continued_rounds(request: SeatingRequest) -> list[Seats]:
    """All rounds that a pattern has after an earlier round; none where there is no such round."""
    boards = len(request.boards)
    if boards < FEWEST or not known_rounds.boards_are_alike(request.boards):
        return []
    if len(request.people) != boards * SIZE or any(
        isinstance(rule, TwoBoardsRule) for rule in request.hard_rules
    ):
        return []
    rounds = list(_rounds(request, boards))
    return [seats for at in range(len(rounds)) for seats in _after(rounds[at:], request)]


def _rounds(request: SeatingRequest, boards: int) -> Iterator[tuple[PastGame, ...]]:
    """Earlier rounds on as many boards of the same powers."""
    powers = set(next(iter(request.boards.values())))
    for games in _apart(request.history.games):
        if len(games) == boards and all(game.seats.keys() == powers for game in games):
            yield games


def _apart(games: Sequence[PastGame]) -> Iterator[tuple[PastGame, ...]]:
    """Games one after the other, until somebody plays again: the rounds there were."""
    held: list[PastGame] = []
    here: set[int] = set()
    for game in games:
        people = set(game.seats.values())
        if people & here:
            yield tuple(held)
            held, here = [], set()
        held.append(game)
        here |= people
    yield tuple(held)


def _after(rounds: Sequence[Sequence[PastGame]], request: SeatingRequest) -> Iterator[Seats]:
    """The rounds of the pattern that begins with the first of these, for those who are there now."""
    base = rounds[0]
    first, *others = round_pattern(len(base), tuple(sorted(base[0].seats)), request.event)
    slots = _spread(_slots(first, base), first, others, request)
    came = [[who for game in games for who in game.seats.values()] for games in rounds[1:]]
    slots = _filled(slots, [*came, request.people])
    for seats in others:
        yield {
            board: {power: slots[given[power]] for power in request.boards[board]}
            for board, given in zip(sorted(request.boards), seats.values(), strict=True)
        }


@lru_cache(maxsize=64)
def round_pattern(boards: int, powers: tuple[str, ...], seed: str) -> tuple[Seats, ...]:
    """The rounds of a pattern, of places from 0 on: as many as there are powers, if so many are known.

    No pair meets more often in them than it has to, and nobody plays a power again.
    """
    names = dict.fromkeys(range(boards), powers)
    for rounds in range(len(powers), 0, -1):
        found = known_rounds.known_companies(range(boards * SIZE), boards, rounds, seed)
        seats = [known_rounds.seat_companies(company, names) for company in found]
        if _repeats(seats) == bounds.fewest_repeats_of_rounds(boards, len(seats)):
            return tuple(known_rounds.give_new_powers(seats, names, SeededRandom(seed, "powers")))
    return ()


def _repeats(rounds: Sequence[Seats]) -> int:
    """How many pairs meet in two rounds, over all pairs of rounds."""
    tables = [[set(given.values()) for given in seats.values()] for seats in rounds]
    sizes = (len(a & b) for one, other in combinations(tables, 2) for a in one for b in other)
    return sum(size * (size - 1) // 2 for size in sizes)


def _slots(first: Seats, games: Sequence[PastGame]) -> Slots:
    """Who has which place: whoever played a power on a board has that of the pattern's first round."""
    return {
        place: game.seats[power]
        for given, game in zip(first.values(), games, strict=True)
        for power, place in given.items()
    }


def _filled(slots: Slots, rounds: Sequence[Sequence[int]]) -> Slots:
    """The same for those of the last of some rounds: newcomers have the places of those who are away.

    Whoever stays keeps his place, unless somebody comes back to it.
    """
    own = {who: place for place, who in slots.items()}
    last = dict(own)
    for people in rounds:
        held = dict[int, int]()
        for who in sorted(people, key=lambda who: (who not in own, who)):
            if who in last:
                held.setdefault(last[who], who)
        free = (place for place in sorted(slots) if place not in held)
        standing = set(held.values())
        held |= zip(free, sorted(set(people) - standing), strict=True)
        last |= {who: place for place, who in held.items()}
    return held


def _spread(slots: Slots, first: Seats, others: Sequence[Seats], request: SeatingRequest) -> Slots:
    """The same with recorders in places that meet seldom: they change places with others of their board."""
    able = {place for place, who in slots.items() if who in request.soft_rules.recorders}
    if not able or len(able) == len(slots):
        return slots
    met = _met(others, len(slots))
    slots = dict(slots)
    boards = [list(given.values()) for given in first.values()]
    while change := _best_change(able, boards, met):
        one, other = change
        slots[one], slots[other] = slots[other], slots[one]
        able = able - {one} | {other}
    return slots


def _met(rounds: Sequence[Seats], places: int) -> list[list[int]]:
    met = [[0] * places for _ in range(places)]
    for seats in rounds:
        for given in seats.values():
            for one, other in combinations(given.values(), 2):
                met[one][other] += 1
                met[other][one] += 1
    return met


def _best_change(
    able: set[int], boards: Sequence[Sequence[int]], met: Sequence[Sequence[int]]
) -> tuple[int, int] | None:
    """The places of a recorder and another of his board whose change saves most meetings of recorders."""
    load = [sum(row[place] for place in able) for row in met]
    changes = [
        (load[other] - met[other][one] - load[one], one, other)
        for board in boards
        for one in board
        if one in able
        for other in board
        if other not in able
    ]
    saved, one, other = min(changes, default=(0, 0, 0))
    return (one, other) if saved < 0 else None
