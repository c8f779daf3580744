"""How mail leaves the site, where it does: from one address that names the server."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import SplitResult, parse_qsl, quote, unquote, urlsplit

from .environment import given, setting_error

TLS = ("starttls", "implicit", "none")
SENDER = re.compile(r"(?:[^<>\r\n]{1,80} <)?[^\s<>@]+@[A-Za-z0-9.-]+>?")
PLACE = re.compile(r"(?:(?P<base>[a-z0-9_-]{1,20})@)?(?P<domain>[a-z0-9-]+(?:\.[a-z0-9-]+)*)")
LONGEST_PLACE = 120
SENDS = "django.core.mail.backends.smtp.EmailBackend"
# Django's settings of a server, and what a connection calls them.
CONNECTION = {
    "EMAIL_HOST": "host",
    "EMAIL_PORT": "port",
    "EMAIL_HOST_USER": "username",
    "EMAIL_HOST_PASSWORD": "password",
    "EMAIL_USE_TLS": "use_tls",
    "EMAIL_USE_SSL": "use_ssl",
}
SENDS_NOTHING = "django.core.mail.backends.dummy.EmailBackend"


def mail_settings(server: str, sender: str) -> dict[str, Any]:
    """Django's settings of mail, from the variables `server` and `sender`; without a server nothing is sent.

    The address of the server may hold a password: it is never repeated.
    """
    address = given(server)
    if not address:
        return {"EMAIL_BACKEND": SENDS_NOTHING}
    return {
        "EMAIL_BACKEND": SENDS,
        "EMAIL_TIMEOUT": 10,
        **server_settings(server, address),
        "DEFAULT_FROM_EMAIL": _sender(sender),
    }


def server_settings(name: str, address: str) -> dict[str, Any]:
    """Django's settings of the server at an address. Raises ImproperlyConfigured."""
    try:
        parts = urlsplit(address)
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
    text = given(name)
    if not is_sender(text):
        raise setting_error(name, "sender")
    return text


def is_sender(text: str) -> bool:
    """Whether mail can come from it: site@example.org, or a name before it in <>."""
    return bool(SENDER.fullmatch(text)) and ("<" in text) == text.endswith(">")


def smtp_address(host: str, port: int, encryption: str, user: str, password: str) -> str:
    """The address of a server that `mail_settings` reads."""
    who = f"{quote(user, safe='')}:{quote(password, safe='')}@" if user else ""
    place = f"[{host}]" if ":" in host else host
    return f"smtp://{who}{place}:{port}?tls={encryption}"


def game_mail_domain(name: str) -> tuple[str, str]:
    """Where mail to the games arrives, from the variable `name`: domain, and what stands before a "+".

    `example.org` takes mail to any name there, `club@example.org` that to club+…; ("", "") without it.
    """
    text = given(name).lower()
    if not text:
        return "", ""
    found = PLACE.fullmatch(text)
    if found is None or len(text) > LONGEST_PLACE:
        raise setting_error(name, "mail_domain")
    return found["domain"], found["base"] or ""
