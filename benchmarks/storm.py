"""Games due in the same second, and orders by the hundred: python -m benchmarks.storm [--quick].

Starts the site on SQLite in its small shape (`talleyrand serve`) and on PostgreSQL in its large one (two
of them and a clock), both on two cores, prints each figure beside its limit, and draws the
growth as SVG with --picture FILE. Ends with status 1 where a limit is missed, or a game was not published
exactly once as the judge alone says.
"""

from __future__ import annotations

import argparse
import json
import os
import pickle
import platform
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from tests import postgresql

from . import storm_picture
from .storm_games import histories
from .storm_trial import Plan

CORES = 2
STORM, ROUNDS, SMALLER = 600, 3, (10, 50, 100, 300)
STORM_LIMIT, ORDER_LIMIT = 10.0, 250.0
LIMITED = 0.99  # of the orders
RATE, SECONDS, TABLES = 100, 60, 80
SHAPES = {"SQLite": "talleyrand serve", "PostgreSQL": "2 talleyrand serve, 1 talleyrand clock"}


@dataclass
class Report:
    """Lines of figures; counts those beyond their limit."""

    missed: int = 0
    growth: dict[str, list[tuple[int, float]]] = field(default_factory=dict)

    def line(self, name: str, value: float, unit: str, limit: float | None = None, more: str = "") -> None:
        beside = ""
        if limit is not None:
            beside = f"limit {limit:6.0f}   {value / limit:5.2f} of it"
            self.missed += value > limit
        print(f"  {name:48}{value:10.2f} {unit:3} {beside:28}{more}".rstrip(), flush=True)

    def wrong(self, found: list[str]) -> None:
        self.missed += bool(found)
        for line in found[:10]:
            print(f"  WRONG {line}", flush=True)


def plan(wanted: argparse.Namespace, *, large: bool) -> Plan:
    played = histories(20 if wanted.quick else 100, wanted.seed)
    if wanted.quick:
        return Plan(played, wanted.seed, [10, 60], large, 20, 10, 10)
    sizes = [*SMALLER, *[STORM] * wanted.rounds]
    return Plan(played, wanted.seed, sizes, large, RATE, SECONDS, TABLES)


def tried(planned: Plan) -> dict[str, Any]:
    """What a trial found, in a process and a data folder of its own, which it leaves to nobody."""
    with tempfile.TemporaryDirectory() as folder, _database(planned.large) as address:
        file = Path(folder) / "plan"
        file.write_bytes(pickle.dumps(planned))
        kept = {name: value for name, value in os.environ.items() if not name.startswith("TALLEYRAND_")}
        environment = {**kept, "TALLEYRAND_DATA": f"{folder}/data", **address}
        command = [sys.executable, "-m", "benchmarks.storm_trial", str(file)]
        ran = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    found: dict[str, Any] = json.loads(ran.stdout.splitlines()[-1])
    return found


@contextmanager
def _database(large: bool) -> Iterator[dict[str, str]]:
    """For the large shape PostgreSQL as it comes: what is acknowledged outlives a power cut."""
    with postgresql.cluster(haste=postgresql.MANY) if large else nullcontext("") as address:
        yield {"TALLEYRAND_DATABASE": address} if address else {}


def tell(report: Report, name: str, found: dict[str, Any]) -> None:
    storms = found["storms"]
    print(f"\n{name}: {SHAPES[name]}\n from the second they were due in to the last publication")
    sizes = sorted({one["games"] for one in storms})
    for size in sizes:
        tell_storms(report, [one for one in storms if one["games"] == size])
    report.growth[name] = [
        (size, median(one["last"] for one in storms if one["games"] == size)) for size in sizes
    ]
    loads = found["loads"]
    tell_load(report, "orders, evenly", loads["orders"], ORDER_LIMIT)
    tell_load(report, "half the edits in the last tenth of the time", loads["deadline"])
    tell_load(report, "everybody reloads at once", loads["reload"])
    asked = sum(len(load["took"]) for load in loads.values())
    report.line("processor time of the site for a request", 1000 * found["used"] / asked, "ms")


def tell_storms(report: Report, storms: list[dict[str, Any]]) -> None:
    size, last = storms[0]["games"], sorted(one["last"] for one in storms)
    limit = STORM_LIMIT if size == STORM else None
    spread = f"{last[0]:.2f} to {last[-1]:.2f} in {len(last)} rounds" if len(last) > 1 else ""
    report.line(f"{size} games", last[-1], "s", limit, spread)
    made = sorted(at for one in storms for at in one["made"])
    if made:
        report.line("  half of them", made[len(made) // 2], "s")
    used = median(one["used"] for one in storms)
    report.line("  processor time of the site for a game", 1000 * used / size, "ms")
    report.wrong([line for one in storms for line in one["wrong"]])


def tell_load(report: Report, name: str, load: dict[str, Any], limit: float | None = None) -> None:
    took = sorted(1000 * one for one in load["took"])
    print(f" {name}: {len(took)} requests, answers of {load['size'] / len(took) / 1000:.1f} kB")
    for share in (0.5, 0.95, LIMITED):
        at_most = limit if share == LIMITED else None
        report.line(f"p{100 * share:.0f}", took[int(share * len(took))], "ms", at_most)
    report.line("the longest", took[-1], "ms")
    report.wrong([f"{count} answers were {status}" for status, count in load["failed"].items()])


def main() -> int:
    """Measure, print, and say whether every limit is kept."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.storm")
    parser.add_argument("--quick", action="store_true", help="60 games, 20 orders a second for ten seconds")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--seed", type=int, default=1901)
    parser.add_argument("--only", choices=tuple(SHAPES))
    parser.add_argument("--picture", type=Path, help="where to draw the growth, as SVG")
    wanted = parser.parse_args()
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:CORES])
    report = Report()
    for name in [wanted.only] if wanted.only else SHAPES:
        machine = f"{CORES} cores of {os.cpu_count()}, Python {platform.python_version()}"
        print(f"{machine}, load {os.getloadavg()[0]:.1f} before")
        tell(report, name, tried(plan(wanted, large=name == "PostgreSQL")))
    if wanted.picture:
        wanted.picture.write_text(storm_picture.drawn(report.growth), "utf-8")
    print(f"\n{'every limit is kept' if not report.missed else f'{report.missed} limits are missed'}")
    return int(report.missed > 0)


if __name__ == "__main__":
    sys.exit(main())
