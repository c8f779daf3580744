"""How often one may ask: by address before anything is looked up, by token, and by person."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest

from talleyrand.web.common import rate_limits
from talleyrand.web.common.visitor_quota import client_address

from .api_errors import ApiError
from .models import ApiToken


def count_address(request: HttpRequest) -> None:
    """One request more from an address. Raises ApiError."""
    _count("address", client_address(request))


def count_token(token: ApiToken) -> None:
    """One request more with a token. Raises ApiError."""
    _count("token", str(token.pk))


def count_work(token: ApiToken) -> None:
    """One thing more that takes long: a judgement, a picture, a document. Raises ApiError.

    Of a person: another token gives no other turn.
    """
    _count("work", str(token.person_id))


def _count(kind: str, who: str) -> None:
    if wait := rate_limits.hit(f"api_{kind}", who, settings.API_RATES[kind]).wait:
        raise ApiError(429, wait=wait)
