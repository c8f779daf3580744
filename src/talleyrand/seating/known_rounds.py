"""Rounds that are known beforehand: who meets whom by a construction or a table, and powers for all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from .bounds import SIZE
from .edge_colouring import colour_edges
from .meeting_designs import construct_rounds
from .round_tables import RoundTable, load_table
from .seating_request import Seats
from .seeded_random import SeededRandom

Boards = Mapping[int, tuple[str, ...]]
Company = tuple[tuple[int, ...], ...]  # the people of each board of a round


def known_companies(people: Sequence[int], boards: int, rounds: int, seed: str) -> list[Company]:
    """As many rounds on boards of seven as are known, with people, boards and rounds in a chance order."""
    table = construct_rounds(boards, rounds) or _longest(boards, rounds)
    chance = SeededRandom(seed, "plan")
    name = chance.shuffled(people)
    found = [[tuple(name[place] for place in board) for board in company] for company in table.rounds]
    return [tuple(chance.shuffled(company)) for company in chance.shuffled(found)]


def _longest(boards: int, rounds: int) -> RoundTable:
    """The table of so many rounds, or of the most that there is one for."""
    tables = (load_table(boards, length) for length in range(rounds, 1, -1))
    return next((table for table in tables if table), RoundTable(()))


def seat_companies(company: Company, boards: Boards) -> Seats:
    """Seats whose powers are not meant yet."""
    pairs = zip(sorted(boards), company, strict=True)
    return {board: dict(zip(boards[board], people, strict=True)) for board, people in pairs}


def give_new_powers(seats: Sequence[Seats], boards: Boards, chance: SeededRandom) -> list[Seats]:
    """Other powers for the same boards: nobody repeats one within as many rounds as there are powers."""
    powers = next(iter(boards.values()))
    given: list[Seats] = []
    for block in _blocks(seats, len(powers)):
        tables = [tuple(one[board].values()) for one in block for board in sorted(one)]
        named = chance.shuffled(powers)
        found = iter(colour_edges(tables, len(powers), chance))
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


def boards_are_alike(boards: Boards) -> bool:
    """Whether the same seven powers are played on every board."""
    return len({frozenset(powers) for powers in boards.values()}) == 1 and all(
        len(powers) == SIZE for powers in boards.values()
    )
