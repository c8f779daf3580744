"""What a start costs, and a first use: python -m benchmarks.first_use [--rounds 5] [--keep].

In each round, one after the other, processor seconds of whole processes with those that they start: `--help`
and one file, here and in the tree of a commit before; an import of `diplomacy`; the first compiled answer and
the first seven simulated games, each from an empty folder for compiled code, and again from the one just
filled. A round of starts before does not count. Ends with status 1 where a median misses what is wanted.
"""

from __future__ import annotations

import argparse
import io
import os
import platform
import subprocess
import sys
import tarfile
from collections.abc import Mapping, Sequence
from contextlib import redirect_stdout
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from .answers import commit

RESULT = Path(__file__).parent / "results" / "first_use.txt"
BEFORE = "9f2fab6c"
HERE = Path(__file__).parents[1]
COMMANDS = {"--help": 0.34, "one file": 0.38}  # of what it was before, at most
COMPILED = {"the first compiled answer": 8.0, "the first seven games": 20.0}  # seconds, at most
PEER = "import diplomacy"
FIRST = """
from talleyrand import rulebooks, variants
from talleyrand.simulation.batch_adjudicator import BatchAdjudicator

game = variants.load("classic").definition
judge = BatchAdjudicator(game.board, rulebooks.load("datc").adjudication_rules)
judge.adjudicate(judge.encode([(game.start, {})]))
"""
SITUATION = """\
Units
France: A Par, A Pic, F Eng
Germany: A Bel, A Ruh

Spring 1901
France
A Pic - Bel
F Eng S A Pic - Bel
A Par - Bur; A Mar H
Germany
A Bel H
A Ruh S A Bel
"""


def process_seconds(arguments: Sequence[str], **settings: str) -> float:
    """Processor seconds of a Python process and of those that it starts and waits for."""
    environment = {**os.environ, "TALLEYRAND_LANG": "en", **settings}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    running = subprocess.Popen(
        [sys.executable, *arguments], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    _, status, used = os.wait4(running.pid, 0)
    running.returncode = os.waitstatus_to_exitcode(status)
    assert running.returncode == 0, arguments
    return used.ru_utime + used.ru_stime


def one_round(folder: Path, *, compiled: bool) -> dict[str, float]:
    """Seconds of each."""
    given = {"--help": ("--help",), "one file": ("adjudicate", str(folder / "situation.txt"))}
    found = {}
    for name, arguments in given.items():
        for where, tree in (("before", folder), ("here", HERE)):
            command = ("-m", "talleyrand", *arguments)
            found[f"{name}, {where}"] = process_seconds(command, PYTHONPATH=str(tree / "src"))
    found[PEER] = process_seconds(("-c", "import diplomacy"))
    games = ("-m", "talleyrand", "simulate", "--games", "7", "--until", "1902", "--out")
    for first in COMPILED if compiled else ():
        with TemporaryDirectory() as code:
            for again in ("", ", again"):
                command = ("-c", FIRST) if first.endswith("answer") else (*games, f"{code}/games{again}")
                found[f"{first}{again}"] = process_seconds(command, NUMBA_CACHE_DIR=code)
    return found


def main() -> int:
    """Measure, print, and say whether a first use is short enough."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.first_use")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--before", default=BEFORE, help="the commit to be measured beside this tree")
    parser.add_argument("--start", action="store_true", help="without what is compiled")
    parser.add_argument("--keep", action="store_true", help=f"write {RESULT.name}")
    wanted = parser.parse_args()
    told = io.StringIO()
    with redirect_stdout(told), TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "situation.txt").write_text(SITUATION, "ascii")
        packed = subprocess.run(
            ("git", "archive", wanted.before, "src"), capture_output=True, check=True
        ).stdout
        with tarfile.open(fileobj=io.BytesIO(packed)) as tree:
            tree.extractall(folder, filter="data")
        one_round(folder, compiled=False)
        measured = [one_round(folder, compiled=not wanted.start) for _ in range(wanted.rounds)]
        status = _verdict(measured, wanted.before)
    print(told.getvalue(), end="")
    if wanted.keep:
        RESULT.write_text(told.getvalue(), "utf-8")
    return status


def _verdict(measured: Sequence[Mapping[str, float]], before: str) -> int:
    print(f"Python {platform.python_version()}, {platform.system()} {platform.machine()}, commit {commit()}")
    print(f"{len(measured)} rounds, processor seconds of whole processes; before: {before}")
    print(f"{'':34}{'least':>8} {'median':>8} {'most':>8}   wanted")
    rows = {name: [one[name] for one in measured] for name in measured[0]}
    aims = {name: aim for name, aim in COMPILED.items() if name in rows}
    for name, aim in COMMANDS.items():
        here, then = rows[f"{name}, here"], rows[f"{name}, before"]
        rows[f"{name}, here / before"] = [one / other for one, other in zip(here, then, strict=True)]
        aims[f"{name}, here / before"] = aim
    for name, seconds in rows.items():
        figures = f"{min(seconds):8.2f} {median(seconds):8.2f} {max(seconds):8.2f}"
        print(f"{name:34}{figures}   {aims.get(name, '')}".rstrip())
    return int(any(median(rows[name]) > aim for name, aim in aims.items()))


if __name__ == "__main__":
    sys.exit(main())
