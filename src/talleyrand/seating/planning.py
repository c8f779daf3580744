"""All rounds of an event at once: built where a construction is known, or from a table, or searched."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from math import comb

from . import bounds
from .bounds import SIZE
from .chance import Chance
from .checks import check_boards, check_people
from .colouring import coloured
from .constructions import construct
from .drawing import draw
from .errors import Unseatable
from .tables import Table, load
from .values import Game, Past, Plan, Request, Seats, pair

POWERS = ("AUS", "ENG", "FRA", "GER", "ITA", "RUS", "TUR")
MOST_ROUNDS, ATTEMPTS = 20, 3

Boards = Mapping[int, tuple[str, ...]]
Company = tuple[tuple[int, ...], ...]  # the people of each board of a round


def plan(people: Sequence[int], rounds: int, seed: str = "", boards: Boards | None = None) -> Plan:
    """Plan an event of people who are there in every round.

    `boards`: the powers of each board, the same in all rounds; without them, as many boards of seven as
    there are people for. Who is too many stands down, in turn, those first who have done so least. Raises
    Unseatable for no rounds or too many (`seating_rounds`), too few people for the boards
    (`seating_too_few`), and what `draw` refuses.
    """
    if not 1 <= rounds <= MOST_ROUNDS:
        raise Unseatable("seating_rounds", rounds=str(rounds), most=str(MOST_ROUNDS))
    check_people(people)
    boards = boards or dict.fromkeys(range(1, len(people) // SIZE + 1), POWERS)
    check_boards(boards)
    seats = sum(map(len, boards.values()))
    if not seats or seats > len(people):
        raise Unseatable("seating_too_few", people=str(len(people)), seats=str(seats or SIZE))
    attempts = (_attempt(people, rounds, f"{seed}\n{number}", boards) for number in range(ATTEMPTS))
    best = next(attempts)
    for found in attempts:
        if best.repeats == best.bound:
            break
        best = min(best, found, key=lambda plan: plan.repeats - plan.bound)
    return replace(best, seed=seed)


def _attempt(people: Sequence[int], rounds: int, seed: str, boards: Boards) -> Plan:
    resting = _resting(people, len(people) - sum(map(len, boards.values())), rounds, Chance(seed, "rest"))
    playing = [tuple(person for person in people if person not in rest) for rest in resting]
    return _judged(_drawn(playing, boards, seed), resting, boards, seed)


def _resting(people: Sequence[int], many: int, rounds: int, chance: Chance) -> list[tuple[int, ...]]:
    """Who stands down in each round: those who have done so least, drawn by lot."""
    times, rests = Counter[int](), []
    for _ in range(rounds):
        lots = sorted(chance.shuffled(people), key=times.__getitem__)[:many]
        times.update(lots)
        rests.append(tuple(sorted(lots)))
    return rests


def _drawn(playing: Sequence[tuple[int, ...]], boards: Boards, seed: str) -> list[Seats]:
    """The seats of each round; powers are given out last and for seven rounds at once where that can be."""
    even = len({frozenset(powers) for powers in boards.values()}) == 1
    sevens = even and all(len(powers) == SIZE for powers in boards.values())
    known = _known(playing, len(boards), seed) if sevens else []
    rounds = [dict(zip(sorted(boards), companies, strict=True)) for companies in known]
    seats: list[Seats] = [_sitting(companies, boards) for companies in rounds]
    for number in range(len(seats), len(playing)):
        past = Past(tuple(Game(given) for one in seats for given in one.values()))
        seats.append(draw(Request(boards, playing[number], f"{seed}\n{number}", past)).seats)
    return _powers(seats, boards, Chance(seed, "powers")) if even else seats


def _sitting(companies: Mapping[int, Sequence[int]], boards: Boards) -> Seats:
    """Seats whose powers are not meant yet."""
    return {board: dict(zip(boards[board], companies[board], strict=True)) for board in boards}


def _known(playing: Sequence[tuple[int, ...]], boards: int, seed: str) -> list[Company]:
    """The rounds that a construction or a table gives, with people, boards and rounds in a chance order."""
    if len(set(playing)) > 1 or len(playing[0]) != boards * SIZE:
        return []
    table = construct(boards, len(playing)) or _longest(boards, len(playing))
    chance = Chance(seed, "plan")
    name = chance.shuffled(playing[0])
    rounds = [[tuple(name[place] for place in board) for board in companies] for companies in table.rounds]
    return [tuple(chance.shuffled(companies)) for companies in chance.shuffled(rounds)]


def _longest(boards: int, rounds: int) -> Table:
    """The table of so many rounds, or of the most that there is one for."""
    tables = (load(boards, length) for length in range(rounds, 1, -1))
    return next((table for table in tables if table), Table(()))


def _powers(seats: Sequence[Seats], boards: Boards, chance: Chance) -> list[Seats]:
    """Other powers for the same boards: nobody repeats one within as many rounds as there are powers."""
    powers = next(iter(boards.values()))
    given: list[Seats] = []
    for block in _blocks(seats, len(powers)):
        tables = [tuple(one[board].values()) for one in block for board in sorted(one)]
        named = chance.shuffled(powers)
        found = iter(coloured(tables, len(powers), chance))
        for one in block:
            by_board = {board: next(found) for board in sorted(one)}
            given.append({board: _ordered(by_board[board], named, powers) for board in sorted(one)})
    return given


def _blocks(seats: Sequence[Seats], most: int) -> list[list[Seats]]:
    """Rounds after each other, as many in a block as leave nobody with more games than that."""
    blocks: list[list[Seats]] = [[]]
    games = Counter[int]()
    for one in seats:
        here = [person for given in one.values() for person in given.values()]
        if any(games[person] == most for person in here):
            blocks.append([])
            games.clear()
        games.update(here)
        blocks[-1].append(one)
    return blocks


def _ordered(colours: Mapping[int, int], named: Sequence[str], powers: Sequence[str]) -> dict[str, int]:
    person = {named[colour]: who for who, colour in colours.items()}
    return {power: person[power] for power in powers}


def _judged(seats: Sequence[Seats], resting: Sequence[tuple[int, ...]], boards: Boards, seed: str) -> Plan:
    tables = [tuple(given.values()) for one in seats for given in one.values()]
    met = Counter(pair(*two) for people in tables for two in combinations(people, 2))
    played = Counter(who for one in seats for given in one.values() for who in given.items())
    names = {power for powers in boards.values() for power in powers}
    games = Counter(person for people in tables for person in people)
    return Plan(
        rounds=tuple(seats),
        resting=tuple(resting),
        seed=seed,
        repeats=sum(comb(times, 2) for times in met.values()),
        bound=_bound(resting, len(boards), len(resting[0]) + sum(map(len, boards.values()))),
        power_repeats=sum(times - 1 for times in played.values()),
        power_bound=sum(max(0, count - len(names)) for count in games.values()),
        most=max(met.values(), default=0),
    )


def _bound(resting: Sequence[tuple[int, ...]], boards: int, people: int) -> int:
    """Of any two rounds: whoever plays in both is spread over the boards of both as evenly as can be."""
    return sum(_two_rounds(people - len({*one, *other}), boards) for one, other in combinations(resting, 2))


def _two_rounds(both: int, boards: int) -> int:
    each, more = divmod(both, boards)
    return more * bounds.spread(each + 1, boards) + (boards - more) * bounds.spread(each, boards)
