"""The only door to WeasyPrint (extra `pdf`): a page of HTML with its pictures as PDF."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterable
from functools import lru_cache
from importlib import resources
from importlib.util import find_spec
from io import BytesIO
from typing import Any

from talleyrand import drawing
from talleyrand.drawing.png import FAMILY, FONTS, LETTERS, png
from talleyrand.engine.errors import TalleyrandError

QUALITY = 78
LABELS = ".board .label { stroke: none; }"  # WeasyPrint paints a label's rim over the label
FACES = re.compile(r"@font-face \{[^}]*\}")  # which it does not take from within a drawing
Fetch = Callable[[str], tuple[bytes, str]]
"""What an address of the page stands for: the bytes and their kind; raises ValueError."""


class Unavailable(Exception):
    """Nothing on this machine makes PDFs."""


def installed() -> bool:
    """Whether it is worth offering one: quick, where `available` loads what makes them."""
    return find_spec("weasyprint") is not None


def available() -> bool:
    """Whether a PDF can be made here."""
    return _maker() is not None


@lru_cache(maxsize=1)
def _maker() -> Any:
    """WeasyPrint, or None without it or without the libraries of the system that it loads."""
    with warnings.catch_warnings():
        # It tells of a library of the system that its next version wants, and does without it.
        warnings.simplefilter("ignore", DeprecationWarning)
        try:
            from PIL import ImageFile

            strict = ImageFile.LOAD_TRUNCATED_IMAGES
            import weasyprint
        except (ImportError, OSError):
            return None
    # It has pictures that are cut off, or that swell, be read by everybody in this process.
    ImageFile.LOAD_TRUNCATED_IMAGES = strict
    return weasyprint


def written(html: str, fetch: Fetch) -> bytes:
    """The page as PDF. What `fetch` refuses is not looked for elsewhere. Raises Unavailable, and
    ValueError for a page that names such a thing.
    """
    maker = _maker()
    if maker is None:
        raise Unavailable
    from weasyprint.urls import FatalURLFetchingError  # which is no Exception, and would end a worker

    try:
        return bytes(maker.HTML(string=html, base_url="board:", url_fetcher=_fetcher(fetch)).write_pdf())
    except FatalURLFetchingError as refused:
        raise ValueError("the page names what it may not have") from refused


def _fetcher(fetch: Fetch) -> Any:
    from weasyprint.urls import URLFetcher, URLFetcherResponse

    class Own(URLFetcher):  # type: ignore[misc] # it comes without types
        def fetch(self, url: str, headers: Any = None) -> Any:  # noqa: ARG002 as its base has it
            content, kind = fetch(url)
            return URLFetcherResponse(url, content, {"Content-Type": kind})

    return Own(fail_on_errors=True)


def faces(names: Iterable[str] = FONTS) -> str:
    """The style sheet that names fonts of this package, for `font`."""
    return "\n".join(map(_face, names))


def _face(name: str) -> str:
    family = FAMILY if name in FONTS else name.partition("-")[0]
    bold = " font-weight: bold;" if "Bold" in name else ""
    slanted = " font-style: italic;" if "Oblique" in name or "Italic" in name else ""
    return f'@font-face {{ font-family: "{family}"; src: url(font:{name});{bold}{slanted} }}'


def font(name: str) -> tuple[bytes, str]:
    """A font of this package; raises ValueError for another."""
    if name not in (*FONTS, *LETTERS):
        raise ValueError(name)
    return (resources.files(drawing) / "fonts" / name).read_bytes(), "font/ttf"


def photograph(svg: str, width: int) -> tuple[bytes, str]:
    """A board as a photograph, since a document has a hundred; as it is without the extra `draw`."""
    try:
        return _jpeg(png(svg, width)), "image/jpeg"
    except TalleyrandError:
        return drawn(svg)


def drawn(svg: str) -> tuple[bytes, str]:
    """A board as lines, as large as one likes."""
    plain = FACES.sub("", drawing.settled(svg, drawing.Look()))
    return plain.replace("</style>", f"{LABELS}\n</style>", 1).encode(), "image/svg+xml"


def _jpeg(picture: bytes) -> bytes:
    from PIL import Image  # WeasyPrint brings it

    made = BytesIO()
    Image.open(BytesIO(picture)).convert("RGB").save(made, "JPEG", quality=QUALITY, optimize=True)
    return made.getvalue()
