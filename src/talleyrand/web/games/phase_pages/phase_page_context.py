"""What the page of a phase shows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _

from talleyrand.printing.pdf import is_installed
from talleyrand.web.boards import board_context, display_names, position_tables, result_rows
from talleyrand.web.bots import coach_pages
from talleyrand.web.common.prepared_queries import Given, PreparedQuery
from talleyrand.web.games import (
    order_state_labels,
    order_submission,
    page_context,
    power_assignments,
    visibility,
)
from talleyrand.web.games.endings import end_texts
from talleyrand.web.games.models import ENDED_STATES, Game, GameState, Gazette, PhaseRevision

from . import order_texts, practice_copies
from .game_board import GameBoard

GAZETTES = PreparedQuery(
    lambda: Gazette.objects.filter(game=Given(Gazette, "game"), phase_number=Given(Gazette, "phase_number"))
)
REVISIONS = PreparedQuery(
    lambda: PhaseRevision.objects.filter(
        game=Given(PhaseRevision, "game"), phase_number=Given(PhaseRevision, "phase_number")
    ).defer("answer", "situation", "next_situation")
)
CHOSEN_BY_RULE = ("D", "N")
"""Kinds of phase in which the rules choose for whoever writes nothing: tables tell it."""


def phase_page_context(board: GameBoard, request: HttpRequest) -> dict[str, Any]:
    """The context of the board’s template."""
    return {
        **order_page_context(board, request),
        **page_context.game_page_context(board.viewer, "board"),
        "bots": power_assignments.bots_by_power(board.game),
        **(_publication(board) if board.revision else {"revisions": _revisions(board)}),
        "gathering": board.game.state == GameState.GATHERING,
        "desk_sheets": list(_desk_sheets(board)),
        "may_practise": practice_copies.may_copy_to_practice(board) and not board.shown_revision,
    }


def order_page_context(board: GameBoard, request: HttpRequest) -> dict[str, Any]:
    """The same without what all pages of a game have around: the board, one’s own orders and receipts."""
    told = board_context.board_context(board, request)
    over = board.question is None and board.game.state in ENDED_STATES
    return {
        **told,
        "links": {**told["links"], **_links(board)},
        "board_name": f"game:{board.game.key}",
        "strings": {**told["strings"], "saved": _("Draft saved at {time}")},
        "orders_are": "handed_in" if board.may_order else "",
        **(_order_urls(board) if board.may_order else {}),
        "receipts": receipt_rows(board),
        "others": list(_other_powers(board)),
        **_own_orders(board),
        "ended": game_end_context(board.game, board) if over else None,
    }


def _order_urls(board: GameBoard) -> dict[str, str]:
    """Where the draft and the whole sheet are sent, by menus or as text."""
    draft, orders = (
        f"{board.url(name, board.phase_number, board.power)}?opening={board.opening_mark}"
        for name in ("draft", "orders")
    )
    return {"draft_url": draft, "orders_url": orders, "sheet_url": orders}


def _own_orders(board: GameBoard) -> dict[str, Any]:
    """How the sheet of the power shown stands, and what a stand-in has written for it."""
    own = board.own_orders
    if own is None:
        return {}
    told = {"mine": order_texts.order_status(own), "outlook": order_texts.order_outlook_text(own)}
    return told if board.preparation else {**told, "shown_orders": own.preparation.as_text()}


def _links(board: GameBoard) -> dict[str, str]:
    narrowed = f"?{board.board_filter.query_string}" if board.board_filter else ""
    report, pdf = (board.url(name, board.phase_number) + narrowed for name in ("report", "report_pdf"))
    return {
        "apng": board.url("picture", board.phase_number, "apng") if board.is_played else "",
        **({} if board.powers_on_paper else {"order_sheets": ""}),
        "report": report if board.is_played else "",
        "report_pdf": pdf if board.is_played and is_installed() else "",
        "curves": board.url("curves") if board.game.phase_number else "",
    }


def receipt_rows(board: GameBoard) -> list[dict[str, Any]]:
    """The sheets that the visitor’s power has handed in for the phase, the last one first."""
    if not board.power:
        return []
    found = list(
        visibility.visible_order_sets(board.viewer)
        .filter(phase_number=board.phase_number, power=board.power)
        .order_by("-receipt_number")
    )
    counting = next((sheet for sheet in found if sheet.withdrawn_at is None), None)
    return [{**order_texts.receipt_row(sheet), "counting": sheet is counting} for sheet in found]


def published_phase_context(board: GameBoard) -> dict[str, Any]:
    """The results of a published phase, with all that was said and done about it."""
    return {**board_context.results_context(board), **_publication(board)}


def _publication(board: GameBoard) -> dict[str, Any]:
    revision = board.revision
    assert revision is not None
    idle = [] if board.phase_code[-1:] in CHOSEN_BY_RULE else revision.powers_without_orders
    return {
        "absent": [display_names.power_name(board.variant, power) for power in idle],
        "revision": revision,
        "changes": list(_changes(board, revision)),
        "revisions": _revisions(board),
        "coach_url": coach_pages.coach_url(board) if board.viewer.is_game_over else "",
        "gazettes": _gazettes(board),
        "counts": _counts(board),
    }


def _gazettes(board: GameBoard) -> list[Gazette]:
    found, until = GAZETTES.rows(game=board.game.pk, phase_number=board.phase_number), board.viewer.seen_until
    return [one for one in found if until is None or one.published_at <= until]


def _changes(board: GameBoard, revision: PhaseRevision) -> Iterator[dict[str, Any]]:
    """What the game master overrode: an order, what the judge had found, what counts."""
    for change in revision.overrides:
        if "before" in change and "after" in change:
            entry = {"unit": change.get("unit"), "order": change.get("order"), "line": change.get("line")}
            yield {
                "order": result_rows.result_entry(board.variant, entry)["order"] or change.get("line"),
                "power": display_names.power_name(board.variant, str(change.get("power", ""))),
                "before": [result_rows.result_label(code, board.variant) for code in change["before"]],
                "after": [result_rows.result_label(code, board.variant) for code in change["after"]],
            }


def _revisions(board: GameBoard) -> list[dict[str, Any]]:
    """Every revision of the phase, where there is another than the one shown."""
    found = REVISIONS.rows(game=board.game.pk, phase_number=board.phase_number)
    if board.viewer.is_delayed and not board.revision:
        return []
    if len(found) < (2 if board.revision else 1):
        return []
    return [
        {
            "revision": one,
            "url": reverse("games:revision", args=[board.game.key, board.phase_number, one.revision]),
            "shown": board.revision is not None and one.pk == board.revision.pk,
        }
        for one in found
    ]


def _counts(board: GameBoard) -> list[dict[str, Any]]:
    """The centres of each power before and after the phase, where it changed any."""
    after = board.answer.get("centers")
    if after is None:
        return []
    before = (board.question or {}).get("centers") or {}
    rows = position_tables.power_counts(board.variant, board.answer)
    shown = board.board_filter.filtered_rows(rows, board.answer)
    return [{**row, "before": len(before.get(row["code"], ()))} for row in shown]


def game_end_context(game: Game, board: GameBoard) -> dict[str, Any]:
    """Who won, or how the game ended."""
    result = game.result or {}
    winners = [display_names.power_name(board.variant, code) for code in result.get("powers") or ()]
    return {
        "winners": winners,
        "kind": result.get("kind", ""),
        "abandoned": game.state == GameState.ABANDONED,
        "standing": end_texts.final_table_rows(game),
        "system": end_texts.scoring_title(game),
    }


def _desk_sheets(board: GameBoard) -> Iterator[dict[str, Any]]:
    """The open phase as the game master sees it: each power’s state and the sheet that counts, no draft."""
    if not board.is_open or not board.viewer.is_game_master:
        return
    handed = order_submission.counting_order_sets(board.game, board.phase_number)
    stand = order_submission.order_states(board.game, board.phase_number)
    choosers = board.history.deciding_powers(board.phase_number)
    seats = {seat.power: seat for seat in board.game.seats.all()}
    for row in board.board_filter.filtered_rows([{"code": code} for code in seats], board.position):
        seat = seats[row["code"]]
        sheet = handed.get(seat.power)
        yield {
            "code": seat.power,
            "name": display_names.power_name(board.variant, seat.power),
            "colour": display_names.power_colour(board.variant, seat.power),
            "state": order_state_labels.order_state_label(stand[seat.power]),
            "receipt": order_texts.receipt_row(sheet) if sheet else None,
            "lines": sheet.lines if sheet else [],
            "idle": seat.power not in choosers,
        }


def _other_powers(board: GameBoard) -> Iterator[dict[str, Any]]:
    """The visitor’s other powers, where he plays several."""
    if len(board.viewer.powers) < 2:
        return
    for code in board.viewer.powers:
        name = display_names.power_name(board.variant, code)
        yield {"code": code, "name": name, "shown": code == board.power}
