"""What is said in the terminal where the site starts."""

from __future__ import annotations

import secrets

from django.urls import reverse
from django.utils import translation

from . import expired_rows, one_time_links
from .models import Person, folded_name


def first_administrator_path() -> str:
    """The path of a new link for the first administrator; "" where there is one. Only ever printed."""
    expired_rows.delete_expired_rows()
    token = one_time_links.first_administrator_token()
    return _path(token) if token else ""


def new_password_path(name: str) -> str:
    """The path of a new link by which somebody sets a new password; "" for nobody. Only ever printed."""
    person = Person.objects.filter(folded_name=folded_name(name), is_active=True).first()
    if person is None:
        return ""
    return _path(
        one_time_links.make_link(one_time_links.Kind.PASSWORD, secrets.token_urlsafe(16), person=person)
    )


def _path(token: str) -> str:
    with translation.override("fr"):
        return reverse("accounts:link", args=[token])
