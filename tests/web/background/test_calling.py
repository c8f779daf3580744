"""A call for a job is heard after the commit, never after a rollback, and by a sweep in any case."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator

import pytest
from django.db import transaction

from talleyrand.web import background
from talleyrand.web.background import jobs, periodic_runner
from tests.waiting import PATIENCE
from tests.web.background import work

LONGEST = 5.0  # seconds


@pytest.fixture(autouse=True)
def _known(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(jobs, "JOBS", known := dict(jobs.JOBS))
    monkeypatch.setattr("talleyrand.web.background.triggers.JOBS", known)
    known.clear()
    yield
    while not work.DONE.empty():
        work.DONE.get()


def _register(every: float | None) -> None:
    background.register("note", "tests.web.background.work.note", every=every)


@pytest.mark.django_db(transaction=True)
def test_a_sweep_does_it_without_a_call() -> None:
    _register(0.01)
    with periodic_runner.running_periodic_jobs():
        assert [work.DONE.get(timeout=PATIENCE) for _ in range(3)] == [{}, {}, {}]


@pytest.mark.django_db(transaction=True)
def test_a_call_wakes_the_sweep_after_the_commit() -> None:
    _register(3600)
    with periodic_runner.running_periodic_jobs():
        work.DONE.get(timeout=PATIENCE)
        with transaction.atomic():
            background.run_soon("note")
            assert work.DONE.empty()
        assert work.DONE.get(timeout=PATIENCE) == {}


@pytest.mark.django_db(transaction=True)
def test_what_is_due_is_done_before_the_pause_is_over(caplog: pytest.LogCaptureFixture) -> None:
    """And a look that fails ends nothing."""
    stop, done, looks = threading.Event(), threading.Semaphore(0), iter([False, None, True])

    def is_due() -> bool:
        found = next(looks, False)
        if found is None:
            raise OSError("no database")
        return found

    arguments = ("work", [done.release], stop, lambda: 3600.0)
    thread = threading.Thread(target=periodic_runner.repeat_works, args=arguments, kwargs={"is_due": is_due})
    thread.start()
    try:
        assert all(done.acquire(timeout=PATIENCE) for _ in range(2))
    finally:
        stop.set()
        thread.join(PATIENCE)
    assert "no database" in caplog.text


@pytest.mark.django_db(transaction=True)
def test_what_is_taken_back_calls_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    _register(None)
    heard: list[str] = []
    monkeypatch.setattr(periodic_runner, "wake_job", heard.append)
    with transaction.atomic():
        background.run_soon("note")
        transaction.set_rollback(True)
    assert heard == []
    background.run_soon("note")
    assert heard == ["note"]


@pytest.mark.django_db(transaction=True)
def test_a_job_that_fails_is_done_again(caplog: pytest.LogCaptureFixture) -> None:
    _register(0.01)
    work.FAILING.append(True)
    with caplog.at_level(logging.ERROR), periodic_runner.running_periodic_jobs():
        assert work.DONE.get(timeout=PATIENCE) == {}
    assert "note" in caplog.text


def test_a_job_that_nobody_registered_is_a_fault_of_ours() -> None:
    with pytest.raises(KeyError):
        background.run_soon("nothing")


def test_a_stop_that_comes_while_a_sweep_begins_is_heard() -> None:
    """The site would wait for it, and then leave it in the middle of its work."""
    _register(3600)
    bell = threading.Event()

    class Stop(threading.Event):
        def is_set(self) -> bool:
            """As if the stop came between this look and the next line."""
            found = super().is_set()
            self.set()
            bell.set()
            return found

    thread = threading.Thread(
        target=periodic_runner._repeat, args=(jobs.JOBS["note"], Stop(), bell), daemon=True
    )
    thread.start()
    thread.join(LONGEST)
    assert not thread.is_alive()
