"""The compiled judge beside the engine and the peers: python -m benchmarks.batch_adjudicator [--rounds 7].

In each round every judge gets the same positions, one judge after the other. Set-up is never counted.
Ends with status 1 where the kernel is not 250 times as fast as `Game.process()` in batches, and 80 times
with one position a call.
"""

from __future__ import annotations

import argparse
import gc
import platform
import sys
from collections.abc import Callable, Sequence
from statistics import mean, median
from time import process_time

import numba
import numpy as np

from talleyrand import variants
from talleyrand.engine.board import Board
from talleyrand.simulation.batch_adjudicator import BatchAdjudicator, PhaseBatch, PhaseBatchAnswers
from tests.peers.positions import BOOK, Drawn, draw

from .movement import BOARD, OTHER, judging, processing, resolving
from .sample_positions import fresh, played, recorded

BATCH, SINGLE, ENGINE, PYDIP = (
    "kernel, batch",
    "kernel, one a call",
    "engine, judge",
    "pydip 0.1.8, resolve_turn",
)
WANTED = {BATCH: 250.0, SINGLE: 80.0}
COPIES = 30


class Contest:
    """The kernel's inputs, made once, and the processor seconds that each judge takes for a position."""

    def __init__(self, positions: Sequence[Drawn]) -> None:
        self.positions = positions
        self.judge, self.phases = encoded(BOARD, positions)
        self.many = PhaseBatch(np.tile(self.phases.rows, (COPIES, 1, 1)))
        self.room = PhaseBatchAnswers.blank(len(self.many), len(BOARD.provinces))

    def batch(self) -> float:
        return timed(self.judge, self.many, self.room)

    def single(self) -> float:
        ones = [PhaseBatch(self.phases.rows[row : row + 1]) for row in range(len(self.phases))] * 3
        room = PhaseBatchAnswers.blank(1, len(BOARD.provinces))
        begun = process_time()
        for one in ones:
            self.judge.adjudicate(one, room)
        return (process_time() - begun) / len(ones)

    def of(self, contestant: Callable[[Sequence[Drawn]], float]) -> float:
        ready = [fresh(drawn) for drawn in self.positions]
        gc.collect()
        return contestant(ready) / len(ready)

    def round(self) -> dict[str, float]:
        return {
            BATCH: self.batch(),
            SINGLE: self.single(),
            ENGINE: self.of(judging),
            OTHER: self.of(processing),
            PYDIP: self.of(resolving),
        }


def encoded(board: Board, positions: Sequence[Drawn]) -> tuple[BatchAdjudicator, PhaseBatch]:
    judge = BatchAdjudicator(board, BOOK)
    phases = judge.encode([(drawn.position, drawn.orders) for drawn in positions])
    judge.adjudicate(phases)
    return judge, phases


def timed(judge: BatchAdjudicator, phases: PhaseBatch, room: PhaseBatchAnswers) -> float:
    """Processor seconds for each phase, those that go to the engine among them."""
    begun = process_time()
    judge.adjudicate(phases, room)
    return (process_time() - begun) / len(phases)


def main() -> int:
    """Measure, print, and say whether the kernel is fast enough."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.batch_adjudicator")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--games", type=int, default=12, help="games played here, beside the recorded ones")
    parser.add_argument("--seed", type=int, default=1901)
    wanted = parser.parse_args()
    positions = [*recorded(), *played(wanted.games, wanted.seed)]
    contest = Contest(positions)
    describe(contest, wanted.rounds)
    fast = table([contest.round() for _ in range(wanted.rounds + 1)][1:])
    growth(positions, wanted.seed)
    return int(not fast)


def describe(contest: Contest, rounds: int) -> None:
    orders = mean(len(drawn.orders) for drawn in contest.positions)
    left = sum(contest.judge.adjudicate(contest.phases).left_to_engine.values())
    size = contest.many.rows.nbytes + contest.room.fates.nbytes + contest.room.retreats.nbytes
    print(f"Python {platform.python_version()}, Numba {numba.__version__}, NumPy {np.__version__}, ", end="")
    print(f"{platform.system()} {platform.machine()}")
    print(
        f"{len(contest.positions)} movement phases, {orders:.1f} orders on average, {rounds} rounds; ", end=""
    )
    print(
        f"{left} of them left to the engine, whose time counts; {size / len(contest.many):.0f} bytes a phase"
    )


def table(rounds: Sequence[dict[str, float]]) -> bool:
    print(f"\n{'':27}{'phases/s':>10}   against {OTHER}      against the engine: min, median, max")
    for name in rounds[0]:
        ratios = "      ".join(
            _spread([one[rival] / one[name] for one in rounds]) for rival in (OTHER, ENGINE)
        )
        print(f"{name:27}{1 / median(one[name] for one in rounds):10.0f}   {ratios}")
    reached = {name: median(one[OTHER] / one[name] for one in rounds) for name in WANTED}
    for name, least in WANTED.items():
        print(f"{name}: wanted {least:.0f} times process(); reached {reached[name]:.0f}")
    return all(reached[name] >= least for name, least in WANTED.items())


def _spread(ratios: Sequence[float]) -> str:
    return f"{min(ratios):8.2f} {median(ratios):8.2f} {max(ratios):8.2f}"


# growth -------------------------------------------------------------------------------------------


def growth(positions: Sequence[Drawn], seed: int) -> None:
    print("\nphases/s of the kernel")
    _, phases = encoded(BOARD, positions)
    for count in (1, 10, 100, 1_000, 10_000):
        rows = np.tile(phases.rows, (1 + count // len(phases), 1, 1))[:count]
        what = f"{count} positions a call"
        print(f"  {what:50} {_rate(BOARD, PhaseBatch(rows)):10.0f}")
    ordered = sorted(positions, key=lambda drawn: len(drawn.position.units))
    for quarter in range(4):
        part = ordered[quarter * len(ordered) // 4 : (quarter + 1) * len(ordered) // 4]
        what = f"{_units(part):.1f} units on average"
        print(f"  {what:50} {_rate(BOARD, encoded(BOARD, part)[1]):10.0f}")
    for name in variants.playable_names():
        board = variants.load(name).definition.board
        drawn = [draw(board, seed, number) for number in range(300)]
        what = f"{len(board.provinces)} provinces ({name}), crowds of {_units(drawn):.1f} units"
        print(f"  {what:50} {_rate(board, encoded(board, drawn)[1]):10.0f}")


def _units(drawn: Sequence[Drawn]) -> float:
    return mean(len(one.position.units) for one in drawn)


def _rate(board: Board, phases: PhaseBatch) -> float:
    """The best of a few runs of at least twenty thousand phases, none of which the engine judges."""
    judge = BatchAdjudicator(board, BOOK)
    alone = [
        row
        for row in range(len(phases))
        if not judge.adjudicate(PhaseBatch(phases.rows[row : row + 1])).left_to_engine
    ]
    kept = PhaseBatch(np.ascontiguousarray(phases.rows[alone]))
    room, calls = PhaseBatchAnswers.blank(len(kept), len(board.provinces)), 1 + 20_000 // len(kept)
    seconds = [mean(timed(judge, kept, room) for _ in range(calls)) for _ in range(4)]
    return 1 / min(seconds)


if __name__ == "__main__":
    sys.exit(main())
