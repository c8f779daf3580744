"""Addresses as squares that a phone reads: on a page, on paper, in a terminal."""

from __future__ import annotations

import io
from typing import TextIO

import segno
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

WHITE_ON_BLACK, PLAIN = "\x1b[97;40m", "\x1b[0m"
QUIET = 4  # light modules around, which readers ask for
PIXELS = 4  # a module wide, so that it stays sharp where a program smooths pictures


def qr_svg(text: str, label: str) -> SafeString:
    """A square for a page or a sheet of paper, as large as its box; `label` is read out instead of it.

    Raises ValueError for a text that is too long for any square.
    """
    drawn = _qr_code(text).svg_inline(
        omitsize=True, svgclass=None, lineclass=None, light="#fff", border=QUIET
    )
    # made of numbers alone: no letter of the text is in it
    return format_html('<span class="qr" role="img" aria-label="{}">{}</span>', label, mark_safe(drawn))  # noqa: S308


def address_qr_svg(address: str) -> SafeString:
    """The square of an address, read out as such. Raises ValueError as `qr_svg` does."""
    return qr_svg(address, _("QR code of %(address)s") % {"address": address})


def qr_png(text: str) -> bytes:
    """A square as PNG, for papers that have hundreds. Raises ValueError as `qr_svg` does."""
    made = io.BytesIO()
    _qr_code(text).save(made, kind="png", scale=PIXELS, border=QUIET)
    return made.getvalue()


def print_qr(text: str, out: TextIO) -> bool:
    """Print a square in a terminal; False where its letters cannot be written."""
    drawn = io.StringIO()
    _qr_code(text).terminal(drawn, border=2, compact=True)
    lines = drawn.getvalue().splitlines()
    if out.isatty():  # whichever colours it usually has
        lines = [f"{WHITE_ON_BLACK}{line}{PLAIN}" for line in lines]
    try:
        "\n".join(lines).encode(out.encoding or "ascii")
    except UnicodeEncodeError:
        return False
    print(*lines, sep="\n", file=out, flush=True)
    return True


def _qr_code(text: str) -> segno.QRCode:
    return segno.make(text, micro=False, error="m")
