"""A mail with somebody's own link, to the address that he gave."""

from __future__ import annotations

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _

from talleyrand.web.common.transactions import write_transaction
from talleyrand.web.tournaments import tournament_mail
from talleyrand.web.tournaments.models import AccessToken, Tournament


def own_link_path(tournament: Tournament, held: AccessToken) -> str:
    """The path of somebody's own door."""
    return reverse("tournaments:enter", args=[tournament.key, held.token])


@write_transaction
def send_own_link(tournament: Tournament, held: AccessToken, address: str) -> bool:
    """Have the link leave, once; False where there is no address, or no mail leaves to it today."""
    address = address.lower()
    if not tournament_mail.can_send_mail() or not tournament_mail.may_write_to(address):
        return False
    named = tournament_mail.safe_title(tournament.name)
    subject = _("Your link for the tournament “%(event)s”") % {"event": named}
    text = _(
        "Hello,\n\nyou are signed up for the tournament “%(event)s”. This link opens your "
        "personal page: your seats, your results and the details you gave the organisers. "
        "Keep it private.\n\n%(link)s\n\nIf you did not sign up, someone else entered your "
        "address: you can ignore this email.\n"
    ) % {"event": named, "link": f"{settings.SITE_URL}{own_link_path(tournament, held)}"}
    mail = tournament_mail.TournamentMail(
        tournament_mail.LINK_MAIL, address, f"{tournament_mail.LINK_MAIL}:{held.token}", subject, text
    )
    return tournament_mail.queue_tournament_mail(tournament, mail)
