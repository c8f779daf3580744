"""A push service that the site may reach."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.core.cache import cache

from .service import Service, serving


@pytest.fixture(autouse=True)
def _quick(settings: Any) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture
def service(settings: Any, db: None) -> Iterator[Service]:
    settings.WEBHOOKS_LOCAL = True
    cache.delete("push-pruned")
    with serving() as found:
        yield found
