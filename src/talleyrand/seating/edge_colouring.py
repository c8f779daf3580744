"""A colour for each person of each table, so that nobody has one twice, nor a table.

König: as many colours suffice as the largest table has people, where nobody sits at more tables than that.
Where a new edge finds no colour that both its ends lack, two colours change places along a path that begins
at the table; it never comes back to the person.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

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
        self._put(person, table, mine)

    def _put(self, person: int, table: int, colour: int) -> None:
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
            self._put(person, at, one + other - colour)


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
