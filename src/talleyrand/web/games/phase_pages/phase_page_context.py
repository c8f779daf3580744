"""What the page of a phase shows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _

from talleyrand.printing.pdf import is_installed
from talleyrand.web.boards import display_names, phase_maps, politics_context, position_tables, result_rows
from talleyrand.web.boards.script_texts import script_texts
from talleyrand.web.games import (
    order_state_labels,
    order_submission,
    page_context,
    power_assignments,
    visibility,
)
from talleyrand.web.games.models import ENDED_STATES, Game, GameState, PhaseRevision, random_token

from . import order_texts, practice_copies
from .game_board import GameBoard


def phase_page_context(board: GameBoard, request: HttpRequest) -> dict[str, Any]:
    """The context of the board’s template."""
    words = {**script_texts(), "saved": _("Draft saved at {time}")}
    prepared = _prepared(board)
    if prepared:
        words["start"] = words[prepared["start_with"]]
    return {
        **page_context.game_page_context(board.viewer, "board"),
        "board": board,
        "number": board.phase_number,
        "current": board.last_phase_number,
        "title": display_names.phase_title(board.variant, board.phase_code, over=board.question is None),
        "rulebook_title": display_names.rulebook_title(board.game.rulebook),
        "phases": _phases(board),
        "links": _links(board),
        "drawing": board.phase_map.inline_svg(getattr(request, "style_nonce", "")),
        **politics_sections(board),
        "standing": board.board_filter.filtered_places(
            position_tables.position_rows(board.variant, board.position, board.preparation)
        ),
        "scenes": scene_url(board),
        "board_name": f"game:{board.game.key}",
        "played": board.revision is not None,
        "strings": words,
        "copy_submission": random_token(),
        "ordering": board.may_order,
        "receipts": receipt_rows(board),
        **prepared,
        **(published_phase_context(board) if board.revision else {"revisions": _revisions(board)}),
        "ended": game_end_context(board.game, board)
        if board.question is None and board.game.state in ENDED_STATES
        else None,
        "gathering": board.game.state == GameState.GATHERING,
        "desk_sheets": list(_desk_sheets(board)),
        "others": list(_other_powers(board)),
        "may_practise": practice_copies.may_copy_to_practice(board) and not board.shown_revision,
    }


def politics_sections(board: GameBoard) -> dict[str, Any]:
    """The table of the powers, and what everybody knows of proposals."""
    columns = politics_context.power_columns(board.variant, board.position)
    rows = position_tables.power_counts(board.variant, board.position)
    more = columns.get("rows", {})
    return {
        "table": [
            {**row, "more": more.get(row["code"], [])}
            for row in board.board_filter.filtered_rows(rows, board.position)
        ],
        "columns": columns,
        "computers": power_assignments.bots_by_power(board.game),
        "findable": phase_maps.searchable_provinces(board.variant),
        "debate": politics_context.open_motions(board.variant, board.public_affairs),
        "announced": []
        if board.is_announcement_published
        else politics_context.announced_tables(board.variant, board.public_affairs),
        "narrowed": board.board_filter.form_context(
            board.variant.board.seats, [("power", board.power)] if "power" in board.query else []
        ),
    }


def _prepared(board: GameBoard) -> dict[str, Any]:
    if board.own_orders is None:
        return {}
    told = {"mine": order_texts.order_status(board.own_orders)}
    if not board.preparation:
        return {**told, "shown_orders": board.own_orders.preparation.as_text(), "start_with": "start"}
    lines = {board.power: board.own_orders.draft_lines}
    shown = {**board.preparation.page_context(), "outlook": order_texts.order_outlook_text(board.own_orders)}
    return {**shown, **told, "submission": random_token(), "lines": lines}


def _phases(board: GameBoard) -> list[dict[str, Any]]:
    codes = list(board.history.published_phases)
    if board.last_phase_number == board.phase_number and board.question:
        codes.append(board.phase_code)
    elif board.game.phase and len(codes) < board.last_phase_number:
        codes.append(board.game.phase)
    return [
        {
            "number": number,
            "title": display_names.phase_name(board.variant, code),
            "url": board.phase_url(number),
        }
        for number, code in enumerate(codes, 1)
    ]


def _links(board: GameBoard) -> dict[str, str]:
    key, number = board.game.key, board.phase_number
    pdf = is_installed()
    published_here = board.revision is not None
    narrowed = f"?{board.board_filter.query_string}" if board.board_filter else ""
    return {
        "png": reverse("games:picture", args=[key, number, "png"]),
        "svg": reverse("games:picture", args=[key, number, "svg"]),
        "report": reverse("games:report", args=[key, number]) + narrowed if published_here else "",
        "report_pdf": reverse("games:report_pdf", args=[key, number]) + narrowed
        if published_here and pdf
        else "",
        "txt": reverse("games:record", args=[key, "txt"]),
        "json": reverse("games:record", args=[key, "json"]),
        "pdf": reverse("games:record", args=[key, "pdf"]) if pdf else "",
        "curves": reverse("games:curves", args=[key]) if board.game.phase_number else "",
        "previous": board.phase_url(number - 1) if number > 1 else "",
        "next": board.phase_url(number + 1) if number < board.last_phase_number else "",
    }


def scene_url(board: GameBoard) -> str:
    """Where the phases of the history are; the page’s script puts their number in place of 0."""
    path = reverse("games:scene", args=[board.game.key, 0])
    power = f"power={board.power}" if board.power else ""
    query = "&".join(filter(None, (power, board.board_filter.query_string)))
    return f"{path}?{query}" if query else path


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
    revision = board.revision
    assert revision is not None
    answer, before = board.answer, (board.question or {}).get("politics") or {}
    return {
        "results": board.board_filter.filtered_results(
            _explained(board, result_rows.results_by_power(board.variant, answer))
        )
        if answer
        else [],
        "votes": politics_context.vote_results(board.variant, answer, before),
        "minutes": politics_context.minutes_tables(board.variant, before, answer.get("politics") or {}),
        "notes": result_rows.adjudicator_notes(answer),
        "chance": _chance(board),
        "eliminated": result_rows.newly_eliminated(board.variant, board.question, answer),
        "absent": [
            display_names.power_name(board.variant, power) for power in revision.powers_without_orders
        ],
        "revision": revision,
        "changes": list(_changes(board, revision)),
        "revisions": _revisions(board),
        "gazettes": list(board.game.gazettes.filter(phase_number=board.phase_number)),
        "counts": _counts(board),
    }


def _explained(board: GameBoard, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Each order of a movement phase with its chain of causes, but where the game master decided."""
    revision = board.revision
    if not board.phase_code.endswith("M") or revision is None or revision.overrides or board.shown_revision:
        return rows
    return result_rows.with_explanation_urls(
        rows, lambda province: reverse("games:why", args=[board.game.key, board.phase_number, province])
    )


def _chance(board: GameBoard) -> list[str]:
    """The lots that were drawn, in words."""
    told = _("Random draw for %(power)s: %(drawn)s (out of %(among)s).")
    return [
        told
        % {
            "power": display_names.power_name(board.variant, lot["power"]),
            "drawn": phase_maps.unit_text(board.variant, lot["drawn"]),
            "among": ", ".join(phase_maps.unit_text(board.variant, one) for one in lot["among"]),
        }
        for lot in board.answer.get("chance") or ()
    ]


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
    found = list(
        board.game.revisions.filter(phase_number=board.phase_number).defer(
            "answer", "situation", "next_situation"
        )
    )
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
