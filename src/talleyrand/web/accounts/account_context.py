"""What every page knows of accounts."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpRequest

from . import account_texts, passkeys
from .models import Person


def account_context(request: HttpRequest) -> dict[str, Any]:
    """Whether the site sends mail, whether mail to its games arrives, and whether anybody may sign up.

    `creation_barred` says why one creates no games and tournaments here, "" to those who may or could by
    signing in. `lacks_passkey` and `passkeys_known` are asked for by the pages that show them alone.
    """
    return {
        "lacks_passkey": lambda: isinstance(request.user, Person) and not passkeys.passkeys_of(request.user),
        "passkeys_known": lambda: not passkeys.passkeys_unavailable(request),
        "site_name": settings.SITE_NAME,
        "site_has_mail": settings.HAS_MAIL,
        "site_has_post": settings.HAS_PLAY_BY_MAIL,
        "creation_barred": lambda: _creation_barred(request),
        "has_house_rules": any(settings.HOUSE_RULES.values()),
        "signup_open": settings.SIGNUP == "open",
    }


def _creation_barred(request: HttpRequest) -> str:
    person = request.user if isinstance(request.user, Person) else None
    may = person.may_make_games if person else settings.GAME_MAKERS == "everyone"
    return "" if may else str(account_texts.MAKERS_ONLY)
