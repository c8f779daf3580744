"""Events of seven boards or more at which no pair meets twice, built and not searched.

There are seven kinds of people, one of each on every board. Person (i, x) sits in a round on board x plus
the shift of kind i in that round. Two meet in two rounds if and only if both their kinds are shifted alike,
so the differences of any two rounds' shifts have to be seven different ones. Where the number of boards is a
power of a prime, the multiples a·i in the field of that order are; elsewhere tables of shifts modulo that
number are kept, which `benchmarks/seating_shifts.py` found, or multiples modulo that number do.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import resources
from itertools import combinations

from .bounds import SIZE
from .finite_fields import FiniteField, finite_field
from .round_tables import RoundTable

Shifts = Sequence[Sequence[int]]  # of each kind, by round


def construct_rounds(boards: int, rounds: int) -> RoundTable | None:
    """Up to so many rounds without a pair that meets twice; None below seven boards."""
    if boards < SIZE:
        return None
    order = finite_field(boards)
    found = tuple(_field_rounds(order, rounds) if order else _shifted(boards, known_shifts(boards)[:rounds]))
    if boards == SIZE and rounds > SIZE:
        found += (tuple(tuple(range(kind * SIZE, (kind + 1) * SIZE)) for kind in range(SIZE)),)
    return RoundTable(found)


def _field_rounds(order: FiniteField, rounds: int) -> Iterator[tuple[tuple[int, ...], ...]]:
    boards = len(order.sums)
    for factor in range(min(rounds, boards)):
        row = order.products[factor]
        yield tuple(
            tuple(kind * boards + order.sums[board][row[kind]] for kind in range(SIZE))
            for board in range(boards)
        )


def _shifted(boards: int, moved: Shifts) -> Iterator[tuple[tuple[int, ...], ...]]:
    for row in moved:
        yield tuple(
            tuple(kind * boards + (board + shift) % boards for kind, shift in enumerate(row))
            for board in range(boards)
        )


@cache
def known_shifts(boards: int) -> Shifts:
    """Shifts modulo the number of boards, for as many rounds as are known."""
    return max(_kept().get(boards, ()), multiples(boards), key=len)


@cache
def _kept() -> Mapping[int, Shifts]:
    text = (resources.files(__package__) / "shifts.txt").read_text("ascii")
    blocks = (block.split("\n") for block in text.strip().split("\n\n"))
    return {int(title): [list(map(int, line.split())) for line in lines] for title, *lines in blocks}


@cache
def multiples(boards: int) -> Shifts:
    """Multiples of the kind, each taken that goes with those before."""
    taken: list[list[int]] = []
    for factor in range(boards):
        row = [factor * kind % boards for kind in range(SIZE)]
        if all(shifts_never_repeat(row, other, boards) for other in taken):
            taken.append(row)
    return taken


def shifts_never_repeat(one: Sequence[int], other: Sequence[int], boards: int) -> bool:
    """Whether nobody meets again in two rounds with these shifts."""
    moved = [(a - b) % boards for a, b in zip(one, other, strict=True)]
    return all(a != b for a, b in combinations(moved, 2))
