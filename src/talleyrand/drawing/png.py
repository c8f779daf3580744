"""The only door to the rasteriser (extra `draw`)."""

from __future__ import annotations

from importlib import resources

from talleyrand.engine.errors import TalleyrandError

from .looks import Look, settled

FONTS = ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf", "DejaVuSans-Oblique.ttf")
LETTERS = ("Alegreya-Regular.ttf", "Alegreya-Italic.ttf", "Alegreya-Bold.ttf")
FAMILY = "DejaVu Sans"  # for what the letters of the board lack
NARROWEST, WIDEST = 16, 8000  # pixels: what a reader can see, and what a machine should be asked for


def png(svg: str, width: int = 1200, look: Look | None = None) -> bytes:
    """An SVG as PNG, `width` pixels wide, with the fonts of this package whatever the machine has.

    `look` chooses among the colours of a drawing that leaves them open.
    Raises TalleyrandError (`png_needs_draw_extra`) without the rasteriser, (`bad_width`) for a width
    that makes no picture, (`not_svg`) for text that is no drawing.
    """
    try:
        from resvg_py import svg_to_bytes
    except ImportError:
        raise TalleyrandError("png_needs_draw_extra", extra="draw") from None
    if not NARROWEST <= width <= WIDEST:
        raise TalleyrandError("bad_width", width=str(width), least=str(NARROWEST), most=str(WIDEST))
    fonts = resources.files(__package__) / "fonts"
    try:
        return bytes(
            svg_to_bytes(
                svg_string=settled(svg, look or Look()),
                width=width,
                background="#ffffff",
                skip_system_fonts=True,
                font_files=[str(fonts / name) for name in (*LETTERS, *FONTS)],
                font_family=FAMILY,
                sans_serif_family=FAMILY,
            )
        )
    except ValueError as error:
        raise TalleyrandError("not_svg", detail=str(error)) from None
