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
from talleyrand.drawing.png import BOARD_FONTS, FALLBACK_FAMILY, FALLBACK_FONTS, render_png
from talleyrand.engine.errors import TalleyrandError

JPEG_QUALITY = 78
A4 = (210 / 25.4 * 72, 297 / 25.4 * 72)  # points
# WeasyPrint paints the rim of a label over it: so labels are there twice, the upper ones without a rim.
BARE_LABELS = ".bare .label, .bare .name, .inset .name { stroke: none; }"
LABELS = re.compile(r'(<g id="layer-labels" class="board">\n)(.*?)(</g>)', re.DOTALL)
FACES = re.compile(r"@font-face \{[^}]*\}")  # which it does not take from within a drawing
ResourceFetcher = Callable[[str], tuple[bytes, str]]
"""What an address of the page stands for: the bytes and their kind; raises ValueError."""


class PdfUnavailable(Exception):
    """Nothing on this machine makes PDFs."""


def is_installed() -> bool:
    """Whether it is worth offering one: quick, where `is_available` loads what makes them."""
    return find_spec("weasyprint") is not None


def is_available() -> bool:
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


def html_to_pdf(html: str, fetch: ResourceFetcher, *, filled_forms: bool = False) -> bytes:
    """The page as PDF. What `fetch` refuses is not looked for elsewhere. Raises PdfUnavailable, and
    ValueError for a page that names such a thing.

    With `filled_forms` the first page is a form, the others are what is filled in: each of these becomes a
    sheet of A4 with as many copies of it, on that form, as there is room for. So they are laid out once.
    """
    maker = _maker()
    if maker is None:
        raise PdfUnavailable
    from weasyprint.urls import FatalURLFetchingError  # which is no Exception, and would end a worker

    try:
        page = maker.HTML(string=html, base_url="board:", url_fetcher=_fetcher(fetch))
        return bytes(page.write_pdf(finisher=_fill_forms if filled_forms else None))
    except FatalURLFetchingError as refused:
        raise ValueError("the page names what it may not have") from refused


def _fetcher(fetch: ResourceFetcher) -> Any:
    from weasyprint.urls import URLFetcher, URLFetcherResponse

    class Own(URLFetcher):  # type: ignore[misc] # it comes without types
        def fetch(self, url: str, headers: Any = None) -> Any:  # noqa: ARG002 as its base has it
            content, kind = fetch(url)
            return URLFetcherResponse(url, content, {"Content-Type": kind})

    return Own(fail_on_errors=True)


def _fill_forms(_document: Any, made: Any) -> None:
    """Turn pages into drawings, which sheets of A4 show again and again (ISO 32000-1, 8.10)."""
    import pydyf  # WeasyPrint brings it

    form, *filled = [made.objects[number] for number in made.pages["Kids"][::3]]
    _left, _top, width, height = form["MediaBox"]
    places = [
        (column * width, A4[1] - (row + 1) * height)
        for row in range(int(A4[1] // height))
        for column in range(int(A4[0] // width))
    ]
    drawn = [f"q 1 0 0 1 {x:.3f} {y:.3f} cm /Form Do /Filled Do Q" for x, y in places]
    copies = pydyf.Stream(drawn, compress=True)
    made.add_object(copies)
    for page in filled or [form]:  # a sheet of blank forms where nothing is filled in
        drawings = {"Form": _drawing(made, form), "Filled": _drawing(made, page)}
        page["Contents"] = copies.reference
        page["Resources"] = pydyf.Dictionary({"XObject": pydyf.Dictionary(drawings)})
        page["MediaBox"] = page["TrimBox"] = page["BleedBox"] = pydyf.Array([0, 0, *A4])
    if filled:
        del made.pages["Kids"][:3]
        made.pages["Count"] -= 1


def _drawing(made: Any, page: Any) -> bytes:
    """The reference of a page's content, as a drawing that may reach a point beyond its page."""
    content = made.objects[int(page["Contents"].split()[0])]
    left, top, right, bottom = page["MediaBox"]
    box = f"[{left - 1} {top - 1} {right + 1} {bottom + 1}]"
    content.extra |= {"Type": "/XObject", "Subtype": "/Form", "BBox": box, "Resources": page["Resources"]}
    return bytes(content.reference)


def font_faces(names: Iterable[str] = FALLBACK_FONTS) -> str:
    """The style sheet that names fonts of this package, for `font_file`."""
    return "\n".join(map(_face, names))


def _face(name: str) -> str:
    family = FALLBACK_FAMILY if name in FALLBACK_FONTS else name.partition("-")[0]
    bold = " font-weight: bold;" if "Bold" in name else ""
    slanted = " font-style: italic;" if "Oblique" in name or "Italic" in name else ""
    return f'@font-face {{ font-family: "{family}"; src: url(font:{name});{bold}{slanted} }}'


def font_file(name: str) -> tuple[bytes, str]:
    """A font of this package; raises ValueError for another."""
    if name not in (*FALLBACK_FONTS, *BOARD_FONTS):
        raise ValueError(name)
    return (resources.files(drawing) / "fonts" / name).read_bytes(), "font/ttf"


def board_jpeg(svg: str, width: int) -> tuple[bytes, str]:
    """A board as a photograph, since a document has a hundred; as it is without the extra `draw`."""
    try:
        return _jpeg(render_png(svg, width)), "image/jpeg"
    except TalleyrandError:
        return board_vector(svg)


def board_vector(svg: str, style: drawing.MapStyle | None = None) -> tuple[bytes, str]:
    """A board as lines, as large as one likes."""
    plain = FACES.sub("", drawing.apply_style(svg, style or drawing.MapStyle()))
    twice = LABELS.sub(r'\1\2<g class="bare">\n\2</g>\n\3', plain, count=1)
    return twice.replace("</style>", f"{BARE_LABELS}\n</style>", 1).encode(), "image/svg+xml"


def _jpeg(picture: bytes) -> bytes:
    from PIL import Image  # WeasyPrint brings it

    made = BytesIO()
    Image.open(BytesIO(picture)).convert("RGB").save(made, "JPEG", quality=JPEG_QUALITY, optimize=True)
    return made.getvalue()
