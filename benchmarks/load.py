"""Storms: python -m benchmarks.load [--quick] [--keep].

Starts the site on SQLite in its small shape (`talleyrand serve`) and on PostgreSQL in its large one (pages,
events and clocks apart), both on two cores: games due in the same second, orders by the hundred, a club
behind one address, thousands of listeners, the shape of a deadline, and what things cost as they grow.
Prints each figure beside its limit. Ends with status 1 where one is missed, or anything went wrong.
"""

from __future__ import annotations

import argparse
import json
import os
import pickle
import platform
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tests import postgresql

from . import load_charts, load_growth, load_report
from .load_community import Played, histories, long_history
from .load_http_client import TooFewFiles, make_room
from .load_processes import CLOCKS, PROCESSES
from .load_report import STORM, Report
from .load_worker import PARTS, Plan

CORES = 2
ROUNDS, SMALLER = 3, (10, 100)
FLOOR_GAMES = 200  # due together, where only what is measured against the floor is asked for
RATE, SECONDS, TABLES = 100, 60, 80
DEADLINE_TABLES, DEADLINE_SECONDS = 40, 40
PHONES, PHONE_SECONDS = 210, 32
LISTENERS = 2000
LAST_YEAR = 1913  # of the long game
SHAPES = {
    "SQLite": "talleyrand serve",
    "PostgreSQL": f"talleyrand pages --processes {PROCESSES}, talleyrand events, {CLOCKS} talleyrand clock",
}
RESULTS = Path(__file__).parent / "results"


@dataclass(frozen=True)
class Histories:
    """Games played once for all that is tried."""

    played: list[list[Played]]
    long: list[Played]


def played(wanted: argparse.Namespace) -> Histories:
    return Histories(
        histories(10 if wanted.quick else 30 if wanted.floor else 100, wanted.seed),
        [] if wanted.limits or wanted.floor else long_history(wanted.seed, LAST_YEAR),
    )


def plan(wanted: argparse.Namespace, known: Histories, *, large: bool) -> Plan:
    listeners = wanted.listeners or (200 if wanted.quick else LISTENERS)
    parts = ("orders", "overload") if wanted.limits else () if wanted.floor else PARTS
    if wanted.quick:
        return Plan(known.played, wanted.seed, [10, 60], large, 20, 10, 10, 6, 15, 20, 8, listeners, parts)
    sizes = [*([] if wanted.limits else SMALLER), *[STORM] * wanted.rounds]
    if wanted.floor:
        sizes = [FLOOR_GAMES] * wanted.rounds
    return Plan(
        known.played,
        wanted.seed,
        sizes,
        large,
        RATE,
        SECONDS,
        TABLES,
        DEADLINE_TABLES,
        DEADLINE_SECONDS,
        PHONES,
        PHONE_SECONDS,
        listeners,
        parts,
    )


def growing(wanted: argparse.Namespace, known: Histories) -> load_growth.Plan:
    if wanted.quick:
        return load_growth.Plan(known.played, known.long, wanted.seed, (10, 100), (1, 10), (1, 30))
    return load_growth.Plan(known.played, known.long, wanted.seed)


def tried(module: str, planned: Plan | load_growth.Plan, *, large: bool, core: int | None = None) -> Any:
    """What a trial found, in a process and a data folder of its own; None where it broke off."""
    with tempfile.TemporaryDirectory() as folder, _database(large) as address:
        file = Path(folder) / "plan"
        file.write_bytes(pickle.dumps(planned))
        kept = {name: value for name, value in os.environ.items() if not name.startswith("TALLEYRAND_")}
        environment = {**kept, "TALLEYRAND_DATA": f"{folder}/data", **address}
        command = [sys.executable, "-m", f"benchmarks.{module}", str(file)]
        if core is not None:
            command = ["taskset", "-c", str(core), *command]
        ran = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=False)
    return json.loads(ran.stdout.splitlines()[-1]) if ran.returncode == 0 else None


@contextmanager
def _database(large: bool) -> Iterator[dict[str, str]]:
    """For the large shape PostgreSQL as it comes: what is acknowledged outlives a power cut."""
    with postgresql.cluster(haste=postgresql.MANY) if large else nullcontext("") as address:
        yield {"TALLEYRAND_DATABASE": address} if address else {}


