"""What the pages of a game share: its head, its tabs, and who may come in."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterator
from typing import Any

from django.conf import settings
from django.db.models import OuterRef
from django.http import Http404, HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from talleyrand import variants
from talleyrand.variants import Variant
from talleyrand.web.boards import display_names
from talleyrand.web.common.prepared_queries import Given, PreparedQuery
from talleyrand.web.notifications import signed_topics, topic_versions
from talleyrand.web.practice.link_previews import link_previews_available

from . import (
    open_seats,
    order_state_labels,
    order_submission,
    power_assignments,
    readiness,
    viewer_permissions,
)
from .deadlines import date_texts
from .models import ENDED_STATES, RUNNING_STATES, EndProposal, Game, GameRole, GameState
from .open_seats import SeatWithHolders
from .viewer_permissions import GameViewer

GAME_BY_KEY = PreparedQuery(lambda: Game.objects.filter(key=Given(Game, "key")))
GAME_OF_PLAYER = PreparedQuery(
    lambda: Game.objects.filter(key=Given(Game, "key")).annotate(
        own_role=viewer_permissions.role_in_game(OuterRef("pk")),
        holder=power_assignments.holder_of_power(OuterRef("pk")),
    )
)
CORRECTION_KINDS = ("override", "edit")


def game_viewer_of_page(request: HttpRequest, key: str) -> GameViewer:
    """The game as the visitor may see it; one that he may not open does not exist for him."""
    signed = signed_game_topic(key)  # before anything is read that may change meanwhile
    sight = game_viewer_of_request(request, key)
    sight.signed_topics = "" if sight.is_delayed else signed  # it would tell when a phase is resolved
    return sight


def game_viewer_of_request(request: HttpRequest, key: str) -> GameViewer:
    """The same for what makes no page that hears of changes."""
    game = GAME_BY_KEY.first(key=key)
    sight = GameViewer.for_user(game, request.user) if game else None
    if sight is None or not sight.may_open:
        raise Http404
    return sight


def game_viewer_of_power(request: HttpRequest, key: str, power: str) -> GameViewer:
    """The same for whoever may order a power now; for anybody else neither game nor power is there."""
    asks = request.user.pk
    game: Any = GAME_OF_PLAYER.first(key=key, power=power, person=asks) if asks else None
    sight = GameViewer.for_user(game, request.user) if game else None
    if sight is None or not sight.holds(game.own_role, game.holder):
        raise Http404
    return sight


def signed_game_topic(key: str) -> str:
    """The signed words by which a page of a game hears of what changes from now on."""
    return signed_topics.sign_topics([topic_versions.game_topic(key)])


def game_page_context(sight: GameViewer, tab: str) -> dict[str, Any]:
    """The context of `games/frame.html`; `tab` is board, letters, table or desk."""
    game = sight.game
    variant = variants.load(game.variant)
    seats = open_seats.seats_of_games([game])[game.pk]
    return {
        "game": game,
        "sight": sight,
        "tab": tab,
        "variant_title": variant.title[display_names.reader_language()],
        "phase_title": display_names.phase_name(variant, game.phase) if game.phase else "",
        "powers": [(code, display_names.power_name(variant, code)) for code in sight.powers],
        "own": _own(sight, variant, seats),
        "readiness": readiness.visible_readiness(sight, variant, seats),
        "due": _due(sight),
        "banners": list(_banners(sight, variant, seats)),
        "edition": public_state_digest(game),
        "topics": sight.signed_topics,
        "preview": _preview(game, variant),
    }


def _preview(game: Game, variant: Variant) -> dict[str, Any]:
    """What a link to the game shows where it is posted: only where the site knows its own address."""
    if not settings.SITE_URL:
        return {}
    over = game.state in ENDED_STATES
    said = _("finished") if over else display_names.phase_name(variant, game.phase) if game.phase else ""
    picture = reverse("games:picture", args=[game.key, game.phase_number, "png"])
    return {
        "title": game.name,
        "description": " – ".join(filter(None, (variant.title[display_names.reader_language()], said))),
        "url": settings.SITE_URL + reverse("games:end" if over else "games:game", args=[game.key]),
        "image": settings.SITE_URL + picture if game.phase_number and link_previews_available() else "",
    }


def reader_time_zone() -> str:
    """The zone in which the visitor is told times."""
    return str(timezone.get_current_timezone())


def public_state_digest(game: Game) -> str:
    """A number of what everybody sees of a game from outside: another one means that it has changed."""
    last = game.revisions.order_by("pk").values_list("pk", "withdrawn_at").last()
    told = (
        game.state,
        game.phase_number,
        game.deadline,
        game.time_left_when_paused,
        bool(game.adjudication_error),
        game.powers_revealed_at,
        last,
    )
    return hashlib.sha256(repr(told).encode()).hexdigest()[:16]


def _own(sight: GameViewer, variant: Variant, seats: Collection[SeatWithHolders]) -> list[dict[str, Any]]:
    """The visitor’s powers, each with the state of its sheet while a phase is open."""
    game = sight.game
    open_now = bool(sight.powers) and game.state in RUNNING_STATES
    number = game.phase_number
    standing = {
        one.power: order_submission.seat_state(one.seat, number, one.is_handed_in, game)
        for one in (seats if open_now else ())
    }
    return [
        {
            "code": code,
            "name": display_names.power_name(variant, code),
            "colour": display_names.power_colour(variant, code),
            "state": order_state_labels.order_state_label(standing[code]) if code in standing else None,
            "lent": code not in sight.orderable_powers,
        }
        for code in sight.powers
    ]


def _due(sight: GameViewer) -> dict[str, Any] | None:
    """The deadline in words, with its zone and the time left; None where there is none."""
    game, language = sight.game, display_names.reader_language()
    if game.state == GameState.PAUSED and game.time_left_when_paused:
        return {"left": date_texts.time_left_text(game.time_left_when_paused, language)}
    if game.state != GameState.PLAYING or game.deadline is None:
        return None
    return {
        "at": game.deadline,
        "said": date_texts.date_text_with_zone(game.deadline, reader_time_zone(), language),
        "left": date_texts.time_left_text(game.deadline - timezone.now(), language),
        "words": json.dumps(date_texts.time_left_words(language), ensure_ascii=False),
    }


def _banners(
    sight: GameViewer, variant: Variant, seats: Collection[SeatWithHolders]
) -> Iterator[dict[str, str]]:
    """What everybody at the table has to know first."""
    game = sight.game
    if game.state == GameState.PAUSED:
        yield _banner("paused", _("The game is paused. You can still submit orders."))
    if game.state in ENDED_STATES:
        yield _over(game)
        return
    if game.adjudication_error:
        yield _banner("trouble", _("This phase could not be resolved; the game is on hold."))
    if sight.is_delayed:
        yield _banner("delayed", game_delay_text(game))
    else:
        yield from _proposals(game, variant)
    yield from _corrections(game, variant)
    yield from _vacancies(sight, variant, seats)


def game_delay_text(game: Game) -> str:
    """How late onlookers see a game in progress."""
    terms = game.settings
    words = {
        "phases": ngettext("%(number)s phase", "%(number)s phases", terms.delay_phases)
        % {"number": terms.delay_phases},
        "hours": ngettext("%(number)s hour", "%(number)s hours", terms.delay_hours)
        % {"number": terms.delay_hours},
    }
    if not terms.delay_hours:
        return _("Spectators see this game %(phases)s late, until it is over.") % words
    if not terms.delay_phases:
        return _("Spectators see this game %(hours)s late, until it is over.") % words
    return _("Spectators see this game %(phases)s and at least %(hours)s late, until it is over.") % words


def _over(game: Game) -> dict[str, str]:
    """On every page: a game may end in the middle of a phase, whose board does not show it."""
    text = _("The game was abandoned.") if game.state == GameState.ABANDONED else _("The game is over.")
    return {**_banner("over", text), "path": reverse("games:end", args=[game.key])}


def _banner(kind: str, text: str, reason: str = "") -> dict[str, str]:
    return {"kind": kind, "text": text, "reason": reason}


def _proposals(game: Game, variant: Variant) -> Iterator[dict[str, str]]:
    open_now = EndProposal.objects.filter(game=game, closed_at=None).first()
    if open_now is not None:
        facts = {"power": display_names.power_name(variant, open_now.proposer)}
        told = _banner("proposal", _("%(power)s proposes to end the game.") % facts)
        yield {**told, "path": reverse("games:end", args=[game.key])}


def _corrections(game: Game, variant: Variant) -> Iterator[dict[str, str]]:
    """What the game master did to the phase before the open one, or to the open one itself."""
    around = game.revisions.filter(phase_number__in=(game.phase_number - 1, game.phase_number))
    told = list(around.only("phase_number", "kind", "phase", "reason", "is_current", "withdrawn_at"))
    for last in told:
        if last.phase_number < game.phase_number and last.is_current and last.kind in CORRECTION_KINDS:
            facts = {"phase": display_names.phase_name(variant, last.phase or game.phase)}
            yield _banner("corrected", _("Corrected by the GM: %(phase)s.") % facts, last.reason)
    taken = (one for one in told if one.phase_number == game.phase_number and one.withdrawn_at)
    if game.phase_number and any(not one.is_current for one in taken):
        facts = {"phase": display_names.phase_name(variant, game.phase)}
        yield _banner(
            "taken_back",
            _(
                "The GM rolled back to %(phase)s. The phase is in progress again, with the "
                "orders submitted then."
            )
            % facts,
        )


def _vacancies(
    sight: GameViewer, variant: Variant, seats: Collection[SeatWithHolders]
) -> Iterator[dict[str, str]]:
    game = sight.game
    free = open_seats.open_powers(game, seats)
    if free:
        names = ", ".join(display_names.power_name(variant, power) for power in free)
        looks_on = sight.role in ("", GameRole.OBSERVER)
        door = reverse("games:enter", args=[game.key]) if looks_on and sight.may_join else ""
        yield {**_banner("vacant", _("Open seat: %(powers)s.") % {"powers": names}), "path": door}
    known = {*free, *game.settings.disordered}
    lost = [one.power for one in seats if one.seat.in_civil_disorder and one.power not in known]
    if lost and not sight.is_delayed:
        names = ", ".join(display_names.power_name(variant, power) for power in lost)
        told = _("In civil disorder until the player returns: %(powers)s.")
        yield _banner("disorder", told % {"powers": names})
