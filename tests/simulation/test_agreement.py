"""Kernel and engine side by side, on every variant, by shipped books and by books of any choices.

A sample in the everyday run, a million judgements with `--full`; `--seed` draws others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import islice
from random import Random
from time import perf_counter

import numpy as np
import pytest
from benchmarks.sample_positions import played

from talleyrand import rulebooks, variants
from talleyrand.engine import movement
from talleyrand.engine.board import Board
from talleyrand.engine.position import Position
from talleyrand.engine.rulebook import Rulebook
from talleyrand.simulation import array_layout
from talleyrand.simulation.array_layout import rulebook_numbers
from talleyrand.simulation.batch_adjudicator import BatchAdjudicator, FallbackReason, PhaseBatchAnswers
from talleyrand.simulation.game_runner import GameRunner
from talleyrand.simulation.phase_encoding import write_outcome
from tests.oracle.rules import MIXED, book_of
from tests.peers.positions import Drawn
from tests.simulation import games
from tests.simulation.positions import Legal, Sheets, crowded, crowds, legal, sheets
from tests.variants.plain import PLAIN

NAMED = ("datc", "renegade_2023", "anjou_feu", "classic_1976", "play_by_mail_001")
VARIANTS = PLAIN
FULL, SAMPLE = 1_000_000, 9_000
CHUNK = 250
GAMES, MOST_LEFT, YEARS_OF_BOTS = 15, 0.005, 12
Record = Callable[[str, object], None]


@pytest.mark.one_in(6)
@pytest.mark.parametrize("variant", VARIANTS)
def test_kernel_and_engine_agree_on_crowds(
    variant: str, seed: int, full: bool, record_property: Record
) -> None:
    """Each position is judged by the five books and by a mixed one."""
    begun, books = perf_counter(), len(NAMED) + 1
    count = (FULL if full else SAMPLE) // len(VARIANTS) // books
    board, seen = crowded(variants.load(variant).definition.board), Counter[str]()
    drawn = crowds(board, seed, count)
    for number, chunk in enumerate(iter(lambda: list(islice(drawn, CHUNK)), [])):
        for name, book in _books(Random(f"{seed} {number}")):
            seen.update(_left_to_the_engine(board, book, [legal(board, *one, book) for one in chunk]))
            seen[name] += len(chunk)
    judged = seen["datc"] * books
    record_property(
        "sampled",
        f"kernel, {variant}: {judged} judged (of {FULL // len(VARIANTS)} with --full), {seen['datc']} "
        f"positions by each of {', '.join(NAMED)} and mixed books, seed {seed}: "
        f"{seen[FallbackReason.PARADOX]} paradoxes left to the engine, "
        f"{seen[FallbackReason.TOO_LARGE]} too large, "
        f"{seen[FallbackReason.NAMED_PATH]} with named paths, {perf_counter() - begun:.0f} s",
    )
    assert judged == count * books
    assert 0 < seen[FallbackReason.PARADOX] < judged // 2
    assert seen[FallbackReason.UNKNOWN_OPTION] == 0


def _books(lot: Random) -> Iterator[tuple[str, Rulebook]]:
    yield from ((name, rulebooks.load(name).adjudication_rules) for name in NAMED)
    book = book_of(MIXED, lot)
    while rulebook_numbers(book) is None:
        book = book_of(MIXED, lot)
    yield MIXED, book


def _left_to_the_engine(board: Board, book: Rulebook, given: Sequence[Legal]) -> dict[str, int]:
    """How many the engine judged for the kernel; fails where the two differ."""
    judge = BatchAdjudicator(board, book)
    phases = judge.encode([one[:2] for one in given], [one.misordered for one in given])
    answers = judge.adjudicate(phases)
    expected = PhaseBatchAnswers.blank(len(given), len(board.provinces))
    for row, one in enumerate(given):
        outcome = movement.adjudicate_legal_orders(board, one.position, one.orders, book, one.misordered)
        write_outcome(board, outcome, expected.fates[row], expected.retreats[row])
    wrong = [row for row in range(len(given)) if _differ(answers, expected, row)]
    assert not wrong, _report(judge, given[wrong[0]])
    return {str(reason): number for reason, number in answers.left_to_engine.items()}


def _differ(one: PhaseBatchAnswers, other: PhaseBatchAnswers, row: int) -> bool:
    same = np.array_equal(one.fates[row], other.fates[row])
    return not same or not np.array_equal(one.retreats[row], other.retreats[row])


def _report(judge: BatchAdjudicator, one: Legal) -> str:
    phases = judge.encode([one[:2]], [one.misordered])
    fates = judge.decode(phases, judge.adjudicate(phases), 0)
    outcome = movement.adjudicate_legal_orders(
        judge.board, one.position, one.orders, judge.book, one.misordered
    )
    lines = [
        f"{verdict.power} {verdict.order}: engine {verdict.results[0]}, kernel {fates[verdict.unit.province]}"
        for verdict in outcome.verdicts
    ]
    return "\n".join((str(judge.book), str(outcome.dislodged), str(outcome.position_after.contested), *lines))


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", NAMED)
def test_kernel_and_engine_agree_on_games(name: str, seed: int, record_property: Record) -> None:
    """On the positions of games hardly any is left to the engine."""
    board, book = variants.load("classic").definition.board, rulebooks.load(name).adjudication_rules
    given = [legal(board, drawn.position, sheets(drawn.orders), book) for drawn in _games(seed)]
    left = _left_to_the_engine(board, book, given)
    share = sum(left.values()) / len(given)
    record_property(
        "sampled", f"kernel, {name}: {len(given)} positions of games, {share:.2%} left to the engine"
    )
    assert share < MOST_LEFT


@cache
def _games(seed: int) -> tuple[Drawn, ...]:
    return tuple(played(GAMES, seed))


@pytest.mark.one_in(3)
@pytest.mark.parametrize("variant", VARIANTS)
def test_kernel_and_engine_agree_on_games_of_bots(
    variant: str, seed: int, full: bool, record_property: Record
) -> None:
    """Likewise, for bots that want centres and one that plays at random, by each of the books."""
    board = variants.load(variant).definition.board
    phases = list(_phases_of_bots(variant, seed, 150 if full else 4))
    left, judged = 0, 0
    for name in NAMED:
        book = rulebooks.load(name).adjudication_rules
        for start in range(0, len(phases), CHUNK):
            given = [legal(board, *one, book) for one in phases[start : start + CHUNK]]
            left += sum(_left_to_the_engine(board, book, given).values())
            judged += len(given)
    record_property(
        "sampled",
        f"kernel, {variant}: {judged} judged of {len(phases)} positions of games of bots, "
        f"{left / judged:.3%} left to the engine",
    )
    assert judged > 100  # strong bots end games of Trio early
    assert left / judged < MOST_LEFT


def _phases_of_bots(variant: str, seed: int, count: int) -> Iterator[tuple[Position, Sheets]]:
    """The movement phases of games, with what bots ordered."""
    setting = variants.load(variant).definition
    referee = GameRunner(
        setting, rulebooks.load("datc").adjudication_rules, setting.calendar.first.year + YEARS_OF_BOTS
    )
    for names in (("values",), ("values", "random")):
        for before, given, _, _ in games.played(referee, count, games.by_bots(seed, *names)):
            for at in np.flatnonzero(
                ~before.over & (before.clock[:, array_layout.STAGE] == array_layout.MOVEMENT)
            ):
                yield referee.read(before, int(at)), referee.orders_of(before, int(at), given)
