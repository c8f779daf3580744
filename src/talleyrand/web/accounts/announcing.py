"""What is said in the terminal where the site starts."""

from __future__ import annotations

import secrets

from django.urls import reverse
from django.utils import translation

from . import links, upkeep
from .models import Person, folded


def first_administrator() -> str:
    """The path of a new link for the first administrator; "" where there is one. Only ever printed."""
    upkeep.tidy()
    token = links.first_administrator()
    return _path(token) if token else ""


def new_password(name: str) -> str:
    """The path of a new link by which somebody sets a new password; "" for nobody. Only ever printed."""
    person = Person.objects.filter(folded=folded(name), is_active=True).first()
    if person is None:
        return ""
    return _path(links.make(links.Kind.PASSWORD, secrets.token_urlsafe(16), person=person))


def _path(token: str) -> str:
    with translation.override("fr"):
        return reverse("accounts:link", args=[token])
