"""Whoever waits for a long work takes the place of no page: all but a few are asked to come back at once."""

from __future__ import annotations

import threading
from contextlib import suppress
from queue import Queue

from talleyrand.web.limits import wait_slots

LONG = 60.0  # seconds
MORE = 5


def test_no_more_than_a_few_wait() -> None:
    done, told = threading.Event(), Queue[float]()

    def wait() -> None:
        with wait_slots.wait_slot(LONG) as seconds:
            told.put(seconds)
            assert done.wait(LONG)

    threads = [threading.Thread(target=wait, daemon=True) for _ in range(wait_slots.MOST_WAITING + MORE)]
    for thread in threads:
        thread.start()
    given = [told.get(timeout=LONG) for _ in threads]
    done.set()
    for thread in threads:
        thread.join(LONG)
    assert sorted(given) == [0.0] * MORE + [LONG] * wait_slots.MOST_WAITING


def test_a_place_is_given_back() -> None:
    given: list[float] = []
    for _ in range(2 * wait_slots.MOST_WAITING):
        with suppress(ZeroDivisionError), wait_slots.wait_slot(LONG) as seconds:
            given.append(seconds)
            raise ZeroDivisionError
    assert given == [LONG] * 2 * wait_slots.MOST_WAITING
