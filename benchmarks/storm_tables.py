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
import signal
import subprocess
import sys
import tempfile
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from random import Random
from time import monotonic, perf_counter
from typing import Any, cast

from .load_http_client import TOKEN, Answer, Browser, Listener, Place, address, make_room
from .load_processes import SERVE, command, free_port, wait_for
from .load_report import Report

CORES, TABLES, PHASES, KILLS = 2, 30, 4, 50
ORDER_LIMIT, SEEN_LIMIT, MEMORY_LIMIT = 200.0, 2000.0, 1500.0  # ms, ms, MB
THINKING = 20.0  # seconds over which the orders of a phase come in
TAPS = 3  # drafts that a phone sends before its orders
AGAIN = 0.5  # seconds until a phone whose request failed sends it again
PATIENCE = 60.0  # seconds after which a phase that nobody sees is lost
ASKED = ("tables", "phases", "kills", "within", "seed")
RESULTS = Path(__file__).parent / "results"
NAMES = ("Anna", "Bela", "Carlo", "Dora", "Emil", "Fanny", "Greta")


@dataclass
class Found:
    """Seconds of each kind of request, and until a resolution was seen; acknowledged orders by game, phase
    and power; what went wrong.
    """

    took: dict[str, list[float]] = field(default_factory=dict)
    seen: list[float] = field(default_factory=list)
    acknowledged: dict[tuple[str, int, str], list[str]] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)
    failures: int = 0  # requests that the killed site did not answer

    def note(self, name: str, answer: Answer, *expected: int) -> Answer:
        self.took.setdefault(name, []).append(answer.seconds)
        if answer.status not in expected:
            self.wrong.append(f"{name}: {answer.status}")
        return answer


class Laptop:
    """The site, which can be killed and started again on the same port and data."""

    def __init__(self, data: Path) -> None:
        self.data, self.port = data, free_port()
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def place(self) -> Place:
        return "127.0.0.1", self.port

    def start(self) -> None:
        words = command("-c", SERVE, str(self.data), str(self.port))
        self.process = subprocess.Popen(words, stdout=subprocess.DEVNULL, start_new_session=True)
        wait_for(self.port)

    def kill(self) -> None:
        """No goodbye: the power is gone."""
        assert self.process is not None
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def stop(self) -> None:
        assert self.process is not None
        self.process.terminate()
        self.process.wait(60)


@dataclass
class Phone:
    """A phone at a table, with its stream; `power` is what it plays once the powers are dealt."""

    laptop: Laptop
    found: Found
    number: int
    path: str = ""
    power: str = ""
    stubborn: bool = False  # sends again until it is answered: the site may be killed

    def __post_init__(self) -> None:
        self.browser = Browser(self.laptop.place, address(self.number))
        self.listener = Listener()

    async def ask(self, name: str, act: Callable[[], Awaitable[Answer]], *expected: int) -> Answer:
        """A request, sent again while the site says that it has too many, as a phone's page does; a stubborn
        phone sends it again until there is an answer. All of it counts as the time that it took.
        """
        begun = perf_counter()
        while True:
            try:
                answer: Answer = await act()
            except (OSError, EOFError, asyncio.IncompleteReadError):
                if not self.stubborn:
                    raise
                self.browser.close()
            else:
                if answer.status < 500 or (answer.status != 503 and not self.stubborn):
                    whole = replace(answer, seconds=perf_counter() - begun)
                    return self.found.note(name, whole, *expected)
            self.found.failures += 1
            await asyncio.sleep(AGAIN)

    async def look(self) -> Answer:
        return await self.ask("page of a phone", lambda: self.browser.get(self.path), 200)

    async def listen(self, page: Answer) -> None:
        """The stream of events; one that a killed site has cut is opened anew."""
        if not page.words:
            self.found.wrong.append("a page without topics")
            return
        self.listener.close()
        self.listener = Listener()
        with suppress(OSError, EOFError):
            session = self.browser.cookies.get("sessionid", "")
            await self.listener.open(self.laptop.place, address(self.number), page.words[0], session)

    async def come_in(self, code: str, name: str) -> None:
        door = f"/tables/join/{code}/"
        page = await self.ask("door", lambda: self.browser.get(door), 200)
        form = {"name": name, "csrfmiddlewaretoken": _token(page)}
        answer = await self.ask("coming in", lambda: self.browser.post(door, form), 302)
        self.path = answer.fields.get("location", "")

    async def send_orders(
        self, key: str, number: int, lines: list[str], within: float, chance: Random
    ) -> None:
        """Draft by draft, then the orders, which count once they are acknowledged."""
        path = f"/parties/{key}/{number}/orders/{self.power}/"
        for taps in range(1, TAPS + 1):
            await asyncio.sleep(within * chance.random() / (TAPS + 1))
            tap = partial(self.browser.send, f"{path}draft/", {"lines": {self.power: lines[:taps]}})
            await self.ask("tap", tap, 200)
        await asyncio.sleep(within * chance.random() / (TAPS + 1))
        once = f"{key}{number}{self.power:_<20}"
        sent = {"lines": {self.power: lines}, "action": "final", "submission": once}
        answer = await self.ask("orders", partial(self.browser.send, path, sent), 200, 409)
        if answer.status == 200:
            self.found.acknowledged[key, number, self.power] = lines
        elif not self.stubborn:
            self.found.wrong.append(f"orders refused: {answer.text[:200]}")


