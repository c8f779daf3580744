"""Tokens: made, found and revoked; and told to their person among what the site keeps."""

from __future__ import annotations

import re
import secrets
from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from talleyrand.web.accounts.models import Person
from talleyrand.web.accounts.one_time_links import token_digest
from talleyrand.web.accounts.personal_data import PersonalData

from .models import ApiToken
from .scopes import Scope

BEGINNING = "tly_"  # by which those who search for lost secrets know one
FORM = re.compile(rf"{BEGINNING}[A-Za-z0-9_-]{{43}}")
MOST = 30  # for one person
DAYS_VALID = (7, 30, 90, 365)  # days
NOTED = timedelta(minutes=5)  # the last use is told to within so much, and costs one write as often


class TokenMadeAlready(Exception):
    """This submission has made its token already, which is shown once."""


class TooManyTokens(Exception):
    """The person has MOST tokens."""


def make_token(
    person: Person, name: str, scopes: Collection[Scope], days: int, submission: str, now: datetime
) -> str:
    """Keep a new token and give its secret, which is told once. Raises TokenMadeAlready and TooManyTokens."""
    secret = BEGINNING + secrets.token_urlsafe(32)
    kept = {"person": person, "name": name, "token_digest": token_digest(secret), "created_at": now}
    row = ApiToken(
        **kept,
        submission_id=token_digest(f"{person.pk} {submission}"),
        scopes=[one for one in Scope if one in scopes],
        expires_at=now + timedelta(days=days),
    )
    with transaction.atomic():
        Person.objects.select_for_update().get(pk=person.pk)
        ApiToken.objects.filter(person=person, expires_at__lte=now).delete()
        if ApiToken.objects.filter(submission_id=row.submission_id).exists():
            raise TokenMadeAlready
        if ApiToken.objects.filter(person=person).count() >= MOST:
            raise TooManyTokens
        row.save()
    return secret


def tokens_of(person: Person) -> QuerySet[ApiToken]:
    """A person’s tokens, ended ones included: they say why a program has fallen silent."""
    return ApiToken.objects.filter(person=person)


def revoke_token(person: Person, pk: int) -> None:
    """End a token of one’s own; twice does no harm."""
    tokens_of(person).filter(pk=pk).delete()


def revoke_after_password_change(person: Person, **_more: Any) -> None:
    """End them all: whoever knew the old password may have made one."""
    tokens_of(person).delete()


def authenticate_token(secret: str, now: datetime | None = None) -> ApiToken | None:
    """The token that this is the secret of, if it works, and note that it was used."""
    moment = now or timezone.now()
    if not FORM.fullmatch(secret):
        return None
    alive = ApiToken.objects.filter(
        token_digest=token_digest(secret), expires_at__gt=moment, person__is_active=True
    )
    token = alive.select_related("person").first()
    if token is not None and (token.last_used_at is None or token.last_used_at < moment - NOTED):
        ApiToken.objects.filter(pk=token.pk).update(last_used_at=moment)
    return token


def export_tokens(person: Person) -> list[dict[str, Any]]:
    """What each token was for; the secrets are not kept."""
    return [
        {
            "name": one.name,
            "scopes": one.scopes,
            "made": one.created_at,
            "ends": one.expires_at,
            "used": one.last_used_at,
        }
        for one in tokens_of(person)
    ]


PERSONAL_DATA = PersonalData("tokens", export_tokens)
