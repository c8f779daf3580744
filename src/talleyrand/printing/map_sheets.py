"""A board on a sheet of paper, from A4 to the poster: as lines, as large as the sheet allows."""

from __future__ import annotations

from talleyrand import drawing
from talleyrand.drawing.svg_markup import element, escape_text

from . import pdf
from .order_sheets import PAPER_FONTS

PAPER_SIZES = {"a4": (210, 297), "a3": (297, 420), "a2": (420, 594), "a1": (594, 841)}  # millimetres
BLANK_STYLE = drawing.MapStyle("contrast", names=False)  # white land to write on, in any printer's black
POSTER_STYLE = drawing.MapStyle()
MARGIN = 8  # millimetres that most printers leave white


def map_sheet_html(svg: str, paper: str, title: str, language: str) -> str:
    """A page of a size of PAPER_SIZES, upright where the drawing is; the drawing stands at `board:`."""
    _left, _top, wide, high = map(float, svg.partition('viewBox="')[2].partition('"')[0].split())
    short, long = PAPER_SIZES[paper]
    width, height = (long, short) if wide > high else (short, long)
    scale = min((width - 2 * MARGIN) / wide, (height - 2 * MARGIN) / high)
    size = f"width: {wide * scale:.1f}mm; height: {high * scale:.1f}mm"
    style = (
        f"{pdf.font_faces(PAPER_FONTS)}\n@page {{ size: {width}mm {height}mm; margin: {MARGIN - 1}mm }}"
        "body { margin: 0 } img { display: block; margin: 0 auto }"
    )
    named = element("meta", charset="utf-8") + element("title", escape_text(title))
    head = element("head", named, f"<style>\n{style}\n</style>")
    body = element("body", element("img", src="board:", alt=title, style=size))
    return f"<!doctype html>\n{element('html', head, body, lang=language)}\n"
