"""Winters beside an oracle, on positions and sheets drawn by a seed, under every choice of a book."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from talleyrand import variants
from talleyrand.engine import adjustments
from talleyrand.engine.board import Board
from talleyrand.engine.outcome import OrderResult, PhaseOutcome
from talleyrand.engine.position import Unit
from tests.oracle.winter_scenes import draw_book, draw_position, draw_sheet
from tests.oracle.winters import Sheet, Winter

FULL, SAMPLE = 20_000, 160


def _found(outcome: PhaseOutcome, power: str) -> Winter:
    built: set[tuple[str, str]] = set()
    removed: set[Unit] = set()
    for verdict in outcome.verdicts:
        if verdict.power == power and OrderResult.BUILDS in verdict.results:
            built.add((verdict.unit.kind, verdict.unit.location))
        if verdict.power == power and OrderResult.REMOVED in verdict.results:
            removed.add(Unit(*verdict.unit, power))
    return Winter(frozenset(built), frozenset(removed), outcome.position_after.kept_builds.get(power, 0))


def _judge(dice: Random, board: Board) -> PhaseOutcome:
    book, position = draw_book(dice), draw_position(dice, board)
    sheets = {power: draw_sheet(dice, board, position, power) for power in board.powers}
    outcome = adjustments.adjudicate(board, position, sheets, book)
    for power in board.powers:
        expected = Sheet(board, position, power, sheets[power], book).outcome()
        assert _found(outcome, power) == expected, (power, position, list(map(str, sheets[power])), book)
    return outcome


@pytest.mark.long
@pytest.mark.parametrize("variant", ["classic", "sandad"])
def test_judge_and_oracle_agree_on_winters(
    variant: str, seed: int, full: bool, record_property: Callable[[str, object], None]
) -> None:
    board, count = variants.load(variant).board, FULL if full else SAMPLE
    dice = Random(f"{seed} {variant}")
    outcomes = [_judge(dice, board) for _ in range(count)]
    lots = sum(len(outcome.random_draws) for outcome in outcomes)
    ruled = sum(verdict.cause.code == "removed_by_rule" for one in outcomes for verdict in one.verdicts)
    built = sum(OrderResult.BUILDS in verdict.results for one in outcomes for verdict in one.verdicts)
    line = f"winters, {variant}: {count} of {FULL}, seed {seed}; {built} builds, {ruled} removed, {lots} lots"
    record_property("sampled", line)
    assert min(lots, ruled, built) > count // 10
