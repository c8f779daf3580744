"""A photograph as a telephone sends it, and as it is kept: small, upright, without a word of where and when.

Whatever is sent is taken apart and made again from its points alone.
"""

from __future__ import annotations

import re
import struct
import threading
from dataclasses import dataclass
from io import BytesIO

from talleyrand.tournament.event_errors import ActRefused

LARGEST_UPLOAD = 12 << 20  # bytes that are sent
LONGEST_SIDE = 2000
QUALITY = 82
FORMATS = ("JPEG", "PNG", "WEBP")
MOST_POINTS = 64_000_000  # of a JPEG that goes by line after line, and need not be unfolded whole
UNFOLDED = 25_000_000
MOST_SCANS = 40  # passes over the whole picture: few bytes each, and as dear as the picture is large
BROKEN_IMAGE_ERRORS = (
    OSError,
    ValueError,
    SyntaxError,
    EOFError,
    IndexError,
    TypeError,
    KeyError,
    AttributeError,
    ArithmeticError,
    RecursionError,
    struct.error,
)
_BEGIN, _SCAN, _END = b"\xff\xd8", 0xDA, 0xD9
_BARE = frozenset({0x01, *range(0xD0, 0xD9)})  # markers without a length
_MARKER = re.compile(rb"\xff+([^\x00\xff])")
_one_at_a_time = threading.Semaphore()  # each may take a hundred megabytes for a moment


@dataclass(frozen=True)
class CleanPhoto:
    """A JPEG."""

    content: bytes
    width: int
    height: int


def clean_photo(sent: bytes) -> CleanPhoto:
    """What is kept of a photograph; raises ActRefused: nothing was sent, too much, or no photograph."""
    if not sent:
        raise ActRefused("act_photo_none")
    if len(sent) > LARGEST_UPLOAD:
        raise ActRefused("act_photo_large", most=str(LARGEST_UPLOAD >> 20))
    with _one_at_a_time:
        return _small(sent)


def _small(sent: bytes) -> CleanPhoto:
    from PIL import Image, ImageOps  # WeasyPrint brings it

    try:
        with Image.open(BytesIO(sent), formats=FORMATS) as found:
            _check(sent, *found.size)
            found.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
            upright = ImageOps.exif_transpose(found).convert("RGB")
    except Image.DecompressionBombError:
        raise ActRefused("act_photo_points", most=str(UNFOLDED // 1_000_000)) from None
    except BROKEN_IMAGE_ERRORS:
        raise ActRefused("act_photo_kind") from None
    bare, made = Image.new("RGB", upright.size), BytesIO()
    bare.paste(upright)
    bare.save(made, "JPEG", quality=QUALITY, optimize=True)
    return CleanPhoto(made.getvalue(), *bare.size)


def _check(sent: bytes, width: int, height: int) -> None:
    """Raises ActRefused for a picture that is dearer to unfold than its bytes let one think."""
    passes = jpeg_scan_count(sent)
    if passes > MOST_SCANS:
        raise ActRefused("act_photo_kind")
    most = MOST_POINTS if passes == 1 else UNFOLDED
    if width * height > most:
        raise ActRefused("act_photo_points", most=str(most // 1_000_000))


def jpeg_scan_count(sent: bytes) -> int:
    """How often a JPEG goes over its picture (ITU T.81, B.1.1.4), counted to one above MOST_SCANS; 0 for
    another kind. Pictures within its remarks, or behind its end, are none of it.
    """
    at, found = 2, 0
    while sent.startswith(_BEGIN) and found <= MOST_SCANS and (marker := _MARKER.search(sent, at)):
        kind, at = marker[1][0], marker.end()
        if kind == _END:
            break
        found += kind == _SCAN
        if kind not in _BARE:
            at += int.from_bytes(sent[at : at + 2], "big")
    return found
