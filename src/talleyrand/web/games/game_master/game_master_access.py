"""Who comes to the desk, and how an act there is answered."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any, Concatenate, NamedTuple, ParamSpec, cast

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache

from talleyrand.engine.errors import TalleyrandError
from talleyrand.messages import error_sentence as told
from talleyrand.web.boards import display_names
from talleyrand.web.boards.adjudicator import QuestionRefusal
from talleyrand.web.games import page_context
from talleyrand.web.games.viewer_permissions import GameViewer

from . import game_master_texts
from .action_base import GameMasterActor, GameMasterRefusal

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, GameViewer, P], HttpResponse]
GuardedView = Callable[Concatenate[HttpRequest, str, P], HttpResponse]


def for_game_master_or_assistant(view: View[P]) -> GuardedView[P]:
    """For game masters and assistants; to others the page does not exist."""
    return _guarded(view, lambda sight: sight.is_at_desk)


def for_game_master(view: View[P]) -> GuardedView[P]:
    """For game masters alone; to others the page does not exist."""
    return _guarded(view, lambda sight: sight.is_game_master)


def _guarded(view: View[P], may_enter: Callable[[GameViewer], bool]) -> GuardedView[P]:
    @never_cache
    @wraps(view)
    def guarded(request: HttpRequest, key: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        sight = page_context.game_viewer_of_page(request, key)
        if not may_enter(sight):
            raise Http404
        return view(request, sight, *args, **kwargs)

    return cast("GuardedView[P]", guarded)


def actor_of(sight: GameViewer) -> GameMasterActor:
    """Whoever came in, as one who acts."""
    assert sight.person is not None
    return GameMasterActor(sight.person, sight.role)


def run_action(
    request: HttpRequest, sight: GameViewer, act: Callable[[], Any], said: str, to: str = "games:desk"
) -> HttpResponse:
    """Do something, say what was done or why not, and go back to the desk."""
    try:
        act()
    except (GameMasterRefusal, QuestionRefusal, TalleyrandError) as refused:
        messages.warning(request, action_refusal_text(refused))
    else:
        messages.success(request, said)
    return redirect(to, sight.game.key)


class Confirmation(NamedTuple):
    """What is asked before something that cannot be taken back: each effect is a sentence."""

    title: str
    effects: Sequence[str]
    button: str


def confirmed(request: HttpRequest) -> bool:
    """Whether whoever sent a form has read what it would do."""
    return request.POST.get("confirmed") == "1"


def confirmation_page(request: HttpRequest, sight: GameViewer, asked: Confirmation) -> HttpResponse:
    """The same form again, with what it will do."""
    sent = [
        (name, value)
        for name, values in request.POST.lists()
        if name not in ("csrfmiddlewaretoken", "confirmed")
        for value in values
    ]
    context = {**page_context.game_page_context(sight, "desk"), "asked": asked, "sent": sent}
    return render(request, "games/game_master/confirm.html", context)


def action_refusal_text(refused: GameMasterRefusal | QuestionRefusal | TalleyrandError) -> str:
    """Why something was refused."""
    if isinstance(refused, TalleyrandError):
        return told(refused, display_names.reader_language())
    return (
        game_master_texts.game_master_refusal_text(refused.code)
        if isinstance(refused, GameMasterRefusal)
        else refused.sentence
    )


def form_number(text: str, most: int = 10**9) -> int:
    """A whole number of a form; -1 for what is none."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 12 and int(text) <= most else -1
