"""What all reasons of a phase cost, beside judging it once.

    python -m benchmarks.reasons [--rounds 5] [--boards 200] [--climb MINUTES] [--keep]

Recorded phases against `movement.adjudicate` and against `Game.process()` of the package diplomacy, in the
same rounds, with compiled code and without; then crowded boards of 34, 75 and 140 units, with the effort of
an answer. `--climb` looks for a board of 34 units whose reasons take long. Processor time throughout.
"""

from __future__ import annotations

import argparse
import gc
import platform
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from statistics import median, quantiles
from time import monotonic, process_time
from typing import NamedTuple

from talleyrand.engine import movement
from talleyrand.engine.board import Board
from talleyrand.engine.counterfactuals import PhaseReasons
from talleyrand.engine.orders import Order
from talleyrand.engine.position import Position, Unit
from talleyrand.engine.reduced_phase import CompiledRemovals
from talleyrand.engine.step_budget import StepBudget
from talleyrand.formats.adjudication_answer import REASONS_EFFORT
from talleyrand.simulation.removals_batch import compiled_removals, load_kernel
from talleyrand.variants import load
from tests.peers.positions import BOOK, SPRING, Drawn, orders

from .movement import OTHER, adjudicating, processing
from .sample_positions import CLASSIC, fresh, recorded

RESULTS = Path(__file__).parent / "results" / "reasons.txt"
ONCE = "judged once, with legality"
WAYS: dict[str, CompiledRemovals | None] = {"compiled": compiled_removals, "engine": None}
# Units, the board, the milliseconds wanted of 99 in 100 boards with compiled code.
SIZES = ((34, "classic", 20), (75, "classic", 100), (140, "diplomatie_2000", 300))
Say = Callable[[str], None]


class Timed(NamedTuple):
    """A phase, and the milliseconds that its reasons took."""

    milliseconds: float
    drawn: Drawn


def reasons_time(board: Board, drawn: Drawn, compiled: CompiledRemovals | None) -> float:
    """Processor seconds for all reasons of a phase that is judged already."""
    written: dict[str, list[Order]] = {}
    for (power, _), order in drawn.orders.items():
        written.setdefault(power, []).append(order)
    verdicts = movement.adjudicate(board, drawn.position, written, BOOK).verdicts
    effort, begun = StepBudget(REASONS_EFFORT), process_time()
    found = PhaseReasons(board, drawn.position, written, BOOK, verdicts, effort, compiled)
    for verdict in verdicts:
        found.reason_for(verdict)
    return process_time() - begun


def recorded_phases(rounds: int, say: Say) -> None:
    """The recorded phases, each contestant in each round, after one round that does not count."""
    phases = [*recorded()]
    costs: dict[str, list[float]] = {name: [] for name in (ONCE, OTHER, *WAYS)}
    for _ in range(rounds + 1):
        costs[ONCE].append(adjudicating([fresh(one) for one in phases]))
        costs[OTHER].append(processing([fresh(one) for one in phases]))
        for name, compiled in WAYS.items():
            gc.collect()
            costs[name].append(sum(reasons_time(CLASSIC.board, fresh(one), compiled) for one in phases))
    say(f"{len(phases)} recorded phases, {rounds} rounds: all reasons over the other, min median max")
    for name in WAYS:
        for other in (ONCE, OTHER):
            pairs = zip(costs[name][1:], costs[other][1:], strict=True)
            ratios = sorted(mine / theirs for mine, theirs in pairs)
            figures = f"{ratios[0]:7.2f} {median(ratios):7.2f} {ratios[-1]:7.2f}"
            say(f"  {name:10} over {other:28}{figures}")


def crowd(board: Board, count: int, lot: Random) -> Drawn:
    """So many units anywhere on a board, and orders that meet."""
    places = sorted(lot.sample(sorted(board.provinces), count))
    units = tuple(_unit(board, lot, place) for place in places)
    position = Position(SPRING, units)
    return Drawn(-1, position, orders(board, position, lot))


def _unit(board: Board, lot: Random, code: str) -> Unit:
    kinds = [(kind, place) for kind in board.kinds for place in board.standable_locations(kind, code)]
    return Unit(*lot.choice(kinds), lot.choice(board.powers))


def crowded_boards(boards: int, seed: int, say: Say) -> None:
    """Milliseconds for the reasons of crowded boards."""
    for count, variant, wanted in SIZES:
        board = load(variant).definition.board
        drawn = [crowd(board, count, Random(f"{seed}/{count}/{number}")) for number in range(boards)]
        for name, compiled in WAYS.items():
            times = sorted(reasons_time(board, one, compiled) * 1000 for one in drawn)
            p99 = quantiles(times, n=100, method="inclusive")[98]
            figures = f"p50 {median(times):6.1f}  p99 {p99:6.1f}  worst {times[-1]:6.1f} ms"
            say(f"  {count:3} units, {boards} boards, {name:10} {figures}  (p99 wanted, compiled: {wanted})")


def climb(minutes: float, seed: int) -> Iterator[Timed]:
    """Boards of 34 units, each slower than those before: some units get other orders, or stand elsewhere."""
    lot, board, until = Random(f"{seed} climb"), CLASSIC.board, monotonic() + 60 * minutes
    worst = Timed(0.0, crowd(board, 34, lot))
    while monotonic() < until:
        drawn = (
            _neighbour(worst.drawn, lot)
            if worst.milliseconds and lot.random() < 0.9
            else crowd(board, 34, lot)
        )
        took = min(reasons_time(board, drawn, compiled_removals) for _ in range(2)) * 1000
        if took > worst.milliseconds:
            worst = Timed(took, drawn)
            yield worst


def _neighbour(drawn: Drawn, lot: Random) -> Drawn:
    """The same units; some of the orders of another draw that goes with them."""
    other, share = orders(CLASSIC.board, drawn.position, lot), lot.uniform(0.05, 0.4)
    mixed = {key: other[key] if lot.random() < share else order for key, order in drawn.orders.items()}
    return Drawn(-1, drawn.position, mixed)


def main() -> None:
    """Measure, print, and keep."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.reasons")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--boards", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1901)
    parser.add_argument("--climb", type=float, default=0.0, metavar="MINUTES")
    parser.add_argument("--keep", action="store_true")
    wanted = parser.parse_args()
    lines: list[str] = []

    def say(line: str) -> None:
        print(line, flush=True)
        lines.append(line)

    load_kernel()
    say(f"Python {platform.python_version()}, {platform.system()} {platform.machine()}, commit {_commit()}")
    recorded_phases(wanted.rounds, say)
    crowded_boards(wanted.boards, wanted.seed, say)
    if wanted.climb:
        *_, worst = climb(wanted.climb, wanted.seed)
        say(f"  34 units, {wanted.climb:g} minutes of climbing, compiled: {worst.milliseconds:.1f} ms")
    if wanted.keep:
        RESULTS.write_text("\n".join(lines) + "\n", "utf-8")


def _commit() -> str:
    ran = subprocess.run(("git", "rev-parse", "--short", "HEAD"), capture_output=True, text=True, check=False)
    return ran.stdout.strip()


if __name__ == "__main__":
    main()
