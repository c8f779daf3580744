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
from talleyrand.drawing.png import FAMILY, FONTS
from talleyrand.printing import pdf as printing
from talleyrand.printing.pdf import Unavailable, available, installed
from talleyrand.web.background import documents
from talleyrand.web.boards import wording

from . import conference as maps
from . import rules_boards, rules_pages, rules_texts, variant_book, variant_demonstration, variant_rules_pages
from .rules_texts import Words

TEXTS = Path(__file__).parent
OF_VARIANT = "variant:"  # begins the name of a variant's rules
NARROW, WIDE, WHOLE = 700, 1500, 3200  # pixels of a board beside its results, across a page, and as one


@dataclass(frozen=True)
class Document:
    """A page to print, and the pictures it names by `board:`."""

    html: str
    picture: Callable[[str], str]


def book(name: str) -> Document:
    """A whole book in the reader's language: every chapter, board and phase, and the map."""
    shelf = rules_pages.open_book(name, _marked)
    chapters = [rules_pages.chapter(shelf, entry["id"]) for entry in rules_pages.contents(shelf)]
    stages = [rules_pages.stage(shelf, number) for number in range(1, len(rules_texts.stages()) + 1)]
    context = {"book": shelf, "chapters": chapters, "stages": stages, **maps.tables(shelf.language)}
    return Document(_html("print", context), _pictures(name, shelf.language))


def variant(name: str) -> Document:
    """The rules of a variant in the reader's language: every chapter, our readings, and its game."""
    opened = variant_rules_pages.opened(name)
    listed = variant_rules_pages.contents(opened)
    numbers = range(1, len(variant_demonstration.scenes(name)) + 1)
    context = {
        "title": variant_rules_pages.title(opened),
        "chapters": [variant_rules_pages.chapter(opened, entry["id"]) for entry in listed],
        "stages": [variant_demonstration.stage(opened, number) for number in numbers],
    }

    def picture(mark: str) -> str:
        number, kind = mark.removeprefix("stage-").split(":")
        return variant_demonstration.drawn(opened, int(number), kind)

    return Document(_html("print_variant", context), picture)


def conference() -> Document:
    """The conference map alone, in the reader's language."""
    language = wording.language()
    return Document(_html("print_map", maps.tables(language)), _pictures("", language))


def _html(template: str, context: dict[str, Any]) -> str:
    language = wording.language()
    shared = {"w": Words(language), "language": language, "fonts": FONTS, "family": FAMILY}
    return render_to_string(f"library/rules/{template}.html", {**shared, **context})


def _marked(board: str, solved: bool) -> str:
    return f"board:{board}:{'solved' if solved else 'orders'}"


def _pictures(book: str, language: str) -> Callable[[str], str]:
    def picture(mark: str) -> str:
        name, _, kind = mark.partition(":")
        if name == "map":
            return maps.picture(language)
        board = rules_boards.named(name, book, language)
        assert board is not None, mark
        return board.svg(language, solved=kind == "solved")

    return picture


def asked(name: str, book_name: str, visitor: str) -> bytes:
    """A book, a variant's rules, or the conference map for "", under a name that tells its language.

    Raises Preparing, NotMade and Spent.
    """
    told = {"name": book_name, "language": wording.language()}
    return documents.kept(f"library/{name}-{_edition()}.pdf", "book", told, visitor=visitor)


def written(name: str, language: str) -> bytes:
    """The same, made now. Raises Unavailable."""
    with translation.override(language):
        return _made(_document(name))


def _document(name: str) -> Document:
    if name.startswith(OF_VARIANT):
        return variant(name.removeprefix(OF_VARIANT))
    return book(name) if name else conference()


@cache
def _edition() -> str:
    """What the documents depend on: the texts and their pages, the drawing, the making and the version."""
    made = talleyrand.__version__, drawing.STYLE, printing.LABELS
    found = hashlib.sha256(repr(made).encode())
    for file in sorted(path for path in TEXTS.rglob("*") if path.suffix in (".toml", ".html")):
        found.update(file.read_bytes())
    found.update(repr([_whole(name) for name in variant_book.names()]).encode())
    return found.hexdigest()[:24]


def _whole(name: str) -> object:
    return variant_book.chapters(name), variant_demonstration.scenes(name)


def _made(document: Document) -> bytes:
    return printing.written(document.html, partial(_fetched, document))


def _fetched(document: Document, url: str) -> tuple[bytes, str]:
    """A page's pictures and fonts, and nothing from anywhere else."""
    kind, _, rest = url.partition(":")
    if kind == "board":
        return _inked(document.picture(rest), rest)
    if kind == "font":
        return printing.font(rest)
    raise ValueError(url)


def _inked(svg: str, mark: str) -> tuple[bytes, str]:
    """A board as large as its page wants it."""
    kind = mark.partition(":")[0].partition("-")[0]
    return printing.photograph(svg, {"map": WHOLE, "stage": WIDE}.get(kind, NARROW))


__all__ = [
    "Document",
    "Unavailable",
    "asked",
    "available",
    "book",
    "conference",
    "installed",
    "variant",
    "written",
]
