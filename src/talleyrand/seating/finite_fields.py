"""Finite fields: arithmetic of q elements, numbered from 0 on, for every power q of a prime.

The number of an element, written to the base p, has the coefficients of a polynomial for digits; products are
reduced by a polynomial that has no factors.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product

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
    sums = tuple(tuple(number[_sum(one, other, prime)] for other in elements) for one in elements)
    return next(FiniteField(sums, products) for products in _products(elements, number, prime))


def _sum(one: Digits, other: Digits, prime: int) -> Digits:
    return tuple((a + b) % prime for a, b in zip(one, other, strict=True))


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
