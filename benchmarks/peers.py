"""How fast answers come, ours and the peers': python -m benchmarks.peers [--dipcc FOLDER] [--keep].

In each round everybody gets the same movement phases, one after the other; a ratio is taken within a round.
The whole commands answer them from a file, from start to end, on one core. Processor time; what is set up for
the judges is not counted, and everything that a command does is. `--keep` writes `peers.md` beside this file.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import platform
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import mean, median
from tempfile import TemporaryDirectory
from time import process_time

import numba
import numpy as np

from tests.peers.positions import Drawn

from .answers import FORMS, commit, question, whole_command
from .batch_adjudicator import Contest
from .columns import columns_seconds, records_file
from .dipcc_judge import DipccJudge
from .movement import OTHER, adjudicating, judging, processing, resolving
from .sample_positions import fresh, played, recorded

RESULT = Path(__file__).with_name("peers.md")
DIPCC = "dipcc, `process()`"
COLUMN_COPIES = 50
Contestant = Callable[[], float]


class PeerContest:
    """What is measured: for each row of the table, the processor seconds of a movement phase."""

    def __init__(self, positions: Sequence[Drawn], folder: Path, seed: int, dipcc: DipccJudge | None) -> None:
        self.positions, self.compiled = positions, Contest(positions)
        self.questions, self.games = folder / "questions.jsonl", records_file(folder, COLUMN_COPIES, seed)
        asked = [question(number, drawn) for number, drawn in enumerate(positions)]
        self.questions.write_text("".join(json.dumps(one) + "\n" for one in asked), "ascii")
        self.rows: dict[str, Contestant] = {
            "compiled, batch, complete outcome": self.compiled.batch,
            "compiled, from readable values and back": self._values_and_back,
            "readable engine, legal orders known, causes": lambda: self._of(judging),
            "the same with legality": lambda: self._of(adjudicating),
            "`talleyrand adjudicate --columns`, whole process, whole games": self._columns,
            "`talleyrand adjudicate --jsonl`, whole process": lambda: self._command(
                "both languages, reasons"
            ),
            "the same, `--lang none --reasons none`": lambda: self._command("--lang none --reasons none"),
            OTHER: lambda: self._of(processing),
            "pydip 0.1.8, `resolve_turn`": lambda: self._of(resolving),
        }
        if dipcc is not None:
            self.rows[DIPCC] = lambda: self._of(dipcc.process)

    def round(self) -> dict[str, float]:
        """Seconds a phase of each."""
        return {name: seconds() for name, seconds in self.rows.items()}

    def _of(self, contestant: Callable[[Sequence[Drawn]], float]) -> float:
        ready = [fresh(drawn) for drawn in self.positions]
        gc.collect()
        return contestant(ready) / len(ready)

    def _values_and_back(self) -> float:
        judge, ready = self.compiled.judge, [fresh(drawn) for drawn in self.positions]
        begun = process_time()
        phases = judge.encode([(drawn.position, drawn.orders) for drawn in ready])
        answers = judge.adjudicate(phases)
        for row in range(len(phases)):
            judge.decode(phases, answers, row)
        return (process_time() - begun) / len(ready)

    def _command(self, form: str) -> float:
        return whole_command(self.questions, (*FORMS[form][0], "--jobs", "1")).seconds / len(self.positions)

    def _columns(self) -> float:
        return columns_seconds(self.games.path, jobs=1) / self.games.phases


def main() -> int:
    """Measure, and print or keep the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.peers")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--games", type=int, default=12, help="games played here, beside the recorded ones")
    parser.add_argument("--seed", type=int, default=1901)
    parser.add_argument("--dipcc", type=Path, help="folder of the module pydipcc, built as its documents say")
    parser.add_argument("--dipcc-commit", default="", help="the commit it was built from")
    parser.add_argument("--keep", action="store_true", help=f"write {RESULT.name}")
    wanted = parser.parse_args()
    positions = [*recorded(), *played(wanted.games, wanted.seed)]
    dipcc = None if wanted.dipcc is None else DipccJudge.in_folder(wanted.dipcc)
    with TemporaryDirectory() as folder:
        contest = PeerContest(positions, Path(folder), wanted.seed, dipcc)
        contest.round()  # does not count
        rounds = [contest.round() for _ in range(wanted.rounds)]
    alike = 0 if dipcc is None else dipcc.count_alike(positions)
    text = "\n".join(
        [*_head(positions, len(rounds)), *_table(rounds), *_foot(dipcc, wanted.dipcc_commit, alike)]
    )
    print(text)
    if wanted.keep:
        RESULT.write_text(text + "\n", "utf-8")
    return 0


def _head(positions: Sequence[Drawn], rounds: int) -> list[str]:
    orders = mean(len(drawn.orders) for drawn in positions)
    versions = f"Python {platform.python_version()}, Numba {numba.__version__}, NumPy {np.__version__}"
    return [
        "# Beside the peers",
        "",
        "Made by `python -m benchmarks.peers --keep`; [what is measured](README.md#beside-the-peers).",
        "",
        f"Commit {commit()}; {versions}; {platform.system()} {platform.machine()}, {_processor()},",
        f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}. {len(positions)} movement phases,",
        f"{orders:.1f} orders on average; {rounds} interleaved rounds, processor time of one core.",
        "",
    ]


def _processor() -> str:
    """What the system calls the processor."""
    told = Path("/proc/cpuinfo")
    names = (
        [line for line in told.read_text("utf-8").splitlines() if "model name" in line]
        if told.exists()
        else []
    )
    return names[0].partition(":")[2].strip() if names else platform.processor()


def _table(rounds: Sequence[dict[str, float]]) -> list[str]:
    lines = ["| | phases/s | x `process()`: min | median | max |", "|---|--:|--:|--:|--:|"]
    for name in rounds[0]:
        ratios = [one[OTHER] / one[name] for one in rounds]
        figures = " | ".join(_written(found) for found in (min(ratios), median(ratios), max(ratios)))
        lines.append(f"| {name} | {1 / median(one[name] for one in rounds):,.0f} | {figures} |")
    return lines


def _written(ratio: float) -> str:
    return f"{ratio:.2f}" if ratio < 10 else f"{ratio:.0f}"


def _foot(dipcc: DipccJudge | None, built_from: str, alike: int) -> list[str]:
    if dipcc is None:
        return ["", "dipcc was not at hand in this run: `--dipcc FOLDER` names the folder of its module."]
    source = f"facebookresearch/diplomacy_cicero, commit {built_from or 'unknown'}"
    return [
        "",
        f"dipcc: {source}, built by its `make dipcc`; the same units stand afterwards in {alike} phases.",
    ]


if __name__ == "__main__":
    sys.exit(main())
