"""Compares with the peers at length: python -m tests.peers [--count 20000] [--seed 1901]."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from time import perf_counter

from talleyrand.variants import load

from .differences import compare, explain
from .positions import draw, write

PEERS = ("diplomacy", "pydip")


def main() -> int:
    """Print how many positions agree, what explains the others, and those that nothing explains."""
    parser = argparse.ArgumentParser(prog="python -m tests.peers")
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1901)
    wanted = parser.parse_args()
    return max(_report(peer, wanted.count, wanted.seed) for peer in PEERS)


def _report(peer: str, count: int, seed: int) -> int:
    begun, unexplained = perf_counter(), 0
    board = load("classic").board
    tally: Counter[str] = Counter()
    for number in range(count):
        drawn = draw(board, seed, number)
        reasons = explain(board, peer, drawn)
        tally["; ".join(reasons or ("the same",)) if reasons is not None else "UNEXPLAINED"] += 1
        if reasons is None:
            unexplained += 1
            print(f"{peer}, position {number}", *compare(board, peer, drawn), *write(drawn), sep="\n    ")
    print(f"{peer}: {count} positions, seed {seed}, {perf_counter() - begun:.0f} s")
    for reason, times in sorted(tally.items(), key=lambda entry: (-entry[1], entry[0])):
        print(f"{times:7d}  {reason}")
    return int(unexplained > 0)


if __name__ == "__main__":
    sys.exit(main())
