"""What the templates and the scripts of a board are given, wherever its game is kept."""

from __future__ import annotations

import secrets
from typing import Any

from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from talleyrand.printing.map_sheets import PAPER_SIZES
from talleyrand.printing.pdf import is_installed

from . import display_names, phase_maps, politics_context, position_tables, result_rows
from .order_preparation import OrderPreparation
from .phase_board import PhaseBoard
from .phase_headings import other_phase_heading
from .phase_maps import PhaseMap
from .phase_summaries import phase_summary
from .script_texts import script_texts


def board_context(board: PhaseBoard, request: HttpRequest) -> dict[str, Any]:
    """The context of `boards/board.html`; the page of each place adds who may do what."""
    return {
        "board": board,
        "number": board.phase_number,
        "current": board.last_phase_number,
        "title": display_names.phase_title(board.variant, board.phase_code, over=board.question is None),
        "variant_title": board.variant.title[display_names.reader_language()],
        "rulebook_title": display_names.rulebook_title(board.game.rulebook),
        "phases": [
            {
                "number": number,
                "title": display_names.phase_name(board.variant, code),
                "url": board.phase_url(number),
            }
            for number, code in enumerate(board.phase_codes, 1)
        ],
        "links": _links(board),
        "drawing": board.phase_map.in_readers_shape().inline_svg(getattr(request, "style_nonce", "")),
        **_politics(board),
        "standing": board.board_filter.filtered_places(
            position_tables.position_rows(board.variant, board.position, board.preparation)
        ),
        "scenes": board.phase_url(0, "scene"),  # the page's script puts a number in place of 0
        "played": board.is_played,
        "strings": script_texts(),
        "submission": secrets.token_urlsafe(16),
        "copy_submission": secrets.token_urlsafe(16),
        **(board.preparation.page_context() if board.preparation else {}),
        **(results_context(board) if board.is_played else {}),
    }


def _links(board: PhaseBoard) -> dict[str, Any]:
    number, prints = board.phase_number, is_installed()
    return {
        "png": board.url("picture", number, "png"),
        "svg": board.url("picture", number, "svg"),
        "txt": board.url("record", "txt"),
        "json": board.url("record", "json"),
        "pdf": board.url("record", "pdf") if prints else "",
        "map_sheets": [
            (paper.upper(), board.url("map_sheet", number, paper)) for paper in PAPER_SIZES if prints
        ],
        "order_sheets": board.url("order_sheets", number) if prints and board.question else "",
        "curves": board.url("curves"),
        "copy": board.url("copy", number),
        "previous": board.phase_url(number - 1) if number > 1 else "",
        "next": board.phase_url(number + 1) if number < board.last_phase_number else "",
    }


def _politics(board: PhaseBoard) -> dict[str, Any]:
    """The table of the powers, and what everybody knows of proposals."""
    columns = politics_context.power_columns(board.variant, board.position)
    more = columns.get("rows", {})
    rows = board.board_filter.filtered_rows(
        position_tables.power_counts(board.variant, board.position), board.position
    )
    asked = [("power", power) for power in board.query.getlist("power")[-1:]]
    return {
        "table": [{**row, "more": more.get(row["code"], [])} for row in rows],
        "columns": columns,
        "findable": phase_maps.searchable_provinces(board.variant),
        "map_regions": phase_maps.map_regions(board.variant),
        "debate": politics_context.open_motions(board.variant, board.public_affairs),
        "announced": []
        if board.is_announcement_published
        else politics_context.announced_tables(board.variant, board.public_affairs),
        "narrowed": board.board_filter.form_context(board.variant.board.seats, asked),
    }


def results_context(board: PhaseBoard) -> dict[str, Any]:
    """The results of a phase that was played."""
    answer, before = board.answer, (board.question or {}).get("politics") or {}
    rows = result_rows.results_by_power(board.variant, answer, board.own_powers) if answer else []
    if board.explains_orders:
        rows = result_rows.with_explanation_urls(
            rows, lambda province: board.url("why", board.phase_number, province)
        )
    return {
        "results": board.board_filter.filtered_results(rows),
        "votes": politics_context.vote_results(board.variant, answer, before),
        "minutes": politics_context.minutes_tables(board.variant, before, answer.get("politics") or {}),
        "notes": result_rows.adjudicator_notes(answer),
        "chance": _random_draws(board),
        "eliminated": result_rows.newly_eliminated(board.variant, board.question, answer),
    }


def _random_draws(board: PhaseBoard) -> list[str]:
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


def scene_context(board: PhaseBoard) -> dict[str, Any]:
    """A phase as the history of its board shows it, for the script of the page."""
    named = display_names.phase_name if board.question else display_names.season_name
    return {
        "number": board.phase_number,
        "title": named(board.variant, board.phase_code),
        "address": board.phase_url(board.phase_number),
        "news": list(phase_summary(board.variant, board.question, board.answer)) if board.answer else [],
        "layers": board.phase_map.in_readers_shape().all_layers(),
    }


def changed_orders_context(preparation: OrderPreparation, drawn: PhaseMap, sheet: str = "") -> dict[str, Any]:
    """What the script of a page is told after a change of the orders; `sheet` is the one that was sent."""
    return {
        **preparation.script_state(),
        "readings": readings_html(preparation, sheet),
        "layers": drawn.in_readers_shape().changing_layers(),
    }


def readings_html(preparation: OrderPreparation, sheet: str = "") -> str:
    """What was understood otherwise than written, or not at all; "" where there is nothing of it."""
    remarks = [*preparation.remarks(), *heading_remarks(preparation, sheet)]
    return render_to_string("boards/readings.html", {"readings": remarks}) if remarks else ""


def heading_remarks(preparation: OrderPreparation, sheet: str) -> list[dict[str, Any]]:
    """The remark on a sheet that stands under the heading of another phase."""
    heading = other_phase_heading(preparation.question, sheet)
    if not heading:
        return []
    here = display_names.phase_name(preparation.variant, preparation.question["phase"])
    note = _(
        "This heading is for another phase; this one is %(phase)s. The orders are kept: "
        "check that they belong here."
    )
    return [{"is_refused": False, "line": heading, "notes": [note % {"phase": here}]}]
