"""The process of low priority: it answers, is begun again where it dies, and ends with who began it."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from talleyrand.web.limits import low_priority
from talleyrand.web.limits.low_priority import LowPriorityProcess, ProcessGone
from tests.waiting import wait_until
from tests.web.server.test_serve import ask, serving

# A worker that has nothing of a site to go on with, and a short patience.
WORKER = """
import sys
from talleyrand.web.server import low_priority_worker as worker
worker._begin, worker.LONGEST_CPU_SECONDS, worker.LOOK = (lambda: None), 0.5, 0.05
worker.run_low_priority_worker(int(sys.argv[1]))
"""
MOMENT = 30.0
linux = pytest.mark.skipif(sys.platform != "linux", reason="/proc tells who began whom")


@pytest.fixture
def beside() -> Iterator[LowPriorityProcess]:
    process = LowPriorityProcess((sys.executable, "-c", WORKER))
    process.start()
    wait_until(lambda: process.is_ready)
    yield process
    process.stop()


@pytest.mark.long
def test_it_does_the_work_and_lets_others_go_first(beside: LowPriorityProcess) -> None:
    child = beside.submit("os.getpid").result(MOMENT)
    assert child != os.getpid()
    lower = beside.submit("os.getpriority", os.PRIO_PROCESS, 0).result(MOMENT)
    assert lower >= min(19, os.getpriority(os.PRIO_PROCESS, 0) + 5)


@pytest.mark.long
def test_several_works_at_once_are_answered_each(beside: LowPriorityProcess, tmp_path: Path) -> None:
    gate = tmp_path / "gate"
    os.mkfifo(gate)
    slow = beside.submit("os.open", str(gate), os.O_RDONLY)  # it waits until somebody opens the other end
    assert [beside.submit("operator.mul", one, one).result(MOMENT) for one in range(20)] == [
        one * one for one in range(20)
    ]
    assert not slow.done()
    os.close(os.open(gate, os.O_WRONLY))
    assert slow.result(MOMENT) > 0


@pytest.mark.long
def test_what_a_work_raises_is_raised_here(beside: LowPriorityProcess) -> None:
    with pytest.raises(ZeroDivisionError):
        beside.submit("operator.truediv", 1, 0).result(MOMENT)
    with pytest.raises(ProcessGone):
        beside.submit("threading.Lock").result(MOMENT)  # nothing that could be sent
    assert beside.submit("operator.add", 1, 1).result(MOMENT) == 2


@pytest.mark.long
@pytest.mark.parametrize("end", ["killed", "too long"])
def test_one_that_dies_is_begun_again(beside: LowPriorityProcess, end: str) -> None:
    before = beside.submit("os.getpid").result(MOMENT)
    waiting = beside.submit("time.sleep", MOMENT)
    if end == "killed":
        os.kill(before, signal.SIGKILL)
    else:
        beside.submit("timeit.timeit", "pass", "pass", time.perf_counter, 10**12)
    with pytest.raises(ProcessGone):
        waiting.result(MOMENT)
    wait_until(lambda: beside.is_ready)
    assert beside.submit("os.getpid").result(MOMENT) != before


def test_one_that_is_not_there_says_so_at_once() -> None:
    with pytest.raises(ProcessGone):
        LowPriorityProcess().submit("os.getpid").result(MOMENT)


@pytest.mark.long
def test_one_that_cannot_begin_is_begun_again_more_and_more_seldom(caplog: pytest.LogCaptureFixture) -> None:
    pauses: list[float | None] = []

    class Pauses(threading.Event):
        """They pass at once; after some, the end has come."""

        def wait(self, timeout: float | None = None) -> bool:
            pauses.append(timeout)
            return len(pauses) == 4

    process = LowPriorityProcess((sys.executable, "-c", "raise SystemExit(3)"))
    process._ended = Pauses()
    process.start()
    wait_until(lambda: len(pauses) == 4)
    process.stop()
    first = low_priority.FIRST_PAUSE
    assert pauses == [0, first, 2 * first, 4 * first]
    assert len(caplog.records) == 4


def test_without_one_nobody_promises_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(low_priority.LowPriorityWork, "process", None)
    assert not low_priority.run_at_low_priority("os.getpid")
    monkeypatch.setattr(low_priority, "LAST", 0.1)  # it would not end by itself
    begun = LowPriorityProcess((sys.executable, "-c", "import time; time.sleep(60)"))
    monkeypatch.setattr(low_priority.LowPriorityWork, "process", begun)
    begun.start()
    assert low_priority.run_at_low_priority("os.getpid"), (
        "one that is not ready yet will be: nobody does it meanwhile"
    )
    begun.stop()


def test_a_thread_goes_on_after_what_fails(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """As it does in the process: each function once, however often it is asked for meanwhile."""
    monkeypatch.setattr(low_priority.LowPriorityWork, "queued_paths", set())
    begun, free = threading.Event(), threading.Event()
    done: list[str] = []

    def work(path: str) -> Any:
        if path == "fails":
            raise ZeroDivisionError

        def waited() -> None:
            begun.set()
            free.wait(MOMENT)
            done.append(path)

        return waited

    monkeypatch.setattr(low_priority, "import_string", work)
    with ThreadPoolExecutor(1) as threads:
        monkeypatch.setattr(low_priority.LowPriorityWork, "threads", threads)
        assert low_priority.run_at_low_priority("fails")
        assert low_priority.run_at_low_priority("first")
        assert begun.wait(MOMENT)
        for _ in range(5):
            low_priority.run_at_low_priority("first")
        free.set()
    assert done == ["first", "first"]
    assert "fails" in caplog.text


@pytest.mark.long
@linux
def test_a_site_has_one_and_takes_it_along(new_site: Path) -> None:
    """Killed in the middle of a day it is there again; it ends with the site."""
    with serving(new_site) as port:
        site = next(one for one in _children(os.getpid()) if str(new_site) in _words(one))
        wait_until(lambda: bool(_worker(site)))
        first = _worker(site)[0]
        assert ask(port, "GET", "/apprendre/")[0] == 200
        os.kill(first, signal.SIGKILL)
        assert ask(port, "GET", "/apprendre/")[0] == 200
        wait_until(lambda: _worker(site) not in ([], [first]))
        last = _worker(site)[0]
    wait_until(lambda: not Path(f"/proc/{last}").exists())


@pytest.mark.long
@linux
def test_it_ends_with_a_site_that_is_killed(new_site: Path) -> None:
    with serving(new_site):
        site = next(one for one in _children(os.getpid()) if str(new_site) in _words(one))
        wait_until(lambda: bool(_worker(site)))
        worker = _worker(site)[0]
        os.kill(site, signal.SIGKILL)
        wait_until(lambda: not Path(f"/proc/{worker}").exists())


def _children(parent: int) -> list[int]:
    found = Path(f"/proc/{parent}/task/").glob("*/children")
    return [int(word) for path in found for word in path.read_text().split()]


def _words(process: int) -> str:
    try:
        return Path(f"/proc/{process}/cmdline").read_text()
    except FileNotFoundError:
        return ""


def _worker(site: int) -> list[int]:
    return [one for one in _children(site) if "low_priority_worker" in _words(one)]
