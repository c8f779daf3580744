"""A new password ends every token: whoever knew the old one may have made some."""

from __future__ import annotations

from typing import Any

from talleyrand.web.accounts import password_rules
from talleyrand.web.accounts.models import Person

from . import api_tokens


def watch() -> None:
    """Listen from now on."""
    password_rules.password_changed.connect(_end, dispatch_uid="api.tokens")


def _end(person: Person, **_more: Any) -> None:
    api_tokens.revoke_all_tokens(person)
