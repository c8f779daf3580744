"""A new password ends every token: whoever knew the old one may have made some."""

from __future__ import annotations

from typing import Any

from talleyrand.web.accounts import passwords
from talleyrand.web.accounts.models import Person

from . import tokens


def watch() -> None:
    """Listen from now on."""
    passwords.renewed.connect(_end, dispatch_uid="api.tokens")


def _end(person: Person, **_more: Any) -> None:
    tokens.revoke_all(person)
