"""The desk's page of its copy: where it is, how it stands with it."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _

from talleyrand.web.tournaments.desk.doors import Visit, at_desk, page
from talleyrand.web.tournaments.sight import Sight

from . import linking, words


@at_desk
def copy(request: HttpRequest, sight: Sight) -> HttpResponse:
    """For the director alone; for his assistants the page does not exist."""
    if not sight.directs:
        raise Http404
    refused = _press(request, sight) if request.method == "POST" else ""
    if request.method == "POST" and not refused:
        return redirect(request.path)
    link = linking.of(sight.tournament)
    shown = {
        "section": "settings",
        "link": link,
        "standing": words.standing(sight.tournament, sight.event, link) if link else "",
        "typed": request.POST.get("address", "")[:600],
    }
    visit = Visit(request, sight, refused=refused)
    return page(visit, "../copies/desk.html", lambda _visit: shown, 409 if refused else 200)


def _press(request: HttpRequest, sight: Sight) -> str:
    """Do it; a sentence where it cannot be done."""
    what, now = request.POST.get("press", ""), timezone.now()
    if what == "link":
        try:
            linking.link(sight.tournament, request.POST.get("address", ""), now)
        except linking.NotPossible as problem:
            return words.refusal(problem.code)
        messages.success(request, _("The copy is sent from now on, whenever there is a network."))
    elif what == "again":
        linking.again(sight.tournament, now)
    elif what == "unlink":
        linking.unlink(sight.tournament)
        messages.success(request, _("Nothing more is sent. The copy stays as it is."))
    elif what == "end":
        linking.end(sight.tournament, now)
    return ""
