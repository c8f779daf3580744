"""Who comes to the desk, and how an act there is answered."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, cast

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.cache import never_cache

from talleyrand.engine.errors import TalleyrandError
from talleyrand.messages import error as told
from talleyrand.web.boards import wording
from talleyrand.web.boards.referee import Unanswered
from talleyrand.web.games import frame
from talleyrand.web.games.sight import Sight

from . import words
from .acts import Hand, NotDone

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, Sight, P], HttpResponse]
Door = Callable[Concatenate[HttpRequest, str, P], HttpResponse]


def at_desk(view: View[P]) -> Door[P]:
    """For game masters and assistants; to others the page does not exist."""
    return _guarded(view, lambda sight: sight.at_desk)


def for_master(view: View[P]) -> Door[P]:
    """For game masters alone; to others the page does not exist."""
    return _guarded(view, lambda sight: sight.is_master)


def _guarded(view: View[P], may_enter: Callable[[Sight], bool]) -> Door[P]:
    @never_cache
    @wraps(view)
    def guarded(request: HttpRequest, key: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        sight = frame.entered(request, key)
        if not may_enter(sight):
            raise Http404
        return view(request, sight, *args, **kwargs)

    return cast("Door[P]", guarded)


def hand(sight: Sight) -> Hand:
    """Whoever came in, as one who acts."""
    assert sight.person is not None
    return Hand(sight.person, sight.role)


def done(
    request: HttpRequest, sight: Sight, act: Callable[[], Any], said: str, to: str = "games:desk"
) -> HttpResponse:
    """Do something, say what was done or why not, and go back to the desk."""
    try:
        act()
    except (NotDone, Unanswered, TalleyrandError) as refused:
        messages.warning(request, sentence(refused))
    else:
        messages.success(request, said)
    return redirect(to, sight.game.key)


def sentence(refused: NotDone | Unanswered | TalleyrandError) -> str:
    """Why something was refused."""
    if isinstance(refused, TalleyrandError):
        return told(refused, wording.language())
    return words.refusal(refused.code) if isinstance(refused, NotDone) else refused.sentence


def number(text: str, most: int = 10**9) -> int:
    """A whole number of a form; -1 for what is none."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 12 and int(text) <= most else -1
