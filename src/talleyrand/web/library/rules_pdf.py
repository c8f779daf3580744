"""Books and maps as PDF (extra `pdf`), kept on disk once they are made."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from threading import Lock
from typing import Any

from django.conf import settings
from django.template.loader import render_to_string
from django.utils import translation

import talleyrand
from talleyrand import drawing
from talleyrand.drawing.png import FAMILY, FONTS
from talleyrand.printing import pdf as printing
from talleyrand.printing.pdf import Unavailable, available, installed
from talleyrand.web.background import documents
from talleyrand.web.background.documents import NotMade, Preparing
from talleyrand.web.boards import wording
from talleyrand.web.boards.keeping import AT_ONCE
from talleyrand.web.patience import patience

from . import conference as maps
from . import rules_boards, rules_pages, rules_texts
from .rules_texts import Words

NARROW, WIDE, WHOLE = 700, 1500, 3200  # pixels of a board beside its results, across a page, and as one
PATIENCE = 15  # seconds that a reader waits for the PDF of another before being asked to come back
_at_work = Lock()


class Busy(Exception):
    """Another PDF is being made."""


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


def pdf(name: str, document: Document) -> bytes:
    """The document as PDF, made once; raises Unavailable and Busy."""
    kept = _folder() / f"{name}-{_digest(document.html)}.pdf"
    if kept.is_file():
        return kept.read_bytes()
    with patience(PATIENCE) as seconds:
        if not _at_work.acquire(timeout=seconds):
            raise Busy
    try:
        if not kept.is_file():
            _keep(kept, name, _made(document))
        return kept.read_bytes()
    finally:
        _at_work.release()


def asked(name: str, book_name: str) -> bytes:
    """A book, or the conference map for "", under a name that tells its language.

    Raises Unavailable and Busy; where workers make it, Preparing and NotMade.
    """
    if not settings.WORKERS:
        return pdf(name, _document(book_name))
    told = {"name": book_name, "language": wording.language()}
    return documents.kept(f"library/{name}-{_digest('')}.pdf", "book", told, AT_ONCE)


def written(name: str, language: str) -> bytes:
    """The same, made now. Raises Unavailable."""
    with translation.override(language):
        return _made(_document(name))


def _document(name: str) -> Document:
    return book(name) if name else conference()


def _folder() -> Path:
    return Path(settings.DATA) / "library"


def _digest(html: str) -> str:
    """What the document depends on: its text, the version, the drawing and the making."""
    parts = (html, talleyrand.__version__, drawing.STYLE, printing.LABELS)
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:24]


def _keep(file: Path, name: str, content: bytes) -> None:
    """In place at once or not at all; what it replaces goes."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=file.parent, delete=False) as writing:
        writing.write(content)
    for old in file.parent.glob(f"{name}-*.pdf"):
        old.unlink(missing_ok=True)
    Path(writing.name).replace(file)


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
    "Busy",
    "Document",
    "NotMade",
    "Preparing",
    "Unavailable",
    "asked",
    "available",
    "book",
    "conference",
    "installed",
    "pdf",
]
