"""Recorded games to columns beside `Game.process()`: python -m benchmarks.columns [--rounds 5] [--keep].

In each round `process()` judges the movement phases first; then `talleyrand adjudicate --columns --jobs 2`
makes a file of columns of games, from start to end, every phase counted. Processor time counts: that of the
command and its processes over two, as on two idle cores.
Ends with status 1 where records come to less than 50 times `process()`.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import platform
import subprocess
import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from tests.peers.positions import Drawn
from tests.simulation.columns.recorded import drawn_game, saved_games

from .answers import commit
from .movement import OTHER, processing
from .sample_positions import fresh, played, recorded

JOBS, YEARS = 2, 12
RESULT = Path(__file__).parent / "results" / "columns.txt"
RECORDS, SAVED, UNUSUAL = (
    "records in normal form",
    "saved games of the package diplomacy",
    "records, one order in a hundred unusual",
)
WANTED = {RECORDS: 50.0}  # 20,000 phases/s where process() judges 400


class GamesFile(NamedTuple):
    """A file of games, and how many phases they have."""

    path: Path
    phases: int


def columns_seconds(file: Path, jobs: int = JOBS) -> float:
    """Processor seconds of the command for a file, its processes' among them."""
    command = (sys.executable, "-m", "talleyrand", "adjudicate", "--jobs", str(jobs), str(file), "--columns")
    with TemporaryDirectory() as folder:
        running = subprocess.Popen([*command, str(Path(folder) / "x.parquet")], stderr=subprocess.DEVNULL)
        _, status, used = os.wait4(running.pid, 0)
    running.returncode = os.waitstatus_to_exitcode(status)
    assert running.returncode == 0
    return used.ru_utime + used.ru_stime


def main() -> int:
    """Measure, print, and say whether records are fast enough."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.columns")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--copies", type=int, default=100, help="how often each game stands in its file")
    parser.add_argument("--seed", type=int, default=1901)
    parser.add_argument("--keep", action="store_true", help=f"write {RESULT.name}")
    wanted = parser.parse_args()
    told = io.StringIO()
    with redirect_stdout(told):
        status = _run(wanted.rounds, wanted.copies, wanted.seed)
    print(told.getvalue(), end="")
    if wanted.keep:
        RESULT.write_text(told.getvalue(), "utf-8")
    return status


def _run(rounds: int, copies: int, seed: int) -> int:
    phases = [*recorded(), *played(12, seed)]
    print(f"Python {platform.python_version()}, {platform.system()} {platform.machine()}, commit {commit()}")
    print(f"{len(phases)} movement phases of process(), {rounds} rounds, --jobs {JOBS}, processor time")
    with TemporaryDirectory() as folder:
        files = games_files(Path(folder), copies, seed)
        for name, file in files.items():
            print(f"{name}: {file.phases} phases, {file.path.stat().st_size / file.phases:.0f} bytes a phase")
        measured = [one_round(phases, files) for _ in range(rounds)]
    return _verdict(measured)


def records_file(folder: Path, copies: int, seed: int, unusual: float = 0.0) -> GamesFile:
    """Twelve games of twelve years, all powers wanting centres, each so many times."""
    lots = (Random(f"{seed}/{number}") for number in range(12))
    games = [drawn_game("classic", "datc", lot, YEARS, unusual) for lot in lots]
    return _games_file(folder / f"{unusual}.jsonl", games, copies)


def games_files(folder: Path, copies: int, seed: int) -> dict[str, GamesFile]:
    """A file for each kind of games."""
    return {
        RECORDS: records_file(folder, copies, seed),
        SAVED: _games_file(folder / "saved.jsonl", list(saved_games()), copies // 4 or 1),
        UNUSUAL: records_file(folder, copies // 4 or 1, seed, 0.01),
    }


def _games_file(path: Path, games: Sequence[dict[str, Any]], copies: int) -> GamesFile:
    path.write_text("".join(json.dumps(one) + "\n" for one in games) * copies, "ascii")
    return GamesFile(path, copies * sum(len(one["phases"]) for one in games))


def one_round(phases: Sequence[Drawn], files: dict[str, GamesFile]) -> dict[str, float]:
    """Phases per second of each."""
    speeds = {OTHER: len(phases) / processing([fresh(drawn) for drawn in phases])}
    for name, file in files.items():
        speeds[name] = file.phases / (columns_seconds(file.path) / JOBS)
    return speeds


def _verdict(measured: Sequence[dict[str, float]]) -> int:
    print(f"{'':40}{'phases/s':>10}   against {OTHER}: min, median, max; wanted")
    missed = 0
    for name in measured[0]:
        ratios = [one[name] / one[OTHER] for one in measured]
        wanted = WANTED.get(name)
        missed += wanted is not None and median(ratios) < wanted
        figures = f"{min(ratios):6.2f} {median(ratios):6.2f} {max(ratios):6.2f}"
        aim = "" if wanted is None else f"   {wanted:.0f}"
        print(f"{name:40}{median(one[name] for one in measured):10.0f}   {figures}{aim}")
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main())
