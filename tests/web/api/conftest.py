"""Every test counts from nothing."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.core.cache import cache

from tests.web.mail.correspondents import by_post

__all__ = ["by_post"]


@pytest.fixture(autouse=True)
def _quickly_hashed(settings: Any) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture(autouse=True)
def _uncounted(db: None) -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()
