"""Short transactions of one process: one after the other, whatever one of them does after its commit."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest
from django.db import OperationalError, connection, transaction

from talleyrand.web.common.transactions import write_transaction
from talleyrand.web.notifications import topic_versions
from talleyrand.web.notifications.models import TopicVersion

pytestmark = pytest.mark.django_db(transaction=True)
MOMENT = 60.0  # seconds
WRITERS, TIMES = 8, 5


@write_transaction
def raised(topic: str) -> None:
    """Reads, and writes by what it has read: another writer in between would be lost."""
    row = TopicVersion.objects.select_for_update().get(topic=topic)
    row.version += 1
    row.save()


def all_of(*works: Callable[[], None]) -> None:
    """Do these at once, each in a thread; raises what one of them does."""
    failures: list[BaseException] = []

    def one(work: Callable[[], None]) -> None:
        try:
            work()
        except BaseException as failure:  # noqa: BLE001 it is told below
            failures.append(failure)
        finally:
            connection.close()

    threads = [threading.Thread(target=one, args=(work,), daemon=True) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(MOMENT)
    assert not any(thread.is_alive() for thread in threads)
    if failures:
        raise failures[0]


def test_many_writers_all_write() -> None:
    def again_and_again() -> None:
        for _ in range(TIMES):
            raised("all")

    topic_versions.bump("all")
    all_of(*[again_and_again] * WRITERS)
    assert topic_versions.current_versions(["all"]) == {"all": 1 + TIMES * WRITERS}


def test_what_is_done_after_a_commit_may_write() -> None:
    @write_transaction
    def first() -> None:
        raised("two")
        transaction.on_commit(lambda: raised("two"))

    topic_versions.bump("two")
    all_of(first, first)
    assert topic_versions.current_versions(["two"]) == {"two": 5}


@pytest.mark.long
def test_within_another_transaction_no_turn_is_waited_for() -> None:
    """Who holds the database would wait for whoever waits for it."""
    inside, written = threading.Event(), threading.Event()

    def around() -> None:
        with transaction.atomic():
            topic_versions.bump("outer")
            inside.set()
            written.wait(1)  # meanwhile the other one waits for the database, in its turn
            raised("outer")

    def beside() -> None:
        assert inside.wait(MOMENT)
        raised("outer")
        written.set()

    topic_versions.bump("outer")
    all_of(around, beside)
    assert topic_versions.current_versions(["outer"]) == {"outer": 4}


def test_what_is_committed_is_not_done_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """A database that goes away after the commit leaves the pages unaware, and nothing done twice."""

    def away(_topics: list[str]) -> None:
        raise OperationalError("the server closed the connection")

    @write_transaction
    def told() -> None:
        topic_versions.bump("one")
        topic_versions.bump_people([1])

    monkeypatch.setattr(topic_versions, "_bump_all", away)
    told()
    assert topic_versions.current_versions(["one"]) == {"one": 1}
