"""Answers of the whole command beside `Game.process()`: python -m benchmarks.answers [--rounds 5] [--keep].

In each round `process()` judges the phases first, then `talleyrand adjudicate --jsonl --jobs 2` answers them,
from start to end, once with each form of answer. Processor time counts: that of the command and its processes
over two, as on two idle cores. Some of the phases answered alone tell what the start costs, and an answer.
"""

from __future__ import annotations

import argparse
import io
import json
import platform
import subprocess
import sys
from collections.abc import Iterable, Sequence
from contextlib import redirect_stdout
from itertools import chain, islice
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import process_time
from typing import NamedTuple

from talleyrand.formats.position_json import write_position
from talleyrand.formats.question_input import Question, read_question
from talleyrand.formats.received_orders import read_received_orders
from talleyrand.variants import load
from tests.peers.positions import Drawn

from .movement import OTHER, processing
from .sample_positions import fresh, played, recorded

JOBS = 2
BOARD = load("classic").board
RESULT = Path(__file__).parent / "results" / "answers.txt"
READING = "reading and legality, one process"
FORMS = {
    "both languages, reasons": ((), 1.0),
    "--lang fr": (("--lang", "fr"), 2.0),
    "--lang none --reasons none": (("--lang", "none", "--reasons", "none"), 3.0),
}
WANTED = {name: wanted for name, (_, wanted) in FORMS.items()} | {READING: 4.0}
MEMORY_COPIES = (1, 10)
MANY, FEW = 2122, 362


class Whole(NamedTuple):
    """What a command took: processor seconds of it and its processes, and the greatest memory of one (MB)."""

    seconds: float
    megabytes: float


def question(number: int, drawn: Drawn) -> dict[str, object]:
    """A phase as a question of the contract, its orders in normal form."""
    orders: dict[str, list[str]] = {}
    for (power, _), order in drawn.orders.items():
        orders.setdefault(power, []).append(str(order))
    return {"id": number, "rulebook": "datc", **write_position(drawn.position, BOARD), "orders": orders}


# A process counts as its own the greatest memory of the one that it is forked from: this one is small.
_STARTED = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)
"""


def whole_command(file: Path, options: Sequence[str]) -> Whole:
    """Answer a file of questions by the command itself, from its start to its end."""
    command = (sys.executable, "-m", "talleyrand", "adjudicate", "--jsonl", str(file), "--jobs", str(JOBS))
    started = (sys.executable, "-c", _STARTED, *command, *options)
    told = subprocess.run(started, stdout=subprocess.PIPE, text=True, check=True).stdout
    return Whole(*map(float, told.split()))


def reading(questions: Iterable[Question]) -> float:
    """Processor seconds to read the sheets of questions and hold their orders against the rules."""
    begun = process_time()
    for asked in questions:
        read_received_orders(asked)
    return process_time() - begun


def main() -> int:
    """Measure, print, and say whether each form of answer is fast enough."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.answers")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--phases", type=int, default=MANY, help="recorded ones, then games played here")
    parser.add_argument("--seed", type=int, default=1901)
    parser.add_argument("--keep", action="store_true", help=f"write {RESULT.name}")
    wanted = parser.parse_args()
    told = io.StringIO()
    with redirect_stdout(told):
        phases = chain(recorded(), played(wanted.phases, wanted.seed))
        status = _run(wanted.rounds, list(islice(phases, wanted.phases)))
    print(told.getvalue(), end="")
    if wanted.keep:
        RESULT.write_text(told.getvalue(), "utf-8")
    return status


def _run(rounds: int, phases: Sequence[Drawn]) -> int:
    print(f"Python {platform.python_version()}, {platform.system()} {platform.machine()}, commit {commit()}")
    print(f"{len(phases)} movement phases, {rounds} rounds, --jobs {JOBS}, processor time")
    asked = [question(number, drawn) for number, drawn in enumerate(phases)]
    with TemporaryDirectory() as folder:
        file = Path(folder) / "questions.jsonl"
        file.write_text("".join(json.dumps(one) + "\n" for one in asked), "ascii")
        few = Path(folder) / "few.jsonl"
        few.write_text("".join(json.dumps(one) + "\n" for one in asked[:FEW]), "ascii")
        speeds, starts = _measure(rounds, phases, asked, file, few)
        status = _verdict(speeds)
        for name, measured in starts.items():
            start, answer = (median(one) for one in zip(*measured, strict=True))
            print(f"{name:38}{start:10.2f} s to start, {1000 * answer:.2f} ms an answer")
        for copies in MEMORY_COPIES:
            many = Path(folder) / "many.jsonl"
            many.write_text(file.read_text("ascii") * copies, "ascii")
            memory = whole_command(many, FORMS["--lang none --reasons none"][0]).megabytes
            print(f"greatest process of {copies * len(phases):6} answers: {memory:.0f} MB")
    return status


def commit() -> str:
    """The commit that is measured."""
    return subprocess.run(
        ("git", "rev-parse", "--short=8", "HEAD"), capture_output=True, text=True, check=False
    ).stdout.strip()


def _measure(
    rounds: int, phases: Sequence[Drawn], asked: Sequence[dict[str, object]], file: Path, few: Path
) -> tuple[dict[str, list[float]], dict[str, list[tuple[float, float]]]]:
    """Phases per second of each, round by round; and processor seconds to start and for an answer."""
    speeds: dict[str, list[float]] = {name: [] for name in (OTHER, *WANTED)}
    starts: dict[str, list[tuple[float, float]]] = {name: [] for name in FORMS}
    for _ in range(rounds):
        speeds[OTHER].append(len(phases) / processing([fresh(drawn) for drawn in phases]))
        for name, (options, _) in FORMS.items():
            seconds, some = whole_command(file, options).seconds, whole_command(few, options).seconds
            speeds[name].append(len(phases) / (seconds / JOBS))
            answer = (seconds - some) / (len(phases) - FEW)
            starts[name].append((some - FEW * answer, answer))
        speeds[READING].append(len(phases) / reading([read_question(one) for one in asked]))
    return speeds, starts


def _verdict(speeds: dict[str, list[float]]) -> int:
    print(f"{'':38}{'phases/s':>10}   against {OTHER}: min, median, max; wanted")
    missed = 0
    for name, measured in speeds.items():
        ratios = [mine / yours for mine, yours in zip(measured, speeds[OTHER], strict=True)]
        wanted = WANTED.get(name, 1.0)
        missed += median(ratios) < wanted
        figures = f"{min(ratios):5.2f} {median(ratios):5.2f} {max(ratios):5.2f}"
        print(f"{name:38}{median(measured):10.0f}   {figures}   {wanted:.1f}")
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main())
