"""The storms of `benchmarks.load`, small: who is served, and that nothing is lost; never how quickly."""

from __future__ import annotations

import asyncio
import json
import resource
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import partial
from random import Random
from threading import Barrier
from typing import Any

import pytest
from django.db import connections
from django.test import Client
from django.utils import timezone

from talleyrand.web.games import deadline_clock
from talleyrand.web.games.deadline_clock import DeadlineClock
from talleyrand.web.games.models import Game, OrderSet, PhaseRevision
from talleyrand.web.games.phase_deadlines import SETTLE_TIME
from talleyrand.web.notifications import (
    event_streams,
    signed_topics,
    stream_hub,
    stream_limit,
    topic_versions,
)
from talleyrand.web.notifications.models import Notification
from tests.waiting import PATIENCE, reached
from tests.web import cast

from .crowd import copies

POWERS = tuple(cast.PLAYERS)
SHEETS = {"AUSTRIA": ["A Vienne H"], "FRANCE": ["A Paris - Bourgogne"], "ITALY": ["A Rome H"]}


def at_once(*acts: Callable[[], Any]) -> list[Any]:
    """Each in a thread and so with a connection of its own, all in the same moment."""
    gate = Barrier(len(acts))

    def begin(act: Callable[[], Any]) -> Any:
        gate.wait(PATIENCE)
        try:
            return act()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(acts)) as threads:
        return list(threads.map(begin, acts))


def hand_in(client: Client, game: Game, power: str, lines: list[str], submission: str) -> int:
    sent = {"action": "hand_in", "lines": {power: lines}, "submission": submission}
    path = f"/parties/{game.key}/{game.phase_number}/orders/{power}/"
    return int(client.post(path, json.dumps(sent), content_type="application/json").status_code)


