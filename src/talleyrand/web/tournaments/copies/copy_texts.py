"""How it stands with a copy, in a sentence."""

from __future__ import annotations

from datetime import datetime

from django.utils.translation import gettext as _

from talleyrand.tournament.model import Event
from talleyrand.web.tournaments import event_times
from talleyrand.web.tournaments.models import Tournament

from . import copy_sending
from .models import CopyLink


def copy_status_text(tournament: Tournament, event: Event, link: CopyLink) -> str:
    """How it stands with the copy of a tournament of ours."""
    if link.is_being_removed:
        return _("The public copy will be deleted as soon as there is a network.")
    if link.failing_since is not None:
        return _trouble(link.error) % {"hour": copy_hour_text(event, link.failing_since)}
    if link.delivered_at is None:
        return _("The public copy has not been sent yet.")
    if copy_sending.is_copy_behind(tournament, link):
        return _("The public copy is being updated (last contact: %(hour)s).") % {
            "hour": copy_hour_text(event, link.delivered_at)
        }
    return _("The public copy is up to date (last contact: %(hour)s).") % {
        "hour": copy_hour_text(event, link.delivered_at)
    }


def _trouble(problem: str) -> str:
    said = {
        copy_sending.GONE: _(
            "The public copy no longer exists, or its secret key has changed (since "
            "%(hour)s). Enter its new address."
        ),
        copy_sending.NEWER: _(
            "The public copy is newer than what is here (since %(hour)s). Create a new "
            "secret key on its site and enter it here."
        ),
        copy_sending.REFUSED: _("The public copy does not accept anything this large (since %(hour)s)."),
        copy_sending.UNREAD: _(
            "The site of the public copy cannot read what is sent (since %(hour)s); it may "
            "run an older version."
        ),
    }
    return said.get(problem) or _(
        "The public copy has been unreachable since %(hour)s. Sending will resume by itself."
    )


def copy_hour_text(event: Event, at: datetime) -> str:
    """An hour of the place, with its day where that is not today."""
    return event_times.short_time(event, at.isoformat())


def copy_as_of_text(event: Event, at: datetime) -> str:
    """When a copy was as its event: whole, with the zone."""
    return event_times.full_time(event, at.isoformat())


def copy_link_refusal_text(code: str) -> str:
    """Why an address is not taken, and what to do."""
    said = {
        "secret": _(
            "Paste the whole address with its secret key, as shown by the other site: https://…#tlc_…"
        ),
        "scheme": _("The address must begin with https://."),
        "inner": _(
            "This address is inside a local network. The site administrator can allow that: "
            "TALLEYRAND_COPIES_LOCAL."
        ),
        "port": _("This port is not allowed. Use 443, 4443 or 8443."),
    }
    return said.get(code) or _("This is not the address of a copy. Paste it as shown by the other site.")
