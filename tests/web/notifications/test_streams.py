"""Who may hear that something changed, and the one task that looks for all of them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

import pytest
from django.core import signing
from django.core.signing import TimestampSigner
from django.db import Error
from django.test import Client

from talleyrand.web.notifications import signed_topics, stream_hub, topic_versions
from talleyrand.web.notifications.stream_hub import EventStream, StreamHub, TooManyStreams
from tests.each import each
from tests.waiting import PATIENCE, reached
from tests.web.cast import client_of, person


class Book:
    """Counters that a test turns by hand."""

    def __init__(self) -> None:
        self.numbers = {"game:a": 1, "game:b": 1}
        self.asked: list[set[str]] = []
        self.is_broken = False

    def __call__(self, topics: Iterable[str]) -> dict[str, int]:
        self.asked.append(set(topics))
        if self.is_broken:
            raise Error("no database")
        return {topic: self.numbers.get(topic, 0) for topic in topics}


# words


@pytest.mark.django_db
def test_words_hold_the_numbers_of_their_page() -> None:
    topic_versions.bump("game:a")
    words = signed_topics.sign_topics(["game:a", "game:b"])
    topic_versions.bump("game:a")
    assert signed_topics.unsign_topics([words]) == {"game:a": 1, "game:b": 0}


@pytest.mark.django_db
def test_the_oldest_of_several_pages_counts() -> None:
    old = signed_topics.sign_topics(["game:a"])
    topic_versions.bump("game:a")
    assert signed_topics.unsign_topics([signed_topics.sign_topics(["game:a"]), old]) == {"game:a": 0}


def forged() -> dict[str, str]:
    good = TimestampSigner(salt=signed_topics.SALT).sign_object({"game:a": 1})
    return {
        "nothing": "",
        "noise": "x" * 50,
        "changed": "A" + good[1:],
        "without a signature": good.rpartition(":")[0],
        "another's salt": TimestampSigner(salt="django.contrib.sessions").sign_object({"game:a": 1}),
        "another's key": TimestampSigner(key="k" * 40, salt=signed_topics.SALT).sign_object({"game:a": 1}),
        "no date": signing.Signer(salt=signed_topics.SALT).sign_object({"game:a": 1}),
        "long": good * 100,
        "other letters": "é\x00\ud800",
    }


@each("words", forged().values())
def test_forged_words_are_refused(words: str) -> None:
    with pytest.raises(signed_topics.InvalidTopics):
        signed_topics.unsign_topics([words])


def test_old_words_are_refused_and_spoil_no_others(monkeypatch: pytest.MonkeyPatch) -> None:
    signer = TimestampSigner(salt=signed_topics.SALT)
    young = signer.sign_object({"game:b": 1})
    with monkeypatch.context() as earlier:
        earlier.setattr("django.core.signing.time.time", lambda: 1_700_000_000)
        old = signer.sign_object({"game:a": 1})
    with pytest.raises(signed_topics.InvalidTopics):
        signed_topics.unsign_topics([old])
    assert signed_topics.unsign_topics([old, young, "forged"]) == {"game:b": 1}


def test_too_many_topics_are_refused() -> None:
    words = TimestampSigner(salt=signed_topics.SALT).sign_object({f"game:{one}": 1 for one in range(100)})
    with pytest.raises(signed_topics.InvalidTopics):
        signed_topics.unsign_topics([words])


@each(
    ("said", "known"),
    [
        ("game:a~7", {"game:a": 7, "game:b": 1}),
        ("game:a~7,game:z~9", {"game:a": 7, "game:b": 1}),
        ("game:a~-1,game:b~x,~,,~~,game:a", {"game:a": 1, "game:b": 1}),
        ("game:a~" + "9" * 50, {"game:a": 1, "game:b": 1}),
        ("é\x00~٣", {"game:a": 1, "game:b": 1}),
        ("", {"game:a": 1, "game:b": 1}),
    ],
)
def test_what_a_listener_says_it_knows(said: str, known: dict[str, int]) -> None:
    assert signed_topics.known_versions({"game:a": 1, "game:b": 1}, said) == known


def test_numbers_are_said_and_read_alike() -> None:
    numbers = {"game:a_-B": 12, "person:4": 0}
    assert signed_topics.parse_event_id(signed_topics.event_id(numbers)) == numbers


# the hub


def test_one_look_serves_all() -> None:
    async def listen() -> None:
        book = Book()
        found = StreamHub(book, pause=0.02)
        listeners = [EventStream({"game:a": 1, "game:b": 1}) for _ in range(200)]
        for one in listeners:
            found.join(one, "x", 1000)
        hearing = [asyncio.create_task(one.changes(5)) for one in listeners]
        await reached(lambda: found.looks >= 2)
        book.numbers["game:b"] = 2
        assert await asyncio.gather(*hearing) == [{"game:b": 2}] * 200
        assert len(book.asked) <= found.looks + 1
        assert book.asked[0] == {"game:a", "game:b"}
        looking = found._task
        assert looking is not None
        for one in listeners:
            found.leave(one)
        await asyncio.wait_for(looking, PATIENCE)  # nobody listens, nobody looks

    asyncio.run(listen())


@pytest.mark.parametrize(("topics", "pause"), [(1, 0.2), (500, 0.5), (5000, 1.0)])
def test_the_fewer_topics_the_sooner_they_are_looked_at_again(
    topics: int, pause: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    paused: list[float] = []

    async def listen() -> None:
        found, one = StreamHub(Book()), EventStream({f"game:{number}": 0 for number in range(topics)})

        async def slept(seconds: float) -> None:
            paused.append(seconds)
            found.leave(one)

        found.join(one, "x", 1)
        task = found._task
        assert task is not None
        with monkeypatch.context() as patched:
            patched.setattr("talleyrand.web.notifications.stream_hub.asyncio.sleep", slept)
            await task

    asyncio.run(listen())
    assert paused == [pause]


def test_a_gap_is_told_at_once_and_a_lower_number_too() -> None:
    async def listen() -> None:
        found = StreamHub(Book(), pause=60)
        behind, ahead = EventStream({"game:a": 0}), EventStream({"game:a": 5})
        for one in (behind, ahead):
            found.join(one, "x", 9)
        assert await behind.changes(5) == await ahead.changes(5) == {"game:a": 1}
        found.leave(behind)
        found.leave(ahead)

    asyncio.run(listen())


def test_whoever_comes_while_the_last_one_goes_is_heard() -> None:
    async def listen() -> None:
        book = Book()
        found = StreamHub(book, pause=0.01)
        for turn in range(20):
            one = EventStream({"game:a": turn})
            found.join(one, "x", 1)
            book.numbers["game:a"] = turn + 1
            assert await one.changes(5) == {"game:a": turn + 1}
            found.leave(one)
            if turn % 3 == 1:
                await asyncio.sleep(0)
            if turn % 3 == 2:
                await reached(lambda: found._task is None)

    asyncio.run(listen())


def test_a_database_that_is_away_ends_no_stream(caplog: pytest.LogCaptureFixture) -> None:
    async def listen() -> None:
        book = Book()
        book.is_broken = True
        found, one = StreamHub(book, pause=0.01), EventStream({"game:a": 0})
        found.join(one, "x", 1)
        assert await one.changes(0.1) == {}
        book.is_broken = False
        assert await one.changes(5) == {"game:a": 1}
        found.leave(one)

    asyncio.run(listen())
    assert "no database" in caplog.text


def test_so_many_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    async def listen() -> None:
        found = StreamHub(Book())
        mine = [EventStream({"game:a": 1}) for _ in range(3)]
        for one in mine[:2]:
            found.join(one, "person:1", 2)
        with pytest.raises(TooManyStreams):
            found.join(mine[2], "person:1", 2)
        found.join(mine[2], "person:2", 2)
        with pytest.raises(TooManyStreams):
            found.join(EventStream({}), "person:3", 2)  # three in all
        found.leave(mine[0])
        found.leave(mine[0])
        found.join(mine[0], "person:1", 2)
        found.close()
        with pytest.raises(TooManyStreams):
            found.join(EventStream({}), "person:4", 2)

    monkeypatch.setattr(stream_hub, "MOST_STREAMS", 3)
    asyncio.run(listen())


# asking instead of listening


@pytest.mark.django_db
def test_polling_says_what_changed_and_how_many_wait() -> None:
    words = signed_topics.sign_topics(["game:a"])
    found = client_of("Agathe").get("/events/versions/", {"topics": words})
    assert found.json() == {"changed": {}, "unread": 0}
    topic_versions.bump("game:a")
    found = Client().get("/events/versions/", {"topics": words})
    assert found.json() == {"changed": {"game:a": 1}, "unread": None}
    assert Client().get("/events/versions/", {"topics": words, "since": "game:a~1"}).json()["changed"] == {}
    assert "no-store" in found["Cache-Control"]


@pytest.mark.django_db
@pytest.mark.parametrize("words", forged().values(), ids=forged())
def test_polling_with_forged_words(words: str) -> None:
    if "\ud800" not in words:
        assert Client().get("/events/versions/", {"topics": words}).status_code == 404


@pytest.mark.django_db
def test_a_server_without_streams_says_so() -> None:
    assert Client().get("/events/").status_code == 204
    assert Client().post("/events/").status_code == 405


@pytest.mark.django_db(transaction=True)
def test_a_counter_born_twice_is_raised_twice() -> None:
    for _ in range(3):
        topic_versions.bump("game:new")
    topic_versions.bump_people([person("Agathe").pk])
    assert topic_versions.current_versions(["game:new"]) == {"game:new": 3}
    assert topic_versions.current_versions([f"game:{one}" for one in range(2000)])["game:7"] == 0
