"""Diplomas: the first three, and every prize; on paper that people frame."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from talleyrand.messages.tournament import working
from talleyrand.tournament.exports.words import decimal
from talleyrand.tournament.model import Event
from talleyrand.tournament.prizes import Award
from talleyrand.tournament.standings import Standings
from talleyrand.web.boards import wording
from talleyrand.web.tournaments import awarded
from talleyrand.web.tournaments.sight import Sight

from . import words
from .printing import answered
from .ranking_papers import name, reckoned

DISCREET = ("vote", "journey")  # kinds whose figures are nobody's business
LONG = 26  # letters of a name that still stand on a line in the largest type


@reckoned
def diplomas(request: HttpRequest, sight: Sight, event: Event, _held: Standings) -> HttpResponse:
    """A page for each prize that somebody has, the ranking first."""
    if not sight.at_desk:
        raise Http404
    given = awards_of(sight)
    if not given:
        raise Http404
    context = {
        "event": event,
        "days": words.days(event),
        "place": event.announcement.place,
        "diplomas": [_diploma(event, award) for award in given],
    }
    return answered(request, "diplomas", context, name(sight, _("diplomas")))


def awards_of(sight: Sight) -> list[Award]:
    """What somebody has won."""
    return [award for award in awarded.of(sight.tournament) if award.holders]


def _diploma(event: Event, award: Award) -> dict[str, Any]:
    holders = [_named(event, award, one) for one in award.holders]
    return {
        "title": title(award),
        "holders": holders,
        "members": _members(event, award),
        "small": max(map(len, holders)) > LONG or len(holders) > 2,
        "points": _points(award),
        "keeper": _keeper(event, award),
        "first": award.kind == "place" and award.key == "1",
    }


def title(award: Award) -> str:
    """What is won."""
    if award.kind != "place":
        return award.title.get(wording.language()) or award.key
    place = {"1": _("First place"), "2": _("Second place"), "3": _("Third place")}
    return place.get(award.key, award.key)


def _named(event: Event, award: Award, number: int) -> str:
    held = event.teams[number].name if award.kind == "team" else words.name_of(event, number)
    return held or str(number)


def _members(event: Event, award: Award) -> list[str]:
    """Whoever is in the teams that have it."""
    if award.kind != "team":
        return []
    return [words.name_of(event, who) for one in award.holders for who in event.teams[one].members]


def _points(award: Award) -> str:
    if award.points is None or award.kind in DISCREET:
        return ""
    return _("%(points)s points") % {"points": decimal(wording.language(), award.points)}


def _keeper(event: Event, award: Award) -> str:
    """Who takes it home where it is shared; a line to fill in where dates of birth do not settle it."""
    if len(award.holders) < 2:
        return ""
    settled = len(award.keepers) == 1
    name = _named(event, award, award.keepers[0]) if settled else "…" * 18
    if award.kind == "place" and award.key == "1":
        return _("The cup is kept by the youngest: %(name)s") % {"name": name}
    return _("Kept by the youngest: %(name)s") % {"name": name}


def unsettled(event: Event, given: list[Award]) -> list[str]:
    """Shared prizes of which nobody knows who is the youngest, as sentences."""
    names = {str(number): known.name for number, known in event.people.items()}
    return [
        f"{title(award)}. {working(line, names)[wording.language()]}"
        for award in given
        for line in award.lines
        if line.kind.endswith("youngest_open")
    ]
