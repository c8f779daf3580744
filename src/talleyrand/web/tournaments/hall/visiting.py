"""How players' buttons are answered: done once however often they are pressed, or refused with the reason."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any, Concatenate, ParamSpec, cast

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from talleyrand.engine.errors import TalleyrandError
from talleyrand.tournament.acts.act import Act, person
from talleyrand.tournament.errors import Refused
from talleyrand.tournament.model import Event
from talleyrand.web.games.writing import writing
from talleyrand.web.tournaments import frame, journal
from talleyrand.web.tournaments.documents import event_of, locked
from talleyrand.web.tournaments.models import Entry, Tournament
from talleyrand.web.tournaments.sight import Sight

from . import words

P = ParamSpec("P")
Build = Callable[[Event], Sequence[Act]]
View = Callable[Concatenate[HttpRequest, Sight, P], HttpResponse]
Guarded = Callable[Concatenate[HttpRequest, str, P], HttpResponse]


def page(view: View[P]) -> Guarded[P]:
    """A page that everybody who may open the tournament may read."""

    @never_cache
    @require_safe
    @wraps(view)
    def guarded(request: HttpRequest, key: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        return view(request, frame.entered(request, key), *args, **kwargs)

    return cast("Guarded[P]", guarded)


def deed(view: View[P]) -> Guarded[P]:
    """A form of somebody of the event; whoever only opens its address is led to his own page."""

    @never_cache
    @require_http_methods(["GET", "HEAD", "POST"])
    @wraps(view)
    def guarded(request: HttpRequest, key: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        sight = frame.entered(request, key)
        if request.method == "POST" and not sight.number:
            messages.warning(
                request, _("Nothing was done: this device is nobody of the tournament any more.")
            )
        if request.method != "POST" or not sight.number:
            return redirect("tournaments:mine", key)
        return view(request, sight, *args, **kwargs)

    return cast("Guarded[P]", guarded)


def perform(request: HttpRequest, sight: Sight, build: Build) -> Entry | None:
    """Do what a player asks; raises Refused, BadEvent and what else his acts raise.

    `build` makes the acts from the event as it is then; it is called again where somebody else was faster.
    The same form sent twice is done once.
    """
    once = submission(request, sight)
    try:
        return _performed(sight, build, once)
    except Refused as refused:
        if refused.code != "act_overtaken":
            raise
    return _held(sight, build, once)


@writing
def _held(sight: Sight, build: Build, once: str) -> Entry | None:
    """A whole room at once: nobody is faster than who holds the row."""
    locked(sight.tournament)
    return _performed(sight, build, once)


def _performed(sight: Sight, build: Build, once: str) -> Entry | None:
    fresh = Tournament.objects.defer("document").get(pk=sight.tournament.pk)
    event = event_of(fresh)
    person(event, sight.number)  # who has just been removed does nothing any more
    return journal.perform(fresh, build(event), sight.as_player, version=fresh.version, once=once)


def submission(request: HttpRequest, sight: Sight) -> str:
    """What makes a form sent twice one; nobody else's form can be taken for it."""
    told = journal.once_of(request.POST.get("submission", ""), request.path, dict(request.POST.lists()))
    return f"{sight.number}:{told}" if told else ""


def answered(
    request: HttpRequest,
    sight: Sight,
    build: Build,
    *,
    said: str,
    way: str,
    again: Callable[[Sight, str], HttpResponse],
) -> HttpResponse:
    """Do it, say so and lead back to `way`; or show the page `again`, with the reason and status 409."""
    try:
        perform(request, sight, build)
    except TalleyrandError as refused:
        fresh = frame.entered(request, sight.tournament.key)
        response = again(fresh, words.refusal(refused, fresh.shown))
        response.status_code = 409
        return response
    messages.success(request, said)
    return back(way)


def back(way: str) -> HttpResponseRedirect:
    """To a page after a form."""
    return HttpResponseRedirect(way)


def context(sight: Sight, tab: str, **more: Any) -> dict[str, Any]:
    """The frame of a page, with the event as its visitor may see it: `event` holds nothing else."""
    return {
        **frame.page(sight, tab),
        "event": sight.shown,
        "me": sight.shown.people.get(sight.number),
        **more,
    }


def now() -> str:
    """The hour, as acts keep it."""
    return timezone.now().isoformat(timespec="seconds").replace("+00:00", "Z")
