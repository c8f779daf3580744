"""The log: everything that was done, in words; any of it is taken back, its effect shown before."""

from __future__ import annotations

from typing import Any

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse

from talleyrand.tournament.errors import Refused
from talleyrand.tournament.model import Event
from talleyrand.web.tournaments import hands, journal
from talleyrand.web.tournaments.models import Entry
from talleyrand.web.tournaments.sight import Sight

from . import deeds, effects, words
from .doors import Visit, answer, at_desk

PER_PAGE = 60


@at_desk
def log(request: HttpRequest, sight: Sight) -> HttpResponse:
    """The last things first."""
    return answer(request, sight, "log.html", _log)


def _log(visit: Visit) -> dict[str, Any]:
    entries = visit.sight.tournament.entries.select_related("by").order_by("-number")
    page = Paginator(entries, PER_PAGE).get_page(visit.request.GET.get("page"))
    undone = {one.undoes for one in page if one.undoes is not None}
    found = {one.number: one for one in visit.sight.tournament.entries.filter(number__in=undone)}
    return {
        "section": "log",
        "page": page,
        "entries": [_line(visit, one, found.get(one.undoes or 0)) for one in page],
    }


def _line(visit: Visit, entry: Entry, undone: Entry | None = None) -> dict[str, Any]:
    event = visit.event
    return {
        "number": entry.number,
        "at": entry.at,
        "hour": words.hour(event, entry.at.isoformat()),
        "said": deeds.sentence(entry, event, undone),
        "by": _by(event, entry),
        "undone": entry.undone,
        "way": reverse("tournaments:desk_entry", args=[visit.sight.tournament.key, entry.number]),
    }


def _by(event: Event, entry: Entry) -> str:
    if entry.person:
        return words.name_of(event, entry.person)
    return entry.by.name if entry.by else hands.said(entry.hand)


@at_desk
def entry(request: HttpRequest, sight: Sight, entry: int) -> HttpResponse:
    """One entry: what it did, and what taking it back would change."""
    found = sight.tournament.entries.select_related("by").filter(number=entry).first()
    if found is None:
        raise Http404
    back = reverse("tournaments:desk_log", args=[sight.tournament.key])

    def shown(visit: Visit) -> dict[str, Any]:
        return {
            "section": "log",
            "line": _line(visit, _again(visit, found)),
            **_taken_back(visit, _again(visit, found)),
        }

    return answer(request, sight, "entry.html", shown, way=lambda _entry: back)


def _again(visit: Visit, entry: Entry) -> Entry:
    return visit.sight.tournament.entries.select_related("by").get(pk=entry.pk)


def _taken_back(visit: Visit, entry: Entry) -> dict[str, Any]:
    """What taking it back would do, or why it cannot be."""
    if entry.undone is not None or not entry.changes:
        return {"stands": False}
    if not visit.sight.may_undo(entry):
        return {"stands": False, "director_only": True}
    try:
        return {"stands": True, "back": effects.of(journal.without(visit.sight.tournament, entry))}
    except Refused as error:
        return {"stands": False, "why_not": words.refusal(error, visit.event)}
