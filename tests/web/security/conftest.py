"""A site with a secret in each place, on which one also plays by post."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.cache import cache

from tests.web.built_once import built_once
from tests.web.mail.correspondents import by_post, everybody
from tests.web.security.places import Site, site_with
from tests.web.visibility.scene import opened

__all__ = ["by_post"]


@pytest.fixture(autouse=True)
def _uncounted(settings: Any) -> None:
    """Nobody is told to wait, unless that is what is tried."""
    settings.ATTEMPTS_BY_ADDRESS = dict.fromkeys(settings.ATTEMPTS_BY_ADDRESS, (10**9, 3600))
    if "locmem" in settings.CACHES["default"]["BACKEND"]:
        cache.clear()


@pytest.fixture(autouse=True)
def _quick(settings: Any) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture
def site(db: None, by_post: None) -> Site:
    """A game in its second phase with all that may hide in one, and a game on the practice board."""
    return _whole()


@built_once
def _whole() -> Site:
    everybody()
    return site_with(opened())
