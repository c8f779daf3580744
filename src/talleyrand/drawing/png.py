"""The only door to the rasteriser (extra `draw`)."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator, Sequence
from importlib import resources

from talleyrand.engine.errors import TalleyrandError

from .map_style import MapStyle, apply_style

FALLBACK_FONTS = ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf", "DejaVuSans-Oblique.ttf")
BOARD_FONTS = ("Alegreya-Regular.ttf", "Alegreya-Italic.ttf", "Alegreya-Bold.ttf")
FALLBACK_FAMILY = "DejaVu Sans"  # for what the letters of the board lack
SIGNATURE = b"\x89PNG\r\n\x1a\n"
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


def render_animation(svgs: Sequence[str], seconds: Sequence[float], width: int = 800) -> bytes:
    """Drawings of the same size one after the other, over and over, each for so many seconds, as an APNG: a
    PNG of the first one for whatever does not know more.

    Raises what `render_png` raises, and ValueError for drawings of several sizes.
    Source: https://www.w3.org/TR/png-3/#apng-frame-based-animation
    """
    frames = [list(_chunks(render_png(svg, width))) for svg in svgs]
    header = frames[0][0][1]
    if any(frame[0][1] != header for frame in frames):
        raise ValueError("drawings of several sizes")
    size, number = header[:8], 0
    parts = [SIGNATURE, _chunk(b"IHDR", header), _chunk(b"acTL", struct.pack(">II", len(frames), 0))]
    for frame, pause in zip(frames, seconds, strict=True):
        shown = struct.pack(">I8sIIHHBB", number, size, 0, 0, round(1000 * pause), 1000, 0, 0)
        parts.append(_chunk(b"fcTL", shown))
        number += 1
        for data in (data for kind, data in frame if kind == b"IDAT"):
            if frame is frames[0]:
                parts.append(_chunk(b"IDAT", data))
                continue
            parts.append(_chunk(b"fdAT", struct.pack(">I", number) + data))
            number += 1
    return b"".join((*parts, _chunk(b"IEND", b"")))


def _chunks(picture: bytes) -> Iterator[tuple[bytes, bytes]]:
    """The parts of a PNG: what each is called, and what is in it."""
    at = len(SIGNATURE)
    while at < len(picture):
        (length,) = struct.unpack(">I", picture[at : at + 4])
        yield picture[at + 4 : at + 8], picture[at + 8 : at + 8 + length]
        at += length + 12


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
