"""Who of the desk did something, told without an account: by the role and a number."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django.utils.translation import gettext as _

from .models import JournalEntry, Tournament, TournamentRole

FORMER_STAFF = "former"  # works at the desk no longer


def actor_labels(tournament: Tournament, entries: Iterable[JournalEntry]) -> Mapping[int, str]:
    """The hand of each account that did something: "director 1", in the order in which they came.

    Numbers go on after those that an archive brought.
    """
    told, roles = list(entries), dict(tournament.memberships.values_list("account", "role"))
    last = max((int(one.actor_label.rpartition(" ")[2]) for one in told if one.actor_label), default=0)
    accounts = dict.fromkeys(one.account_id for one in told if one.account_id is not None)
    return {one: f"{roles.get(one, FORMER_STAFF)} {last + at}" for at, one in enumerate(accounts, 1)}


def actor_label_text(hand: str) -> str:
    """A hand in words; "" for none."""
    role, _blank, number = hand.partition(" ")
    known = {
        TournamentRole.DIRECTOR.value: _("tournament director no. %(number)s"),
        TournamentRole.ASSISTANT.value: _("assistant no. %(number)s"),
        FORMER_STAFF: _("former desk member no. %(number)s"),
    }
    return known[role] % {"number": number} if role in known else ""
