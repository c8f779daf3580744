"""Whoever waits for a long work takes the place of no page: all but a few are asked to come back at once."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from queue import Queue
from typing import Any

import pytest

from talleyrand.web import patience
from talleyrand.web.boards.keeping import Busy, Store

LONG = 60.0  # seconds
MORE = 5


@pytest.fixture(autouse=True)
def _folder(settings: Any, tmp_path: Path) -> None:
    settings.DATA = tmp_path


def begin(work: Callable[[], None]) -> threading.Thread:
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    return thread


def test_no_more_than_a_few_wait_for_a_file() -> None:
    store, begun, done = Store("some", most=20, patience=LONG), threading.Event(), threading.Event()
    told: Queue[str] = Queue()

    def slow() -> bytes:
        begun.set()
        assert done.wait(LONG)
        return b"slow"

    def ask(name: str) -> None:
        try:
            told.put(store.kept(name, lambda: b"quick").decode())
        except Busy:
            told.put("busy")

    threads = [begin(lambda: told.put(store.kept("first", slow).decode()))]
    assert begun.wait(LONG)
    threads += [begin(partial(ask, str(one))) for one in range(patience.MOST + MORE)]
    assert [told.get(timeout=LONG / 2) for _ in range(MORE)] == ["busy"] * MORE
    done.set()
    for thread in threads:
        thread.join(LONG)
    assert sorted(told.get_nowait() for _ in range(patience.MOST + 1)) == ["quick"] * patience.MOST + ["slow"]


def test_a_place_is_given_back() -> None:
    given: list[float] = []
    for _ in range(2 * patience.MOST):
        with suppress(ZeroDivisionError), patience.patience(LONG) as seconds:
            given.append(seconds)
            raise ZeroDivisionError
    assert given == [LONG] * 2 * patience.MOST
