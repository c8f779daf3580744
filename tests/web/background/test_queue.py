"""The queue itself, beside PostgreSQL: a call is done once, and a worker ends when it is told to."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import connection, transaction

from talleyrand.web import background
from talleyrand.web.background import jobs, procrastinate_queue, queue_worker, triggers
from tests.waiting import PATIENCE, wait_until
from tests.web.background import work

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor != "postgresql", reason="for PostgreSQL"),
]
STUCK, LET_GO = threading.Event(), threading.Event()


def stick() -> None:
    STUCK.set()
    LET_GO.wait(PATIENCE)


@pytest.fixture(autouse=True)
def _known(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    known: dict[str, jobs.Job] = {}
    for module in ("jobs", "queue_worker", "triggers"):
        monkeypatch.setattr(f"talleyrand.web.background.{module}.JOBS", known)
    monkeypatch.setattr(queue_worker, "LAST_JOBS", 0.1)
    monkeypatch.setattr(triggers, "IDLE", 0.1)
    background.register("note", "tests.web.background.work.note")
    background.register("stick", f"{__name__}.stick")
    procrastinate_queue.create_queue()
    yield
    while not work.DONE.empty():
        work.DONE.get()
    with connection.cursor() as cursor:
        cursor.execute(f"DROP SCHEMA {procrastinate_queue.SCHEMA} CASCADE")


@contextmanager
def worker() -> Iterator[None]:
    """At work meanwhile; it ends when told to, whatever it is doing."""
    stop = threading.Event()
    thread = threading.Thread(target=queue_worker.run_queue_worker, args=(stop, 2))
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join(PATIENCE / 2)
    assert not thread.is_alive()


def call(*names: str, **arguments: str) -> None:
    with procrastinate_queue.open_queue() as line:
        for name in names:
            line.enqueue(name, name, arguments)


def test_the_same_call_waits_once() -> None:
    assert procrastinate_queue.queue_status() == procrastinate_queue.QueueStatus(workers=0, waiting=0)
    call("note", "note", "stick")
    assert procrastinate_queue.queue_status().waiting == 2


def test_a_worker_does_what_is_called_for() -> None:
    call("note", word="hear")
    with worker():
        assert work.DONE.get(timeout=PATIENCE) == {"word": "hear"}
        assert procrastinate_queue.queue_status().workers == 1
        call("note", word="and again")
        assert work.DONE.get(timeout=PATIENCE) == {"word": "and again"}
    assert procrastinate_queue.queue_status() == procrastinate_queue.QueueStatus(workers=0, waiting=0)


def test_a_job_that_fails_is_not_in_the_way() -> None:
    work.FAILING.append(True)
    call("note")
    with worker():
        wait_until(lambda: not work.FAILING)
        call("note", word="next")
        assert work.DONE.get(timeout=PATIENCE) == {"word": "next"}


def test_a_worker_ends_in_the_middle_of_a_job() -> None:
    STUCK.clear()
    call("stick")
    with worker():
        assert STUCK.wait(PATIENCE)
    LET_GO.set()


def test_a_page_calls_after_its_commit(settings: Any) -> None:
    settings.WORKERS = True
    with worker():
        with transaction.atomic():
            background.run_soon("note", word="written")
            assert work.DONE.empty()
        assert work.DONE.get(timeout=PATIENCE) == {"word": "written"}
    for one in threading.enumerate():
        if one.name == "calls":  # it lets its connection go when nobody calls any more
            one.join(PATIENCE)


def test_a_queue_of_another_version_is_made_anew() -> None:
    call("note")
    procrastinate_queue.create_queue()
    assert procrastinate_queue.queue_status().waiting == 1
    with connection.cursor() as cursor:
        cursor.execute(f"COMMENT ON SCHEMA {procrastinate_queue.SCHEMA} IS '0'")
    procrastinate_queue.create_queue()
    assert procrastinate_queue.queue_status().waiting == 0
