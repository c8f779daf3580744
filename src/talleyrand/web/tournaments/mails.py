"""Mail of tournaments to addresses that somebody typed: as often as that, and in the site's name alone.

Whoever makes a tournament chooses its name and lists the addresses: neither lets them write what they like to
whom they like.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext as _

from talleyrand.web import background, rates
from talleyrand.web.mail.guests.inviting import is_unwilling
from talleyrand.web.mail.guests.joining_words import ADDRESS
from talleyrand.web.mail.models import Departure

from .models import Membership, Role, Tournament

LINK, NEWS = "tournament", "tournament_news"  # kinds of departures
LONGEST_NAME = 60


@dataclass(frozen=True)
class Mail:
    """What is to leave to an address; the same `once` to the same address is the same mail."""

    kind: str
    address: str
    once: str
    subject: str
    text: str
    unsubscribe: str = ""


def leaves() -> bool:
    """Whether mail leaves this site, with links that lead back to it."""
    return bool(settings.HAS_MAIL and settings.ADDRESS)


def may_write(address: str) -> bool:
    """Whether there is an address, in small letters, and who has it wants mail of this site."""
    return bool(address) and address.isascii() and not is_unwilling(address)


def send(tournament: Tournament, mail: Mail) -> bool:
    """Have a mail leave; False where its address, its director or the site has had as many today.

    To be called in a transaction, which its turns go back with.
    """
    known = Departure.objects.filter(person=None, address=mail.address, once=mail.once)
    if known.exists():
        return True
    if not _has_turn(tournament, mail):
        return False
    told = {"kind": mail.kind, "subject": mail.subject[:250], "text": mail.text}
    with transaction.atomic():
        Departure.objects.get_or_create(
            person=None,
            address=mail.address,
            once=mail.once,
            defaults={**told, "unsubscribe": mail.unsubscribe},
        )
    background.soon("mail")
    return True


def _has_turn(tournament: Tournament, mail: Mail) -> bool:
    """One of the site, its director and the address: of all three or of none.

    Always in this order: who writes to others at the same moment waits before they hold anything.
    """
    limits = settings.TOURNAMENT_MAILS[mail.kind]
    who = {"site": "all", "director": director(tournament), "address": rates.sealed(mail.address)}
    taken: list[rates.Taken] = []
    for name, one in who.items():
        taken.append(rates.take(f"{mail.kind}_{name}", one, limits[name], lasting=True))
        if taken[-1].wait:
            for turn in taken:
                turn.rollback()
            return False
    return True


def director(tournament: Tournament) -> str:
    """Who answers for a tournament: whoever made it, else who has directed it for longest."""
    if tournament.creator_id is not None:
        return str(tournament.creator_id)
    others = Membership.objects.filter(tournament=tournament, role=Role.DIRECTOR).order_by("pk")
    first = others.values_list("account", flat=True).first()
    return f"of-{tournament.key}" if first is None else str(first)


def used(tournament: Tournament, kind: str) -> tuple[int, int]:
    """How many mails of a kind its director has had leave today, and how many may."""
    limit = settings.TOURNAMENT_MAILS[kind]["director"]
    return min(rates.count(f"{kind}_director", director(tournament), limit, lasting=True), limit[0]), limit[0]


def titled(name: str) -> str:
    """The name of an event or of a person as strangers may be told it: short, and no address in it."""
    return "…" if ADDRESS.search(name) else name if len(name) <= LONGEST_NAME else f"{name[:LONGEST_NAME]}…"


def greeting(name: str) -> str:
    return _("Hello,") if ADDRESS.search(name) else _("Hello %(name)s,") % {"name": titled(name)}
