"""The game master’s page of letters that wait for him: passed on at a touch, or returned with a reason."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from talleyrand.web.games import page_context
from talleyrand.web.games.viewer_permissions import GameViewer

from . import (
    conversation_pages,
    message_actions,
    message_visibility,
    press_texts,
)
from .message_text import InvalidText
from .models import Message


def _master(request: HttpRequest, key: str) -> GameViewer:
    """The game as its game master sees it; for anybody else the page does not exist."""
    sight = page_context.game_viewer_of_page(request, key)
    if not sight.is_game_master:
        raise Http404
    return sight


def _letter(sight: GameViewer, letter: str) -> Message:
    """A letter of players, whatever became of it."""
    return get_object_or_404(message_visibility.visible_messages(sight).exclude(author_power=""), key=letter)


@never_cache
@require_safe
def held_list(request: HttpRequest, key: str) -> HttpResponse:
    return render(request, "press/held.html", conversation_pages.held_page(_master(request, key)))


@require_POST
def release_view(request: HttpRequest, key: str, letter: str) -> HttpResponse:
    sight = _master(request, key)
    try:
        message_actions.release_message(_letter(sight, letter), timezone.now())
        messages.success(request, _("Message forwarded."))
    except message_actions.MessageNotHeld as settled:
        messages.warning(request, press_texts.not_held_text(settled.state))
    return redirect("press:held", key)


@require_POST
def release_all_view(request: HttpRequest, key: str) -> HttpResponse:
    """Pass on the letters that the page showed, and none that came since."""
    sight = _master(request, key)
    shown = [letter.replace("\x00", "") for letter in request.POST.getlist("letter")]
    passed = message_actions.release_messages(
        message_visibility.held_messages(sight).filter(key__in=shown), timezone.now()
    )
    said = ngettext("%(count)s message forwarded.", "%(count)s messages forwarded.", passed)
    messages.success(request, said % {"count": passed})
    return redirect("press:held", key)


@require_POST
def return_view(request: HttpRequest, key: str, letter: str) -> HttpResponse:
    """Return a letter with a reason; without one the form comes back."""
    sight = _master(request, key)
    reason = request.POST.get("reason", "")
    try:
        message_actions.return_message(_letter(sight, letter), reason)
        messages.success(request, _("Message returned."))
    except message_actions.MessageNotHeld as settled:
        messages.warning(request, press_texts.not_held_text(settled.state))
    except InvalidText as unfit:
        wrong = press_texts.return_refusal_text(unfit.code)
        shown = conversation_pages.held_page(sight, wrong, letter, reason.replace("\x00", ""))
        return render(request, "press/held.html", shown, status=400)
    return redirect("press:held", key)
