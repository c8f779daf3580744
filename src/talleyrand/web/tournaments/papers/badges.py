"""Badges: a name to be read across a table, and the square that opens one's own page."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from talleyrand.tournament.model import Office, Person
from talleyrand.web import qr
from talleyrand.web.addresses import absolute
from talleyrand.web.tournaments import frame
from talleyrand.web.tournaments.models import Pass, Tournament

from . import words
from .printing import answered
from .ranking_papers import name

PAGE = 10
LONG = 17  # letters of a name that still stand on a line in the largest type


@never_cache
@require_safe
def badges(request: HttpRequest, key: str) -> HttpResponse:
    """Ten a page, for everybody who has not withdrawn: whoever holds one is that person to the site."""
    sight = frame.desk(request, key)
    people = {number: known for number, known in sight.event.people.items() if not known.gone}
    if not people:
        raise Http404
    keys = _keys(sight.tournament, people)
    found = [
        _badge(request, sight.tournament, people[number], keys[number])
        for number in words.in_order(sight.event, people)
    ]
    pages = [found[at : at + PAGE] for at in range(0, len(found), PAGE)]
    context = {"event": sight.event, "days": words.days(sight.event), "pages": pages}
    return answered(request, "badges", context, name(sight, _("badges-private")))


def _keys(tournament: Tournament, people: dict[int, Person]) -> dict[int, str]:
    """Everybody’s own key, made where there is none yet."""
    known = set(tournament.passes.values_list("number", flat=True))
    new = [Pass(tournament=tournament, number=number) for number in people if number not in known]
    Pass.objects.bulk_create(new, ignore_conflicts=True)
    return dict(tournament.passes.values_list("number", "key"))


def _badge(request: HttpRequest, tournament: Tournament, known: Person, key: str) -> dict[str, Any]:
    first, _space, last = known.name.partition(" ")
    way = absolute(request, reverse("tournaments:enter", args=[tournament.key, key]))
    return {
        "first": first,
        "last": last,
        "long": max(len(first), len(last)) > LONG,
        "club": known.club or known.town,
        "office": _office(known.office),
        "square": qr.svg(way, ""),
    }


def _office(office: Office) -> str:
    told = {
        Office.ORGANISER: _("organiser"),
        Office.ASSISTANT: _("assistant"),
        Office.VOLUNTEER: _("volunteer"),
    }
    return told.get(office, "")
