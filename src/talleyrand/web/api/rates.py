"""How often one may ask: by address before anything is looked up, by token, and by person."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest

from talleyrand.web import rates
from talleyrand.web.visitors import address

from .models import Token
from .problems import Refusal


def count_address(request: HttpRequest) -> None:
    """One request more from an address. Raises Refusal."""
    _count("address", address(request))


def count_token(token: Token) -> None:
    """One request more with a token. Raises Refusal."""
    _count("token", str(token.pk))


def count_work(token: Token) -> None:
    """One thing more that takes long: a judgement, a picture, a document. Raises Refusal.

    Of a person: another token gives no other turn.
    """
    _count("work", str(token.person_id))


def _count(kind: str, who: str) -> None:
    if wait := rates.take(f"api_{kind}", who, settings.API_RATES[kind]).wait:
        raise Refusal(429, wait=wait)
