"""What is one person's is heard as long as he is signed in, and no longer."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Collection
from typing import Any

import pytest
from django.db import connections
from django.test import Client

from talleyrand.web.accounts import open_sessions, personal_data
from talleyrand.web.accounts.models import Person
from talleyrand.web.notifications import event_streams, signed_topics, topic_versions
from talleyrand.web.notifications.session_checks import SessionChecker
from tests.waiting import PATIENCE
from tests.web import cast
from tests.web.accounts.doors import OTHER

PASSWORD = "un mot de passe assez long"


def words(client: Client) -> str:
    """What a page gives its reader to listen with."""
    found = re.search(r'data-topics="([^"]+)"', client.get("/notifications/").content.decode())
    assert found
    return found[1]


def cookie(client: Client) -> bytes:
    return str(client.cookies["sessionid"].value).encode()


class Line:
    """A stream, as the server talks to it."""

    def __init__(self, told: str, key: bytes) -> None:
        headers = [(b"cookie", b"other=1; sessionid=" + key)] if key else []
        self.scope = {
            "type": "http",
            "path": "/events/",
            "method": "GET",
            "query_string": f"topics={told}".encode(),
            "headers": headers,
            "client": ("127.0.0.1", 1),
        }
        self.said: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.gone = asyncio.Event()
        self.task: asyncio.Future[None]

    async def receive(self) -> dict[str, Any]:
        await self.gone.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Any) -> None:
        await self.said.put(message)

    async def status(self) -> int:
        self.task = asyncio.ensure_future(
            event_streams.with_event_streams(nobody)(self.scope, self.receive, self.send)
        )
        return int((await asyncio.wait_for(self.said.get(), PATIENCE))["status"])

    async def hang_up(self) -> None:
        self.gone.set()
        await asyncio.wait_for(self.task, PATIENCE)


async def nobody(*_asked: Any) -> None:
    raise AssertionError("it comes to Django")


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    monkeypatch.setattr(event_streams, "BEAT", 0.1)
    monkeypatch.setattr(event_streams, "TRUST", 0.2)


def apart(work: Callable[..., object], *given: object) -> None:
    """In a thread of its own, which keeps no connection."""
    try:
        work(*given)
    finally:
        connections.close_all()


async def quiet() -> None:
    """Those who listen for all have let go of the database."""
    if left := asyncio.all_tasks() - {asyncio.current_task()}:
        await asyncio.wait(left, timeout=PATIENCE)


def run(listening: Callable[[], Any]) -> None:
    async def through() -> None:
        await listening()
        await quiet()

    asyncio.run(through())


def signed_out(client: Client) -> None:
    client.post("/compte/deconnexion/")


def from_another_device(_client: Client) -> None:
    assert cast.client_of("Flora").post("/compte/securite/", {"press": "others"}).status_code == 302


def with_a_new_password(_client: Client) -> None:
    other = cast.client_of("Flora")
    sent = {"oldpassword": PASSWORD, "password1": OTHER, "password2": OTHER}
    assert other.post("/compte/mot-de-passe/", sent).status_code == 302


def put_away(_client: Client) -> None:
    Person.objects.filter(name="Flora").update(is_active=False)


def deleted(_client: Client) -> None:
    personal_data.delete_account(cast.person("Flora"))


@pytest.mark.one_in(3)
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("end", [signed_out, from_another_device, with_a_new_password, put_away, deleted])
def test_a_stream_ends_with_its_session(end: Callable[[Client], None]) -> None:
    client = cast.client_of("Flora")
    told, key = words(client), cookie(client)

    async def listen() -> None:
        line = Line(told, key)
        assert await line.status() == 200
        await asyncio.to_thread(apart, end, client)
        await asyncio.wait_for(line.task, PATIENCE)
        assert await Line(told, key).status() == 404

    run(listen)
    assert client.get("/events/versions/", {"topics": told}).status_code == 404


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_a_stream_goes_on_while_somebody_is_signed_in() -> None:
    client = cast.client_of("Flora")
    told, key, topic = words(client), cookie(client), topic_versions.person_topic(cast.person("Flora").pk)

    async def listen() -> None:
        line = Line(told, key)
        assert await line.status() == 200
        for _ in range(10):  # beats, of which every other one asks whether somebody still is
            await asyncio.wait_for(line.said.get(), PATIENCE)
        await asyncio.to_thread(apart, topic_versions.bump, topic)
        async with asyncio.timeout(PATIENCE):
            while b"changed" not in (await line.said.get())["body"]:
                pass
        await line.hang_up()

    run(listen)
    assert client.get("/events/versions/", {"topics": told}).json()["changed"] == {topic: 1}


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("key", [b"", b"another", b"\xff\x00", b"x" * 9000])
def test_words_are_good_in_their_session_alone(key: bytes) -> None:
    told = words(cast.client_of("Flora"))

    async def listen() -> None:
        assert await Line(told, key).status() == 404

    run(listen)
    assert cast.client_of("Gaspard").get("/events/versions/", {"topics": told}).status_code == 404
    assert Client().get("/events/versions/", {"topics": told}).status_code == 404


@pytest.mark.django_db
def test_words_of_another_session_do_not_spoil_the_others() -> None:
    game = signed_topics.sign_topics(["game:a"])
    mine, other = (
        signed_topics.sign_topics(["person:1"], "mine"),
        signed_topics.sign_topics(["person:2"], "other"),
    )
    assert signed_topics.unsign_topics([game, mine, other], "mine") == {"game:a": 0, "person:1": 0}
    assert signed_topics.unsign_topics([game, mine]) == {"game:a": 0}
    with pytest.raises(signed_topics.InvalidTopics):
        signed_topics.unsign_topics([mine, other], "none")


@pytest.mark.django_db
def test_which_sessions_are_open() -> None:
    flora, gaspard = cast.client_of("Flora"), cast.client_of("Gaspard")
    keys = {name: str(one.cookies["sessionid"].value) for name, one in (("F", flora), ("G", gaspard))}
    whose = {keys["F"]: cast.person("Flora").pk, keys["G"]: cast.person("Gaspard").pk}
    assert open_sessions.people_by_session([*keys.values(), "", "none", "\0"[1:]]) == whose
    Person.objects.filter(name="Gaspard").update(is_active=False)
    assert open_sessions.people_by_session(keys.values()) == {keys["F"]: whose[keys["F"]]}
    many = [*keys.values(), *(f"none{number}" for number in range(1000))]
    assert list(open_sessions.people_by_session(many)) == [keys["F"]]


def test_a_thousand_are_asked_for_together() -> None:
    asked: list[int] = []

    def look(keys: Collection[str]) -> set[str]:
        asked.append(len(keys))
        return {key for key in keys if key.endswith("7")}

    async def ask() -> list[bool]:
        gate = SessionChecker(look)
        return await asyncio.gather(*(gate.is_open(str(number)) for number in range(1000)))

    assert sum(asyncio.run(ask())) == 100
    assert asked == [1000]


def test_where_nobody_can_say_everybody_goes_on() -> None:
    def look(_keys: Collection[str]) -> set[str]:
        raise RuntimeError("no database")

    assert asyncio.run(SessionChecker(look).is_open("any"))
