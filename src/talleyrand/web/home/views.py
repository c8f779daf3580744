"""The first page, and its pictures, which browsers keep."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.cache import patch_cache_control
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from talleyrand import drawing, variants
from talleyrand.drawing.small_map import draw_small_map
from talleyrand.engine.errors import UnknownName
from talleyrand.engine.position import Position
from talleyrand.variants import Variant
from talleyrand.web.accounts.models import Person
from talleyrand.web.boards import display_names
from talleyrand.web.boards.script_texts import script_texts
from talleyrand.web.bots import bot_players
from talleyrand.web.games import page_context, visibility
from talleyrand.web.games.lobby import game_list_views, game_lists, game_settings_texts
from talleyrand.web.games.models import RUNNING_STATES, Game
from talleyrand.web.games.phase_pages.game_board import game_board_or_404
from talleyrand.web.games.viewer_permissions import GameViewer
from talleyrand.web.practice.models import random_token
from talleyrand.web.tournaments import tournament_lists

from . import living_board

MOST_LISTED = 4  # games and tournaments of a list
KEPT = 24 * 60 * 60  # seconds for which a picture that only an update changes is not asked for again
KEPT_PHASE = 300  # seconds for the picture of a game that goes on


@never_cache
@require_safe
def home_page(request: HttpRequest) -> HttpResponse:
    """One’s own games, three doors, a board that plays, and what one may join or watch."""
    open_games = visibility.watchable_games(visibility.visible_games(None))
    playing = open_games.filter(state__in=RUNNING_STATES).order_by("-phase_opened_at", "-pk")
    person = request.user if isinstance(request.user, Person) else None
    context = {
        "mine": game_list_views.own_game_cards(person, MOST_LISTED) if person else [],
        "living": living_board.living_board(),
        "bots": bot_players.bots_available(),
        "submission": random_token(),
        "joining": [_card(game) for game in game_lists.gathering_games(None)[:MOST_LISTED]],
        "playing": [_card(game) for game in playing[:MOST_LISTED]],
        "tournaments": tournament_lists.coming_tournaments(timezone.localdate())[:MOST_LISTED],
        "strings": script_texts(),
    }
    return render(request, "home/home.html", context)


def _card(listed: Game) -> dict[str, Any]:
    game = GameViewer(listed, None).game
    variant = variants.load(game.variant)
    return {
        "game": game,
        "variant": variant.title[display_names.reader_language()],
        "phase": display_names.phase_name(variant, game.phase) if game.phase else "",
        "language": game_settings_texts.message_language_text(game),
        "players": vars(game).get("sitting", 0),
        "seats": vars(game).get("places", 0),
    }


@require_safe
def living_board_image(request: HttpRequest) -> HttpResponse:
    try:
        svg = living_board.living_board_svg(*_look(request))
    except UnknownName:
        raise Http404 from None
    return _picture(svg, public=True, max_age=KEPT)


@require_safe
def demonstration_scene_json(request: HttpRequest, number: int) -> HttpResponse:  # noqa: ARG001 a view
    try:
        response = JsonResponse(living_board.demonstration_scene(number))
    except IndexError:
        raise Http404 from None
    patch_cache_control(response, public=True, max_age=KEPT)
    return response


@require_safe
def variant_map_image(request: HttpRequest, variant: str) -> HttpResponse:
    """The first position of a variant."""
    if variant not in variants.playable_names():
        raise Http404
    known = variants.load(variant)
    return _small_map(request, known, known.definition.start, public=True, max_age=KEPT)


@require_safe
def game_map_image(request: HttpRequest, key: str) -> HttpResponse:
    """Who owns what in a game, for whoever may see its board."""
    viewer = page_context.game_viewer_of_request(request, key)
    if not viewer.game.phase_number:
        raise Http404
    shown = game_board_or_404(viewer, None).public_map
    return _small_map(request, shown.variant, shown.position, private=True, max_age=KEPT_PHASE)


def _small_map(request: HttpRequest, variant: Variant, position: Position, **kept: Any) -> HttpResponse:
    try:
        svg = drawing.style_picture(draw_small_map(variant, position), *_look(request))
    except UnknownName:
        raise Http404 from None
    return _picture(svg, **kept)


def _look(request: HttpRequest) -> tuple[str, str]:
    return request.GET.get("theme", "paper"), request.GET.get("palette", "classic")


def _picture(svg: str, **kept: Any) -> HttpResponse:
    response = HttpResponse(svg, content_type="image/svg+xml; charset=utf-8")
    patch_cache_control(response, **kept)
    return response
