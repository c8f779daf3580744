"""Who may come to the pages of play by post."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse

from talleyrand.web.accounts.models import Person
from talleyrand.web.games import page_context
from talleyrand.web.games.viewer_permissions import GameViewer

View = Callable[..., HttpResponse]


def only_with_game_mail(view: View) -> View:
    """A page that is there only where mail to the games arrives."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not settings.HAS_PLAY_BY_MAIL:
            raise Http404
        return view(request, *args, **kwargs)

    return guarded


def open_game_by_role(request: HttpRequest, key: str) -> tuple[GameViewer, Person]:
    """The game and whoever has a role in it; for others there is no such page."""
    sight = page_context.game_viewer_of_page(request, key)
    if sight.person is None or not sight.role:
        raise Http404
    return sight, sight.person
