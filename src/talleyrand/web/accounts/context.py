"""What every page knows of accounts."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpRequest


def accounts(request: HttpRequest) -> dict[str, Any]:  # noqa: ARG001
    """Whether the site sends mail, whether mail to its games arrives, and whether anybody may sign up."""
    return {
        "site_has_mail": settings.HAS_MAIL,
        "site_has_post": settings.HAS_POST,
        "signup_open": settings.SIGNUP == "open",
    }
