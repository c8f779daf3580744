"""The queues for the usual games, and the rematch of one that is over."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from talleyrand.web.accounts.models import Person
from talleyrand.web.games import page_context

from . import player_queues, rematches
from .lobby_refusals import LobbyRefusal


@require_POST
@login_required
def queue_view(request: HttpRequest, kind: str) -> HttpResponse:
    """Wait in a queue, or wait there no more."""
    if kind not in player_queues.QUEUES:
        raise Http404
    person = request.user
    assert isinstance(person, Person)
    if request.POST.get("do") == "leave":
        player_queues.leave_queue(kind, person)
        messages.success(request, _("You no longer wait."))
        return redirect("games:all")
    try:
        begun = player_queues.join_queue(kind, person, timezone.now())
    except LobbyRefusal as refused:
        messages.warning(request, refused.sentence)
        return redirect("games:all")
    if begun:
        messages.success(request, _("You are all there: powers are drawn and the game starts."))
        return redirect("games:game", begun.key)
    messages.success(request, _("You wait. The game starts once enough players do; you’ll be notified."))
    return redirect("games:all")


@require_POST
@login_required
def rematch_view(request: HttpRequest, key: str) -> HttpResponse:
    """The same people again: a game made, or the one that another of them has made."""
    sight = page_context.game_viewer_of_page(request, key)
    if not rematches.may_offer_rematch(sight) or sight.person is None:
        raise Http404
    try:
        game, token = rematches.offer_rematch(sight.game, sight.person)
    except LobbyRefusal as refused:
        messages.warning(request, refused.sentence)
        return redirect("games:table", key)
    if token:
        return redirect("games:join", token)
    messages.success(request, _("Rematch created: everyone who played has been notified."))
    return redirect("games:table", game.key)
