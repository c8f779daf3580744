"""The page of a phone once the game has begun."""

from __future__ import annotations

import hashlib
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from talleyrand.web.accounts import guests
from talleyrand.web.boards import display_names
from talleyrand.web.common.prepared_queries import Given, PreparedQuery
from talleyrand.web.games import page_context, power_assignments
from talleyrand.web.games.endings import end_panel, end_proposals
from talleyrand.web.games.models import ENDED_STATES, Game, PhaseRevision
from talleyrand.web.games.phase_pages import phase_page_context
from talleyrand.web.games.phase_pages.game_board import GameBoard, game_board_or_404
from talleyrand.web.games.viewer_permissions import GameViewer

from . import orders_after_bell, phone_task, table_stage
from .models import TablePlayer

LAST_REVISION = PreparedQuery(
    lambda: (
        PhaseRevision.objects.filter(game=Given(PhaseRevision, "game"))
        .order_by("-pk")
        .values_list("pk", "withdrawn_at")[:1]
    )
)


def phone_page(request: HttpRequest, player: TablePlayer) -> HttpResponse:
    """The page of a phone: its power, what is asked of it, its orders, what came of the last ones."""
    viewer = page_context.game_viewer_of_page(request, player.table.game.key)
    board = _board(viewer, request.GET.get("power", ""))
    task = phone_task.phone_task(player.table, board)
    context: dict[str, Any] = {
        **phase_page_context.order_page_context(board, request),
        "game": board.game,
        "sight": viewer,
        "topics": viewer.signed_topics,
        "table": player.table,
        "player": player,
        "me": guests.guest_name(player.person) if player.number else _("Referee"),
        "task": task,
        "shown": shown_digest(player),
        "seat_powers": phone_task.seat_powers(board.variant, viewer.powers),
        "late": orders_after_bell.late_rows(player),
        "endings": end_panel.end_panel_context(viewer),
        **table_stage.clock_context(player.table, timezone.now()),
        "last": _last_phase(board) if task.kind != "screen" else None,
    }
    if task.kind != "orders":
        context["orders_are"] = ""
    return render(request, "tables/phone.html", context)


def _board(viewer: GameViewer, asked: str) -> GameBoard:
    """The open phase with the power asked for, or the first of the seat's that has something to decide."""
    board = game_board_or_404(viewer, None, asked)
    if asked or board.question is None:
        return board
    deciding = board.history.deciding_powers(board.phase_number)
    first = next((power for power in viewer.orderable_powers if power in deciding), board.power)
    return board if first == board.power else game_board_or_404(viewer, None, first)


def _last_phase(board: GameBoard) -> dict[str, Any] | None:
    """What came of the phase before, one's own orders first; None where there was none."""
    number = board.phase_number - 1
    if number < 1 or board.history.revision(number) is None:
        return None
    before = GameBoard(board.viewer, number, board.power)
    before.history = board.history  # which has read it
    shown = {**phase_page_context.published_phase_context(before), "game": board.game, "number": number}
    return {
        "title": display_names.phase_name(board.variant, before.phase_code),
        "html": render_to_string("games/phase_pages/results.html", {**shown, "board": before}),
        "url": before.phase_url(number),
    }


def open_proposal(game: Game) -> int:
    """The proposal to end the game that is open, 0 for none."""
    found = end_proposals.EndProposalState(game).proposal
    return found.pk if found else 0


def shown_digest(player: TablePlayer) -> str:
    """A word for what a phone's page shows and does not change by itself: another phase, another reading,
    another seat at the table, a decision on its late orders. Nothing of what others write is in it.
    """
    game = player.table.game
    held = power_assignments.assignments_in_order(game)
    told = (
        game.phase_number,
        game.phase_opened_at,
        game.state in ENDED_STATES,
        bool(game.adjudication_error),
        phone_task.is_read_out(player.table),
        LAST_REVISION.first(game=game.pk),
        sorted(power for power, person in held if person == player.person_id),
        [(one.pk, one.decision) for one in orders_after_bell.late_orders_of(player)],
    )
    return hashlib.sha256(repr(told).encode()).hexdigest()[:16]


def moved_away(request: HttpRequest, key: str) -> HttpResponse:
    """What a phone is shown whose seat is on another phone now, with what was typed on it."""
    door = reverse("tables:door_code")
    return render(request, "tables/moved_away.html", {"key": key, "door": door}, status=404)
