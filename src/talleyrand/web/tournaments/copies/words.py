"""How it stands with a copy, in a sentence."""

from __future__ import annotations

from datetime import datetime

from django.utils.translation import gettext as _

from talleyrand.tournament.model import Event
from talleyrand.web.tournaments import hours
from talleyrand.web.tournaments.models import Tournament

from . import sending
from .models import Link


def standing(tournament: Tournament, event: Event, link: Link) -> str:
    """How it stands with the copy of a tournament of ours."""
    if link.ending:
        return _("The public copy is being taken away: as soon as there is a network.")
    if link.failing is not None:
        return _trouble(link.problem) % {"hour": hour(event, link.failing)}
    if link.well is None:
        return _("The public copy has not been sent yet.")
    if sending.is_behind(tournament, link):
        return _("The public copy is being brought up to date (last heard: %(hour)s).") % {
            "hour": hour(event, link.well)
        }
    return _("The public copy is up to date (last heard: %(hour)s).") % {"hour": hour(event, link.well)}


def _trouble(problem: str) -> str:
    said = {
        sending.GONE: _(
            "The public copy is not there any more, or its secret is another one, since %(hour)s. "
            "Give its new address."
        ),
        sending.NEWER: _(
            "The public copy shows something newer than what is here, since %(hour)s. "
            "Make a new secret on its site, and give it here."
        ),
        sending.REFUSED: _("The public copy takes nothing so large, since %(hour)s."),
        sending.UNREAD: _(
            "The site of the public copy cannot read what is sent, since %(hour)s: "
            "it may be of an older edition."
        ),
    }
    return said.get(problem) or _("The public copy cannot be reached since %(hour)s. It goes on by itself.")


def hour(event: Event, at: datetime) -> str:
    """An hour of the place, with its day where that is not today."""
    return hours.lately(event, at.isoformat())


def as_of(event: Event, at: datetime) -> str:
    """When a copy was as its event: whole, with the zone."""
    return hours.said(event, at.isoformat())


def refusal(code: str) -> str:
    """Why an address is not taken, and what to do."""
    said = {
        "secret": _("Paste the whole address with its secret, as the other site shows it: https://…#tlc_…"),
        "scheme": _("The address must begin with https://."),
        "inner": _(
            "This address is inside of a network. Who runs this site may allow that: TALLEYRAND_COPIES_LOCAL."
        ),
        "port": _("This site calls no such port: 443, 4443 or 8443."),
    }
    return said.get(code) or _("This is not the address of a copy: paste it as the other site shows it.")
