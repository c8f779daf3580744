"""A mail with somebody's own link, to the address that he gave."""

from __future__ import annotations

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _

from talleyrand.web.games.writing import writing
from talleyrand.web.tournaments import mails
from talleyrand.web.tournaments.models import Pass, Tournament


def link(tournament: Tournament, held: Pass) -> str:
    """The path of somebody's own door."""
    return reverse("tournaments:enter", args=[tournament.key, held.key])


@writing
def send_link(tournament: Tournament, held: Pass, address: str) -> bool:
    """Have the link leave, once; False where there is no address, or no mail leaves to it today."""
    address = address.lower()
    if not mails.leaves() or not mails.may_write(address):
        return False
    named = mails.titled(tournament.name)
    subject = _("Tournament “%(event)s”: your link") % {"event": named}
    text = _(
        "Hello,\n\nyou are signed up for the tournament “%(event)s”. This link opens your own page there: "
        "your seats, your results, what you told the organisers. Keep it for yourself.\n\n%(link)s\n\nYou "
        "did not sign up? Somebody has typed your address: do nothing.\n"
    ) % {"event": named, "link": f"{settings.ADDRESS}{link(tournament, held)}"}
    mail = mails.Mail(mails.LINK, address, f"{mails.LINK}:{held.key}", subject, text)
    return mails.send(tournament, mail)
