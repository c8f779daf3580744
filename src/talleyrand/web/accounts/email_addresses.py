"""Where mail to a person goes."""

from __future__ import annotations

from collections.abc import Iterable

from allauth.account.models import EmailAddress

from .models import Person


def confirmed_email(person: Person, only: str | None = None) -> str:
    """The main address that somebody has shown to be his; "" where there is none: then nothing is sent.

    With `only`, that address if it is confirmed.
    """
    rows = EmailAddress.objects.filter(user=person, verified=True).order_by("-primary", "pk")
    if only is not None:
        rows = rows.filter(email=only.lower())
    return str(rows.values_list("email", flat=True).first() or "")


def count_with_confirmed_email(people: Iterable[int]) -> int:
    """How many of some people, by primary key, have such an address."""
    rows = EmailAddress.objects.filter(user__in=list(people), verified=True)
    return int(rows.values("user").distinct().count())


def known_emails(person: Person) -> tuple[str, ...]:
    """Every address that somebody has given, shown to be his or not."""
    return tuple(EmailAddress.objects.filter(user=person).order_by("pk").values_list("email", flat=True))
