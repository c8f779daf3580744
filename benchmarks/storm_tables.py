"""Thirty tables on one laptop: python -m benchmarks.storm_tables [--tables 30] [--phases 4] [--kills 50]
[--within 20] [--seed 1901] [--keep].

`talleyrand serve` on two cores with SQLite, and on the same two cores everything that is simulated: for each
table a laptop that opens it and starts its clock, and seven phones that come in by the door, each with its
stream of events. In every phase, within so many seconds, each phone sends its draft line by line, then its
orders as final; once the seventh has, the phase is resolved by itself and every phone hears of it and looks.
Prints how long each request took and how long it was from the last order of a table to the new page on the
last of its phones, beside the limits of 200 ms (p95 of an order) and 2 s, and the memory of the site beside
1.5 GB. Then the site is killed (SIGKILL, all its processes) at random moments while phones go on sending
until each has its receipt: whatever was acknowledged has to be there, once, as it was sent. Ends with status
1 where a limit is missed or anything is lost.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from random import Random
from time import monotonic, process_time
from typing import Any

from .load_http_client import make_room
from .load_processes import processor, tried_apart
from .load_report import Report, storm_report
from .table_phones import NAMES, Found, Laptop, Phone, TableOfPhones, lost

CORES, TABLES, PHASES, KILLS = 2, 30, 4, 50
ORDER_LIMIT, SEEN_LIMIT, MEMORY_LIMIT = 200.0, 2000.0, 1500.0  # ms, ms, MB
THINKING = 20.0  # seconds over which the orders of a phase come in
ASKED = ("tables", "phases", "kills", "within", "seed")
RESULTS = Path(__file__).parent / "results"


# the storms


@dataclass
class Room:
    """All tables of one laptop."""

    laptop: Laptop
    found: Found
    tables: list[TableOfPhones]

    @classmethod
    def with_tables(cls, laptop: Laptop, count: int, seed: int, *, stubborn: bool = False) -> Room:
        found, tables = Found(), []
        for at in range(count):
            phones = [Phone(laptop, found, 8 * at + one + 1, stubborn=stubborn) for one in range(len(NAMES))]
            arbiter = Phone(laptop, found, 8 * at, stubborn=stubborn)
            tables.append(TableOfPhones(arbiter, phones, Random(f"{seed} {at}")))
        return cls(laptop, found, tables)

    async def open(self) -> None:
        await asyncio.gather(*(one.open(f"Table {at}") for at, one in enumerate(self.tables, 1)))

    async def play(self, phases: int, within: float) -> None:
        """All tables through the same phases, each at its own pace."""

        async def one_table(table: TableOfPhones) -> None:
            for number in range(1, phases + 1):
                await table.play(number, within)

        await asyncio.gather(*(one_table(one) for one in self.tables))

    def close(self) -> None:
        for one in self.tables:
            one.close()


async def _calm(laptop: Laptop, wanted: argparse.Namespace) -> tuple[Found, dict[str, float]]:
    """Without a fault: how long all takes; the memory of the site at the end, in MB, and the seconds of
    processor of the site and of the phones, in how many.
    """
    room = Room.with_tables(laptop, wanted.tables, wanted.seed)
    await room.open()
    room.found.took.clear()  # opening is timed by who opens one table, not thirty in a second
    assert laptop.process is not None
    roots = [laptop.process.pid]
    before = processor(roots), process_time(), monotonic()
    await room.play(wanted.phases, wanted.within)
    after = processor(roots), process_time(), monotonic()
    from . import load_event_streams  # has models, as it has to be loaded after the settings

    names = ("site", "phones", "seconds")
    used = {name: after[at] - before[at] for at, name in enumerate(names)}
    used["memory"] = load_event_streams.memory(laptop.process.pid) / 1e6
    room.close()
    return room.found, used


async def _killed(laptop: Laptop, wanted: argparse.Namespace) -> Found:
    """The site dies so many times while tables play on."""
    room = Room.with_tables(laptop, wanted.tables, wanted.seed + 1, stubborn=True)
    chance, left = Random(f"{wanted.seed} kills"), wanted.kills
    await room.open()

    async def die() -> None:
        nonlocal left
        while left:
            await asyncio.sleep(0.5 + 2 * chance.random())
            await asyncio.to_thread(laptop.kill)
            await asyncio.to_thread(laptop.start)
            left -= 1

    async def go_on() -> None:
        number = 0
        while left or number < 1:
            number += 1
            await asyncio.gather(*(one.play(number, wanted.within / 2) for one in room.tables))

    await asyncio.gather(die(), go_on())
    room.close()
    return room.found


def trial(wanted: argparse.Namespace) -> dict[str, Any]:
    """Both storms on one database, in the process that has its settings."""
    import django

    django.setup()
    from .load_processes import prepare

    make_room(16 * wanted.tables)
    prepare()
    laptop = Laptop(Path(os.environ["TALLEYRAND_DATA"]))
    laptop.start()
    try:
        calm, used = asyncio.run(_calm(laptop, wanted))
        killed = asyncio.run(_killed(laptop, wanted)) if wanted.kills else Found()
    finally:
        laptop.stop()
    return {
        "took": calm.took,
        "seen": calm.seen,
        **used,
        "wrong": calm.wrong + killed.wrong + lost(calm) + lost(killed),
        "orders": len(calm.acknowledged),
        "orders_killed": len(killed.acknowledged),
        "failures": killed.failures,
    }


def tried(wanted: argparse.Namespace) -> dict[str, Any] | None:
    """What a trial found; None where it broke off."""
    return tried_apart(
        "storm_tables",
        [f"--{one}={getattr(wanted, one)}" for one in ASKED],
        {"TALLEYRAND_PROCESSES": str(CORES)},
    )


def asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.storm_tables")
    parser.add_argument("--tables", type=int, default=TABLES)
    parser.add_argument("--phases", type=int, default=PHASES)
    parser.add_argument("--kills", type=int, default=KILLS)
    parser.add_argument("--within", type=float, default=THINKING)
    parser.add_argument("--seed", type=int, default=1901)
    parser.add_argument("--keep", action="store_true", help="in results/storm_tables.txt")
    parser.add_argument("--trial", action="store_true", help=argparse.SUPPRESS)
    return parser.parse_args()


def told(report: Report, wanted: argparse.Namespace, found: dict[str, Any]) -> None:
    for name, took in found["took"].items():
        report.quantiles(name, took)
    sent = sorted(1000 * one for one in found["took"].get("orders", []))
    if sent:
        report.line("p95 of an order", sent[int(0.95 * len(sent))], "ms", ORDER_LIMIT)
    report.quantiles("from the last order to the last phone", found["seen"])
    if found["seen"]:
        seen = sorted(1000 * one for one in found["seen"])
        report.line("p95 of a resolution seen on every phone", seen[int(0.95 * len(seen))], "ms", SEEN_LIMIT)
    report.line("memory of the site", found["memory"], "MB", MEMORY_LIMIT)
    all_of_it = CORES * found["seconds"]
    report.say(
        f"  processor: the site {found['site']:.0f} s, the phones {found['phones']:.0f} s, "
        f"of {all_of_it:.0f} s of both cores"
    )
    report.say(f"  orders acknowledged: {found['orders']}")
    if wanted.kills:
        report.say(
            f"  {wanted.kills} kills: {found['failures']} requests cut, "
            f"{found['orders_killed']} orders acknowledged meanwhile"
        )
    report.wrong(found["wrong"])
    report.say(f"  lost or wrong: {len(found['wrong'])}")


def main() -> int:
    """Measure, print, and say whether every limit is kept."""
    wanted = asked()
    if wanted.trial:
        print(json.dumps(trial(wanted)))
        return 0
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:CORES])
    from .load import machine

    title = (
        f"{wanted.tables} tables, {len(NAMES) * wanted.tables} phones, {wanted.phases} phases, "
        f"seed {wanted.seed}, load {os.getloadavg()[0]:.1f}"
    )
    report = storm_report(
        f"{machine()}\n\n{title}", lambda: tried(wanted), lambda one, found: told(one, wanted, found)
    )
    if wanted.keep:
        (RESULTS / "storm_tables.txt").write_text("\n".join([*report.lines, ""]), encoding="utf-8")
    return int(report.missed > 0)


if __name__ == "__main__":
    sys.exit(main())
