"""The first page, and the ways a game begins."""

from __future__ import annotations

from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from talleyrand import rulebooks, variants
from talleyrand.rulebooks import FALLBACK
from talleyrand.web.boards import incoming, wording
from talleyrand.web.boards.referee import Unanswered
from talleyrand.web.boards.scripting import script_words

from . import games, opponents, records
from .models import PracticeGame, address
from .records import Brought, Unreadable

LARGEST_FILE = 3 * 1024 * 1024


@never_cache
@require_safe
def home(request: HttpRequest) -> HttpResponse:
    return render(request, "practice/home.html", home_context())


def home_context(pasted: str = "") -> dict[str, object]:
    return {
        "cards": [_card(name) for name in variants.names()],
        "rulebooks": wording.rulebook_titles(),
        "submission": address(),
        "pasted": pasted,
        "computers": opponents.choice() if opponents.available() else [],
        "usual": opponents.USUAL,
        "strings": script_words(),
    }


def _card(name: str) -> dict[str, object]:
    variant = variants.load(name)
    board = variant.board
    return {
        "name": name,
        "title": variant.title[wording.language()],
        "powers": [(wording.power(variant, code), variant.colours[code]) for code in variant.setting.players],
        "seats": opponents.seats(variant, {}),
        "count": len(variant.setting.players),
        "centres": len(board.centres),
        "needed": variant.setting.victory.needed(board),
        "submission": address(),
    }


@require_POST
def new(request: HttpRequest) -> HttpResponse:
    variant = request.POST.get("variant", "classic")
    rulebook = request.POST.get("rulebook") or FALLBACK
    if variant not in variants.names() or rulebook not in rulebooks.names():
        messages.error(request, _("There is no such variant or rulebook here."))
        return redirect("practice:home")
    try:
        bots = opponents.at_the_start(variants.load(variant), request.POST)
    except incoming.Refused as refused:
        messages.error(request, refused.sentence)
        return redirect("practice:home")
    start = records.first_position(variants.load(variant))
    game = games.create(variant, rulebook, start, incoming.submission(request), bots=bots)
    return redirect("practice:board", game.key)


@require_POST
def take_in(request: HttpRequest) -> HttpResponse:
    """A game or a position, pasted or as a file."""
    try:
        text = _sent(request)
        game = begin(records.bring(text), incoming.submission(request))
    except (Unreadable, Unanswered) as refused:
        messages.error(request, refused.sentence)
        pasted = request.POST.get("text", "")[:200_000]
        return render(request, "practice/home.html", home_context(pasted), status=400)
    messages.success(request, _("Read. Here is where it stands."))
    return redirect("practice:board", game.key)


def _sent(request: HttpRequest) -> str:
    file = request.FILES.get("file")
    if isinstance(file, UploadedFile):
        if (file.size or 0) > LARGEST_FILE:
            raise Unreadable(_("This file is too large: three megabytes at most."))
        try:
            text = str(file.read(), "utf-8-sig")
        except UnicodeDecodeError:
            raise Unreadable(_("This is not text in UTF-8.")) from None
    else:
        text = request.POST.get("text", "")
    if "\x00" in text:
        raise Unreadable(_("This is not text in UTF-8."))
    return text


def begin(brought: Brought, submission: str) -> PracticeGame:
    """The game of a file; the same submission twice is the same game. Raises Unanswered."""
    with transaction.atomic():
        known = PracticeGame.objects.filter(submission=submission).first() if submission else None
        if known is not None:
            return known
        game = games.create(
            brought.variant,
            brought.rulebook,
            brought.start,
            submission,
            draft=brought.draft,
            bots=brought.bots,
            **({"seed": brought.seed} if brought.seed else {}),
        )
        for turn in brought.turns:
            turn.game = game
            turn.save()
    return game


__all__ = ["begin", "home", "new", "take_in"]
