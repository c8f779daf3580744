"""How many threads of a process may wait at once for what takes long: the others have pages to answer."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore

MOST_WAITING = 3  # of the few threads that answer requests

_places = BoundedSemaphore(MOST_WAITING)


@contextmanager
def wait_slot(seconds: float) -> Iterator[float]:
    """For how long this thread may wait in the block: not at all where so many do already."""
    has_place = _places.acquire(blocking=False)
    try:
        yield seconds if has_place else 0.0
    finally:
        if has_place:
            _places.release()
