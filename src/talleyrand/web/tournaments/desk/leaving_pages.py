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

from talleyrand.tournament import circuits
from talleyrand.tournament import forgetting as pure
from talleyrand.tournament.errors import Refused
from talleyrand.web.tournaments import forgetting
from talleyrand.web.tournaments.forgetting import Held
from talleyrand.web.tournaments.models import Season, Tournament
from talleyrand.web.tournaments.sight import Sight

from .doors import Visit, at_desk, page

Page = Callable[[HttpRequest, Sight], HttpResponse]


def _directors(view: Page) -> Page:
    """For the director alone; for his assistants the page does not exist."""

    @wraps(view)
    def guarded(request: HttpRequest, sight: Sight) -> HttpResponse:
        if not sight.directs:
            raise Http404
        return view(request, sight)

    return guarded


@at_desk
@_directors
def forget(request: HttpRequest, sight: Sight) -> HttpResponse:
    """What is private, and what becomes of it once the event is over."""
    refused = ""
    if request.method == "POST":
        refused = _forget(request, sight)
        if not refused:
            return redirect(request.path)
    return _page(request, sight, "forget.html", _forgetting(sight), refused)


def _forget(request: HttpRequest, sight: Sight) -> str:
    """Do it; a sentence where it cannot be done."""
    if request.POST.get("sure") != "1":
        return _("Tick the box if you are sure: nothing has been forgotten.")
    try:
        made = forgetting.forget(sight.tournament, sight.by)
    except Refused:
        return _("The event is not over: close it first. Nothing has been forgotten.")
    if made is None:
        messages.info(request, _("Nothing private is left."))
    else:
        messages.success(request, _("What was private has been forgotten."))
    return ""


def _forgetting(sight: Sight) -> dict[str, Any]:
    event, held = sight.event, forgetting.held(sight.tournament)
    return {
        "over": event.over,
        "held": _counted(held),
        "same_prizes": pure.same_prizes(event, pure.forgotten(event)),
    }


# what would go, by the name of its count in `Held`
COUNTED = {
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


def _counted(held: Held) -> list[str]:
    """What would go, one sentence each."""
    counts = [(said, getattr(held, name)) for name, said in COUNTED.items()]
    told = [str(said % {"count": count}) for said, count in counts if count]
    return [*told, _("the address of the chat")] if held.chats else told


@at_desk
@_directors
def delete(request: HttpRequest, sight: Sight) -> HttpResponse:
    """The whole tournament, once its name has been typed."""
    refused, typed = "", request.POST.get("name", "")[:200]
    if request.method == "POST":
        name = Tournament.objects.get(pk=sight.tournament.pk).name
        if _bare(typed) == _bare(name):
            forgetting.delete(sight.tournament)
            messages.success(request, _("The tournament “%(name)s” has been deleted.") % {"name": name})
            return redirect("tournaments:all")
        refused = _("This is not its name: nothing has been deleted. Type the name as it stands below.")
    return _page(request, sight, "delete.html", {"typed_name": typed, **_deleting(sight)}, refused)


def _bare(name: str) -> str:
    """A name whatever its blanks and capitals, and however its accents are typed."""
    return " ".join(unicodedata.normalize("NFC", name).split()).casefold()


def _deleting(sight: Sight) -> dict[str, Any]:
    event, made = sight.event, sight.tournament
    seen = [one for one in Season.objects.all() if one.listed or one.keeper == sight.account]
    seasons = [
        one.name
        for one in seen
        if any(stage.key == made.key for stage in circuits.read(one.document).stages.values())
    ]
    return {
        "people": len(event.people),
        "boards": sum(len(one.boards) for one in event.rounds.values()),
        "entries": made.entries.count(),
        "seasons": seasons,
    }


def _page(
    request: HttpRequest, sight: Sight, template: str, facts: dict[str, Any], refused: str
) -> HttpResponse:
    """A page of the desk; a refused form has the reason above it."""
    shown = {"section": "settings", **facts}
    visit = Visit(request, sight, refused=refused)
    return page(visit, template, lambda _visit: shown, 409 if refused else 200)
