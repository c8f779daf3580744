"""Badges: a name to be read across a table, and the square that opens one's own page."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from talleyrand.tournament.model import EventPerson, Office
from talleyrand.web.common.absolute_urls import absolute_url
from talleyrand.web.tournaments import tournament_context
from talleyrand.web.tournaments.models import AccessToken, Tournament

from . import paper_texts
from .paper_pdf import paper_response
from .standings_papers import paper_name

BADGES_A_PAGE = 10
LONG_NAME = 17  # letters of a name that still stand on a line in the largest type


@never_cache
@require_safe
def badges_pdf(request: HttpRequest, key: str) -> HttpResponse:
    """Ten a page, for everybody who has not withdrawn: whoever holds one is that person to the site."""
    sight = tournament_context.tournament_viewer_at_desk(request, key)
    people = {number: known for number, known in sight.event.people.items() if not known.gone}
    if not people:
        raise Http404
    keys = _keys(sight.tournament, people)
    found = [
        _badge(request, sight.tournament, people[number], keys[number])
        for number in paper_texts.alphabetical(sight.event, people)
    ]
    pages = [found[at : at + BADGES_A_PAGE] for at in range(0, len(found), BADGES_A_PAGE)]
    context = {"event": sight.event, "days": paper_texts.event_days_text(sight.event), "pages": pages}
    return paper_response(request, "badges", context, paper_name(sight, _("badges-private")))


def _keys(tournament: Tournament, people: dict[int, EventPerson]) -> dict[int, str]:
    """Everybody’s own key, made where there is none yet."""
    known = set(tournament.passes.values_list("person_number", flat=True))
    new = [
        AccessToken(tournament=tournament, person_number=number) for number in people if number not in known
    ]
    AccessToken.objects.bulk_create(new, ignore_conflicts=True)
    return dict(tournament.passes.values_list("person_number", "token"))


def _badge(request: HttpRequest, tournament: Tournament, known: EventPerson, key: str) -> dict[str, Any]:
    first, _space, last = known.name.partition(" ")
    way = absolute_url(request, reverse("tournaments:enter", args=[tournament.key, key]))
    return {
        "first": first,
        "last": last,
        "long": max(len(first), len(last)) > LONG_NAME,
        "club": known.club or known.town,
        "office": _office(known.office),
        "square": quote(way, safe=""),
    }


def _office(office: Office) -> str:
    told = {
        Office.ORGANISER: _("organiser"),
        Office.ASSISTANT: _("assistant"),
        Office.VOLUNTEER: _("volunteer"),
    }
    return told.get(office, "")
