"""Three times the orders that a site can serve: each is acknowledged, or told to come back, and does so."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from time import perf_counter, process_time
from typing import Any

from talleyrand.web.games.models import OrderSet, random_token

from .load_orders import BROKEN, Answer, Browsers, Place, Player, evenly, players

AFTERWARDS = 10  # orders
TIMES, AT_ONCE, TRIAL = 3, 20, 5.0  # the last: seconds for which is found how many orders can be served
LOOK_EVERY, RESTED = 1.0, 10  # seconds between two looks at the home page; seconds afterwards
GIVEN_UP = 300.0  # seconds after the last one was offered: as long as a first try counts
CONFLICT = 409  # of games that are open all the while: newer orders stand


@dataclass
class Found:
    """Seconds: of each try until its answer, of each order until it was acknowledged, of the home page
    meanwhile, and of ten new orders one after the other ten seconds after the last of the storm was offered,
    while the others come back. `overtaken`: orders that came back after newer ones of the same player, which
    stand. `behind`: how much later than it was due this program, which shares the cores, first sent each;
    `own`: the processor seconds that it used, and `lasted`: within how many.
    """

    capacity: float = 0.0
    offered: int = 0
    tries: list[float] = field(default_factory=list)
    acknowledged: list[float] = field(default_factory=list)
    told_to_return: int = 0
    overtaken: int = 0
    home: list[float] = field(default_factory=list)
    afterwards: list[float] = field(default_factory=list)
    told_afterwards: int = 0
    behind: list[float] = field(default_factory=list)
    own: float = 0.0
    lasted: float = 0.0
    wrong: list[str] = field(default_factory=list)


@dataclass
class Sheet:
    """One sheet under one key, sent as the page’s script does: again and again until it is heard."""

    who: Player
    found: Found

    def __post_init__(self) -> None:
        told = {"action": "hand_in", "lines": {self.who.power: self.who.sheet}, "submission": random_token()}
        self.body = json.dumps(told).encode()

    async def once(self, browsers: Browsers, headers: str = "") -> Answer:
        path, begun = f"/parties/{self.who.key}/{self.who.number}/orders/{self.who.power}/", perf_counter()
        try:
            return await browsers.send("POST", path, self.who.session, self.body, headers)
        except (OSError, EOFError):
            return Answer(BROKEN, {}, 0)
        finally:
            self.found.tries.append(perf_counter() - begun)

    async def until_heard(self, browsers: Browsers, due: float, end: float) -> None:
        headers = ""
        self.found.behind.append(perf_counter() - due)
        while perf_counter() < end:
            answer = await self.once(browsers, headers)
            if answer.status == 200:
                self.found.acknowledged.append(perf_counter() - due)
                return
            if answer.status == CONFLICT:
                self.found.overtaken += 1
                return
            if "x-first-try" not in answer.fields:
                self.found.wrong.append(f"an order was answered {answer.status}")
                return
            self.found.told_to_return += 1
            headers = f"X-First-Try: {answer.fields['x-first-try']}\r\n"
            await asyncio.sleep(float(answer.fields["retry-after"]))
        self.found.wrong.append("an order was still told to come back at the end")


async def _capacity(browsers: Browsers, turn: Sequence[Player], found: Found) -> float:
    """Orders a second, with as many under way as keep the site busy."""
    until, done = perf_counter() + TRIAL, 0

    async def one(place: int) -> None:
        nonlocal done
        while perf_counter() < until:
            answer = await Sheet(turn[(place + done) % len(turn)], found).once(browsers)
            done += answer.status == 200

    await asyncio.gather(*(one(place) for place in range(AT_ONCE)))
    return done / TRIAL


async def _home(browsers: Browsers, found: Found, over: asyncio.Event) -> None:
    while not over.is_set():
        begun = perf_counter()
        status, _ = await browsers.ask("GET", "/", "")
        found.home.append(perf_counter() - begun)
        if status != 200:
            found.wrong.append(f"the home page was answered {status}")
        await asyncio.sleep(LOOK_EVERY)


async def _rested(turn: Sequence[Player], places: list[Place], found: Found) -> None:
    """Whether the site is itself again after a while, though not all that were told to are back."""
    await asyncio.sleep(RESTED)
    beside = Found()
    for number in range(AFTERWARDS):
        answer = await Sheet(turn[number % len(turn)], beside).once(Browsers(places))
        found.told_afterwards += answer.status != 200
    found.afterwards = beside.tries


async def _measured(turn: Sequence[Player], places: list[Place], seconds: int, found: Found) -> None:
    browsers = Browsers(places)
    await _capacity(browsers, turn, found)  # the first time it reads what it will need
    found.capacity = await _capacity(browsers, turn, found)
    found.tries.clear()
    over = asyncio.Event()
    home = asyncio.create_task(_home(Browsers(places), found, over))
    begun, used, running = perf_counter(), process_time(), []
    for number, at in enumerate(evenly(max(1, round(TIMES * found.capacity)), seconds)):
        await asyncio.sleep(max(0.0, begun + at - perf_counter()))
        sheet = Sheet(turn[number % len(turn)], found)
        end = begun + seconds + GIVEN_UP
        running.append(asyncio.create_task(sheet.until_heard(browsers, begun + at, end)))
    found.offered = len(running)
    running.append(asyncio.create_task(_rested(turn, places, found)))
    await asyncio.gather(*running)
    found.own, found.lasted = process_time() - used, perf_counter() - begun
    over.set()
    await home


def measured(games: dict[int, Any], places: list[Place], seconds: int) -> dict[str, Any]:
    """Offer so many orders for so many seconds, by everybody at these games in turn."""
    found, sheets = Found(), OrderSet.objects.filter(game__in=games)
    before = sheets.count()
    asyncio.run(_measured(players(games), places, seconds, found))
    kept = sheets.count() - before
    if kept < len(found.acknowledged):
        found.wrong.append(f"{len(found.acknowledged)} orders acknowledged, {kept} kept")
    return asdict(found)
