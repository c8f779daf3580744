"""Who of the desk did something, told without an account: by the role and a number."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django.utils.translation import gettext as _

from .models import Entry, Role, Tournament

FORMER = "former"  # works at the desk no longer


def of(tournament: Tournament, entries: Iterable[Entry]) -> Mapping[int, str]:
    """The hand of each account that did something: "director 1", in the order in which they came.

    Numbers go on after those that an archive brought.
    """
    told, roles = list(entries), dict(tournament.memberships.values_list("account", "role"))
    last = max((int(one.hand.rpartition(" ")[2]) for one in told if one.hand), default=0)
    accounts = dict.fromkeys(one.by_id for one in told if one.by_id is not None)
    return {one: f"{roles.get(one, FORMER)} {last + at}" for at, one in enumerate(accounts, 1)}


def said(hand: str) -> str:
    """A hand in words; "" for none."""
    role, _blank, number = hand.partition(" ")
    known = {
        Role.DIRECTOR.value: _("director (no. %(number)s)"),
        Role.ASSISTANT.value: _("assistant (no. %(number)s)"),
        FORMER: _("the desk (no. %(number)s)"),
    }
    return known[role] % {"number": number} if role in known else ""