@dataclass
class TableOfPhones:
    """A table with its seven phones and the laptop's browser, which is the arbiter's."""

    arbiter: Phone
    phones: list[Phone]
    chance: Random
    key: str = ""

    async def open(self, name: str) -> None:
        browser = self.arbiter.browser
        page = await self.arbiter.ask("form of a table", lambda: browser.get("/tables/"), 200)
        once = f"{self.chance.getrandbits(96):024x}"
        form = {"name": name, "submission": once, "csrfmiddlewaretoken": _token(page)}
        answer = await self.arbiter.ask("opening", lambda: browser.post("/tables/", form), 302)
        self.arbiter.path = answer.fields["location"]
        self.key = self.arbiter.path.strip("/").split("/")[-1]
        code = await asyncio.to_thread(_code_of, self.key)
        await asyncio.gather(*(one.come_in(code, NAMES[at]) for at, one in enumerate(self.phones)))
        page = await self.arbiter.look()
        form = {"csrfmiddlewaretoken": _token(page)}
        await self.arbiter.ask("start", lambda: browser.post(f"{self.arbiter.path}start/", form), 302)
        held = await asyncio.to_thread(_powers_of, self.key)
        for at, phone in enumerate(self.phones):
            phone.power = held[NAMES[at]]
            await phone.listen(await phone.look())

    async def play(self, number: int, within: float) -> None:
        """One phase: the clock is started, orders come in, the result is seen on every phone."""
        await self._start_clock()
        sheets = await asyncio.to_thread(_orders_of, self.key, number, self.chance.random())
        if sheets is None:
            return
        heard = {phone.number: len(phone.listener.heard) for phone in self.phones}
        await asyncio.gather(
            *(
                phone.send_orders(self.key, number, sheets[phone.power], within, self.chance)
                for phone in self.phones
                if phone.power in sheets
            )
        )
        last = perf_counter()
        await asyncio.gather(*(self._see(phone, number, heard[phone.number]) for phone in self.phones))
        self.arbiter.found.seen.append(perf_counter() - last)

    async def _start_clock(self) -> None:
        browser, path = self.arbiter.browser, f"{self.arbiter.path}clock/"
        form = {"act": "start", "csrfmiddlewaretoken": browser.cookies.get("csrftoken", "")}
        await self.arbiter.ask("start of the clock", lambda: browser.post(path, form), 302, 409)

    async def _see(self, phone: Phone, number: int, heard: int) -> None:
        """Look as often as the stream tells of something, until the next phase is on the page."""
        until = monotonic() + PATIENCE
        while monotonic() < until:
            if len(phone.listener.heard) == heard and not phone.stubborn:
                await asyncio.sleep(0.02)
                continue
            heard = len(phone.listener.heard)
            page = await phone.look()
            if _phase_on(page) != number:
                return
            if phone.stubborn:
                await phone.listen(page)
                await asyncio.sleep(AGAIN)
        self.arbiter.found.wrong.append(f"table {self.key}: phase {number + 1} was not seen")

    def close(self) -> None:
        for one in (self.arbiter, *self.phones):
            one.listener.close()
            one.browser.close()


def _token(page: Answer) -> str:
    found: str = (TOKEN.findall(page.text) or [""])[0]
    return found


def _phase_on(page: Answer) -> int:
    """The number of the phase that the clock of a page shows; 0 for none."""
    told = page.text.partition("&quot;phase&quot;: ")[2]
    digits = told[: len(told) - len(told.lstrip("0123456789"))]
    return int(digits or 0)


# what the database knows, read beside the site


