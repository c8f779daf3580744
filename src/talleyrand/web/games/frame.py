"""What the pages of a game share: its head, its tabs, and who may come in."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any

from django.db.models import F
from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from talleyrand import variants
from talleyrand.variants import Variant
from talleyrand.web.boards import wording
from talleyrand.web.notices import counters, streams

from . import inbox, states, vacancies
from .deadlines import words
from .models import OVER, RUNNING, Game, Proposal, Revision, State
from .sight import Sight

CORRECTIONS = ("override", "edit")


def entered(request: HttpRequest, key: str) -> Sight:
    """The game as the visitor may see it; one that he may not open does not exist for him."""
    signed = topics(key)  # before anything is read that may change meanwhile
    sight = admitted(request, key)
    sight.topics = signed
    return sight


def admitted(request: HttpRequest, key: str) -> Sight:
    """The same for what makes no page that hears of changes."""
    sight = Sight.of(get_object_or_404(Game, key=key), request.user)
    if not sight.may_open:
        raise Http404
    return sight


def topics(key: str) -> str:
    """The signed words by which a page of a game hears of what changes from now on."""
    return streams.signed([counters.game_topic(key)])


def page(sight: Sight, tab: str) -> dict[str, Any]:
    """The context of `games/frame.html`; `tab` is board, letters, table or desk."""
    game = sight.game
    variant = variants.load(game.variant)
    return {
        "game": game,
        "sight": sight,
        "tab": tab,
        "variant_title": variant.title[wording.language()],
        "phase_title": wording.phase(variant, game.phase) if game.phase else "",
        "powers": [(code, wording.power(variant, code)) for code in sight.powers],
        "own": _own(sight, variant),
        "due": _due(sight),
        "banners": list(_banners(sight, variant)),
        "edition": edition(game),
        "topics": sight.topics,
    }


def zone() -> str:
    """The zone in which the visitor is told times."""
    return str(timezone.get_current_timezone())


def edition(game: Game) -> str:
    """A number of what everybody sees of a game from outside: another one means that it has changed."""
    last = Revision.objects.filter(game=game).order_by("pk").values_list("pk", "withdrawn").last()
    told = (game.state, game.number, game.due, game.paused_left, bool(game.trouble), game.revealed, last)
    return hashlib.sha256(repr(told).encode()).hexdigest()[:16]


def _own(sight: Sight, variant: Variant) -> list[dict[str, Any]]:
    """The visitor’s powers, each with the state of its sheet while a phase is open."""
    game = sight.game
    open_now = bool(sight.powers) and game.state in RUNNING
    standing = inbox.standing(game, game.number) if open_now else {}
    return [
        {
            "code": code,
            "name": wording.power(variant, code),
            "colour": wording.colour(variant, code),
            "state": states.told(standing[code]) if code in standing else None,
            "lent": code not in sight.acting,
        }
        for code in sight.powers
    ]


def _due(sight: Sight) -> dict[str, Any] | None:
    """The deadline in words, with its zone and the time left; None where there is none."""
    game, language = sight.game, wording.language()
    if game.state == State.PAUSED and game.paused_left:
        return {"left": words.remaining(game.paused_left, language)}
    if game.state != State.PLAYING or game.due is None:
        return None
    return {
        "at": game.due,
        "said": words.said(game.due, zone(), language),
        "left": words.remaining(game.due - timezone.now(), language),
    }


def _banners(sight: Sight, variant: Variant) -> Iterator[dict[str, str]]:
    """What everybody at the table has to know first."""
    game = sight.game
    if game.state == State.PAUSED:
        yield _banner("paused", _("The game is paused. You may go on preparing your orders."))
    if game.state in OVER:
        yield _over(game)
        return
    if game.trouble:
        yield _banner("trouble", _("The judge could not settle this phase. The game master has been told."))
    yield from _proposals(game, variant)
    yield from _corrections(game, variant)
    yield from _vacancies(game, variant)


def _over(game: Game) -> dict[str, str]:
    """On every page: a game may end in the middle of a phase, whose board does not show it."""
    text = _("The game was abandoned.") if game.state == State.ABANDONED else _("The game is over.")
    return {**_banner("over", text), "path": reverse("games:end", args=[game.key])}


def _banner(kind: str, text: str, reason: str = "") -> dict[str, str]:
    return {"kind": kind, "text": text, "reason": reason}


def _proposals(game: Game, variant: Variant) -> Iterator[dict[str, str]]:
    open_now = Proposal.objects.filter(game=game, closed=None).first()
    if open_now is not None:
        facts = {"power": wording.power(variant, open_now.power)}
        told = _banner("proposal", _("%(power)s proposes to end the game.") % facts)
        yield {**told, "path": reverse("games:end", args=[game.key])}


def _corrections(game: Game, variant: Variant) -> Iterator[dict[str, str]]:
    """What the game master did to the phase before the open one, or to the open one itself."""
    last = game.revisions.filter(number=game.number - 1, current=True).defer("answer", "sheets").first()
    if last is not None and last.kind in CORRECTIONS:
        facts = {"phase": wording.phase(variant, last.phase or game.phase)}
        yield _banner("corrected", _("The game master has corrected: %(phase)s.") % facts, last.reason)
    taken = game.revisions.filter(number=game.number, current=False).exclude(withdrawn=None)
    if game.number and taken.exists():
        facts = {"phase": wording.phase(variant, game.phase)}
        yield _banner(
            "taken_back",
            _("The game master has taken back: %(phase)s. It is open again, with the sheets as they were.")
            % facts,
        )


def _vacancies(game: Game, variant: Variant) -> Iterator[dict[str, str]]:
    free = vacancies.to_play(game)
    if free:
        names = ", ".join(wording.power(variant, power) for power in free)
        yield _banner("vacant", _("Nobody plays at the moment: %(powers)s.") % {"powers": names})
    lost = game.seats.filter(disorder=True).exclude(power__in=free).order_by(F("id"))
    if lost:
        names = ", ".join(wording.power(variant, seat.power) for seat in lost)
        told = _("In civil disorder until its player returns: %(powers)s.")
        yield _banner("disorder", told % {"powers": names})
