"""What is printed, as PDF made once for all who ask: pages of HTML, boards on paper, sheets for orders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from urllib.parse import unquote

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from talleyrand import drawing, rulebooks, variants
from talleyrand.engine.position import Phase
from talleyrand.formats import position_json, question_input
from talleyrand.printing import map_sheets, order_sheets, pdf
from talleyrand.printing.game_by_year import PRINT_STYLE
from talleyrand.printing.order_sheets import OrderSheet
from talleyrand.rulebooks import LoadedRulebook
from talleyrand.variants import LANGUAGES, Variant
from talleyrand.web.background.generated_documents import get_document
from talleyrand.web.common import qr_codes
from talleyrand.web.common.visitor_quota import visitor_id

from . import display_names, file_downloads
from .adjudicator import Question, deciding_powers, make_question
from .phase_maps import PhaseMap

PAPER_JOB = "paper"
ACROSS = 1700  # pixels of the board behind a diploma


def paper_pdf_response(
    request: HttpRequest, html: str, name: str, *, svg: str = "", filled_forms: bool = False
) -> HttpResponse:
    """A page of HTML as PDF, or a page that says why there is none yet; see `make_paper_pdf`."""
    told = {"html": html, "svg": svg, "filled_forms": filled_forms}
    try:
        paper = f"papers/{file_downloads.inputs_digest(html, svg)}.pdf"
        content = get_document(paper, PAPER_JOB, told, visitor=visitor_id(request))
    except file_downloads.DOCUMENT_ERRORS as problem:
        return file_downloads.document_error_page(request, problem)
    return file_downloads.pdf_response(content, name)


def make_paper_pdf(html: str, filled_forms: bool = False, svg: str = "") -> bytes:
    """The page as PDF, see `html_to_pdf`, `svg` its one drawing; for workers. Raises PdfUnavailable."""
    return pdf.html_to_pdf(html, partial(fetch_paper_part, svg=svg), filled_forms=filled_forms)


def fetch_paper_part(url: str, svg: str = "") -> tuple[bytes, str]:
    """The page’s fonts, squares, drawing and the board behind diplomas, and nothing from anywhere else."""
    kind, _mark, rest = url.partition(":")
    if kind == "font":
        return pdf.font_file(rest)
    if kind == "qr":
        return qr_codes.qr_png(unquote(rest)), "image/png"
    if kind == "board" and svg:
        return pdf.board_vector(svg)
    if kind == "map" and rest in LANGUAGES:
        pale = drawing.apply_style(
            drawing.draw_empty_board(variants.load("classic"), rest), drawing.MapStyle()
        )
        return pdf.board_jpeg(pale, ACROSS)
    raise ValueError(url)


def blank_map_response(request: HttpRequest, variant: Variant, paper: str) -> HttpResponse:
    """The board without units: on A4 in black and white with the abbreviations, larger as a poster with the
    names; Http404 for another size."""
    is_poster = paper != next(iter(map_sheets.PAPER_SIZES))
    drawn = drawing.draw_empty_board(variant, display_names.reader_language())
    svg = drawing.apply_style(drawn, map_sheets.POSTER_STYLE if is_poster else map_sheets.BLANK_STYLE)
    return _map_response(request, svg, paper, variant.title, f"talleyrand-{variant.name}-{paper}")


def phase_map_response(
    request: HttpRequest, sketch: PhaseMap, paper: str, name: str, title: str | None = None
) -> HttpResponse:
    """The map of a phase with its caption, hatched for printers without colours; Http404 for another size."""
    svg = drawing.apply_style(sketch.svg(caption=True, title=title), PRINT_STYLE)
    return _map_response(request, svg, paper, sketch.variant.title, f"{name}-{paper}")


def _map_response(
    request: HttpRequest, svg: str, paper: str, titles: Mapping[str, str], name: str
) -> HttpResponse:
    if paper not in map_sheets.PAPER_SIZES:
        raise Http404
    language = display_names.reader_language()
    html = map_sheets.map_sheet_html(svg, paper, titles[language], language)
    return paper_pdf_response(request, html, name, svg=svg)


def order_sheets_response(
    request: HttpRequest, question: Question, powers: Sequence[str], about: str, name: str
) -> HttpResponse:
    """A sheet for each of these powers in a phase: those with something to decide, or else all of them, with
    the abbreviations in use; Http404 for no power."""
    if not powers:
        raise Http404
    asked, language = question_input.read_question(dict(question)), display_names.reader_language()
    deciding = deciding_powers(question)
    variant, phase = asked.variant, str(asked.position.phase)
    naming = asked.naming or _usual_naming(variant, asked.rulebook)
    sheets = [
        OrderSheet(
            display_names.power_name(variant, power),
            variant.colours.get(power, ""),
            about,
            display_names.phase_name(variant, phase),
            order_sheets.sheet_lines(
                variant, asked.position, power, asked.rulebook.adjudication_rules, language, naming
            ),
        )
        for power in [power for power in powers if power in deciding] or powers
    ]
    kinds = ", ".join(f"{letter} {one.name}" for letter, one in variant.names(language).units.items())
    listed = order_sheets.list_abbreviations(variant, language, naming)
    html = order_sheets.order_sheets_html(sheets, listed, kinds, about, language)
    file = _("order-sheets")
    return paper_pdf_response(request, html, f"{name}-{file}")


def _usual_naming(variant: Variant, book: LoadedRulebook) -> str:
    """The list of abbreviations that the rulebook has in the reader's language, or else the variant's."""
    language = display_names.reader_language()
    known = variant.names(language).abbreviations
    return next((one for one in book.naming if one in known), variant.naming[language])


def opening_sheets_response(request: HttpRequest, variant: Variant) -> HttpResponse:
    """Sheets for all powers of a variant, as they first move, with the abbreviations that its map shows."""
    definition = variant.definition
    moves = next(code for code in definition.calendar.cycle if code.endswith("M"))
    first = Phase(moves[0], definition.start.phase.year, moves[1])
    start = position_json.write_position(replace(definition.start, phase=first), variant.board)
    question = make_question(variant.name, rulebooks.FALLBACK, "", start)
    language = display_names.reader_language()
    question = {**question, "naming": variant.naming[language]}
    title, name = variant.title[language], f"talleyrand-{variant.name}"
    return order_sheets_response(request, question, definition.players, title, name)
