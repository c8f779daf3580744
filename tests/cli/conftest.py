"""What tests of the command line share."""

import signal
from collections.abc import Iterator

import pytest

from .run import run

__all__ = ["interruptible", "run"]


@pytest.fixture
def interruptible() -> Iterator[None]:
    """A shell's background job ignores interruptions, and so would the commands it starts."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
