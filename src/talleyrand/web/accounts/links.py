"""Links that work once: an account, a new password, the first administrator."""

from __future__ import annotations

import hashlib
import secrets
from datetime import timedelta

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone

from .models import Link, Person

Kind = Link.Kind
LASTS = timedelta(days=7)


class Gone(Exception):
    """The link was used, has expired, or never was."""


class Made(Exception):
    """This submission has made its link already; what stands in it is told once."""


def digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def make(
    kind: str, submission: str, *, by: Person | None = None, person: Person | None = None, remark: str = ""
) -> str:
    """Keep a new link and give what stands in its address; a second one for `person` ends the first.

    Raises Made where this submission came before.
    """
    token = secrets.token_urlsafe(24)
    row = Link(kind=kind, digest=digest(token), submission=submission, by=by, person=person, remark=remark)
    row.expires = timezone.now() + LASTS
    try:
        with transaction.atomic():
            row.save()
            if person is not None:
                alive().filter(kind=kind, person=person).exclude(pk=row.pk).delete()
    except IntegrityError as problem:
        raise Made from problem
    return token


def alive() -> QuerySet[Link]:
    """Those that still work."""
    return Link.objects.filter(used=None, expires__gt=timezone.now())


def find(token: str) -> Link:
    """The link of an address, unused. Raises Gone."""
    found = alive().filter(digest=digest(token)).select_related("person").first()
    if found is None or (found.kind == Kind.ADMINISTRATOR and has_administrator()):
        raise Gone
    return found


def use(link: Link) -> None:
    """Say that it has done its work, in the transaction of that work. Raises Gone for the second of two."""
    if not alive().filter(pk=link.pk).update(used=timezone.now()):
        raise Gone


def has_administrator() -> bool:
    return Person.objects.filter(is_administrator=True, is_active=True).exists()


def raise_administrator(link: Link, person: Person) -> None:
    """Make somebody the first administrator by that link. Raises Gone."""
    with transaction.atomic():
        use(link)
        Person.objects.filter(pk=person.pk).update(is_administrator=True)


def first_administrator() -> str:
    """What stands in a new link for the first administrator, or "" where there is one; older ones end."""
    with transaction.atomic():
        Link.objects.filter(kind=Kind.ADMINISTRATOR, used=None).delete()
        if has_administrator():
            return ""
        return make(Kind.ADMINISTRATOR, secrets.token_urlsafe(16))
