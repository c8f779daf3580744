"""A site that sends mail to a real server, and passwords that are quick to check."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.core.cache import cache

from talleyrand.web.settings.mail_server import mail_settings

from .doors import Post, listening


@pytest.fixture(autouse=True)
def _quick(settings: Any) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture(autouse=True)
def _uncounted(settings: Any) -> None:
    """Each test begins without attempts; those in a database go with it."""
    if "locmem" in settings.CACHES["default"]["BACKEND"]:
        cache.clear()


@pytest.fixture
def post(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Post]:
    """The mail that the site has sent, over SMTP."""
    received = Post()
    server = listening(received)
    server.start()
    monkeypatch.setenv("A_SERVER", f"smtp://127.0.0.1:{server.port}?tls=none")
    monkeypatch.setenv("A_SENDER", "Talleyrand <site@exemple.org>")
    send_mail(settings, mail_settings("A_SERVER", "A_SENDER"))
    yield received
    server.stop()


def send_mail(settings: Any, found: dict[str, Any]) -> None:
    for name, value in found.items():
        setattr(settings, name, value)
    settings.HAS_MAIL = True
    settings.ACCOUNT_SIGNUP_FIELDS = ["username*", "email", "password1*", "password2*"]
    settings.ACCOUNT_EMAIL_VERIFICATION = "optional"
