"""The phase at the desk: what it would come to, judging it now, trying again, taking it back."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from talleyrand import variants
from talleyrand.web.boards import picture, results, wording
from talleyrand.web.boards.referee import Answer, Unanswered
from talleyrand.web.games import frame, inbox, referee
from talleyrand.web.games.models import RUNNING, Game
from talleyrand.web.games.referee import Snapshot
from talleyrand.web.games.sight import Sight
from talleyrand.web.games.story import Story

from . import page, revising, timing, words
from .acts import Ground, NotDone, last_published
from .doors import at_desk, done, for_master, hand, number, sentence


@require_safe
@for_master
def preview(request: HttpRequest, sight: Sight) -> HttpResponse:
    """What the open phase would come to now, as the players would read it."""
    try:
        with timing.judging(sight.game):
            taken, answer = referee.preview(sight.game, sight.game.number, timezone.now())
    except (NotDone, Unanswered) as refused:
        messages.warning(request, sentence(refused))
        return redirect("games:desk", sight.game.key)
    context = {**frame.page(sight, "desk"), **_previewed(request, sight, taken, answer)}
    return render(request, "games/desk/preview.html", context)


def _previewed(request: HttpRequest, sight: Sight, taken: Snapshot, answer: Answer) -> dict[str, Any]:
    game = sight.game
    variant = variants.load(game.variant)
    question = {**taken.question, "absent": taken.absent}
    sketch = picture.played(question, answer)
    return {
        "drawing": sketch.inline(getattr(request, "style_nonce", "")),
        "results": results.by_power(variant, answer),
        "notes": results.notes(answer),
        "chance": answer.get("chance") or [],
        "eliminated": results.newly_out(variant, taken.question, answer),
        "absent": [wording.power(variant, power) for power in taken.absent],
        "missing": page.named(game, timing.missing(game)),
        "drafts": page.named(game, [power for power in _drafts(game) if power not in taken.drafts]),
        "next_title": wording.phase(variant, answer["next"]) if answer.get("next") else "",
    }


# judging now


@require_http_methods(["GET", "HEAD", "POST"])
@for_master
def adjudicate(request: HttpRequest, sight: Sight) -> HttpResponse:
    """Asks whether to judge now, with the names of those who are missing; then judges."""
    game = sight.game
    if request.method == "POST":
        sent = number(request.POST.get("number", ""))
        return done(
            request,
            sight,
            lambda: timing.adjudicate(game, sent, hand=hand(sight), now=timezone.now()),
            _("The phase has been judged and published; everybody has been told."),
        )
    if game.state not in RUNNING:
        messages.warning(request, words.refusal("not_playing"))
        return redirect("games:desk", game.key)
    drafts = _drafts(game)
    counting = inbox.standing_for_sheets(game, game.number, (), timezone.now())
    context = {
        **frame.page(sight, "desk"),
        "missing": page.named(game, timing.missing(game)),
        "counting": page.named(game, [power for power in drafts if power in counting]),
        "early": page.named(game, [power for power in drafts if power not in counting]),
        "optional": Story(game).is_optional(game.phase),
        "promised": page.when(game.due),
    }
    return render(request, "games/desk/adjudicate.html", context)


def _drafts(game: Game) -> list[str]:
    """Who is missing and has a draft that may count in the end; nobody here reads what it says."""
    if not game.terms.drafts_count:
        return []
    seats = game.seats.filter(power__in=timing.missing(game))
    return [seat.power for seat in seats if inbox.drafted(seat, game.number)]


@require_POST
@at_desk
def retry(request: HttpRequest, sight: Sight) -> HttpResponse:
    return done(
        request,
        sight,
        lambda: timing.retry(sight.game, hand=hand(sight), now=timezone.now()),
        _("The judge is asked again."),
    )


# taking back


def ground(request: HttpRequest) -> Ground:
    """The revision that a form was made on."""
    return Ground(number(request.POST.get("on", "")), number(request.POST.get("revision", "")))


@require_http_methods(["GET", "HEAD", "POST"])
@for_master
def take_back(request: HttpRequest, sight: Sight) -> HttpResponse:
    """Asks whether to open the last phase again, with what that undoes; then does it."""
    game = sight.game
    if request.method == "POST":
        return done(
            request,
            sight,
            lambda: revising.take_back(game, ground(request), hand=hand(sight), now=timezone.now()),
            _("The phase is open again, with its sheets; everybody has been told."),
        )
    last = last_published(game)
    if last is None or not last.number:
        messages.warning(request, words.refusal("first"))
        return redirect("games:desk", game.key)
    sheets = inbox.counting(game, last.number + 1)
    context = {
        **frame.page(sight, "desk"),
        "last": last,
        "last_title": wording.phase(variants.load(game.variant), last.phase),
        "sent_since": page.named(game, sorted(sheets)),
        "was_over": game.state not in RUNNING,
    }
    return render(request, "games/desk/back.html", context)


@require_POST
@for_master
def restore(request: HttpRequest, sight: Sight) -> HttpResponse:
    return done(
        request,
        sight,
        lambda: revising.restore(sight.game, ground(request), hand=hand(sight), now=timezone.now()),
        _("What the judge found counts again; everybody has been told."),
    )
