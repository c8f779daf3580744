"""Tokens: made, found and revoked."""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Collection
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from talleyrand.web.accounts.models import Person

from .models import Token
from .scopes import Scope

BEGINNING = "tly_"  # by which those who search for lost secrets know one
FORM = re.compile(rf"{BEGINNING}[A-Za-z0-9_-]{{43}}")
MOST = 30  # for one person
LASTS = (7, 30, 90, 365)  # days
NOTED = timedelta(minutes=5)  # the last use is told to within so much, and costs one write as often


class Made(Exception):
    """This submission has made its token already, which is shown once."""


class TooMany(Exception):
    """The person has MOST tokens."""


def digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def make(
    person: Person, name: str, scopes: Collection[Scope], days: int, submission: str, now: datetime
) -> str:
    """Keep a new token and give its secret, which is told once. Raises Made and TooMany."""
    secret = BEGINNING + secrets.token_urlsafe(32)
    kept = {"person": person, "name": name, "digest": digest(secret), "made": now}
    row = Token(
        **kept,
        submission=digest(f"{person.pk} {submission}"),
        scopes=[one for one in Scope if one in scopes],
        ends=now + timedelta(days=days),
    )
    with transaction.atomic():
        Person.objects.select_for_update().get(pk=person.pk)
        Token.objects.filter(person=person, ends__lte=now).delete()
        if Token.objects.filter(submission=row.submission).exists():
            raise Made
        if Token.objects.filter(person=person).count() >= MOST:
            raise TooMany
        row.save()
    return secret


def of(person: Person) -> QuerySet[Token]:
    """A person’s tokens, ended ones included: they say why a program has fallen silent."""
    return Token.objects.filter(person=person)


def revoke(person: Person, pk: int) -> None:
    """End a token of one’s own; twice does no harm."""
    of(person).filter(pk=pk).delete()


def revoke_all(person: Person) -> None:
    """End them all: whoever knew the old password may have made one."""
    of(person).delete()


def find(secret: str, now: datetime | None = None) -> Token | None:
    """The token that this is the secret of, if it works, and note that it was used."""
    moment = now or timezone.now()
    if not FORM.fullmatch(secret):
        return None
    alive = Token.objects.filter(digest=digest(secret), ends__gt=moment, person__is_active=True)
    token = alive.select_related("person").first()
    if token is not None and (token.used is None or token.used < moment - NOTED):
        Token.objects.filter(pk=token.pk).update(used=moment)
    return token
