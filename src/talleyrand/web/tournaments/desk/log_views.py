"""The log: everything that was done, in words; any of it is taken back, its effect shown before."""

from __future__ import annotations

from typing import Any

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse

from talleyrand.tournament.event_errors import ActRefused
from talleyrand.tournament.model import Event
from talleyrand.web.tournaments import actor_labels, event_journal
from talleyrand.web.tournaments.models import JournalEntry
from talleyrand.web.tournaments.tournament_viewer import TournamentViewer

from . import act_descriptions, desk_texts, effect_previews
from .desk_views import DeskRequest, desk_response, for_desk

ENTRIES_A_PAGE = 60


@for_desk
def journal_page(request: HttpRequest, sight: TournamentViewer) -> HttpResponse:
    """The last things first."""
    return desk_response(request, sight, "log.html", _log)


def _log(visit: DeskRequest) -> dict[str, Any]:
    entries = visit.viewer.tournament.entries.select_related("account").order_by("-number")
    page = Paginator(entries, ENTRIES_A_PAGE).get_page(visit.request.GET.get("page"))
    undone = {one.undoes_number for one in page if one.undoes_number is not None}
    found = {one.number: one for one in visit.viewer.tournament.entries.filter(number__in=undone)}
    return {
        "section": "log",
        "page": page,
        "entries": [_line(visit, one, found.get(one.undoes_number or 0)) for one in page],
    }


def _line(visit: DeskRequest, entry: JournalEntry, undone: JournalEntry | None = None) -> dict[str, Any]:
    event = visit.event
    return {
        "number": entry.number,
        "at": entry.created_at,
        "hour": desk_texts.short_time(event, entry.created_at.isoformat()),
        "said": act_descriptions.entry_description(entry, event, undone),
        "by": _actor_text(event, entry),
        "undone": entry.undone_by_number,
        "way": reverse("tournaments:desk_entry", args=[visit.viewer.tournament.key, entry.number]),
    }


def _actor_text(event: Event, entry: JournalEntry) -> str:
    if entry.person_number:
        return desk_texts.person_name(event, entry.person_number)
    return entry.account.name if entry.account else actor_labels.actor_label_text(entry.actor_label)


@for_desk
def journal_entry_page(request: HttpRequest, sight: TournamentViewer, entry: int) -> HttpResponse:
    """One entry: what it did, and what taking it back would change."""
    found = sight.tournament.entries.select_related("account").filter(number=entry).first()
    if found is None:
        raise Http404
    back = reverse("tournaments:desk_log", args=[sight.tournament.key])

    def shown(visit: DeskRequest) -> dict[str, Any]:
        return {
            "section": "log",
            "line": _line(visit, _again(visit, found)),
            **_taken_back(visit, _again(visit, found)),
        }

    return desk_response(request, sight, "entry.html", shown, way=lambda _entry: back)


def _again(visit: DeskRequest, entry: JournalEntry) -> JournalEntry:
    return visit.viewer.tournament.entries.select_related("account").get(pk=entry.pk)


def _taken_back(visit: DeskRequest, entry: JournalEntry) -> dict[str, Any]:
    """What taking it back would do, or why it cannot be."""
    if entry.undone_by_number is not None or not entry.changes:
        return {"stands": False}
    if not visit.viewer.may_undo(entry):
        return {"stands": False, "director_only": True}
    try:
        return {
            "stands": True,
            "back": effect_previews.effect_context(
                event_journal.preview_undo(visit.viewer.tournament, entry)
            ),
        }
    except ActRefused as error:
        return {"stands": False, "why_not": desk_texts.refusal_text(error, visit.event)}
