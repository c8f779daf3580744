"""Makes the shifts of `talleyrand.seating.meeting_designs`, where the number of boards is no power of a
prime.

    python -m benchmarks.make_seating_shifts [--most 60] [--rounds 8] [--tries 400] [--seed 1901]

Adds one row after the other, each found place by place, chance first, until none goes with those before; many
times, and keeps the most rows.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from talleyrand.seating import meeting_designs
from talleyrand.seating.bounds import SIZE
from talleyrand.seating.meeting_designs import known_shifts, multiples, prime_power
from talleyrand.seating.seeded_random import SeededRandom

FILE = Path(meeting_designs.__file__).with_name("shifts.txt")
MOST_STEPS = 20_000


class Rows:
    """Rows of shifts any two of which differ by seven different numbers."""

    def __init__(self, boards: int, chance: SeededRandom) -> None:
        self.boards, self.chance, self.steps = boards, chance, 0
        self.rows = [[0] * SIZE]

    def fill(self, rounds: int) -> None:
        """Add rows, until there are so many or none is found."""
        while len(self.rows) < rounds:
            self.steps = 0
            row = self._complete([0], [{-other[0] % self.boards} for other in self.rows])
            if row is None:
                return
            self.rows.append(row)

    def _complete(self, row: list[int], used: Sequence[set[int]]) -> list[int] | None:
        if len(row) == SIZE:
            return row
        self.steps += 1
        for value in self.chance.shuffled(range(self.boards)):
            moved = [(value - other[len(row)]) % self.boards for other in self.rows]
            if self.steps < MOST_STEPS and not any(m in seen for m, seen in zip(moved, used, strict=True)):
                with_it = [{*seen, m} for m, seen in zip(moved, used, strict=True)]
                found = self._complete([*row, value], with_it)
                if found is not None:
                    return found
        return None


def main() -> None:
    """Search all numbers of boards, and write the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--most", type=int, default=60)
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--tries", type=int, default=400)
    parser.add_argument("--seed", default="1901")
    options = parser.parse_args()
    blocks = []
    for boards in range(SIZE, options.most + 1):
        if prime_power(boards):
            continue
        best = [list(row) for row in known_shifts(boards)]
        chance = SeededRandom(options.seed, str(boards))
        for _ in range(options.tries):
            if len(best) >= options.rounds:
                break
            tried = Rows(boards, chance)
            tried.fill(options.rounds)
            best = max(best, tried.rows, key=len)
        print(f"{boards} boards: {len(best)} rounds", flush=True)
        if len(best) > len(multiples(boards)):
            blocks.append("\n".join([str(boards), *(" ".join(map(str, row)) for row in best)]))
    FILE.write_text("\n\n".join(blocks) + "\n", "ascii")


if __name__ == "__main__":
    main()
