"""Each test of a table counts what comes from an address from the beginning."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.core.cache import caches


@pytest.fixture(autouse=True)
def nothing_counted_yet() -> Iterator[None]:
    caches["default"].clear()
    yield
    caches["default"].clear()
