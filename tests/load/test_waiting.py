"""Whoever waits for his turn is not late for that."""

from __future__ import annotations

import asyncio
import json
from datetime import datetime, timedelta
from threading import Event
from typing import Any

import pytest
from django.conf import settings
from django.db import connections
from django.utils import timezone

from talleyrand.web.games.models import Game, OrderSet
from talleyrand.web.limits import first_tries
from talleyrand.web.limits.thread_pool import ThreadPoolHandler
from tests.waiting import reached
from tests.web import cast

LINES = ["A Paris - Bourgogne"]


def scope(path: str, session: str) -> dict[str, Any]:
    """A POST of a browser, as a server hands it over."""
    token = "s" * 32
    headers = {
        "host": "testserver",
        "content-type": "application/json",
        "cookie": f"{settings.SESSION_COOKIE_NAME}={session}; {settings.CSRF_COOKIE_NAME}={token}",
        "x-csrftoken": token,
    }
    return {
        "type": "http",
        "method": "POST",
        "path": path,
        "query_string": b"",
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        "client": ("127.0.0.1", 50000),
        "server": ("testserver", 80),
    }


async def handed_in(pages: ThreadPoolHandler, asked: dict[str, Any]) -> int:
    """The status of the answer to a sheet."""
    told: list[int] = []
    body = json.dumps({"action": "hand_in", "lines": {"FRANCE": LINES}}).encode()

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": body}

    async def send(message: Any) -> None:
        told.extend([message["status"]] if "status" in message else [])

    await pages(asked, receive, send)
    return told[0]


def due_at(game: Game, due: datetime) -> None:
    """In a thread of its own, which leaves no connection behind."""
    Game.objects.filter(pk=game.pk).update(deadline=due)
    connections.close_all()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("in_time", "status"), [(True, 200), (False, 409)])
def test_a_sheet_that_waits_for_its_turn_was_received_when_it_came(
    in_time: bool, status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All threads are busy until the deadline is over; what had arrived before it counts."""
    monkeypatch.setattr(first_tries, "LONGEST_WAIT", 60.0)
    game, client = cast.table(), cast.client_of("Flora")
    session = client.cookies[settings.SESSION_COOKIE_NAME].value
    asked = scope(f"/parties/{game.key}/1/orders/FRANCE/", session)
    pages, free = ThreadPoolHandler(1), Event()
    pages._threads.submit(free.wait, 60)

    async def through() -> int:
        before = timezone.now()
        waiting = asyncio.create_task(handed_in(pages, asked))
        await reached(pages._threads._work_queue.qsize)
        due = timezone.now() if in_time else before - timedelta(milliseconds=1)
        await asyncio.to_thread(due_at, game, due)
        free.set()
        return await waiting

    answered = asyncio.run(through())
    pages._threads.submit(connections.close_all)
    pages._threads.shutdown()
    assert answered == status
    assert OrderSet.objects.filter(game=game, power="FRANCE").exists() == (status == 200)
