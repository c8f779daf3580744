"""Orders that would wait too long are told to come back, and are then no later than their first try."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from threading import Event
from typing import Any
from unittest.mock import patch
from urllib.parse import urlencode

import pytest
from django.conf import settings
from django.db import connections
from django.utils import timezone

from talleyrand.web.games.models import Game, OrderSet
from talleyrand.web.games.phase_pages import urls
from talleyrand.web.limits import first_tries
from talleyrand.web.limits.thread_pool import ThreadPoolHandler
from tests.web import cast

from .test_waiting import due_at, scope

BODY = json.dumps({"action": "hand_in", "lines": {"FRANCE": ["A Paris - Bourgogne"]}, "submission": "s1"})
OTHER = BODY.replace("Bourgogne", "Picardie")


@dataclass
class Told:
    """What came back."""

    status: int = 0
    headers: dict[str, str] = field(default_factory=dict)
    body: str = ""


async def sent(pages: ThreadPoolHandler, asked: dict[str, Any], body: str, **headers: str) -> Told:
    more = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    kept = [one for one in asked["headers"] if one[0].decode() not in {name.decode() for name, _ in more}]
    asked, told = {**asked, "headers": [*kept, *more]}, Told()

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": body.encode()}

    async def send(message: Any) -> None:
        if "status" in message:
            told.status = message["status"]
            told.headers = {name.decode().lower(): value.decode() for name, value in message["headers"]}
        else:
            told.body += message["body"].decode()

    await pages(asked, receive, send)
    return told


class Site:
    """A site of one thread, which may be kept busy."""

    def __init__(self) -> None:
        self.returning: list[tuple[str, datetime, datetime]] = []
        self.pages = ThreadPoolHandler(1, returning=lambda *one: self.returning.append(one))
        self.free = Event()

    async def busy(self, asked: dict[str, Any], body: str, due: Game | None = None, **headers: str) -> Told:
        """What is answered while the thread has no time; the phase may end afterwards."""
        self.free.clear()
        held = self.pages._threads.submit(self.free.wait, 60)
        try:
            with patch.object(first_tries, "LONGEST_WAIT", 0.0):
                return await asyncio.wait_for(sent(self.pages, asked, body, **headers), 30)
        finally:
            if due is not None:
                await asyncio.to_thread(due_at, due, timezone.now())
            self.free.set()
            await asyncio.wrap_future(held)


@contextmanager
def site() -> Iterator[Site]:
    one = Site()
    try:
        yield one
    finally:
        one.free.set()
        one.pages._threads.submit(connections.close_all)
        one.pages._threads.shutdown()


def place(game: Game, person: str = "Flora") -> dict[str, Any]:
    session = cast.client_of(person).cookies[settings.SESSION_COOKIE_NAME].value
    return scope(f"/parties/{game.key}/1/orders/FRANCE/", session)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("again", "brings", "status"), [(BODY, True, 200), (BODY, False, 409), (OTHER, True, 409)]
)
def test_who_tried_before_the_deadline_is_not_late_with_the_same_orders(
    again: str, brings: bool, status: int
) -> None:
    game = cast.table()
    asked = place(game)
    with site() as busy:

        async def through() -> tuple[Told, Told]:
            told = await busy.busy(asked, BODY, due=game)
            word = {"x_first_try": told.headers["x-first-try"]} if brings else {}
            return told, await sent(busy.pages, asked, again, **word)

        before = timezone.now()
        told, answered = asyncio.run(through())
    assert told.status == 503
    assert int(told.headers["retry-after"]) > 0
    assert json.loads(told.body)["message"]
    assert [key for key, *_ in busy.returning] == [game.key]
    assert answered.status == status
    kept = OrderSet.objects.filter(game=game, power="FRANCE").first()
    assert (kept is not None) == (status == 200)
    if kept is not None:
        assert before <= kept.received_at == busy.returning[0][1]


@pytest.mark.django_db(transaction=True)
def test_told_to_come_back_twice_the_first_try_counts() -> None:
    game = cast.table()
    asked = place(game)
    with site() as busy:

        async def through() -> Told:
            told = await busy.busy(asked, BODY)
            for _ in range(2):
                told = await busy.busy(asked, BODY, due=game, x_first_try=told.headers["x-first-try"])
            return await sent(busy.pages, asked, BODY, x_first_try=told.headers["x-first-try"])

        assert asyncio.run(through()).status == 200
    assert len({first for _, first, _ in busy.returning}) == 1
    assert OrderSet.objects.filter(game=game, power="FRANCE").count() == 1


@pytest.mark.django_db(transaction=True)
def test_a_page_without_scripts_sends_the_same_again() -> None:
    game = cast.table()
    asked = place(game)
    fields = [("csrfmiddlewaretoken", "s" * 32), ("submission", "x"), ("sheet", "A Paris - Bourgogne\r\n<b>")]
    body, form = (
        urlencode([*fields, ("action", "save")]),
        {"content_type": "application/x-www-form-urlencoded"},
    )
    with site() as busy:
        told = asyncio.run(busy.busy(asked, body, due=game, **form))
    assert told.status == 503
    assert told.headers["content-type"].startswith("text/html")
    assert 'name="submission" value="x"' in told.body
    assert "&lt;b&gt;" in told.body
    query = f"first_try={told.headers['x-first-try']}"
    assert query in told.body
    with site() as calm:
        answered = asyncio.run(sent(calm.pages, {**asked, "query_string": query.encode()}, body, **form))
    assert answered.status == 302


@pytest.mark.django_db(transaction=True)
def test_a_form_of_a_million_fields_is_not_written_out_again() -> None:
    asked = place(cast.table())
    with site() as busy:
        told = asyncio.run(busy.busy(asked, "a=&" * 20_000, content_type="application/x-www-form-urlencoded"))
    assert told.status == 400
    assert len(told.body) < 20_000


@pytest.mark.django_db(transaction=True)
def test_orders_that_come_back_do_not_replace_those_sent_meanwhile() -> None:
    """Two windows, or somebody who changes his mind while the first orders wait."""
    game = cast.table()
    due_at(game, timezone.now() + timedelta(days=1))
    asked = place(game)
    with site() as busy:

        async def through() -> list[Told]:
            told = await busy.busy(asked, BODY)
            word = {"x_first_try": told.headers["x-first-try"]}
            return [await sent(busy.pages, asked, OTHER), await sent(busy.pages, asked, BODY, **word)]

        answers = asyncio.run(through())
    assert [one.status for one in answers] == [200, 409]
    counting = OrderSet.objects.filter(game=game, power="FRANCE").latest("receipt_number")
    assert counting.lines == ["A Paris - Picardie"]


@pytest.mark.django_db(transaction=True)
def test_a_word_of_somebody_else_is_of_no_use() -> None:
    game = cast.table()
    asked, other = place(game), place(game, "Gaspard")
    with site() as busy:

        async def through() -> Told:
            told = await busy.busy(asked, BODY)
            return await sent(busy.pages, other, BODY, x_first_try=told.headers["x-first-try"])

        assert asyncio.run(through()).status in (403, 404)
    assert not OrderSet.objects.filter(game=game).exists()


@pytest.mark.django_db(transaction=True)
def test_who_comes_back_at_once_is_told_the_same_turn_and_no_thread_hears_of_it() -> None:
    asked = place(cast.table())
    with site() as busy:

        async def through() -> list[Told]:
            found = [await busy.busy(asked, BODY)]
            with patch.object(busy.pages._line, "has_place", lambda _known, _now: False):
                for _ in range(200):
                    word = found[-1].headers["x-first-try"]
                    found.append(await sent(busy.pages, asked, BODY, x_first_try=word))
            return found

        with patch.object(busy.pages, "answer", side_effect=AssertionError):
            answers = asyncio.run(through())
    assert {one.status for one in answers} == {503}
    assert len({one.headers["x-first-try"] for one in answers}) == 1
    assert len({first for _, first, _ in busy.returning}) == 1


@pytest.mark.django_db(transaction=True)
def test_a_program_is_told_in_its_language_and_form() -> None:
    asked = {**scope("/api/games/abcdefghijkl/phases/1/orders/FRANCE", ""), "method": "PUT"}
    with site() as busy:
        told = asyncio.run(busy.busy(asked, BODY, accept_language="en"))
    assert told.status == 503
    said = json.loads(told.body)
    assert said["code"] == "busy"
    assert f"in {told.headers['retry-after']} seconds" in said["sentence"]
    assert told.headers["x-content-type-options"] == "nosniff"


@pytest.mark.django_db(transaction=True)
def test_whoever_reads_waits_for_a_thread() -> None:
    asked = place(cast.table())
    with site() as busy:

        async def through() -> Told:
            held = busy.pages._threads.submit(busy.free.wait, 60)
            with patch.object(first_tries, "LONGEST_WAIT", 0.0):
                reading = asyncio.create_task(
                    sent(busy.pages, {**scope("/parties/", ""), "method": "GET"}, "")
                )
                await sent(busy.pages, asked, BODY)  # is told meanwhile
            assert not held.done()
            assert not reading.done()
            busy.free.set()
            return await reading

        told = asyncio.run(through())
    assert told.status == 200
    assert len(busy.returning) == 1


def test_a_word_holds_for_five_minutes_and_for_its_address() -> None:
    from io import BytesIO

    asked, now = scope("/parties/abc/1/orders/FRANCE/", ""), timezone.now()

    def tried(age: timedelta) -> first_tries.FirstTry:
        return first_tries.FirstTry(now - age, now)

    def holds(
        age: timedelta, path: str = asked["path"], spoilt: str = "", kinds: tuple[bytes, ...] = (b"a",)
    ) -> first_tries.FirstTry | None:
        sent = {**asked, "headers": [(b"content-type", b"a")]}
        word = first_tries.sign_first_try(sent, b"body", tried(age)) + spoilt
        brought = [*((b"content-type", kind) for kind in kinds), (b"x-first-try", word.encode())]
        return first_tries.first_try({**asked, "path": path, "headers": brought}, BytesIO(b"body"), now)

    assert holds(timedelta(seconds=1)) == tried(timedelta(seconds=1))
    assert holds(timedelta(0)) == tried(timedelta(0))
    assert holds(timedelta(seconds=301)) is None
    assert holds(-timedelta(seconds=1)) is None
    assert holds(timedelta(seconds=1), "/parties/abc/2/orders/FRANCE/") is None
    assert holds(timedelta(seconds=1), spoilt="0") is None
    earlier = first_tries.sign_first_try(asked, b"body", tried(timedelta(0))).replace("-", "0-", 1)
    brought = {**asked, "headers": [(b"x-first-try", earlier.encode())]}
    assert first_tries.first_try(brought, BytesIO(b"body"), now) is None
    # one that was given before an update, and names no turn
    moment = f"{round(now.timestamp() * 1_000_000):x}"
    before = f"{moment}.{first_tries._seal(moment, asked, b'body')}"
    brought = {**asked, "headers": [*asked["headers"], (b"x-first-try", before.encode())]}
    assert first_tries.first_try(brought, BytesIO(b"body"), now) == tried(timedelta(0))
    # one body may be two sheets, read in two ways
    assert holds(timedelta(seconds=1), kinds=(b"multipart/form-data; boundary=b",)) is None
    assert holds(timedelta(seconds=1), kinds=(b"b", b"a")) is None


def test_all_addresses_of_orders_are_known_and_no_others() -> None:
    asked = [str(one.pattern) for one in urls.urlpatterns]
    for pattern in asked:
        path = "/parties/abc/" + pattern.replace("<int:number>", "3").replace("<str:power>", "FRANCE")
        game = first_tries.game_of_orders({"method": "POST", "path": path})
        assert game == ("abc" if "/orders/" in pattern else ""), pattern
    assert first_tries.game_of_orders({"method": "POST", "path": "/parties/\0/3/orders/FRANCE/"}) == ""
    api = "/api/games/abc/phases/3/orders/FRANCE"
    assert first_tries.game_of_orders({"method": "PUT", "path": api}) == "abc"
    assert first_tries.game_of_orders({"method": "GET", "path": api}) == ""
