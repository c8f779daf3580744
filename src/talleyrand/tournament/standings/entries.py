"""A person's entries: what each game gave him, and which of them counts where a round gave several."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import groupby

from talleyrand.tournament.regulations import Twice

from .coefficients import Claim
from .games import Game
from .values import Entry, Factor, Step

Measure = Callable[[Game, str, int], Fraction]  # of a game, a power, and who sat there


def entry(claim: Claim, board: Iterable[Factor], measure: Measure | None) -> Entry:
    """What a claim gives: the raw score, or what is measured, times the factors of its board and its own."""
    game, power = claim.game, claim.power
    raw = measure(game, power, claim.person) if measure else game.raw(power)
    factors = (*board, *claim.factors)
    steps = [Step("raw", raw, {"round": str(game.round), "board": str(game.board), "power": power})]
    for factor in factors:
        steps.append(Step(factor.kind, steps[-1].points * factor.value, factor.facts))
    return Entry(
        round=game.round,
        board=game.board,
        power=power,
        raw=raw,
        weighted=steps[-1].points,
        factors=factors,
        steps=tuple(steps),
        provisional=game.provisional,
        final=game.table.final,
        working=game.scores[power].working if not measure and power in game.scores else (),
    )


def chosen(entries: Iterable[Entry], twice: Twice, waiting: set[int]) -> Iterator[Entry]:
    """The entries by round and board: of several powers of a board the best counts, of several boards what
    the regulations say. `waiting`: rounds in which he still plays on another board."""
    ordered = sorted(entries, key=lambda one: (one.round, one.board, one.power))
    for number, group in groupby(ordered, key=lambda one: one.round):
        boards = [_of_board(list(held)) for _, held in groupby(group, key=lambda one: one.board)]
        yield from _of_round(boards, twice, waiting=number in waiting)


def _of_board(held: Sequence[Entry]) -> list[Entry]:
    best = max(held, key=lambda one: one.weighted)
    return [one if one is best else _passed(one, "two_powers") for one in held]


def _of_round(boards: Sequence[list[Entry]], twice: Twice, *, waiting: bool) -> Iterator[Entry]:
    for one in (one for held in boards for one in held):
        if not one.counted or twice is Twice.BOTH:
            yield one
        elif waiting and not one.provisional:
            yield _passed(one, "two_boards_waiting")
        else:
            yield one if one is _of_boards(boards, twice) else _passed(one, f"two_boards_{twice}")


def _of_boards(boards: Sequence[list[Entry]], twice: Twice) -> Entry:
    counted = [one for held in boards for one in held if one.counted]
    pick = min if twice is Twice.WORSE else max
    return pick(counted, key=lambda one: one.weighted)


def _passed(one: Entry, kind: str) -> Entry:
    """An entry that does not count, and why."""
    return replace(one, counted=False, steps=(*one.steps, Step(kind, Fraction(0))))
