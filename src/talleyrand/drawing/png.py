"""The only door to the rasteriser (extra `draw`)."""

from __future__ import annotations

from importlib import resources

from talleyrand.engine.errors import TalleyrandError

from .map_style import MapStyle, apply_style

FALLBACK_FONTS = ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf", "DejaVuSans-Oblique.ttf")
BOARD_FONTS = ("Alegreya-Regular.ttf", "Alegreya-Italic.ttf", "Alegreya-Bold.ttf")
FALLBACK_FAMILY = "DejaVu Sans"  # for what the letters of the board lack
MIN_WIDTH, MAX_WIDTH = 16, 8000  # pixels: what a reader can see, and what a machine should be asked for


def render_png(svg: str, width: int = 1200, look: MapStyle | None = None) -> bytes:
    """An SVG as PNG, `width` pixels wide, with the fonts of this package whatever the machine has.

    `look` chooses among the colours of a drawing that leaves them open.
    Raises TalleyrandError (`png_needs_draw_extra`) without the rasteriser, (`bad_width`) for a width
    that makes no picture, (`not_svg`) for text that is no drawing.
    """
    try:
        from resvg_py import svg_to_bytes
    except ImportError:
        raise TalleyrandError("png_needs_draw_extra", extra="draw") from None
    if not MIN_WIDTH <= width <= MAX_WIDTH:
        raise TalleyrandError("bad_width", width=str(width), least=str(MIN_WIDTH), most=str(MAX_WIDTH))
    fonts = resources.files(__package__) / "fonts"
    try:
        return bytes(
            svg_to_bytes(
                svg_string=apply_style(svg, look or MapStyle()),
                width=width,
                background="#ffffff",
                skip_system_fonts=True,
                font_files=[str(fonts / name) for name in (*BOARD_FONTS, *FALLBACK_FONTS)],
                font_family=FALLBACK_FAMILY,
                sans_serif_family=FALLBACK_FAMILY,
            )
        )
    except ValueError as error:
        raise TalleyrandError("not_svg", detail=str(error)) from None
