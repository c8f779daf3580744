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
        return _("Nothing was deleted: tick the box to confirm.")
    try:
        made = private_data.forget_private_data(sight.tournament, sight.journal_actor)
    except ActRefused:
        return _("The tournament is not over: close it first. Nothing was deleted.")
    if made is None:
        messages.info(request, _("No private data left."))
    else:
        messages.success(request, _("Private data deleted."))
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
        "contact details of %(count)s person", "contact details of %(count)s people", "count"
    ),
    "notes": ngettext("%(count)s desk note", "%(count)s desk notes", "count"),
    "amounts": ngettext(
        "fees owed and paid by %(count)s person", "fees owed and paid by %(count)s people", "count"
    ),
    "wishes": ngettext(
        "power preferences of %(count)s person", "power preferences of %(count)s people", "count"
    ),
    "journeys": ngettext("%(count)s travel time", "%(count)s travel times", "count"),
    "rides": ngettext("%(count)s carpooling entry", "%(count)s carpooling entries", "count"),
    "apart": ngettext("%(count)s pair kept apart", "%(count)s pairs kept apart", "count"),
    "ballots": ngettext(
        "voter’s name on %(count)s prize ballot", "voters’ names on %(count)s prize ballots", "count"
    ),
    "photos": ngettext(
        "%(count)s photo of a board, not shown to everyone",
        "%(count)s photos of boards, not shown to everyone",
        "count",
    ),
    "entries": ngettext("%(count)s log entry", "%(count)s log entries", "count"),
}


def _counted(held: PrivateDataCounts) -> list[str]:
    """What would go, one sentence each."""
    counts = [(said, getattr(held, name)) for name, said in PRIVATE_DATA_TEXTS.items()]
    told = [str(said % {"count": count}) for said, count in counts if count]
    return [*told, _("the channel’s address")] if held.chats else told


@for_desk
@_directors
def delete_tournament_page(request: HttpRequest, sight: TournamentViewer) -> HttpResponse:
    """The whole tournament, once its name has been typed."""
    refused, typed = "", request.POST.get("name", "")[:200]
    if request.method == "POST":
        name = Tournament.objects.get(pk=sight.tournament.pk).name
        if _bare(typed) == _bare(name):
            private_data.delete_tournament(sight.tournament)
            messages.success(request, _("Tournament “%(name)s” deleted.") % {"name": name})
            return redirect("tournaments:all")
        refused = _("Wrong name: nothing was deleted. Type the name as shown below.")
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
