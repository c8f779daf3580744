"""The shape of a deadline: edits that thicken towards it, the publication, and everybody who reloads.

Ten minutes are pressed into one: half of the edits come in its last tenth. Each player listens as his page
does; when it is told that something has changed it asks where the game stands, he reloads it within
seconds, and looks at the board of the phase that is over.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import asdict, dataclass, field
from datetime import timedelta
from random import Random
from time import perf_counter
from typing import Any

from talleyrand.web.games.models import Game, OrderSet, random_token
from talleyrand.web.notifications import signed_topics, topic_versions

from .load_community import wrong
from .load_http_client import Answer, Browser, Listener, Place, address, make_room
from .load_orders import Player, before_a_deadline, players
from .load_processes import LONGEST, Site

EDITS = (2, 3)  # of each player; the last of them hands his whole sheet in
FIRST = 3.0  # seconds before the first edit
REACTION = 4.0  # seconds within which people reload once they are told
IN_TIME = 2.0  # seconds before the deadline: a browser sends an edit once its last one is answered
NUMBER = re.compile(r'data-number="(\d+)"')


@dataclass
class Found:
    """Seconds by kind of request, from the moment it was wished for; what went wrong."""

    players: int
    took: dict[str, list[float]] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)
    handed_in: int = 0
    told: list[float] = field(default_factory=list)  # seconds after the deadline
    seen: list[float] = field(default_factory=list)
    late: list[str] = field(default_factory=list)  # games in which a browser sent its sheet too late


@dataclass
class Seat:
    """One player at his table, with his browser and the stream of his page."""

    who: Player
    browser: Browser
    found: Found
    deadline: float
    events: Place
    stream: Listener = field(default_factory=Listener)
    handed_in: int = 0

    async def draft(self, due: float, lot: Random) -> None:
        """Change some of the orders in preparation."""
        some = lot.sample(self.who.sheet, lot.randint(0, len(self.who.sheet)))
        await self._step("draft", due, self.browser.send(f"{self._orders()}draft/", self._lines(some)))

    async def early(self, due: float, lot: Random) -> None:
        """Hand in a sheet that another will follow."""
        await self._hand_in(due, lot.sample(self.who.sheet, len(self.who.sheet) // 2))

    async def last(self, due: float, _lot: Random) -> None:
        await self._hand_in(due, self.who.sheet)

    async def _hand_in(self, due: float, lines: list[str]) -> None:
        sent = {"action": "hand_in", "submission": random_token(), **self._lines(lines)}
        if perf_counter() > self.deadline:  # it waited for the edit before it
            self.found.late.append(self.who.key)
            return
        answer = await self._step("hand in", due, self.browser.send(self._orders(), sent))
        self.handed_in += answer is not None and answer.status == 200

    async def afterwards(self, lot: Random) -> None:
        """From the deadline on: hear of it, ask, reload, look."""
        while not self.stream.heard:
            await asyncio.sleep(0.02)
        heard = self.stream.heard[0][0]
        self.found.told.append(heard - self.deadline)
        await self._step(
            "where the game stands", heard, self.browser.get(f"/parties/{self.who.key}/now.json")
        )
        due = heard + lot.uniform(0, REACTION)
        await asyncio.sleep(max(0.0, due - perf_counter()))
        page = await self._step("page", due, self.browser.get(f"/parties/{self.who.key}/"))
        if page is not None and NUMBER.findall(page.text)[:1] != [str(self.who.number + 1)]:
            self.found.wrong.append(f"{self.who.key} {self.who.power}: the page shows the phase that is over")
        self.found.seen.append(perf_counter() - self.deadline)
        scene = f"/parties/{self.who.key}/{self.who.number}/scene.json"
        await self._step("board", perf_counter(), self.browser.get(scene))

    async def _step(self, name: str, due: float, asked: Awaitable[Answer]) -> Answer | None:
        try:
            answer = await asked
        except (OSError, EOFError) as problem:
            self.found.wrong.append(f"{name}: {type(problem).__name__}")
            return None
        self.found.took.setdefault(name, []).append(perf_counter() - due)
        if answer.status != 200:
            said = answer.text[:200] if answer.status != 404 else ""
            self.found.wrong.append(f"{name}: {answer.status} {said}")
        return answer

    def _orders(self) -> str:
        return f"/parties/{self.who.key}/{self.who.number}/orders/{self.who.power}/"

    def _lines(self, lines: list[str]) -> dict[str, Any]:
        return {"lines": {self.who.power: lines}}


Act = Callable[[float, Random], Coroutine[Any, Any, None]]
Edit = tuple[float, Act]


def _edits(seats: Sequence[Seat], lot: Random, seconds: float) -> list[Edit]:
    """When each player does what: drafts, or sheets that another follows, and at the end his whole sheet."""
    counts = [lot.randint(*EDITS) for _ in seats]
    moments = before_a_deadline(lot, sum(counts), seconds - IN_TIME)
    turns = lot.sample([seat for seat, count in enumerate(counts) for _ in range(count)], sum(counts))
    left, found = list(counts), list[Edit]()
    for moment, turn in zip(moments, turns, strict=True):
        left[turn] -= 1
        seat = seats[turn]
        act = lot.choice((seat.draft, seat.draft, seat.early)) if left[turn] else seat.last
        found.append((moment, act))
    return found


async def _edited(edits: list[Edit], begun: float, lot: Random) -> None:
    """Each edit at its moment; those of one player never overtake each other."""
    waiting: dict[int, asyncio.Task[None]] = {}

    async def act(due: float, wish: Act, before: asyncio.Task[None] | None) -> None:
        if before is not None:
            await before
        await wish(due, lot)

    running = []
    for moment, wish in edits:
        await asyncio.sleep(max(0.0, begun + moment - perf_counter()))
        seat = id(wish.__self__)  # type: ignore[attr-defined]  # a method of a seat
        waiting[seat] = asyncio.create_task(act(begun + moment, wish, waiting.get(seat)))
        running.append(waiting[seat])
    await asyncio.gather(*running)


async def _measured(
    seats: Sequence[Seat], words: Sequence[str], seconds: float, deadline: float, found: Found
) -> None:
    """`deadline` by the clock of `perf_counter`."""
    joining = (seat.stream.open(seat.events, address(turn), words[turn]) for turn, seat in enumerate(seats))
    statuses = await asyncio.gather(*joining)
    found.wrong += [f"stream: {status}" for status in statuses if status != 200]
    begun, lot = deadline - seconds, Random(1901)
    try:
        async with asyncio.timeout(deadline + LONGEST - perf_counter()):
            afterwards = [asyncio.create_task(seat.afterwards(lot)) for seat in seats]
            await _edited(_edits(seats, lot, seconds), begun, lot)
            await asyncio.gather(*afterwards)
    except TimeoutError:
        found.wrong.append(f"{len(seats) - len(found.seen)} players never saw the next phase")
    for seat in seats:
        seat.stream.close()
        seat.browser.close()
    found.handed_in = sum(seat.handed_in for seat in seats)


def _lost(games: dict[int, Any], handed_in: int) -> list[str]:
    """Sheets that were acknowledged and are not there; one of each player was there before."""
    kept = OrderSet.objects.filter(
        game__in=games, idempotency_key__regex="^[0-9a-f]{64}$", withdrawn_at=None
    ).count()
    return [] if kept == handed_in else [f"{handed_in} sheets acknowledged, {kept} kept"]


def _words(who: Sequence[Player]) -> list[str]:
    return [signed_topics.sign_topics([topic_versions.game_topic(one.key)]) for one in who]


def measured(community: Any, group: list[int], site: Site, seconds: float) -> dict[str, Any]:
    """Everybody at a group of games plays towards their common deadline, and past it."""
    from django.utils import timezone

    from talleyrand.web.games.phase_deadlines import SETTLE_TIME

    games = {pk: community.expected[pk][1].sheets for pk in group}
    everybody = players(games)
    make_room(2 * len(everybody))
    found, words = Found(len(everybody)), _words(everybody)
    due = timezone.now().replace(microsecond=0) + timedelta(seconds=FIRST + seconds + 1)
    rows = Game.objects.filter(pk__in=group)
    rows.update(deadline=due, next_check_at=due + SETTLE_TIME, phase_opened_at=due - timedelta(days=3))
    deadline = perf_counter() + due.timestamp() - time.time()
    seats = [
        Seat(who, Browser(site.pages[0], cookies=_cookies(who)), found, deadline, site.events)
        for who in everybody
    ]
    asyncio.run(_measured(seats, words, seconds, deadline, found))
    late = set(Game.objects.filter(key__in=found.late).values_list("pk", flat=True))
    found.wrong += wrong(community, [pk for pk in group if pk not in late])
    found.wrong += _lost(games, found.handed_in)
    return asdict(found)


def _cookies(who: Player) -> dict[str, str]:
    return {"sessionid": who.session, "csrftoken": "s" * 32}
