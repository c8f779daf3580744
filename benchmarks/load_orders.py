"""Orders by HTTP at a fixed rate: what a browser sends, without a browser.

Each request has its moment beforehand, and its time counts from there: a site that falls behind is not
spared the requests that wait meanwhile.
"""

from __future__ import annotations

import asyncio
import json
import string
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, field
from itertools import cycle
from random import Random
from time import perf_counter
from typing import Any

from talleyrand.web.accounts.models import Person
from talleyrand.web.games.models import PowerAssignment, random_token

TOKEN = "s" * 32  # of the forms: a browser sends what it was given
SETTLING_IN = 20  # requests that do not count
RESTING = 3.0  # seconds
BROKEN = 0  # stands for a status where no answer came
Place = tuple[str, int]
Connection = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@dataclass(frozen=True)
class Player:
    """Somebody at a table, signed in."""

    key: str
    number: int
    power: str
    session: str
    sheet: list[str]


def players(games: dict[int, dict[str, list[str]]]) -> list[Player]:
    """Everybody at these games, by primary key with the sheets of the open phase, signed in."""
    held = PowerAssignment.objects.filter(seat__game__in=games, ended_at=None).values_list(
        "seat__game__key", "seat__game__phase_number", "seat__power", "person", "seat__game"
    )
    signed_in = sessions(Person.objects.filter(pk__in={person for *_, person, _ in held}))
    return [
        Player(key, number, power, signed_in[person], games[game][power])
        for key, number, power, person, game in held
    ]


def sessions(people: Iterable[Person]) -> dict[int, str]:
    """Sign people in, written in bulk: the key of each one’s session, by primary key."""
    from datetime import timedelta

    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
    from django.contrib.sessions.backends.db import SessionStore
    from django.contrib.sessions.models import Session
    from django.utils import timezone
    from django.utils.crypto import get_random_string

    keys = {one.pk: get_random_string(32, string.ascii_lowercase + string.digits) for one in people}
    rows = []
    for one in people:
        told = {
            SESSION_KEY: str(one.pk),
            BACKEND_SESSION_KEY: "django.contrib.auth.backends.ModelBackend",
            HASH_SESSION_KEY: one.get_session_auth_hash(),
        }
        store = SessionStore()
        until = timezone.now() + timedelta(days=1)
        rows.append(Session(session_key=keys[one.pk], session_data=store.encode(told), expire_date=until))
    Session.objects.bulk_create(rows, batch_size=500)
    return keys


# by HTTP


@dataclass(frozen=True)
class Answer:
    """Its status, the fields of its head in small letters, and how many bytes follow."""

    status: int
    fields: dict[str, str]
    size: int


@dataclass
class Browsers:
    """Connections that are kept open, as browsers and proxies keep them."""

    places: list[Place]
    idle: list[tuple[float, Connection]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.turn = cycle(self.places)

    @asynccontextmanager
    async def connection(self) -> AsyncIterator[Connection]:
        """One that has rested for long may be closed at any moment: another is opened in its place."""
        found = None
        while self.idle and found is None:
            since, kept = self.idle.pop()
            if perf_counter() - since < RESTING:
                found = kept
            else:
                kept[1].close()
        connection = found or await asyncio.open_connection(*next(self.turn))
        yield connection
        self.idle.append((perf_counter(), connection))

    async def ask(self, method: str, path: str, session: str, body: bytes = b"") -> tuple[int, int]:
        """Status and size of an answer, once it is there entirely."""
        answer = await self.send(method, path, session, body)
        return answer.status, answer.size

    async def send(self, method: str, path: str, session: str, body: bytes, more: str = "") -> Answer:
        """An answer, once it is there entirely; `more` are lines of the request's head."""
        head = (
            f"{method} {path} HTTP/1.1\r\nHost: {self.places[0][0]}:{self.places[0][1]}\r\n"
            f"Cookie: sessionid={session}; csrftoken={TOKEN}\r\nX-CSRFToken: {TOKEN}\r\n{more}"
            f"Accept-Encoding: gzip, deflate, br\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\n\r\n"
        )
        async with self.connection() as (reader, writer):
            writer.write(head.encode() + body)
            return await _answer(reader)


async def _answer(reader: asyncio.StreamReader) -> Answer:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    fields = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:])}
    status = int(head[0].split()[1])
    if "content-length" in fields:
        return Answer(status, fields, len(await reader.readexactly(int(fields["content-length"]))))
    size = 0
    while length := int(await reader.readline(), 16):
        size += len(await reader.readexactly(length + 2)) - 2
    await reader.readline()
    return Answer(status, fields, size)


@dataclass
class Load:
    """Seconds that each request took from the moment it was due, in their order; answers not as asked."""

    took: list[float] = field(default_factory=list)
    failed: dict[int, int] = field(default_factory=dict)
    size: int = 0


async def at_rate(moments: list[float], ask: Callable[[int], Awaitable[tuple[int, int]]]) -> Load:
    """Ask at each moment, whatever has become of those before."""
    load, begun = Load([0.0] * len(moments)), perf_counter()

    async def one(place: int, due: float) -> None:
        try:
            status, size = await ask(place)
        except (OSError, EOFError):
            status, size = BROKEN, 0
        load.took[place] = perf_counter() - begun - due
        load.size += size
        if status != 200:
            load.failed[status] = load.failed.get(status, 0) + 1

    running = []
    for place, due in enumerate(moments):
        await asyncio.sleep(max(0.0, begun + due - perf_counter()))
        running.append(asyncio.create_task(one(place, due)))
    await asyncio.gather(*running)
    return load


# what people do


async def order(browsers: Browsers, who: Player) -> tuple[int, int]:
    """Hand a sheet in, as the page’s script does."""
    sent = {"action": "hand_in", "lines": {who.power: who.sheet}, "submission": random_token()}
    path = f"/parties/{who.key}/{who.number}/orders/{who.power}/"
    return await browsers.ask("POST", path, who.session, json.dumps(sent).encode())


def evenly(rate: int, seconds: int) -> list[float]:
    return [number / rate for number in range(rate * seconds)]


def before_a_deadline(lot: Random, count: int, seconds: float) -> list[float]:
    """Moments of so many edits: half of them in the last tenth of the time."""
    early = [lot.uniform(0, 0.9 * seconds) for _ in range(count // 2)]
    return sorted(early + [lot.uniform(0.9 * seconds, seconds) for _ in range(count - count // 2)])


async def _measured(everybody: list[Player], places: list[Place], rate: int, seconds: int) -> Load:
    browsers, lot = Browsers(places), Random(1901)
    turn = lot.sample(everybody, len(everybody))
    for who in turn[:SETTLING_IN]:
        await order(browsers, who)
    return await at_rate(evenly(rate, seconds), lambda number: order(browsers, turn[number % len(turn)]))


def measured(games: dict[int, Any], places: list[Place], rate: int, seconds: int) -> dict[str, Any]:
    """Orders at a rate, by everybody at these games in turn."""
    return asdict(asyncio.run(_measured(players(games), places, rate, seconds)))
