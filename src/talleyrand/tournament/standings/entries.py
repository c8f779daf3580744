"""A person's entries: what each game gave him, and which of them counts where a round gave several."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import groupby

from talleyrand.tournament.regulations import TwoBoardsScore

from .score_factors import SeatClaim
from .scored_games import ScoredGame
from .standing_values import ScoreFactor, StandingEntry, WorkingStep

GameMeasure = Callable[[ScoredGame, str, int], Fraction]  # of a game, a power, and who sat there


def make_entry(claim: SeatClaim, board: Iterable[ScoreFactor], measure: GameMeasure | None) -> StandingEntry:
    """What a claim gives: the raw score, or what is measured, times the factors of its board and its own."""
    game, power = claim.game, claim.power
    raw = measure(game, power, claim.person) if measure else game.raw(power)
    factors = (*board, *claim.factors)
    steps = [WorkingStep("raw", raw, {"round": str(game.round), "board": str(game.board), "power": power})]
    for factor in factors:
        steps.append(WorkingStep(factor.kind, steps[-1].points * factor.value, factor.facts))
    return StandingEntry(
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


def counted_entries(
    entries: Iterable[StandingEntry], twice: TwoBoardsScore, waiting: set[int]
) -> Iterator[StandingEntry]:
    """The entries by round and board: of several powers of a board the best counts, of several boards what
    the regulations say. `waiting`: rounds in which he still plays on another board."""
    ordered = sorted(entries, key=lambda one: (one.round, one.board, one.power))
    for number, group in groupby(ordered, key=lambda one: one.round):
        boards = [_of_board(list(held)) for _, held in groupby(group, key=lambda one: one.board)]
        yield from _of_round(boards, twice, waiting=number in waiting)


def _of_board(held: Sequence[StandingEntry]) -> list[StandingEntry]:
    best = max(held, key=lambda one: one.weighted)
    return [one if one is best else _passed(one, "two_powers") for one in held]


def _of_round(
    boards: Sequence[list[StandingEntry]], twice: TwoBoardsScore, *, waiting: bool
) -> Iterator[StandingEntry]:
    for one in (one for held in boards for one in held):
        if not one.counted or twice is TwoBoardsScore.BOTH:
            yield one
        elif waiting and not one.provisional:
            yield _passed(one, "two_boards_waiting")
        else:
            yield one if one is _of_boards(boards, twice) else _passed(one, f"two_boards_{twice}")


def _of_boards(boards: Sequence[list[StandingEntry]], twice: TwoBoardsScore) -> StandingEntry:
    counted = [one for held in boards for one in held if one.counted]
    pick = min if twice is TwoBoardsScore.WORSE else max
    return pick(counted, key=lambda one: one.weighted)


def _passed(one: StandingEntry, kind: str) -> StandingEntry:
    """An entry that does not count, and why."""
    return replace(one, counted=False, steps=(*one.steps, WorkingStep(kind, Fraction(0))))
