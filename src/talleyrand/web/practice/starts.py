"""The first page, and the ways a game begins."""

from __future__ import annotations

import hashlib
import json

from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import translation
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from talleyrand import rulebooks, variants
from talleyrand.rulebooks import FALLBACK
from talleyrand.web import errors
from talleyrand.web.background.documents import NotMade, Preparing, Spent, asked_for, kept
from talleyrand.web.boards import incoming, wording
from talleyrand.web.boards.referee import Unanswered
from talleyrand.web.boards.scripting import script_words
from talleyrand.web.visitors import visitor

from . import games, opponents, records
from .models import PracticeGame, address
from .records import Brought, TakesLong, Unreadable

LARGEST_FILE = 3 * 1024 * 1024
LARGEST_PASTED = 200_000  # characters that are shown again
READING = "import"  # the job


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
        "computers": opponents.choice(variant) if opponents.available() else [],
        "count": len(variant.setting.players),
        "centres": len(board.centres),
        "needed": variant.setting.victory.needed(board),
        "victory": variant.sentence(wording.language(), "terms", "victory"),
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
        return continued(request, _sent(request))
    except (Unreadable, Unanswered) as refused:
        return _refused(request, refused.sentence, request.POST.get("text", ""))


def continued(request: HttpRequest, text: str) -> HttpResponse:
    """To the board of a game or a position, now or once it is read. Raises Unreadable and Unanswered."""
    submission = incoming.submission(request) or address()
    try:
        game = begin(records.bring(text, most=records.QUICK), submission)
    except TakesLong:
        return _read_behind(request, text, submission)
    messages.success(request, _("Read. Here is where it stands."))
    return redirect("practice:board", game.key)


def _refused(request: HttpRequest, sentence: str, pasted: str) -> HttpResponse:
    messages.error(request, sentence)
    return render(request, "practice/home.html", home_context(pasted[:LARGEST_PASTED]), status=400)


def _read_behind(request: HttpRequest, text: str, submission: str) -> HttpResponse:
    """A long game is read while its visitor looks at a page that opens it."""
    told = {"text": text, "submission": submission, "language": wording.language()}
    # With another text it is another one: what was refused may be corrected and sent again.
    key = f"{submission}-{hashlib.sha256(text.encode('utf-8', 'replace')).hexdigest()[:16]}"
    try:
        return _outcome(request, kept(_name(key), READING, told, visitor=visitor(request)))
    except Preparing:
        if asked_for(_name(key)):
            return redirect("practice:imported", key)
        return _refused(request, errors.crowded_sentence(), request.POST.get("text", ""))
    except Spent:
        return _refused(request, errors.spent_sentence(), request.POST.get("text", ""))
    except NotMade:
        return errors.our_fault(request)


def _outcome(request: HttpRequest, content: bytes) -> HttpResponse:
    found = json.loads(content)
    if "refused" in found:
        return _refused(request, found["refused"], found["text"])
    messages.success(request, _("Read. Here is where it stands."))
    return redirect("practice:board", found["key"])


def _name(key: str) -> str:
    return f"imports/{key}.json"


def read_whole(text: str, submission: str, language: str) -> bytes:
    """What becomes of a long file, as JSON: the `key` of its game, or why the `text` is refused."""
    with translation.override(language):
        try:
            found = {"key": begin(records.bring(text), submission).key}
        except (Unreadable, Unanswered) as refused:
            found = {"refused": refused.sentence, "text": text[:LARGEST_PASTED]}
    return json.dumps(found).encode()


@never_cache
@require_safe
def imported(request: HttpRequest, key: str) -> HttpResponse:
    """A game that is being read; once it is there the page leads to it."""
    if not asked_for(_name(key)):
        raise Http404
    try:
        return _outcome(request, kept(_name(key), READING, {}))
    except Preparing:
        return errors.reading(request)
    except NotMade:
        return errors.our_fault(request)


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


__all__ = ["begin", "home", "imported", "new", "read_whole", "take_in"]
