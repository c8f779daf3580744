"""What is said in the terminal where the site starts."""

from __future__ import annotations

from django.urls import reverse
from django.utils import translation

from . import links, upkeep


def first_administrator() -> str:
    """The path of a new link for the first administrator; "" where there is one. Only ever printed."""
    upkeep.tidy()
    token = links.first_administrator()
    if not token:
        return ""
    with translation.override("fr"):
        return reverse("accounts:link", args=[token])
