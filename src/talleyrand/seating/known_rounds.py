"""Rounds that are known beforehand: who meets whom by a construction or a table, and powers for all.

A power is a colour for each person of each table, so that nobody has one twice, nor a table (König: as many
colours suffice as the largest table has people, where nobody sits at more tables than that). Where a new
edge finds no colour that both its ends lack, two colours change places along a path that begins at the
table; it never comes back to the person.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from .bounds import SIZE
from .meeting_designs import RoundTable, construct_rounds, load_table
from .seating_request import Seats
from .seeded_random import SeededRandom


class _EdgeColours:
    """What each person and each table has been given so far, by colour."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.table: dict[tuple[int, int], int] = {}  # by person and colour
        self.person: dict[tuple[int, int], int] = {}  # by table and colour

    def join(self, person: int, table: int) -> None:
        """Give this person a colour at this table."""
        mine = next(colour for colour in range(self.count) if (person, colour) not in self.table)
        its = next(colour for colour in range(self.count) if (table, colour) not in self.person)
        if (table, mine) in self.person:
            self._turn(table, mine, its)
        self._set_colour(person, table, mine)

    def _set_colour(self, person: int, table: int, colour: int) -> None:
        self.table[person, colour] = table
        self.person[table, colour] = person

    def _turn(self, table: int, taken: int, free: int) -> None:
        """Exchange two colours along the path that begins at a table where one of them is free."""
        path = []
        one, other = taken, free
        while (person := self.person.get((table, one))) is not None:
            path.append((person, table, one))
            onwards = self.table.get((person, other))
            if onwards is None:
                break
            path.append((person, onwards, other))
            table = onwards
        for person, at, colour in path:
            del self.table[person, colour], self.person[at, colour]
        for person, at, colour in path:
            self._set_colour(person, at, one + other - colour)


def colour_edges(
    tables: Sequence[Sequence[int]], count: int, chance: SeededRandom
) -> list[Mapping[int, int]]:
    """The colour of each person of each table, below `count`.

    No table has more people than that, and nobody sits at more tables; else this raises StopIteration.
    """
    colours = _EdgeColours(count)
    edges = [(person, table) for table, people in enumerate(tables) for person in people]
    for person, table in chance.shuffled(edges):
        colours.join(person, table)
    found: list[dict[int, int]] = [{} for _ in tables]
    for (table, colour), person in colours.person.items():
        found[table][person] = colour
    return list(found)


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
