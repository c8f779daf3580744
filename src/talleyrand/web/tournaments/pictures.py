"""A photograph as a telephone sends it, and as it is kept: small, upright, without a word of where and when.

Whatever is sent is taken apart and made again from its points alone.
"""

from __future__ import annotations

import struct
import threading
from dataclasses import dataclass
from io import BytesIO

from talleyrand.tournament.errors import Refused

LARGEST = 12 << 20  # bytes that are sent
SIDE = 2000
QUALITY = 82
POINTS = {"JPEG": 64_000_000, "PNG": 25_000_000, "WEBP": 25_000_000}  # a JPEG need not be unfolded whole
BROKEN = (
    OSError,
    ValueError,
    SyntaxError,
    EOFError,
    IndexError,
    TypeError,
    KeyError,
    AttributeError,
    struct.error,
)
_one_at_a_time = threading.Semaphore()  # each may take a hundred megabytes for a moment


@dataclass(frozen=True)
class Picture:
    """A JPEG."""

    content: bytes
    width: int
    height: int


def small(sent: bytes) -> Picture:
    """What is kept of a photograph; raises Refused: nothing was sent, too much, or no photograph."""
    if not sent:
        raise Refused("act_photo_none")
    if len(sent) > LARGEST:
        raise Refused("act_photo_large", most=str(LARGEST >> 20))
    with _one_at_a_time:
        return _small(sent)


def _small(sent: bytes) -> Picture:
    from PIL import Image, ImageOps  # WeasyPrint brings it

    try:
        with Image.open(BytesIO(sent), formats=tuple(POINTS)) as found:
            width, height = found.size
            if width * height > POINTS[found.format or ""]:
                raise Refused("act_photo_points", most=str(POINTS[found.format or ""] // 1_000_000))
            found.thumbnail((SIDE, SIDE))
            upright = ImageOps.exif_transpose(found).convert("RGB")
    except Image.DecompressionBombError:
        raise Refused("act_photo_points", most=str(POINTS["PNG"] // 1_000_000)) from None
    except BROKEN:
        raise Refused("act_photo_kind") from None
    bare, made = Image.new("RGB", upright.size), BytesIO()
    bare.paste(upright)
    bare.save(made, "JPEG", quality=QUALITY, optimize=True)
    return Picture(made.getvalue(), *bare.size)
