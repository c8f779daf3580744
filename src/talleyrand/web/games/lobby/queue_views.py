"""What helps to find a game: queues for the usual ones, searches that are kept, the rematch of one."""

from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from talleyrand.web.accounts.models import Person
from talleyrand.web.boards import order_requests
from talleyrand.web.games import page_context

from . import player_queues, rematches, saved_searches
from .game_filters import GameFilter
from .lobby_refusals import LobbyRefusal

PRESSED_SESSION_KEY = "queue"  # which one a visitor pressed, who has no account yet


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def queue_view(request: HttpRequest, kind: str) -> HttpResponse:
    """Wait in a queue, or wait there no more. A visitor who presses signs up first, and then waits."""
    if kind not in player_queues.QUEUES:
        raise Http404
    person = request.user
    if not isinstance(person, Person):
        return _led_to_account(request, kind)
    pressed = request.method != "HEAD" and request.session.pop(PRESSED_SESSION_KEY, "") == kind
    if request.method != "POST" and not pressed:
        return redirect("games:all")
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


def _led_to_account(request: HttpRequest, kind: str) -> HttpResponse:
    """To an account, and back here: the press is kept, so that nobody has to press again."""
    if request.method != "POST":
        return redirect("games:all")
    request.session[PRESSED_SESSION_KEY] = kind
    messages.info(request, _("Sign up or sign in: you then wait for a game."))
    door = "account_signup" if settings.SIGNUP == "open" else "account_login"
    return redirect_to_login(request.path, reverse(door))


@require_POST
@login_required
def search_view(request: HttpRequest) -> HttpResponse:
    """Keep a search, or keep one no longer."""
    person = request.user
    assert isinstance(person, Person)
    if "forget" in request.POST:
        number = order_requests.whole_number_of(request.POST["forget"])
        saved_searches.forget_search(person, number)
        messages.success(request, _("Search removed."))
        return redirect("games:all")
    wanted = GameFilter.from_values(request.POST)
    try:
        saved_searches.save_search(person, wanted)
        messages.success(request, _("Search kept: you’ll be notified of games that match."))
    except LobbyRefusal as refused:
        messages.warning(request, refused.sentence)
    return redirect(f"{reverse('games:all')}?{wanted.query}")


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