@pytest.mark.django_db(transaction=True)
def test_games_due_in_the_same_second_are_published_once_each(
    full: bool, record_property: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By three clocks that begin together, and take two games at a time."""
    monkeypatch.setattr(deadline_clock, "GAMES_A_CLAIM", 2)
    first, count = cast.table(), 100 if full else 6
    games = [first, *copies(first, count - 1)]
    for game in games:
        OrderSet.objects.bulk_create(
            OrderSet(
                game=game,
                phase_number=1,
                power=power,
                receipt_number=1,
                idempotency_key=power,
                lines=[],
                received_at=cast.BEGUN,
            )
            for power in POWERS
        )
    due = timezone.now() - timedelta(minutes=1)
    Game.objects.update(deadline=due, next_check_at=due, phase_opened_at=due - timedelta(days=3))
    told = Notification.objects.filter(kind="published").count()
    published = at_once(*(lambda: DeadlineClock().check_due(timezone.now()) for _ in range(3)))
    assert sum(published) == count
    assert Counter(PhaseRevision.objects.filter(phase_number=1).values_list("game", flat=True)) == {
        game.pk: 1 for game in games
    }
    assert set(Game.objects.values_list("phase_number", "claimed_by", "adjudication_error")) == {(2, "", "")}
    people = len(POWERS) + 3  # game master, assistant and observer
    assert Notification.objects.filter(kind="published").count() - told == count * people
    record_property("storms", f"games due at once: {count}, published by three clocks as {published}")


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_no_sheet_of_the_last_minute_is_lost(full: bool, seed: int) -> None:
    """Everybody edits towards the deadline; the last sheet of each is what is judged."""
    lot, game = Random(seed), cast.table()
    Game.objects.filter(pk=game.pk).update(deadline=timezone.now() + timedelta(hours=1))
    edits = 12 if full else 2
    taken: Counter[str] = Counter()

    def play(power: str) -> None:
        client = cast.client_of(cast.PLAYERS[power])
        for turn in range(edits):
            lines = SHEETS.get(power, []) if turn == edits - 1 else []
            assert hand_in(client, game, power, lines, f"{power} {turn}") == 200
            taken[power] += 1

    at_once(*(partial(play, power) for power in lot.sample(POWERS, len(POWERS))))
    kept = Counter(OrderSet.objects.filter(game=game).values_list("power", flat=True))
    assert kept == taken == dict.fromkeys(POWERS, edits)
    receipts = set(OrderSet.objects.filter(game=game).values_list("power", "receipt_number"))
    assert receipts == {(power, receipt) for power in POWERS for receipt in range(1, edits + 1)}
    due = timezone.now() - SETTLE_TIME - timedelta(seconds=1)
    Game.objects.filter(pk=game.pk).update(deadline=due, next_check_at=due)
    OrderSet.objects.filter(game=game).update(received_at=due - timedelta(seconds=1))
    assert DeadlineClock().check_due(timezone.now()) == 1
    judged = PhaseRevision.objects.get(game=game, phase_number=1)
    assert {power: judged.order_lines[power] for power in POWERS} == {
        power: SHEETS.get(power, []) for power in POWERS
    }
    pages = at_once(*(partial(_number_seen, game, name) for name in cast.PLAYERS.values()))
    assert pages == [2] * len(POWERS)


def _number_seen(game: Game, name: str) -> int:
    client = cast.client_of(name)
    assert client.get(f"/parties/{game.key}/").status_code == 200
    assert client.get(f"/parties/{game.key}/1/scene.json").status_code == 200
    return int(client.get(f"/parties/{game.key}/now.json").json()["number"])


# who listens


class Listener:
    """One stream, as the server calls the door for it."""

    def __init__(self, words: str, address: str = "127.0.0.1") -> None:
        query = f"topics={words}".encode()
        self.scope = {
            "type": "http",
            "method": "GET",
            "path": "/events/",
            "query_string": query,
            "headers": [],
            "client": (address, 50000),
        }
        self.status, self.heard = 0, list[dict[str, int]]()

    async def listen(self) -> None:
        async def receive() -> dict[str, Any]:
            return await asyncio.Future[dict[str, Any]]()

        async def send(message: Any) -> None:
            self.status = message.get("status", self.status)
            for line in message.get("body", b"").decode().split("\n\n"):
                if "event: changed" in line:
                    self.heard.append(json.loads(line.partition("data: ")[2]))

        await event_streams.with_event_streams(_nowhere)(self.scope, receive, send)


async def _nowhere(*_asked: Any) -> None:
    raise AssertionError("this is no stream")


def listening(listeners: list[Listener], acts: list[Callable[[], None]]) -> None:
    """Have all of them listen; after each act every one has to have heard one thing more."""

    async def through() -> None:
        tasks = [asyncio.create_task(one.listen()) for one in listeners]
        await reached(lambda: all(one.status for one in listeners))
        watch = event_streams.hub._task
        for turn, act in enumerate(acts, 1):
            await asyncio.to_thread(_acted, act)
            await reached(partial(_all_heard, listeners, turn))
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if watch is not None:
            await watch

    asyncio.run(through())


def _all_heard(listeners: list[Listener], things: int) -> bool:
    return all(len(one.heard) >= things for one in listeners)


def _acted(act: Callable[[], None]) -> None:
    try:
        act()
    finally:
        connections.close_all()


@pytest.mark.django_db(transaction=True)
def test_each_of_many_listeners_hears_each_thing_once(full: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        event_streams, "hub", stream_hub.StreamHub(topic_versions.current_versions, pause=0.01)
    )
    people = list(range(1, (2000 if full else 200) + 1))
    listeners = [
        Listener(signed_topics.sign_topics(["game:K", topic_versions.person_topic(pk)])) for pk in people
    ]
    everybody, own = lambda: topic_versions.bump("game:K"), lambda: topic_versions.bump_people(people)
    listening(listeners, [everybody, own, everybody])
    for pk, one in zip(people, listeners, strict=True):
        assert one.heard == [{"game:K": 1}, {f"person:{pk}": 1}, {"game:K": 2}]
    assert not event_streams.hub.streams


@pytest.mark.django_db(transaction=True)
def test_a_club_listens_behind_one_address(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two hundred and ten who are signed in, and as many who look on; whoever asks for more is put off."""
    monkeypatch.setattr(
        event_streams, "hub", stream_hub.StreamHub(topic_versions.current_versions, pause=0.01)
    )
    club = [
        Listener(signed_topics.sign_topics([topic_versions.person_topic(pk)]), "192.0.2.1")
        for pk in range(210)
    ]
    lookers = [
        Listener(signed_topics.sign_topics(["game:K"]), "192.0.2.1")
        for _ in range(stream_hub.MOST_FOR_VISITORS + 5)
    ]
    listening([*club, *lookers], [])
    assert {one.status for one in club} == {200}
    assert Counter(one.status for one in lookers) == {200: stream_hub.MOST_FOR_VISITORS, 503: 5}
    assert stream_hub.MOST_FOR_VISITORS >= 210


def made_with(files: int) -> tuple[int, str]:
    """How many streams a process has room for that may open so many files, and what it says."""
    told = (
        "from talleyrand.web.notifications import stream_hub, stream_limit; "
        "stream_limit.raise_file_limit(); print(stream_hub.MOST_STREAMS)"
    )
    setup = "import django; django.setup(); "
    limited = lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (min(256, files), files))  # noqa: E731
    ran = subprocess.run(
        [sys.executable, "-c", setup + told], capture_output=True, text=True, check=True, preexec_fn=limited
    )
    return int(ran.stdout), ran.stderr


@pytest.mark.long
def test_a_process_makes_room_for_its_listeners_and_says_where_it_cannot() -> None:
    streams_left, said = made_with(1024)
    assert streams_left == 1024 - stream_limit.SPARE
    assert "ulimit -n" in said
    assert f"{streams_left} pages au plus" in said
    assert f"at most {streams_left} pages" in said
