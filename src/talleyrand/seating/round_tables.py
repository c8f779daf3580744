"""Tables of who meets whom on two to six boards of seven, made by `benchmarks/seating_tables.py`.

A line of `tables.txt` is a round, a word of it a board, a letter a person; a line with two numbers, boards
and rounds, begins a table. Where a longer table is as good when its last rounds are left out, it stands for
the shorter one too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import combinations
from string import ascii_letters

from .seating_request import Pair, pair


@dataclass(frozen=True)
class RoundTable:
    """Who sits with whom: the people, from 0 on, of each board of each round."""

    rounds: tuple[tuple[tuple[int, ...], ...], ...]

    def meetings(self) -> Mapping[Pair, int]:
        """How often each pair meets."""
        boards = (board for boards in self.rounds for board in boards)
        return Counter(pair(*two) for board in boards for two in combinations(board, 2))


def load_table(boards: int, rounds: int) -> RoundTable | None:
    """The best table at hand for so many rounds, or None."""
    known = read_tables()
    longer = sorted(length for many, length in known if many == boards and length >= rounds)
    return RoundTable(known[boards, longer[0]].rounds[:rounds]) if longer else None


@cache
def read_tables() -> Mapping[tuple[int, int], RoundTable]:
    """All tables, by boards and rounds."""
    text = (resources.files(__package__) / "tables.txt").read_text("ascii")
    return dict(_tables(text))


def _tables(text: str) -> Iterator[tuple[tuple[int, int], RoundTable]]:
    for block in text.split("\n\n"):
        title, *lines = block.strip().splitlines()
        boards, rounds = map(int, title.split())
        yield (boards, rounds), RoundTable(tuple(map(_round, lines)))


def _round(line: str) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(map(ascii_letters.index, word)) for word in line.split())
