"""Books and maps as PDF: the only door to WeasyPrint (extra `pdf`), and what it has made kept on disk."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from threading import Lock
from typing import Any

from django.conf import settings
from django.template.loader import render_to_string

import talleyrand
from talleyrand import drawing
from talleyrand.drawing.png import FAMILY, FONTS, png
from talleyrand.engine.errors import TalleyrandError
from talleyrand.web.boards import wording

from . import conference as maps
from . import rules_boards, rules_pages, rules_texts
from .rules_texts import Words

NARROW, WIDE = 700, 1500  # pixels of a board beside its results, and across a page
QUALITY = 78
PATIENCE = 15  # seconds that a reader waits for the PDF of another before being asked to come back
LABELS = ".board .label { stroke: none; }"  # WeasyPrint paints a label's rim over the label
_at_work = Lock()


class Unavailable(Exception):
    """Nothing on this machine makes PDFs."""


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
    if not _at_work.acquire(timeout=PATIENCE):
        raise Busy
    try:
        if not kept.is_file():
            _keep(kept, name, _made(document))
        return kept.read_bytes()
    finally:
        _at_work.release()


def _folder() -> Path:
    return Path(settings.DATA) / "library"


def _digest(html: str) -> str:
    """What the document depends on: its text, the version, the drawing and the making."""
    parts = (html, talleyrand.__version__, drawing.STYLE, LABELS)
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:24]


def _keep(file: Path, name: str, content: bytes) -> None:
    """In place at once or not at all; what it replaces goes."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=file.parent, delete=False) as writing:
        writing.write(content)
    for old in file.parent.glob(f"{name}-*.pdf"):
        old.unlink(missing_ok=True)
    Path(writing.name).replace(file)


@lru_cache(maxsize=1)
def _maker() -> Any:
    """WeasyPrint, or None without it or without the libraries of the system that it loads."""
    try:
        import weasyprint
    except (ImportError, OSError):
        return None
    return weasyprint


def available() -> bool:
    """Whether a PDF can be made here."""
    return _maker() is not None


def installed() -> bool:
    """Whether it is worth offering one: quick, where `available` loads what makes them."""
    return find_spec("weasyprint") is not None


def _made(document: Document) -> bytes:
    if not available():
        raise Unavailable
    maker = _maker()
    page = maker.HTML(string=document.html, base_url="board:", url_fetcher=_fetcher(document))
    return bytes(page.write_pdf())


def _fetcher(document: Document) -> Any:
    """Gives a page its pictures and fonts, and nothing from anywhere else."""
    from weasyprint.urls import URLFetcher, URLFetcherResponse

    class Own(URLFetcher):  # type: ignore[misc] # it comes without types
        def fetch(self, url: str, headers: Any = None) -> Any:  # noqa: ARG002 as its base has it
            content, kind = _fetched(document, url)
            return URLFetcherResponse(url, content, {"Content-Type": kind})

    return Own(fail_on_errors=True)


def _fetched(document: Document, url: str) -> tuple[bytes, str]:
    kind, _, rest = url.partition(":")
    if kind == "board":
        return _inked(document.picture(rest), rest)
    if kind == "font" and rest in FONTS:
        return (resources.files(drawing) / "fonts" / rest).read_bytes(), "font/ttf"
    raise ValueError(url)


def _inked(svg: str, mark: str) -> tuple[bytes, str]:
    """A board as a photograph, since a book has a hundred; the map, and everything without `draw`, as SVG."""
    if not mark.startswith("map:"):
        try:
            return _photograph(png(svg, WIDE if mark.startswith("stage-") else NARROW)), "image/jpeg"
        except TalleyrandError:
            pass
    return svg.replace("</style>", f"{LABELS}\n</style>", 1).encode(), "image/svg+xml"


def _photograph(picture: bytes) -> bytes:
    from PIL import Image  # WeasyPrint brings it

    written = BytesIO()
    Image.open(BytesIO(picture)).convert("RGB").save(written, "JPEG", quality=QUALITY, optimize=True)
    return written.getvalue()
