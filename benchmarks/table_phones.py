"""Phones at a table in so far as the site notices them: what `static/js/phone.js` asks and sends.

A phone has its page and a stream of events. It asks for the clock when the stream tells of something, and
loads its page anew where the clock says that it would show something else; each order that is tapped is sent
as it is made, then all of them as final. What is told to come back does so when it was told.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import subprocess
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from time import monotonic, perf_counter
from typing import Any, cast

from .load_http_client import TOKEN, Answer, Browser, Listener, Place, address
from .load_processes import SERVE, command, free_port, wait_for

AGAIN = 0.5  # seconds until a phone whose request failed sends it again
RECONNECT = 1.0, 3.0  # seconds until a stream that was cut is opened anew
PATIENCE = 60.0  # seconds after which a phase that nobody sees is lost
NAMES = ("Anna", "Bela", "Carlo", "Dora", "Emil", "Fanny", "Greta")
SHOWN = re.compile(r'data-shown="([^"]*)"')
PHASE = re.compile(r'data-number="(\d+)" data-power=')
Orders = Mapping[str, str]  # by unit


@dataclass
class Found:
    """Seconds of each kind of request, and until a resolution was seen; acknowledged orders by game, phase
    and power; what went wrong.
    """

    took: dict[str, list[float]] = field(default_factory=dict)
    seen: list[float] = field(default_factory=list)
    acknowledged: dict[tuple[str, int, str], list[str]] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)
    failures: int = 0  # requests that were cut, or told to come back

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
    """A phone at a table; `power` is what it plays once the powers are dealt."""

    laptop: Laptop
    found: Found
    number: int
    path: str = ""
    power: str = ""
    stubborn: bool = False  # sends again until it is answered: the site may be killed
    shown: str = ""
    phase: int = 0
    _words: str = ""
    _following: asyncio.Task[None] | None = None

    def __post_init__(self) -> None:
        self.browser = Browser(self.laptop.place, address(self.number))
        # what is asked beside what is sent has a connection of its own
        self.beside = Browser(self.laptop.place, address(self.number), self.browser.cookies)
        self.listener, self.turned = Listener(), asyncio.Event()
        self.chance = Random(self.number)

    async def ask(
        self, name: str, act: Callable[[Mapping[str, str]], Awaitable[Answer]], *expected: int
    ) -> Answer:
        """A request, sent again as a phone's page does while the site says that it has too many; a stubborn
        phone sends it again until there is an answer. All of it counts as the time that it took.
        """
        begun = perf_counter()
        more: dict[str, str] = {}
        while True:
            pause = AGAIN
            try:
                answer = await act(more)
            except (OSError, EOFError):
                if not self.stubborn:
                    raise
            else:
                if answer.status < 500 or (answer.status != 503 and not self.stubborn):
                    whole = replace(answer, seconds=perf_counter() - begun)
                    return self.found.note(name, whole, *expected)
                if first := answer.fields.get("x-first-try"):
                    more, pause = {"X-First-Try": first}, float(answer.fields["retry-after"])
            self.found.failures += 1
            await asyncio.sleep(pause)

    async def look(self) -> Answer:
        """Load its page."""
        page = await self.ask("page of a phone", lambda _more: self.beside.get(self.path), 200)
        self.shown = (SHOWN.findall(page.text) or [""])[0]
        self.phase = int((PHASE.findall(page.text) or [0])[0])
        self._words = (page.words or [""])[0]
        return page

    async def load(self) -> None:
        """Load its page, and listen from then on."""
        await self.look()
        if not self._words:
            self.found.wrong.append("a page without topics")
            return
        await self._listen()
        self.turned.set()

    async def _listen(self) -> None:
        self.listener.close()
        self.listener = Listener()
        session = self.browser.cookies.get("sessionid", "")
        try:
            await self.listener.open(self.laptop.place, address(self.number), self._words, session)
        except (OSError, EOFError):
            self.listener.end()

    def follow(self) -> None:
        """Go on from the page that is loaded until `close`."""
        self._following = asyncio.create_task(self._follow())

    async def _follow(self) -> None:
        while True:
            await self.listener.news.wait()
            self.listener.news.clear()
            if self.listener.is_over:
                await asyncio.sleep(self.chance.uniform(*RECONNECT))
                await self._listen()
                continue
            clock = await self.ask(
                "clock of a phone", lambda _more: self.beside.get(f"{self.path}clock.json"), 200
            )
            if json.loads(clock.text)["shown"] != self.shown:
                await self.load()

    async def sees(self, number: int) -> bool:
        """Whether another phase than that comes to stand on the page, soon enough."""
        until = monotonic() + PATIENCE
        while self.phase == number:
            self.turned.clear()
            try:
                await asyncio.wait_for(self.turned.wait(), until - monotonic())
            except TimeoutError:
                return False
        return True

    async def come_in(self, code: str, name: str) -> None:
        door = f"/tables/join/{code}/"
        page = await self.ask("door", lambda _more: self.browser.get(door), 200)
        form = {"name": name, "csrfmiddlewaretoken": token_of(page)}
        answer = await self.ask("coming in", lambda _more: self.browser.post(door, form), 302)
        self.path = answer.fields.get("location", "")

    async def send_orders(self, key: str, number: int, orders: Orders, within: float, chance: Random) -> None:
        """Tap by tap, then the whole, which counts once it is acknowledged."""
        path, lines = f"/parties/{key}/{number}/orders/{self.power}/", list(orders.values())

        async def sent(name: str, where: str, what: dict[str, Any]) -> Answer:
            await asyncio.sleep(within * chance.random() / (len(lines) + 1))
            return await self.ask(name, lambda more: self.browser.send(where, what, more), 200, 409)

        for unit, order in orders.items():
            province = unit.partition(" ")[2].partition("/")[0]  # builds have none: their lines are sent
            change = {"orders": {province: order}} if province else {"lines": {self.power: lines}}
            await sent("tap", f"{path}draft/", change)
        once = f"{key}{number}{self.power:_<20}"
        whole = {"lines": {self.power: lines}, "action": "final", "submission": once}
        answer = await sent("orders", path, whole)
        if answer.status == 200:
            self.found.acknowledged[key, number, self.power] = lines
        elif not self.stubborn:
            self.found.wrong.append(f"orders refused: {answer.text[:200]}")

    def close(self) -> None:
        if self._following is not None:
            self._following.cancel()
        for one in (self.listener, self.browser, self.beside):
            one.close()


@dataclass
class TableOfPhones:
    """A table with its seven phones and the laptop's browser, which is the arbiter's."""

    arbiter: Phone
    phones: list[Phone]
    chance: Random
    key: str = ""

    async def open(self, name: str) -> None:
        arbiter, browser = self.arbiter, self.arbiter.browser
        page = await arbiter.ask("form of a table", lambda _more: browser.get("/tables/"), 200)
        once = f"{self.chance.getrandbits(96):024x}"
        form = {"name": name, "submission": once, "csrfmiddlewaretoken": token_of(page)}
        answer = await arbiter.ask("opening", lambda _more: browser.post("/tables/", form), 302)
        arbiter.path = answer.fields["location"]
        self.key = arbiter.path.strip("/").split("/")[-1]
        code = await asyncio.to_thread(_code_of, self.key)
        await asyncio.gather(*(one.come_in(code, NAMES[at]) for at, one in enumerate(self.phones)))
        begin = {"csrfmiddlewaretoken": token_of(await arbiter.look())}
        await arbiter.ask("start", lambda _more: browser.post(f"{arbiter.path}start/", begin), 302)
        held = await asyncio.to_thread(_powers_of, self.key)
        for at, phone in enumerate(self.phones):
            phone.power = held[NAMES[at]]
            await phone.load()
            phone.follow()

    async def play(self, number: int, within: float) -> None:
        """One phase: the clock is started, orders come in, the result is seen on every phone."""
        await self._start_clock()
        found = await asyncio.to_thread(_orders_of, self.key, number, self.chance.random())
        if found is None:
            return
        await asyncio.gather(
            *(
                phone.send_orders(self.key, number, found[phone.power], within, self.chance)
                for phone in self.phones
                if phone.power in found
            )
        )
        last = perf_counter()
        if not all(await asyncio.gather(*(phone.sees(number) for phone in self.phones))):
            self.arbiter.found.wrong.append(f"table {self.key}: phase {number + 1} was not seen")
        self.arbiter.found.seen.append(perf_counter() - last)

    async def _start_clock(self) -> None:
        browser, path = self.arbiter.browser, f"{self.arbiter.path}clock/"
        form = {"act": "start", "csrfmiddlewaretoken": browser.cookies.get("csrftoken", "")}
        await self.arbiter.ask("start of the clock", lambda _more: browser.post(path, form), 302, 409)

    def close(self) -> None:
        for one in (self.arbiter, *self.phones):
            one.close()


def token_of(page: Answer) -> str:
    found: str = (TOKEN.findall(page.text) or [""])[0]
    return found


# what the database knows, read beside the site


def _code_of(key: str) -> str:
    from talleyrand.web.tables.models import Table

    return str(Table.objects.get(game__key=key).code)


def _powers_of(key: str) -> dict[str, str]:
    """The power of each name at a table."""
    from talleyrand.web.accounts import guests
    from talleyrand.web.games.models import PowerAssignment

    held = PowerAssignment.objects.filter(seat__game__key=key, ended_at=None).select_related("person", "seat")
    return {guests.guest_name(one.person): one.seat.power for one in held if one.person}


def _orders_of(key: str, number: int, draw: float) -> dict[str, dict[str, str]] | None:
    """An order at random for each unit of whoever has something to decide; None where the phase is over."""
    from talleyrand.formats import adjudication
    from talleyrand.web.games.game_history import GameHistory
    from talleyrand.web.games.models import Game

    game = Game.objects.get(key=key)
    question = GameHistory(game).question(number) if game.phase_number == number else None
    if question is None:
        return None
    chance, listed = Random(f"{key} {number} {draw}"), cast("Any", adjudication.legal_orders(question))
    return {
        power: {unit: chance.choice(sorted(orders)) for unit, orders in units.items() if orders}
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
