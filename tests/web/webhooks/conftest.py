"""A site on which a webhook may lead to a program on the same machine."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.core.cache import cache

from talleyrand.web.webhooks import webhook_sending
from tests.web.webhooks.program import Program, listening


@pytest.fixture(autouse=True)
def _uncounted() -> Iterator[None]:
    yield
    cache.clear()


@pytest.fixture
def local(settings: Any) -> None:
    settings.WEBHOOKS_LOCAL = True


@pytest.fixture
def program(local: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[Program]:
    """One that listens; hooks are called in the test's own transaction, one person after the other."""
    monkeypatch.setattr(webhook_sending, "SIDE_BY_SIDE", 1)
    with listening() as found:
        yield found
