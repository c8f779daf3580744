"""The ways a game on the practice board begins."""

from __future__ import annotations

import hashlib
import json

from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils import translation
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from talleyrand import rulebooks, variants
from talleyrand.engine.errors import UnknownName
from talleyrand.rulebooks import FALLBACK
from talleyrand.variants import Variant
from talleyrand.web.background.generated_documents import (
    DocumentFailed,
    DocumentPending,
    QuotaUsedUp,
    get_document,
    is_requested,
)
from talleyrand.web.boards import display_names, order_requests
from talleyrand.web.boards.adjudicator import QuestionRefusal
from talleyrand.web.bots import bot_players
from talleyrand.web.common import error_pages
from talleyrand.web.common.visitor_quota import visitor_id

from . import practice_games, practice_records
from .models import PracticeGame, random_token
from .practice_records import ImportedGame, ImportRefusal, ImportTakesLong

LARGEST_FILE = 3 * 1024 * 1024
LARGEST_PASTED = 200_000  # characters that are shown again
LONGEST_YEAR = 5
IMPORT_JOB = "import"  # the job


def _start_context(pasted: str = "") -> dict[str, object]:
    return {
        "cards": [_card(name) for name in variants.playable_names()],
        "rulebooks": display_names.rulebook_titles(),
        "submission": random_token(),
        "pasted": pasted,
        "usual": bot_players.DEFAULT_BOT,
    }


def _card(name: str) -> dict[str, object]:
    variant = variants.load(name)
    board = variant.board
    return {
        "name": name,
        "title": variant.title[display_names.reader_language()],
        "powers": [
            (display_names.power_name(variant, code), variant.colours[code])
            for code in variant.definition.players
        ],
        "seats": bot_players.practice_seats(variant, {}),
        "computers": bot_players.bot_choices(variant) if bot_players.bots_available() else [],
        "count": display_names.led_powers(variant),
        "centres": len(board.centres),
        "needed": variant.definition.victory.centres_needed(board),
        "victory": variant.sentence(display_names.reader_language(), "terms", "victory"),
        "submission": random_token(),
        "splits": [
            (split.name, split.title[display_names.reader_language()]) for split in variant.splits.values()
        ],
        "year": variant.definition.calendar.first.year,
    }


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def new_game_page(request: HttpRequest) -> HttpResponse:
    """Every way to begin, or a new game."""
    if request.method != "POST":
        return render(request, "practice/start.html", _start_context())
    variant = request.POST.get("variant", "classic")
    rulebook = request.POST.get("rulebook") or FALLBACK
    if variant not in variants.playable_names() or rulebook not in rulebooks.names():
        messages.error(request, _("No such variant or rulebook here."))
        return redirect("practice:new")
    try:
        bots = bot_players.bots_of_new_game(variants.load(variant), request.POST)
    except order_requests.RequestRefusal as refused:
        messages.error(request, refused.sentence)
        return redirect("practice:new")
    try:
        begun = _begun(variants.load(variant), request.POST)
    except UnknownName:
        messages.error(request, _("This variant has no such split here."))
        return redirect("practice:new")
    start = practice_records.initial_position(begun)
    game = practice_games.create_practice_game(
        variant, rulebook, start, order_requests.submission_id_of(request), bots=bots
    )
    return redirect("practice:board", game.key)


def _begun(variant: Variant, sent: QueryDict) -> Variant:
    """The variant with the split and the first year that were chosen; raises UnknownName."""
    year = sent.get("first_year", "")
    known = year.isascii() and year.isdecimal() and len(year) < LONGEST_YEAR
    return variant.begun(variants.find_split(variant, sent.get("split", "")), int(year) if known else 0)


@require_POST
def import_view(request: HttpRequest) -> HttpResponse:
    """A game or a position, pasted or as a file."""
    try:
        return import_and_redirect(request, _posted_text(request))
    except (ImportRefusal, QuestionRefusal) as refused:
        return _refused(request, refused.sentence, request.POST.get("text", ""))


