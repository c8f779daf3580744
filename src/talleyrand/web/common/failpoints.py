"""Points at which a process may end in the middle of its work, by name: the tests end it at each of them.

Outside of the tests a point is one comparison. A name stands at one place, as a literal, and says after
what the process ends: `tests/faults` finds it there, and fails where nothing ever passes it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

_told: Callable[[str], None] | None = None


def failpoint(name: str) -> None:
    """Here the process may end."""
    if _told is not None:
        _told(name)


@contextmanager
def observe_failpoints(whom: Callable[[str], None]) -> Iterator[None]:
    """Meanwhile `whom` is called with the name of each point that this process passes, in any thread."""
    global _told  # noqa: PLW0603 one door for the whole process
    before, _told = _told, whom
    try:
        yield
    finally:
        _told = before
