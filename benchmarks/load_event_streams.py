"""Thousands of pages that listen to one process: what they weigh, and how soon the last one hears.

What everybody listens to is one game; each listens to his own news besides. Pages are asked for meanwhile,
before and after, at an even pace.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any

from talleyrand.web.accounts import models as accounts
from talleyrand.web.notifications import signed_topics, topic_versions

from .load_http_client import Browser, Listener, Place, address, make_room
from .load_orders import Player, sessions
from .load_processes import Site, family

TOGETHER = 50  # that connect in the same moment
FEW = 5  # open files more or less
ROUNDS, OWN_ROUNDS = 5, 3
PATIENCE = 30.0  # seconds after which whoever has heard nothing is lost
BETWEEN_PAGES = 0.2
QUIET = 3.0  # seconds of pages alone
SETTLING_IN = 5  # pages that do not count
Visit = Callable[[], Awaitable[int]]


@dataclass
class Found:
    """Seconds to each of the listeners, for each round; pages; what they weigh."""

    listeners: int
    joined: float = 0.0
    refused: int = 0
    everybody: list[list[float]] = field(default_factory=list)
    own: list[list[float]] = field(default_factory=list)
    pages: dict[str, list[float]] = field(default_factory=dict)
    memory: float = 0.0
    files: int = 0
    left: int = 0
    wrong: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Person:
    """Somebody who listens, signed in."""

    pk: int
    session: str


def _people(count: int) -> list[Person]:
    """So many of those who have an account; where they are too few, some of them with several browsers."""
    rows = list(accounts.Person.objects.order_by("pk")[:count])
    signed_in = [Person(pk, session) for pk, session in sessions(rows).items()]
    return [signed_in[turn % len(signed_in)] for turn in range(count)]


def _topics(key: str, pk: int) -> list[str]:
    return [topic_versions.game_topic(key), topic_versions.person_topic(pk)]


def memory(root: int) -> int:
    """What a process, and those it has started, have of the machine’s memory, in bytes."""
    told = [Path(f"/proc/{pid}/status").read_text("ascii").splitlines() for pid in family([root])]
    lines = (line for lines in told for line in lines if line.startswith("VmRSS:"))
    return 1024 * sum(int(line.split()[1]) for line in lines)


def files(root: int) -> int:
    return sum(1 for pid in family([root]) for _ in Path(f"/proc/{pid}/fd").iterdir())


@asynccontextmanager
async def visiting(found: Found, name: str, visit: Visit) -> Any:
    """One page after the other, five a second at most, for as long as the block lasts."""
    took = found.pages.setdefault(name, [])

    async def go_on() -> None:
        while True:
            begun = perf_counter()
            status = await visit()
            took.append(perf_counter() - begun)
            if status != 200:
                found.wrong.append(f"a page answered {status} ({name})")
            await asyncio.sleep(max(0.0, begun + BETWEEN_PAGES - perf_counter()))

    task = asyncio.create_task(go_on())
    try:
        yield
    finally:
        task.cancel()


async def _listen(found: Found, place: Place, key: str, people: Sequence[Person]) -> list[Listener]:
    listeners = [Listener() for _ in people]
    words = await asyncio.to_thread(
        lambda: [signed_topics.sign_topics(_topics(key, one.pk), one.session) for one in people]
    )
    begun = perf_counter()
    for start in range(0, len(listeners), TOGETHER):
        part = range(start, min(start + TOGETHER, len(listeners)))
        async with asyncio.timeout(PATIENCE):
            await asyncio.gather(
                *(listeners[one].open(place, address(one), words[one], people[one].session) for one in part)
            )
    found.joined = perf_counter() - begun
    found.refused = sum(one.status != 200 for one in listeners)
    return listeners


async def _round(
    found: Found, listeners: Sequence[Listener], topics: Sequence[str], act: Callable[[], None]
) -> list[float]:
    """Seconds from the moment in which something was changed to each listener’s hearing of it, once."""
    before = [len(one.heard) for one in listeners]
    await asyncio.to_thread(act)
    changed, until = perf_counter(), perf_counter() + PATIENCE

    def missing() -> int:
        return sum(len(one.heard) == had for one, had in zip(listeners, before, strict=True))

    while missing() and perf_counter() < until:
        await asyncio.sleep(0.05)
    await asyncio.sleep(0.3)
    if missing():
        found.wrong.append(f"{missing()} listeners heard nothing")
    told = [one.heard[had:] for one, had in zip(listeners, before, strict=True)]
    if any(len(one) > 1 for one in told):
        found.wrong.append(f"{sum(len(one) > 1 for one in told)} listeners heard it twice")
    if any(one and set(one[0][1]) != {topic} for one, topic in zip(told, topics, strict=True)):
        found.wrong.append("somebody heard of what he does not listen to")
    return sorted(max(0.0, one[0][0] - changed) for one in told if one)


async def _measured(place: Place, pid: int, key: str, people: Sequence[Person], visit: Visit) -> Found:
    found, game, lot = Found(len(people)), topic_versions.game_topic(key), Random(1901)
    for _ in range(SETTLING_IN):
        await visit()
    own, pks = [topic_versions.person_topic(one.pk) for one in people], {one.pk for one in people}
    async with visiting(found, "nobody listens", visit):
        await asyncio.sleep(QUIET)
    weight, held = memory(pid), files(pid)
    listeners = await _listen(found, place, key, people)
    async with visiting(found, "nothing happens", visit):
        await asyncio.sleep(QUIET)
    found.memory, found.files = (memory(pid) - weight) / len(people), files(pid) - held
    async with visiting(found, "everybody hears", visit):
        for _ in range(ROUNDS):
            told = await _round(found, listeners, [game] * len(own), lambda: topic_versions.bump(game))
            found.everybody.append(told)
            await asyncio.sleep(lot.uniform(0, 1))  # in whatever part of the second the site looks
        for _ in range(OWN_ROUNDS):
            found.own.append(await _round(found, listeners, own, lambda: topic_versions.bump_people(pks)))
            await asyncio.sleep(lot.uniform(0, 1))
    for one in listeners:
        one.close()
    found.left = await _left(pid, held)
    return found


async def _left(pid: int, before: int) -> int:
    """Files that are still open some time after the last listener hung up."""
    until = perf_counter() + PATIENCE
    while files(pid) - before > FEW and perf_counter() < until:
        await asyncio.sleep(0.1)
    return max(0, files(pid) - before)


def measured(site: Site, who: Player, *, listeners: int) -> dict[str, Any]:
    """So many listen to a site; somebody reads his game meanwhile."""
    make_room(listeners)
    reader = Browser(site.pages[0], cookies={"sessionid": who.session})

    async def visit() -> int:
        return (await reader.get(f"/parties/{who.key}/")).status

    people = _people(listeners)
    return asdict(asyncio.run(_measured(site.events, site.telling, who.key, people, visit)))
