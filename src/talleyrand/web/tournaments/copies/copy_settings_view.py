"""The desk's page of its copy: where it is, how it stands with it."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _

from talleyrand.web.tournaments.desk.desk_views import DeskRequest, for_desk, render_desk_page
from talleyrand.web.tournaments.tournament_viewer import TournamentViewer

from . import copy_links, copy_texts


@for_desk
def copy_settings_page(request: HttpRequest, sight: TournamentViewer) -> HttpResponse:
    """For the director alone; for his assistants the page does not exist."""
    if not sight.is_director:
        raise Http404
    refused = _press(request, sight) if request.method == "POST" else ""
    if request.method == "POST" and not refused:
        return redirect(request.path)
    link = copy_links.copy_link_of(sight.tournament)
    shown = {
        "section": "settings",
        "link": link,
        "standing": copy_texts.copy_status_text(sight.tournament, sight.event, link) if link else "",
        "typed": request.POST.get("address", "")[:600],
    }
    visit = DeskRequest(request, sight, refusal_text=refused)
    return render_desk_page(visit, "../copies/desk.html", lambda _visit: shown, 409 if refused else 200)


def _press(request: HttpRequest, sight: TournamentViewer) -> str:
    """Do it; a sentence where it cannot be done."""
    what, now = request.POST.get("press", ""), timezone.now()
    if what == "link":
        try:
            copy_links.set_copy_link(sight.tournament, request.POST.get("address", ""), now)
        except copy_links.CopyLinkRefusal as problem:
            return copy_texts.copy_link_refusal_text(problem.code)
        messages.success(request, _("The copy is now sent whenever there is a network."))
    elif what == "again":
        copy_links.retry_copy_now(sight.tournament, now)
    elif what == "unlink":
        copy_links.remove_copy_link(sight.tournament)
        messages.success(request, _("Sending stopped. The copy stays as it is."))
    elif what == "end":
        copy_links.request_copy_removal(sight.tournament, now)
    return ""