def tell(report: Report, name: str, planned: Plan, found: dict[str, Any]) -> None:
    report.say(f"\n{name}: {SHAPES[name]}")
    load_report.tell_storms(report, name, found["storms"])
    load_report.tell_floor(report, found["storms"])
    parts: dict[str, Callable[[Any], None]] = {
        "overload": lambda one: load_report.tell_overload(report, one, planned.seconds),
        "orders": lambda one: load_report.tell_orders(report, one, planned.rate, planned.seconds),
        "phones": lambda one: load_report.tell_phones(report, one, planned.phone_seconds),
        "listeners": lambda one: load_report.tell_listeners(report, one),
        "deadline": lambda one: load_report.tell_deadline(report, one, planned.deadline_seconds),
    }
    for part in planned.parts:
        told = parts[part]
        if found[part] is None:
            report.wrong([f"{part}: broke off, see above"])
        else:
            told(found[part])


def machine() -> str:
    cores = f"{CORES} cores of {os.cpu_count()}, Python {platform.python_version()}, {platform.system()}"
    files = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return f"{datetime.now(UTC):%F %H:%M} UTC, {cores} {platform.machine()}, ulimit -n {files}"


def storms(report: Report, wanted: argparse.Namespace, known: Histories, names: list[str]) -> None:
    for name in names:
        planned = plan(wanted, known, large=name == "PostgreSQL")
        report.say(f"\nload {os.getloadavg()[0]:.1f} before {name}")
        found = tried("load_worker", planned, large=planned.large)
        if found is None:
            report.wrong([f"{name}: broke off, see above"])
        else:
            tell(report, name, planned, found)


def growth(report: Report, wanted: argparse.Namespace, known: Histories, names: list[str]) -> dict[str, Any]:
    """Each database on a core of its own, side by side."""
    planned, cores = growing(wanted, known), sorted(os.sched_getaffinity(0))

    def grown(place: int, name: str) -> Any:
        return tried("load_growth", planned, large=name == "PostgreSQL", core=cores[place % len(cores)])

    with ThreadPoolExecutor(len(names)) as both:
        found = dict(zip(names, both.map(grown, range(len(names)), names), strict=True))
    report.wrong([f"growth on {name}: broke off, see above" for name in names if found[name] is None])
    found = {name: one for name, one in found.items() if one is not None}
    for name in found:
        load_report.tell_growth(report, name, found[name])
    return found


def asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.load")
    parser.add_argument("--quick", action="store_true", help="fewer of everything: two minutes")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="of six hundred games")
    parser.add_argument("--listeners", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1901)
    parser.add_argument("--limits", action="store_true", help="only what has a limit: seven minutes")
    parser.add_argument("--floor", action="store_true", help="only orders and games against a bare view")
    parser.add_argument("--only", choices=tuple(SHAPES))
    parser.add_argument("--keep", action="store_true", help="in results/: storm.txt, storm.svg, growth.svg")
    return parser.parse_args()


def main() -> int:
    """Measure, print, and say whether every limit is kept."""
    wanted, report, begun = asked(), Report(), time.monotonic()
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:CORES])
    try:
        make_room(wanted.listeners or LISTENERS)  # what is started inherits it
    except TooFewFiles as problem:
        sys.stderr.write(f"{problem}\n")
        return 1
    names = [wanted.only] if wanted.only else list(SHAPES)
    known = played(wanted)
    report.say(machine())
    storms(report, wanted, known, names)
    found = {} if wanted.limits or wanted.floor else growth(report, wanted, known, names)
    ended = "every limit is kept" if not report.missed else f"{report.missed} limits are missed"
    report.say(f"\n{ended}, after {(time.monotonic() - begun) / 60:.1f} minutes")
    if wanted.keep:
        keep(report, found)
    return int(report.missed > 0)


def keep(report: Report, found: dict[str, Any]) -> None:
    drawings: dict[str, Callable[[], str]] = {
        "storm.txt": lambda: "\n".join([*report.lines, ""]),
        "storm.svg": lambda: load_charts.drawn(report.growth),
        "growth.svg": lambda: load_charts.growth(found),
    }
    for name, drawn in drawings.items():
        (RESULTS / name).write_text(drawn(), "utf-8")


if __name__ == "__main__":
    sys.exit(main())
