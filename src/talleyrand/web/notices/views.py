"""One's own news, and how one wants to be told."""

from __future__ import annotations

from typing import cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from talleyrand.web.accounts import addresses, zones
from talleyrand.web.accounts.models import Person

from . import asking, choices, counters, outbox, pages, streams


@require_safe
@never_cache
@login_required
def every(request: HttpRequest) -> HttpResponse:
    """My news, unread first."""
    person = cast(Person, request.user)
    page = pages.listed(person, request.GET.get("page"))
    context = {
        "page": page,
        "sections": pages.sections(page, person),
        "zone": choices.zone(person),
        "place": zones.label(person.zone),
        "unread": outbox.unread(person),
        "until": max((one.pk for one in page), default=0),
    }
    return render(request, "notices/all.html", context)


@require_safe
@never_cache
def versions(request: HttpRequest) -> JsonResponse:
    """What the topics of a page are at now, for one that hears no stream; and how many news are unread."""
    person = request.user if isinstance(request.user, Person) else None
    try:
        made = streams.read(
            request.GET.getlist("topics"), request.session.session_key or "" if person else ""
        )
    except streams.NotOurs:
        raise Http404 from None
    known = streams.since(made, request.GET.get("since", ""))
    return JsonResponse(
        {
            "changed": streams.changed(known, counters.versions(made)),
            "unread": outbox.unread(person) if person else None,
        }
    )


@require_safe
def stream(_request: HttpRequest) -> HttpResponse:
    """Where a server has no streams (`door.with_streams`), 204 tells a browser not to ask again."""
    return HttpResponse(status=204)


@require_POST
@login_required
def read(request: HttpRequest) -> HttpResponseRedirect:
    """Mark all that had come when the page was made, one game's, or one alone; the unknown marks none."""
    person = cast(Person, request.user)
    marked = outbox.mark_read(person, **asking.which(request.POST))
    if not marked:
        messages.info(request, _("There was nothing left to mark."))
    return redirect("notices:all")


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def choose(request: HttpRequest) -> HttpResponse:
    """What I want to be told, and how."""
    person = cast(Person, request.user)
    if request.method == "POST":
        asking.choices_of(request.POST, choices.Choices.of(person)).keep(person)
        messages.success(request, _("Your choices are kept."))
        return redirect("notices:choices")
    rows = asking.table(choices.Choices.of(person), is_administrator=person.is_administrator)
    context = {"table": rows, "address": addresses.confirmed(person)}
    return render(request, "notices/choices.html", context)