def _game(key: str) -> Any:
    from talleyrand.web.games.models import Game

    return Game.objects.get(key=key)


def _code_of(key: str) -> str:
    from talleyrand.web.tables.models import Table

    return str(Table.objects.get(game__key=key).code)


def _powers_of(key: str) -> dict[str, str]:
    """The power of each name at a table."""
    from talleyrand.web.accounts import guests
    from talleyrand.web.games.models import PowerAssignment

    held = PowerAssignment.objects.filter(seat__game__key=key, ended_at=None).select_related("person", "seat")
    return {guests.guest_name(one.person): one.seat.power for one in held if one.person}


def _orders_of(key: str, number: int, draw: float) -> dict[str, list[str]] | None:
    """An order at random for each unit of whoever has something to decide; None where the phase is over."""
    from talleyrand.formats import adjudication
    from talleyrand.web.games.game_history import GameHistory

    game = _game(key)
    question = GameHistory(game).question(number) if game.phase_number == number else None
    if question is None:
        return None
    chance, listed = Random(f"{key} {number} {draw}"), cast("Any", adjudication.legal_orders(question))
    return {
        power: [chance.choice(sorted(orders)) for orders in units.values() if orders]
        for power, units in listed.items()
    }


def lost(found: Found) -> list[str]:
    """Orders that were acknowledged and are not there as they were sent, or there twice."""
    from talleyrand.web.games.models import OrderSet

    kept: dict[tuple[str, int, str], list[list[str]]] = {}
    rows = OrderSet.objects.filter(origin="map").values_list("game__key", "phase_number", "power", "lines")
    for key, number, power, lines in rows:
        kept.setdefault((key, number, power), []).append(lines)
    wrong = []
    for place, lines in found.acknowledged.items():
        there = kept.get(place, [])
        if lines not in there:
            wrong.append(f"{place}: acknowledged and not there")
        elif len(there) > 1:
            wrong.append(f"{place}: kept {len(there)} times")
    return wrong


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


async def _calm(laptop: Laptop, wanted: argparse.Namespace) -> tuple[Found, float]:
    """Without a fault: how long all takes, and the memory of the site at the end, in MB."""
    room = Room.with_tables(laptop, wanted.tables, wanted.seed)
    await room.open()
    room.found.took.clear()  # opening is timed by who opens one table, not thirty in a second
    await room.play(wanted.phases, wanted.within)
    assert laptop.process is not None
    from . import load_event_streams  # has models, as it has to be loaded after the settings

    used = load_event_streams.memory(laptop.process.pid) / 1e6
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
        "memory": used,
        "wrong": calm.wrong + killed.wrong + lost(calm) + lost(killed),
        "orders": len(calm.acknowledged),
        "orders_killed": len(killed.acknowledged),
        "failures": killed.failures,
    }


def tried(wanted: argparse.Namespace) -> dict[str, Any] | None:
    """What a trial found, in a process and a data folder of its own; None where it broke off."""
    with tempfile.TemporaryDirectory() as folder:
        kept = {key: value for key, value in os.environ.items() if not key.startswith("TALLEYRAND_")}
        environment = {
            **kept,
            "TALLEYRAND_DATA": f"{folder}/data",
            "TALLEYRAND_PROCESSES": str(CORES),
            "DJANGO_SETTINGS_MODULE": "talleyrand.web.settings",
        }
        Path(folder, "data").mkdir()
        words = [f"--{name}={getattr(wanted, name)}" for name in ASKED]
        command_words = [sys.executable, "-m", "benchmarks.storm_tables", "--trial", *words]
        ran = subprocess.run(command_words, env=environment, stdout=subprocess.PIPE, text=True, check=False)
    if ran.returncode:
        return None
    found: dict[str, Any] = json.loads(ran.stdout.splitlines()[-1])
    return found


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

    report = Report()
    report.say(machine())
    report.say(
        f"\n{wanted.tables} tables, {len(NAMES) * wanted.tables} phones, {wanted.phases} phases, "
        f"seed {wanted.seed}, load {os.getloadavg()[0]:.1f}"
    )
    found = tried(wanted)
    if found is None:
        report.wrong(["broke off, see above"])
    else:
        told(report, wanted, found)
    report.say(f"\nlimits: {report.missed} missed")
    if wanted.keep:
        (RESULTS / "storm_tables.txt").write_text("\n".join([*report.lines, ""]), encoding="utf-8")
    return int(report.missed > 0)


if __name__ == "__main__":
    sys.exit(main())
