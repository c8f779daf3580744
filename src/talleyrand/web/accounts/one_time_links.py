"""Links that work once: an account, a new password, the first administrator, signing in."""

from __future__ import annotations

import hashlib
import secrets
from datetime import timedelta

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.urls import reverse
from django.utils import timezone, translation

from . import expired_rows
from .models import OneTimeLink, Person, folded_name

Kind = OneTimeLink.Kind
LASTS = timedelta(days=7)
SIGN_IN_LASTS = timedelta(hours=1)


class LinkGone(Exception):
    """The link was used, has expired, or never was."""


class LinkMadeAlready(Exception):
    """This submission has made its link already; what stands in it is told once."""


def token_digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def make_link(
    kind: str, submission: str, *, by: Person | None = None, person: Person | None = None, remark: str = ""
) -> str:
    """Keep a new link and give what stands in its address; a second one for `person` ends the first.

    Raises LinkMadeAlready where this submission came before.
    """
    token = secrets.token_urlsafe(24)
    if kind == Kind.SIGN_IN and person is not None:
        remark = Person.objects.get(pk=person.pk).get_session_auth_hash()  # as it is now
    row = OneTimeLink(
        kind=kind,
        token_digest=token_digest(token),
        submission_id=submission,
        created_by=by,
        person=person,
        remark=remark,
    )
    row.expires_at = timezone.now() + (SIGN_IN_LASTS if kind == Kind.SIGN_IN else LASTS)
    try:
        with transaction.atomic():
            row.save()
            if person is not None:
                usable_links().filter(kind=kind, person=person).exclude(pk=row.pk).delete()
    except IntegrityError as problem:
        raise LinkMadeAlready from problem
    return token


def usable_links() -> QuerySet[OneTimeLink]:
    """Those that still work."""
    return OneTimeLink.objects.filter(used_at=None, expires_at__gt=timezone.now())


def find_link(token: str) -> OneTimeLink:
    """The link of an address, unused. Raises LinkGone."""
    found = usable_links().filter(token_digest=token_digest(token)).select_related("person").first()
    if found is None or (found.kind == Kind.ADMINISTRATOR and has_administrator()):
        raise LinkGone
    if found.kind == Kind.SIGN_IN and found.person and found.remark != found.person.get_session_auth_hash():
        raise LinkGone  # as other devices are signed out by a new password
    return found


def use_link(link: OneTimeLink) -> None:
    """Say that it has done its work, in the transaction of that work. Raises LinkGone for the second of
    two.
    """
    if not usable_links().filter(pk=link.pk).update(used_at=timezone.now()):
        raise LinkGone


def has_administrator() -> bool:
    return Person.objects.filter(is_administrator=True, is_active=True).exists()


def grant_administrator(link: OneTimeLink, person: Person) -> None:
    """Make somebody the first administrator by that link. Raises LinkGone."""
    with transaction.atomic():
        use_link(link)
        Person.objects.filter(pk=person.pk).update(is_administrator=True)


def first_administrator_token() -> str:
    """What stands in a new link for the first administrator, or "" where there is one; older ones end."""
    with transaction.atomic():
        OneTimeLink.objects.filter(kind=Kind.ADMINISTRATOR, used_at=None).delete()
        if has_administrator():
            return ""
        return make_link(Kind.ADMINISTRATOR, secrets.token_urlsafe(16))


# said in the terminal where the site starts, and never logged


def first_administrator_path() -> str:
    """The path of a new link for the first administrator; "" where there is one."""
    expired_rows.delete_expired_rows()
    token = first_administrator_token()
    return _path(token) if token else ""


def new_password_path(name: str) -> str:
    """The path of a new link by which somebody sets a new password; "" for nobody."""
    person = Person.objects.filter(folded_name=folded_name(name), is_active=True).first()
    if person is None:
        return ""
    return _path(make_link(Kind.PASSWORD, secrets.token_urlsafe(16), person=person))


def _path(token: str) -> str:
    with translation.override("fr"):
        return reverse("accounts:link", args=[token])
