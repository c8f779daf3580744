"""How players' buttons are answered: done once however often they are pressed, or refused with the reason."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any, Concatenate, ParamSpec, cast

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from talleyrand.engine.errors import TalleyrandError
from talleyrand.tournament.acts.act import EventAct, find_person
from talleyrand.tournament.model import Event
from talleyrand.web.tournaments import event_journal, tournament_context
from talleyrand.web.tournaments.event_journal import ActsBuilder
from talleyrand.web.tournaments.models import JournalEntry
from talleyrand.web.tournaments.tournament_viewer import TournamentViewer

from . import public_texts

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, TournamentViewer, P], HttpResponse]
Guarded = Callable[Concatenate[HttpRequest, str, P], HttpResponse]


def public_page(view: View[P]) -> Guarded[P]:
    """A page that everybody who may open the tournament may read."""

    @never_cache
    @require_safe
    @wraps(view)
    def guarded(request: HttpRequest, key: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        return view(request, tournament_context.tournament_viewer_of_page(request, key), *args, **kwargs)

    return cast("Guarded[P]", guarded)


def player_action(view: View[P]) -> Guarded[P]:
    """A form of somebody of the event; whoever only opens its address is led to his own page."""

    @never_cache
    @require_http_methods(["GET", "HEAD", "POST"])
    @wraps(view)
    def guarded(request: HttpRequest, key: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        sight = tournament_context.tournament_viewer_of_page(request, key)
        if request.method == "POST" and not sight.person_number:
            messages.warning(request, _("Nothing was done: this device is no longer linked to a player."))
        if request.method != "POST" or not sight.person_number:
            return redirect("tournaments:mine", key)
        return view(request, sight, *args, **kwargs)

    return cast("Guarded[P]", guarded)


def perform_player_acts(
    request: HttpRequest, sight: TournamentViewer, build: ActsBuilder
) -> JournalEntry | None:
    """Do what a player asks, once however often the form is sent; raises what `perform_built_acts` raises."""

    def build_for_player(event: Event) -> Sequence[EventAct]:
        find_person(event, sight.person_number)  # who has just been removed does nothing any more
        return build(event)

    sent = event_journal.form_idempotency_key(
        request.POST.get("submission", ""), request.path, dict(request.POST.lists())
    )
    once = f"{sight.person_number}:{sent}" if sent else ""  # nobody else's form can be taken for it
    return event_journal.perform_built_acts(
        sight.tournament, build_for_player, sight.journal_actor_as_player, once=once
    )


def player_action_response(
    request: HttpRequest,
    sight: TournamentViewer,
    build: ActsBuilder,
    *,
    said: str,
    way: str,
    again: Callable[[TournamentViewer, str], HttpResponse],
) -> HttpResponse:
    """Do it, say so and lead back to `way`; or show the page `again`, with the reason and status 409."""
    try:
        perform_player_acts(request, sight, build)
    except TalleyrandError as refused:
        fresh = tournament_context.tournament_viewer_of_page(request, sight.tournament.key)
        response = again(fresh, public_texts.refusal_text(refused, fresh.visible_event))
        response.status_code = 409
        return response
    messages.success(request, said)
    return redirect_after_form(way)


def redirect_after_form(way: str) -> HttpResponseRedirect:
    """To a page after a form."""
    return HttpResponseRedirect(way)


def public_page_context(sight: TournamentViewer, tab: str, **more: Any) -> dict[str, Any]:
    """The frame of a page, with the event as its visitor may see it: `event` holds nothing else."""
    return {
        **tournament_context.tournament_page_context(sight, tab),
        "event": sight.visible_event,
        "me": sight.visible_event.people.get(sight.person_number),
        **more,
    }
