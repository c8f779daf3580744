"""Books and maps as PDF (extra `pdf`), kept once they are made."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

from django.template.loader import render_to_string
from django.utils import translation

import talleyrand
from talleyrand import drawing
from talleyrand.drawing.png import FALLBACK_FAMILY, FALLBACK_FONTS
from talleyrand.printing import pdf as printing
from talleyrand.printing.pdf import PdfUnavailable, is_available, is_installed
from talleyrand.web.background import generated_documents
from talleyrand.web.boards import display_names

from . import conference_map as maps
from . import (
    example_boards,
    rules_context,
    rules_texts,
    variant_demonstration,
    variant_rules,
    variant_rules_context,
)
from .rules_texts import RulesWords

TEXTS = Path(__file__).parent
OF_VARIANT = "variant:"  # begins the name of a variant's rules
NARROW, WIDE, WHOLE = 700, 1500, 3200  # pixels of a board beside its results, across a page, and as one


@dataclass(frozen=True)
class PrintDocument:
    """A page to print, and the pictures it names by `board:`."""

    html: str
    picture: Callable[[str], str]


def rulebook_document(name: str) -> PrintDocument:
    """A whole book in the reader's language: every chapter, board and phase, and the map."""
    shelf = rules_context.open_rulebook(name, _marked)
    chapters = [
        rules_context.chapter_context(shelf, entry["id"]) for entry in rules_context.rulebook_contents(shelf)
    ]
    stages = [
        rules_context.demonstration_context(shelf, number)
        for number in range(1, len(rules_texts.demonstration_phases()) + 1)
    ]
    context = {"book": shelf, "chapters": chapters, "stages": stages, **maps.province_tables(shelf.language)}
    return PrintDocument(_html("print", context), _pictures(name, shelf.language))


def variant_document(name: str) -> PrintDocument:
    """The rules of a variant in the reader's language: every chapter, our readings, and its game."""
    opened = variant_rules_context.variant_with_rules(name)
    listed = variant_rules_context.variant_rules_contents(opened)
    numbers = range(1, len(variant_demonstration.variant_demonstration_phases(name)) + 1)
    context = {
        "title": variant_rules_context.variant_rules_title(opened),
        "source": opened.sentence(display_names.reader_language(), "terms", "source"),
        "chapters": [variant_rules_context.variant_chapter_context(opened, entry["id"]) for entry in listed],
        "stages": [variant_demonstration.variant_demonstration_context(opened, number) for number in numbers],
    }

    def picture(mark: str) -> str:
        number, kind = mark.removeprefix("stage-").split(":")
        return variant_demonstration.variant_demonstration_svg(opened, int(number), kind)

    return PrintDocument(_html("print_variant", context), picture)


def conference_map_document() -> PrintDocument:
    """The conference map alone, in the reader's language."""
    language = display_names.reader_language()
    return PrintDocument(_html("print_map", maps.province_tables(language)), _pictures("", language))


def _html(template: str, context: dict[str, Any]) -> str:
    language = display_names.reader_language()
    shared = {
        "w": RulesWords(language),
        "language": language,
        "fonts": FALLBACK_FONTS,
        "family": FALLBACK_FAMILY,
    }
    return render_to_string(f"library/rules/{template}.html", {**shared, **context})


def _marked(board: str, solved: bool) -> str:
    return f"board:{board}:{'solved' if solved else 'orders'}"


def _pictures(book: str, language: str) -> Callable[[str], str]:
    def picture(mark: str) -> str:
        name, _, kind = mark.partition(":")
        if name == "map":
            return maps.conference_map_svg(language)
        board = example_boards.board_by_name(name, book, language)
        assert board is not None, mark
        return board.svg(language, solved=kind == "solved")

    return picture


def get_rules_pdf(name: str, book_name: str, visitor: str) -> bytes:
    """A book, a variant's rules, or the conference map for "", under a name that tells its language.

    Raises DocumentPending, DocumentFailed and QuotaUsedUp.
    """
    told = {"name": book_name, "language": display_names.reader_language()}
    return generated_documents.get_document(f"library/{name}-{_edition()}.pdf", "book", told, visitor=visitor)


def make_rules_pdf(name: str, language: str) -> bytes:
    """The same, made now. Raises PdfUnavailable."""
    with translation.override(language):
        return _pdf_bytes(_document(name))


def _document(name: str) -> PrintDocument:
    if name.startswith(OF_VARIANT):
        return variant_document(name.removeprefix(OF_VARIANT))
    return rulebook_document(name) if name else conference_map_document()


@cache
def _edition() -> str:
    """What the documents depend on: the texts and their pages, the drawing, the making and the version."""
    made = talleyrand.__version__, drawing.BOARD_CSS, printing.BARE_LABELS
    found = hashlib.sha256(repr(made).encode())
    for file in sorted(path for path in TEXTS.rglob("*") if path.suffix in (".toml", ".html")):
        found.update(file.read_bytes())
    found.update(repr([_stamp(name) for name in variant_rules.variants_with_rules()]).encode())
    return found.hexdigest()[:24]


def _stamp(name: str) -> object:
    return variant_rules.variant_chapters(name), variant_demonstration.variant_demonstration_phases(name)


def _pdf_bytes(document: PrintDocument) -> bytes:
    return printing.html_to_pdf(document.html, partial(_fetched, document))


def _fetched(document: PrintDocument, url: str) -> tuple[bytes, str]:
    """A page's pictures and fonts, and nothing from anywhere else."""
    kind, _, rest = url.partition(":")
    if kind == "board":
        return _inked(document.picture(rest), rest)
    if kind == "font":
        return printing.font_file(rest)
    raise ValueError(url)


def _inked(svg: str, mark: str) -> tuple[bytes, str]:
    """A board as large as its page wants it."""
    kind = mark.partition(":")[0].partition("-")[0]
    return printing.board_jpeg(svg, {"map": WHOLE, "stage": WIDE}.get(kind, NARROW))


__all__ = [
    "PdfUnavailable",
    "PrintDocument",
    "conference_map_document",
    "get_rules_pdf",
    "is_available",
    "is_installed",
    "make_rules_pdf",
    "rulebook_document",
    "variant_document",
]
