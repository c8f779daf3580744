"""How mail leaves the site, where it does: from one address that names the server."""

from __future__ import annotations

import os
import re
from typing import Any
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from .environment import setting_error

TLS = ("starttls", "implicit", "none")
SENDER = re.compile(r"(?:[^<>\r\n]{1,80} <)?[^\s<>@]+@[A-Za-z0-9.-]+>?")
PLACE = re.compile(r"(?:(?P<base>[a-z0-9_-]{1,20})@)?(?P<domain>[a-z0-9-]+(?:\.[a-z0-9-]+)*)")
LONGEST_PLACE = 120
SENDS = "django.core.mail.backends.smtp.EmailBackend"
SENDS_NOTHING = "django.core.mail.backends.dummy.EmailBackend"


def mail_settings(server: str, sender: str) -> dict[str, Any]:
    """Django's settings of mail, from the variables `server` and `sender`; without a server nothing is sent.

    The address of the server may hold a password: it is never repeated.
    """
    given = os.environ.get(server, "").strip()
    if not given:
        return {"EMAIL_BACKEND": SENDS_NOTHING}
    return {
        "EMAIL_BACKEND": SENDS,
        "EMAIL_TIMEOUT": 10,
        **_server(server, given),
        "DEFAULT_FROM_EMAIL": _sender(sender),
    }


def _server(name: str, given: str) -> dict[str, Any]:
    try:
        parts = urlsplit(given)
        host, port = parts.hostname, parts.port
    except ValueError:
        raise setting_error(name, "smtp_shape") from None  # which would repeat a part of the password
    if parts.scheme not in ("smtp", "smtps") or not host or parts.path not in ("", "/"):
        raise setting_error(name, "smtp_shape")
    tls = _tls(name, parts)
    return {
        "EMAIL_HOST": host,
        "EMAIL_PORT": port or (465 if tls == "implicit" else 587),
        "EMAIL_HOST_USER": unquote(parts.username or ""),
        "EMAIL_HOST_PASSWORD": unquote(parts.password or ""),
        "EMAIL_USE_TLS": tls == "starttls",
        "EMAIL_USE_SSL": tls == "implicit",
    }


def _tls(name: str, parts: SplitResult) -> str:
    """How the connection is encrypted: at once for smtps, after a greeting otherwise, unless told."""
    asked = dict(parse_qsl(parts.query, keep_blank_values=True))
    found = asked.pop("tls", "implicit" if parts.scheme == "smtps" else "starttls")
    if asked or found not in TLS:
        raise setting_error(name, "smtp_tls")
    return found


def _sender(name: str) -> str:
    text = os.environ.get(name, "").strip()
    if not SENDER.fullmatch(text) or ("<" in text) != text.endswith(">"):
        raise setting_error(name, "sender")
    return text


def game_mail_domain(name: str) -> tuple[str, str]:
    """Where mail to the games arrives, from the variable `name`: domain, and what stands before a "+".

    `example.org` takes mail to any name there, `club@example.org` that to club+…; ("", "") without it.
    """
    text = os.environ.get(name, "").strip().lower()
    if not text:
        return "", ""
    found = PLACE.fullmatch(text)
    if found is None or len(text) > LONGEST_PLACE:
        raise setting_error(name, "mail_domain")
    return found["domain"], found["base"] or ""
