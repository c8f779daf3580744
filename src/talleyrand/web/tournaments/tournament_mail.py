"""Mail of tournaments to addresses that somebody typed: as often as that, and in the site's name alone.

Whoever makes a tournament chooses its name and lists the addresses: neither lets them write what they like to
whom they like.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext as _

from talleyrand.web import background
from talleyrand.web.common import rate_limits
from talleyrand.web.mail.invitations.email_invitations import has_unsubscribed
from talleyrand.web.mail.invitations.invitation_texts import ADDRESS
from talleyrand.web.mail.models import OutboundEmail

from .models import Tournament, TournamentMembership, TournamentRole

LINK_MAIL, NOTIFICATION_MAIL = "tournament", "tournament_news"  # kinds of departures
LONGEST_NAME = 60


@dataclass(frozen=True)
class TournamentMail:
    """What is to leave to an address; the same `idempotency_key` to the same address is the same mail."""

    kind: str
    address: str
    idempotency_key: str
    subject: str
    text: str
    unsubscribe_url: str = ""


def can_send_mail() -> bool:
    """Whether mail leaves this site, with links that lead back to it."""
    return bool(settings.HAS_MAIL and settings.SITE_URL)


def may_write_to(address: str) -> bool:
    """Whether there is an address, in small letters, and who has it wants mail of this site."""
    return bool(address) and address.isascii() and not has_unsubscribed(address)


def queue_tournament_mail(tournament: Tournament, mail: TournamentMail) -> bool:
    """Have a mail leave; False where its address, its director or the site has had as many today.

    To be called in a transaction, which its turns go back with.
    """
    known = OutboundEmail.objects.filter(
        person=None, address=mail.address, idempotency_key=mail.idempotency_key
    )
    if known.exists():
        return True
    if not _has_turn(tournament, mail):
        return False
    told = {"kind": mail.kind, "subject": mail.subject[:250], "text": mail.text}
    with transaction.atomic():
        OutboundEmail.objects.get_or_create(
            person=None,
            address=mail.address,
            idempotency_key=mail.idempotency_key,
            defaults={**told, "unsubscribe_url": mail.unsubscribe_url},
        )
    background.run_soon("mail")
    return True


def _has_turn(tournament: Tournament, mail: TournamentMail) -> bool:
    """One of the site, its director and the address: of all three or of none.

    Always in this order: who writes to others at the same moment waits before they hold anything.
    """
    limits = settings.TOURNAMENT_MAILS[mail.kind]
    who = {
        "site": "all",
        "director": responsible_person(tournament),
        "address": rate_limits.hashed_key(mail.address),
    }
    taken: list[rate_limits.RateLimitHit] = []
    for name, one in who.items():
        taken.append(rate_limits.hit(f"{mail.kind}_{name}", one, limits[name], lasting=True))
        if taken[-1].wait:
            for turn in taken:
                turn.rollback()
            return False
    return True


def responsible_person(tournament: Tournament) -> str:
    """Who answers for a tournament: whoever made it, else who has directed it for longest."""
    if tournament.creator_id is not None:
        return str(tournament.creator_id)
    others = TournamentMembership.objects.filter(
        tournament=tournament, role=TournamentRole.DIRECTOR
    ).order_by("pk")
    first = others.values_list("account", flat=True).first()
    return f"of-{tournament.key}" if first is None else str(first)


def mails_used_today(tournament: Tournament, kind: str) -> tuple[int, int]:
    """How many mails of a kind its director has had leave today, and how many may."""
    limit = settings.TOURNAMENT_MAILS[kind]["director"]
    return min(
        rate_limits.recent_hits(f"{kind}_director", responsible_person(tournament), limit, lasting=True),
        limit[0],
    ), limit[0]


def safe_title(name: str) -> str:
    """The name of an event or of a person as strangers may be told it: short, and no address in it."""
    return "…" if ADDRESS.search(name) else name if len(name) <= LONGEST_NAME else f"{name[:LONGEST_NAME]}…"


def mail_greeting(name: str) -> str:
    return _("Hello,") if ADDRESS.search(name) else _("Hello %(name)s,") % {"name": safe_title(name)}
