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

from talleyrand.web.games import frame
from talleyrand.web.games.sight import Sight

from . import pages, seen, sentences, writing
from .models import Letter
from .text import Unfit


def _master(request: HttpRequest, key: str) -> Sight:
    """The game as its game master sees it; for anybody else the page does not exist."""
    sight = frame.entered(request, key)
    if not sight.is_master:
        raise Http404
    return sight


def _letter(sight: Sight, letter: str) -> Letter:
    """A letter of players, whatever became of it."""
    return get_object_or_404(seen.letters(sight).exclude(writer=""), key=letter)


@never_cache
@require_safe
def waiting(request: HttpRequest, key: str) -> HttpResponse:
    return render(request, "press/held.html", pages.held_page(_master(request, key)))


@require_POST
def pass_on(request: HttpRequest, key: str, letter: str) -> HttpResponse:
    sight = _master(request, key)
    try:
        writing.pass_on(_letter(sight, letter), timezone.now())
        messages.success(request, _("The letter has been passed on."))
    except writing.Settled as settled:
        messages.warning(request, sentences.settled(settled.state))
    return redirect("press:held", key)


@require_POST
def pass_all(request: HttpRequest, key: str) -> HttpResponse:
    """Pass on the letters that the page showed, and none that came since."""
    sight = _master(request, key)
    shown = [letter.replace("\x00", "") for letter in request.POST.getlist("letter")]
    passed = writing.pass_all(seen.held(sight).filter(key__in=shown), timezone.now())
    said = ngettext("%(count)s letter has been passed on.", "%(count)s letters have been passed on.", passed)
    messages.success(request, said % {"count": passed})
    return redirect("press:held", key)


@require_POST
def give_back(request: HttpRequest, key: str, letter: str) -> HttpResponse:
    """Return a letter with a reason; without one the form comes back."""
    sight = _master(request, key)
    reason = request.POST.get("reason", "")
    try:
        writing.give_back(_letter(sight, letter), reason)
        messages.success(request, _("The letter has been returned."))
    except writing.Settled as settled:
        messages.warning(request, sentences.settled(settled.state))
    except Unfit as unfit:
        wrong = sentences.reasonless(unfit.code)
        shown = pages.held_page(sight, wrong, letter, reason.replace("\x00", ""))
        return render(request, "press/held.html", shown, status=400)
    return redirect("press:held", key)
