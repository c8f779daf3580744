"""Movement phases per second, here and at the peers': python -m benchmarks.movement [--rounds 7].

In each round every judge gets the same positions, one judge after the other. Set-up is never counted.
Ends with status 1 where this engine, legal orders known, is not three times as fast as `Game.process()`.
"""

from __future__ import annotations

import argparse
import gc
import platform
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from statistics import mean, median
from time import process_time

from pydip.turn.resolve import resolve_turn

from talleyrand.engine import movement
from talleyrand.engine.orders import Order
from talleyrand.variants import load
from tests.peers import diplomacy_judge, pydip_judge
from tests.peers.positions import BOOK, Drawn

from .sample_positions import fresh, played, recorded

Contestant = Callable[[Sequence[Drawn]], float]
BOARD = load("classic").board
WANTED = 3.0


def judging(positions: Sequence[Drawn]) -> float:
    """Processor seconds for `movement.judge`: legal orders known, verdicts with their causes."""
    begun = process_time()
    for drawn in positions:
        movement.adjudicate_legal_orders(BOARD, drawn.position, drawn.orders, BOOK)
    return process_time() - begun


def adjudicating(positions: Sequence[Drawn]) -> float:
    """The same for `movement.adjudicate`: the same, orders checked first."""
    sheets = [_sheets(drawn) for drawn in positions]
    begun = process_time()
    for drawn, received in zip(positions, sheets, strict=True):
        movement.adjudicate(BOARD, drawn.position, received, BOOK)
    return process_time() - begun


def _sheets(drawn: Drawn) -> dict[str, list[Order]]:
    sheets: dict[str, list[Order]] = defaultdict(list)
    for (power, _), order in drawn.orders.items():
        sheets[power].append(order)
    return dict(sheets)


def processing(positions: Sequence[Drawn]) -> float:
    """The same for `Game.process()` of the package diplomacy, units and checked orders in place."""
    judge, seconds = diplomacy_judge.Judge(), 0.0
    for drawn in positions:
        judge.set_up(drawn)
        begun = process_time()
        judge.game.process()
        seconds += process_time() - begun
    return seconds


def resolving(positions: Sequence[Drawn]) -> float:
    """The same for `resolve_turn` of the package pydip, on checked commands."""
    board, written = pydip_judge.board_map(), [pydip_judge.commands(drawn) for drawn in positions]
    begun = process_time()
    for commands in written:
        resolve_turn(board, commands)
    return process_time() - begun


OURS, OTHER = "talleyrand, judge", "diplomacy 1.1.2, process()"
CONTESTANTS: dict[str, Contestant] = {
    OURS: judging,
    "talleyrand, adjudicate with legality": adjudicating,
    OTHER: processing,
    "pydip 0.1.8, resolve_turn": resolving,
}


def main() -> int:
    """Measure, print, and say whether the engine is fast enough."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.movement")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--games", type=int, default=12, help="games played here, beside the recorded ones")
    parser.add_argument("--seed", type=int, default=1901)
    wanted = parser.parse_args()
    positions = [*recorded(), *played(wanted.games, wanted.seed)]
    _describe(positions, wanted.rounds)
    return _verdict(_measure(positions, wanted.rounds))


def _describe(positions: Sequence[Drawn], rounds: int) -> None:
    orders = mean(len(drawn.orders) for drawn in positions)
    print(f"Python {platform.python_version()}, {platform.system()} {platform.machine()}")
    print(f"{len(positions)} movement phases, {orders:.1f} orders on average, {rounds} rounds")


def _measure(positions: Sequence[Drawn], rounds: int) -> dict[str, list[float]]:
    """Phases per second of each contestant, round by round, after one round that does not count."""
    speeds: dict[str, list[float]] = {name: [] for name in CONTESTANTS}
    for _ in range(rounds + 1):
        for name, contestant in CONTESTANTS.items():
            ready = [fresh(drawn) for drawn in positions]
            gc.collect()
            speeds[name].append(len(positions) / contestant(ready))
    return {name: measured[1:] for name, measured in speeds.items()}


def _verdict(speeds: dict[str, list[float]]) -> int:
    print(f"{'':38}{'phases/s':>10}   against {OTHER}: min, median, max")
    for name, measured in speeds.items():
        ratios = _ratios(measured, speeds[OTHER])
        print(
            f"{name:38}{median(measured):10.0f}   {min(ratios):5.2f} {median(ratios):5.2f} {max(ratios):5.2f}"
        )
    reached = median(_ratios(speeds[OURS], speeds[OTHER]))
    print(f"wanted: {WANTED:.0f} times process(); reached: {reached:.2f}")
    return int(reached < WANTED)


def _ratios(ours: Iterable[float], theirs: Iterable[float]) -> list[float]:
    return [mine / yours for mine, yours in zip(ours, theirs, strict=True)]


if __name__ == "__main__":
    sys.exit(main())
