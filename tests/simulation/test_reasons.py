"""Reasons found by the engine and by compiled code, and those of the search as it was: the same sets by
the same effort, on recorded and random phases of every variant, by every book.

A sample in the everyday run, 100,000 phases with `--full`; `--seed` draws others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from random import Random
from typing import NamedTuple

import pytest
from benchmarks.sample_positions import CLASSIC, recorded
from hypothesis import given, settings

from talleyrand import rulebooks, variants
from talleyrand.engine import counterfactuals, movement
from talleyrand.engine.board import Board
from talleyrand.engine.position import Position
from talleyrand.engine.reduced_phase import CompiledRemovals
from talleyrand.engine.rulebook import Rulebook
from talleyrand.engine.step_budget import StepBudget
from talleyrand.simulation.removals_batch import compiled_removals
from tests.engine.drawn import Scene, scenes
from tests.oracle import exhaustive_counterfactuals
from tests.simulation.positions import Sheets, crowded, crowds, sheets
from tests.variants.plain import PLAIN

SAMPLE, FULL = 120, 100_000
WAYS = pytest.mark.parametrize("compiled", [None, compiled_removals], ids=["engine", "compiled"])
# None: as much as it takes.
EFFORTS = (None, None, None, 300, 2_000, 10_000)


class Asked(NamedTuple):
    """A phase whose reasons are asked for."""

    board: Board
    position: Position
    sheets: Sheets
    book: Rulebook
    effort: int | None


@cache
def _recorded() -> tuple[tuple[Position, Sheets], ...]:
    return tuple((drawn.position, sheets(drawn.orders)) for drawn in recorded())


def phases(seed: int, count: int) -> Iterator[Asked]:
    """One in ten recorded, the others crowds on all boards; some with too little effort."""
    books = [rulebooks.load(name).adjudication_rules for name in rulebooks.names()]
    for number in range(count):
        lot = Random(f"reasons {seed}/{number}")
        if number % 10 == 0:
            board = CLASSIC.board
            position, written = lot.choice(_recorded())
        else:
            board = crowded(variants.load(PLAIN[number % len(PLAIN)]).definition.board)
            kind = lot.randrange(3)
            *_, (position, written) = crowds(board, lot.getrandbits(40), kind + 1)
        yield Asked(board, position, written, lot.choice(books), lot.choice(EFFORTS))


def agreed(asked: Asked, compiled: CompiledRemovals | None) -> Counter[str]:
    """Assert that both searches find the same with the same effort; counts what they found."""
    board, position, written, book, most = asked
    verdicts = movement.adjudicate(board, position, written, book).verdicts
    efforts = [None if most is None else StepBudget(most) for _ in range(2)]
    here = counterfactuals.PhaseReasons(board, position, written, book, verdicts, efforts[0], compiled)
    there = exhaustive_counterfactuals.PhaseReasons(board, position, written, book, verdicts, efforts[1])
    found = Counter[str](phases=1)
    for verdict in verdicts:
        told = here.reason_for(verdict)
        assert tuple(told) == tuple(there.reason_for(verdict)), (verdict, written)
        found.update({"verdicts": 1, "with a reason": bool(told.units)})
    assert here.is_incomplete == there.is_incomplete
    assert efforts[0] == efforts[1]
    found["cut short"] += here.is_incomplete
    return found


@pytest.mark.long
@WAYS
def test_reasons_are_those_of_the_search_as_it_was(
    compiled: CompiledRemovals | None,
    seed: int,
    full: bool,
    record_property: Callable[[str, object], None],
) -> None:
    count, seen = FULL if full else SAMPLE, Counter[str]()
    for asked in phases(seed, count):
        seen.update(agreed(asked, compiled))
    figures = ", ".join(f"{number} {what}" for what, number in seen.items())
    record_property("sampled", f"reasons as they were: of {FULL} phases, seed {seed}: {figures}")
    assert seen["with a reason"] > seen["verdicts"] // 4
    assert 0 < seen["cut short"] < seen["phases"] // 2


@pytest.mark.long
@WAYS
@settings(max_examples=30)
@given(scene=scenes())
def test_reasons_among_nonsense_are_those_of_the_search_as_it_was(
    compiled: CompiledRemovals | None, scene: Scene
) -> None:
    """Several orders for a unit, impossible ones, powers in disorder, books nobody wrote."""
    agreed(Asked(scene.setting.board, scene.position, scene.orders, scene.book, None), compiled)