def import_and_redirect(request: HttpRequest, text: str) -> HttpResponse:
    """To the board of a game or a position, now or once it is read. Raises ImportRefusal and
    QuestionRefusal.
    """
    submission = order_requests.submission_id_of(request) or random_token()
    try:
        game = create_imported_game(
            practice_records.import_game(text, most=practice_records.QUICK_EFFORT), submission
        )
    except ImportTakesLong:
        return _read_behind(request, text, submission)
    messages.success(request, _("Loaded. Here is where it stands."))
    return redirect("practice:board", game.key)


def _refused(request: HttpRequest, sentence: str, pasted: str) -> HttpResponse:
    messages.error(request, sentence)
    return render(request, "practice/start.html", _start_context(pasted[:LARGEST_PASTED]), status=400)


def _read_behind(request: HttpRequest, text: str, submission: str) -> HttpResponse:
    """A long game is read while its visitor looks at a page that opens it."""
    told = {"text": text, "submission": submission, "language": display_names.reader_language()}
    # With another text it is another one: what was refused may be corrected and sent again.
    key = f"{submission}-{hashlib.sha256(text.encode('utf-8', 'replace')).hexdigest()[:16]}"
    try:
        return _outcome(request, get_document(_name(key), IMPORT_JOB, told, visitor=visitor_id(request)))
    except DocumentPending:
        if is_requested(_name(key)):
            return redirect("practice:imported", key)
        return _refused(request, str(error_pages.TOO_BUSY), request.POST.get("text", ""))
    except QuotaUsedUp:
        return _refused(request, str(error_pages.QUOTA_USED_UP), request.POST.get("text", ""))
    except DocumentFailed:
        return error_pages.server_error(request)


def _outcome(request: HttpRequest, content: bytes) -> HttpResponse:
    found = json.loads(content)
    if "refused" in found:
        return _refused(request, found["refused"], found["text"])
    messages.success(request, _("Loaded. Here is where it stands."))
    return redirect("practice:board", found["key"])


def _name(key: str) -> str:
    return f"imports/{key}.json"


def import_long_game(text: str, submission: str, language: str) -> bytes:
    """What becomes of a long file, as JSON: the `key` of its game, or why the `text` is refused."""
    with translation.override(language):
        try:
            found = {"key": create_imported_game(practice_records.import_game(text), submission).key}
        except (ImportRefusal, QuestionRefusal) as refused:
            found = {"refused": refused.sentence, "text": text[:LARGEST_PASTED]}
    return json.dumps(found).encode()


@never_cache
@require_safe
def import_progress_page(request: HttpRequest, key: str) -> HttpResponse:
    """A game that is being read; once it is there the page leads to it."""
    if not is_requested(_name(key)):
        raise Http404
    try:
        return _outcome(request, get_document(_name(key), IMPORT_JOB, {}))
    except DocumentPending:
        return error_pages.game_being_read(request)
    except DocumentFailed:
        return error_pages.server_error(request)


def _posted_text(request: HttpRequest) -> str:
    file = request.FILES.get("file")
    if isinstance(file, UploadedFile):
        if (file.size or 0) > LARGEST_FILE:
            raise ImportRefusal(_("File too large: three megabytes at most."))
        try:
            text = str(file.read(), "utf-8-sig")
        except UnicodeDecodeError:
            raise ImportRefusal(_("Not UTF-8 text.")) from None
    else:
        text = request.POST.get("text", "")
    if "\x00" in text:
        raise ImportRefusal(_("Not UTF-8 text."))
    return text


def create_imported_game(brought: ImportedGame, submission: str) -> PracticeGame:
    """The game of a file; the same submission twice is the same game. Raises QuestionRefusal."""
    with transaction.atomic():
        known = PracticeGame.objects.filter(submission_id=submission).first() if submission else None
        if known is not None:
            return known
        game = practice_games.create_practice_game(
            brought.variant,
            brought.rulebook,
            brought.start,
            submission,
            draft_orders=brought.draft,
            bots=brought.bots,
            talk=brought.talk,
            **({"seed": brought.seed} if brought.seed else {}),
        )
        for turn in brought.turns:
            turn.game = game
            turn.save()
    return game


__all__ = [
    "create_imported_game",
    "import_long_game",
    "import_progress_page",
    "import_view",
    "new_game_page",
]
