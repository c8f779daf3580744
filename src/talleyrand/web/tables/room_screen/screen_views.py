"""The pages of the room’s screen."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from talleyrand.web.accounts import attempt_limits
from talleyrand.web.boards import display_names, explanation_responses
from talleyrand.web.boards.explanations import Explanation
from talleyrand.web.common import error_pages
from talleyrand.web.common.language_choice import keeps_language
from talleyrand.web.games import page_context
from talleyrand.web.games.phase_pages.game_explanation_views import explanation_or_404
from talleyrand.web.tables import table_reading, table_stage
from talleyrand.web.tables.models import CODE_LENGTH, Table

from . import room_contents, screen_access
from .room_contents import RoomBoard

PART = "screen"  # what the script asks for that has the page already


@never_cache
@require_safe
def screen_door(request: HttpRequest, code: str) -> HttpResponse:
    """A device that has the screen's code of a table (`Table.screen_code`) shows it from now on."""
    typed = code.upper()
    table = Table.objects.select_related("game").filter(code=typed[:CODE_LENGTH]).first()
    if table is None or not constant_time_compare(typed, table.screen_code):
        if not attempt_limits.count_attempt(request, "link"):
            return error_pages.too_many(request)
        raise Http404
    screen_access.admit_screen(request, table)
    return redirect("tables:screen", table.game.key)


@keeps_language
@never_cache
@require_safe
def screen_page(request: HttpRequest, key: str) -> HttpResponse:
    """The screen as a whole page, or the part of it that changes."""
    signed = page_context.signed_game_topic(key)  # before anything is read that may change meanwhile
    table = screen_access.screen_table_or_404(request, key)
    if not table.reading.get(table_reading.HAS_SCREEN):
        table_reading.hang_screen(table)
    whole = request.headers.get("X-Talleyrand-Part") != PART
    context = {**room_contents.screen_context(request, table, whole=whole), "topics": signed}
    response = render(request, f"tables/screen/{'page' if whole else 'part'}.html", context)
    response["Vary"] = "X-Talleyrand-Part, Cookie"
    return response


@never_cache
@require_safe
def screen_clock_json(request: HttpRequest, key: str) -> HttpResponse:
    """The clock for the script that runs it."""
    table = screen_access.screen_table_or_404(request, key)
    return JsonResponse(table_stage.moment_json(table_stage.table_moment(table, timezone.now())))


@require_POST
def turn_reading_page(request: HttpRequest, key: str, act: str) -> HttpResponse:
    """A referee turns a page of the reading, there or from a phone; `next` names where to go back."""
    if act not in table_reading.ACTS or not screen_access.is_referee(request, key):
        raise Http404
    table = screen_access.screen_table_or_404(request, key)
    moment = table_stage.table_moment(table, timezone.now())
    table_reading.turn_reading(table, act, clock_ran=moment.has_begun, mark=request.POST.get("mark", ""))
    if request.headers.get("X-Talleyrand-Part") == PART:
        return HttpResponse(status=204)
    back = request.POST.get("next", "")
    allowed = url_has_allowed_host_and_scheme(back, allowed_hosts=None)
    return redirect(back if allowed else reverse("tables:screen", args=[key]))


@never_cache
@require_safe
def screen_explanation_page(request: HttpRequest, key: str, number: int, province: str) -> HttpResponse:
    """Why an order came to what it came to, as a page."""
    board = _board_or_404(request, key, number)
    title = display_names.phase_name(board.variant, board.phase_code)
    back = reverse("tables:screen", args=[key])
    return explanation_responses.explanation_response(
        request, explanation_or_404(board, province), title, back
    )


@never_cache
@require_safe
def screen_explanation_json(request: HttpRequest, key: str, number: int, province: str) -> HttpResponse:
    """The same for the script of the screen."""
    found: Explanation = explanation_or_404(_board_or_404(request, key, number), province)
    return explanation_responses.explanation_steps_json(found)


def _board_or_404(request: HttpRequest, key: str, number: int) -> RoomBoard:
    """A phase that was published."""
    table = screen_access.screen_table_or_404(request, key)
    if number < 1:
        raise Http404
    return RoomBoard.for_table(table, number)
