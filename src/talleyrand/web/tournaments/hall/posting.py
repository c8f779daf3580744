"""A mail with somebody's own link, to the address that he gave."""

from __future__ import annotations

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _

from talleyrand.web import background
from talleyrand.web.mail.models import Departure
from talleyrand.web.tournaments.models import Pass, Tournament
from talleyrand.web.tournaments.willing import may_write

KIND = "tournament"
MOST_A_DAY = 3  # to one address, which anybody may have typed


def link(tournament: Tournament, held: Pass) -> str:
    """The path of somebody's own door."""
    return reverse("tournaments:enter", args=[tournament.key, held.key])


def send_link(tournament: Tournament, held: Pass, address: str) -> bool:
    """Have the link leave, once; False where there is no address or the site sends no mail."""
    if not settings.HAS_MAIL or not settings.ADDRESS or not may_write(address.lower(), KIND, MOST_A_DAY):
        return False
    subject = _("%(event)s: your link") % {"event": tournament.name}
    text = _(
        "Hello,\n\nyou are signed up for %(event)s. This link opens your own page there: your seats, your "
        "results, what you told the organisers. Keep it for yourself.\n\n%(link)s\n"
    ) % {"event": tournament.name, "link": f"{settings.ADDRESS}{link(tournament, held)}"}
    _row, made = Departure.objects.get_or_create(
        person=None,
        address=address.lower(),
        once=f"{KIND}:{held.key}",
        defaults={"kind": KIND, "subject": subject[:250], "text": text, "sender": tournament.name[:160]},
    )
    if made:
        background.soon("mail")
    return True
