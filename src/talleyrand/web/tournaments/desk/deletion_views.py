"""What cannot be taken back: private facts forgotten, the tournament deleted. The director's alone."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext_lazy as ngettext

from talleyrand.tournament import private_data_removal as pure
from talleyrand.tournament import season_ranking
from talleyrand.tournament.event_errors import ActRefused
from talleyrand.web.tournaments import private_data
from talleyrand.web.tournaments.models import Tournament, TournamentCircuit
from talleyrand.web.tournaments.private_data import PrivateDataCounts
from talleyrand.web.tournaments.tournament_viewer import TournamentViewer

from .desk_views import DeskRequest, for_desk, render_desk_page

Page = Callable[[HttpRequest, TournamentViewer], HttpResponse]


def _directors(view: Page) -> Page:
    """For the director alone; for his assistants the page does not exist."""

    @wraps(view)
    def guarded(request: HttpRequest, sight: TournamentViewer) -> HttpResponse:
        if not sight.is_director:
            raise Http404
        return view(request, sight)

    return guarded


@for_desk
@_directors
def forget_private_data_page(request: HttpRequest, sight: TournamentViewer) -> HttpResponse:
    """What is private, and what becomes of it once the event is over."""
    refused = ""
    if request.method == "POST":
        refused = _forget(request, sight)
        if not refused:
            return redirect(request.path)
    return _page(request, sight, "forget.html", _forgetting(sight), refused)


def _forget(request: HttpRequest, sight: TournamentViewer) -> str:
    """Do it; a sentence where it cannot be done."""
    if request.POST.get("sure") != "1":
        return _("Tick the box if you are sure: nothing has been forgotten.")
    try:
        made = private_data.forget_private_data(sight.tournament, sight.journal_actor)
    except ActRefused:
        return _("The event is not over: close it first. Nothing has been forgotten.")
    if made is None:
        messages.info(request, _("Nothing private is left."))
    else:
        messages.success(request, _("What was private has been forgotten."))
    return ""


def _forgetting(sight: TournamentViewer) -> dict[str, Any]:
    event, held = sight.event, private_data.count_private_data(sight.tournament)
    return {
        "over": event.over,
        "held": _counted(held),
        "same_prizes": pure.have_same_prizes(event, pure.remove_private_data(event)),
    }


# what would go, by the name of its count in `Held`
PRIVATE_DATA_TEXTS = {
    "births": ngettext("%(count)s date of birth", "%(count)s dates of birth", "count"),
    "addresses": ngettext(
        "mail and telephone of %(count)s person", "mail and telephone of %(count)s people", "count"
    ),
    "notes": ngettext("%(count)s note of the desk", "%(count)s notes of the desk", "count"),
    "amounts": ngettext(
        "what %(count)s person owes and has paid", "what %(count)s people owe and have paid", "count"
    ),
    "wishes": ngettext(
        "the powers that %(count)s person would like", "the powers that %(count)s people would like", "count"
    ),
    "journeys": ngettext("%(count)s length of a journey", "%(count)s lengths of journeys", "count"),
    "rides": ngettext("%(count)s shared car", "%(count)s shared cars", "count"),
    "apart": ngettext(
        "%(count)s pair never seated together", "%(count)s pairs never seated together", "count"
    ),
    "ballots": ngettext(
        "who cast %(count)s ballot for the prizes", "who cast %(count)s ballots for the prizes", "count"
    ),
    "photos": ngettext(
        "%(count)s photograph of a board, not shown to all",
        "%(count)s photographs of boards, not shown to all",
        "count",
    ),
    "entries": ngettext("%(count)s entry of the log", "%(count)s entries of the log", "count"),
}


def _counted(held: PrivateDataCounts) -> list[str]:
    """What would go, one sentence each."""
    counts = [(said, getattr(held, name)) for name, said in PRIVATE_DATA_TEXTS.items()]
    told = [str(said % {"count": count}) for said, count in counts if count]
    return [*told, _("the address of the chat")] if held.chats else told


@for_desk
@_directors
def delete_tournament_page(request: HttpRequest, sight: TournamentViewer) -> HttpResponse:
    """The whole tournament, once its name has been typed."""
    refused, typed = "", request.POST.get("name", "")[:200]
    if request.method == "POST":
        name = Tournament.objects.get(pk=sight.tournament.pk).name
        if _bare(typed) == _bare(name):
            private_data.delete_tournament(sight.tournament)
            messages.success(request, _("The tournament “%(name)s” has been deleted.") % {"name": name})
            return redirect("tournaments:all")
        refused = _("This is not its name: nothing has been deleted. Type the name as it stands below.")
    return _page(request, sight, "delete.html", {"typed_name": typed, **_deleting(sight)}, refused)


def _bare(name: str) -> str:
    """A name whatever its blanks and capitals, and however its accents are typed."""
    return " ".join(unicodedata.normalize("NFC", name).split()).casefold()


def _deleting(sight: TournamentViewer) -> dict[str, Any]:
    event, made = sight.event, sight.tournament
    seen = [one for one in TournamentCircuit.objects.all() if one.is_listed or one.keeper == sight.account]
    seasons = [
        one.name
        for one in seen
        if any(stage.key == made.key for stage in season_ranking.read_circuit(one.document).stages.values())
    ]
    return {
        "people": len(event.people),
        "boards": sum(len(one.boards) for one in event.rounds.values()),
        "entries": made.entries.count(),
        "seasons": seasons,
    }


def _page(
    request: HttpRequest, sight: TournamentViewer, template: str, facts: dict[str, Any], refused: str
) -> HttpResponse:
    """A page of the desk; a refused form has the reason above it."""
    shown = {"section": "settings", **facts}
    visit = DeskRequest(request, sight, refusal_text=refused)
    return render_desk_page(visit, template, lambda _visit: shown, 409 if refused else 200)
