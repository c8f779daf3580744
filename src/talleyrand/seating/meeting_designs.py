"""Rounds of a whole event: on seven boards or more no pair meets twice, built and not searched.

There are seven kinds of people, one of each on every board. Person (i, x) sits in a round on board x plus
the shift of kind i in that round. Two meet in two rounds if and only if both their kinds are shifted alike,
so the differences of any two rounds' shifts have to be seven different ones. Where the number of boards is a
power of a prime, the multiples a·i in the field of that order are; elsewhere tables of shifts modulo that
number are kept, which `benchmarks/make_seating_shifts.py` found, or multiples modulo that number do.

The number of an element of a field, written to the base p, has the coefficients of a polynomial for digits;
products are reduced by a polynomial that has no factors.

On two to six boards of seven tables say who meets whom, made by `benchmarks/make_seating_tables.py`. A line
of `tables.txt` is a round, a word of it a board, a letter a person; a line with two numbers, boards and
rounds, begins a table. Where a longer table is as good when its last rounds are left out, it stands for the
shorter one too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import combinations, product
from string import ascii_letters

from .bounds import SIZE
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


Digits = tuple[int, ...]  # coefficients, the constant first


@dataclass(frozen=True)
class FiniteField:
    """What elements add up to and multiply to, by their numbers; the first is nought, the second one."""

    sums: tuple[tuple[int, ...], ...]
    products: tuple[tuple[int, ...], ...]


def prime_power(number: int) -> tuple[int, int] | None:
    """The prime and the exponent of a power of a prime, or None."""
    prime = next((factor for factor in range(2, number + 1) if number % factor == 0), 0)
    exponent, rest = 0, number
    while prime and rest % prime == 0:
        exponent, rest = exponent + 1, rest // prime
    return (prime, exponent) if rest == 1 and exponent else None


@cache
def finite_field(order: int) -> FiniteField | None:
    """The field of so many elements, or None where there is none."""
    found = prime_power(order)
    if found is None:
        return None
    prime, degree = found
    elements = [digits[::-1] for digits in product(range(prime), repeat=degree)]
    number = {digits: place for place, digits in enumerate(elements)}
    sums = tuple(
        tuple(number[tuple((a + b) % prime for a, b in zip(one, other, strict=True))] for other in elements)
        for one in elements
    )
    return next(FiniteField(sums, products) for products in _products(elements, number, prime))


def _products(
    elements: Sequence[Digits], number: dict[Digits, int], prime: int
) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Tables of products by each polynomial of the degree, where only nought times something is nought."""
    for lower in elements:
        table = tuple(
            tuple(number[_product(one, other, lower, prime)] for other in elements) for one in elements
        )
        if all(0 not in row[1:] for row in table[1:]):
            yield table


def _product(one: Digits, other: Digits, lower: Digits, prime: int) -> Digits:
    """The product, reduced by x^n + `lower`, n the number of digits."""
    degree = len(lower)
    long = [0] * (2 * degree - 1)
    for i, a in enumerate(one):
        for j, b in enumerate(other):
            long[i + j] += a * b
    for place in range(2 * degree - 2, degree - 1, -1):
        for i, c in enumerate(lower):
            long[place - degree + i] -= long[place] * c
    return tuple(coefficient % prime for coefficient in long[:degree])


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
    return max(_shift_tables().get(boards, ()), multiples(boards), key=len)


@cache
def _shift_tables() -> Mapping[int, Shifts]:
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
