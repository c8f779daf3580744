"""How wide letters are: the two tables of a TrueType font that say so."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from functools import cache
from pathlib import Path

FONTS = Path(__file__).resolve().parent.parent / "src" / "talleyrand" / "drawing" / "fonts"
FACES = {"sea": "Alegreya-Italic.ttf", "strand": "Alegreya-Italic.ttf"}
USUAL_FACE = "Alegreya-Regular.ttf"
MISSING = 0.5  # em, for a letter the font lacks


def advances(text: str, kind: str) -> list[float]:
    """The width of each letter of a name on a province of this kind, in font sizes."""
    widths = _widths(FONTS / FACES.get(kind, USUAL_FACE))
    return [widths.get(ord(letter), MISSING) for letter in text]


@cache
def _widths(path: Path) -> Mapping[int, float]:
    data = path.read_bytes()
    tables = _tables(data)
    (per_em,) = struct.unpack_from(">H", data, tables["head"] + 18)
    (long_ones,) = struct.unpack_from(">H", data, tables["hhea"] + 34)
    metrics = [struct.unpack_from(">H", data, tables["hmtx"] + 4 * at)[0] / per_em for at in range(long_ones)]
    return {code: metrics[min(glyph, long_ones - 1)] for code, glyph in _glyphs(data, tables["cmap"]).items()}


def _tables(data: bytes) -> dict[str, int]:
    (count,) = struct.unpack_from(">H", data, 4)
    rows = (struct.unpack_from(">4sIII", data, 12 + 16 * at) for at in range(count))
    return {tag.decode(): offset for tag, _, offset, _ in rows}


def _glyphs(data: bytes, cmap: int) -> dict[int, int]:
    """The glyph of each character, from the subtable of format 4."""
    (count,) = struct.unpack_from(">H", data, cmap + 2)
    starts = [cmap + struct.unpack_from(">HHI", data, cmap + 4 + 8 * at)[2] for at in range(count)]
    table = next(start for start in starts if struct.unpack_from(">H", data, start)[0] == 4)
    doubled = struct.unpack_from(">H", data, table + 6)[0]
    found: dict[int, int] = {}
    for at in range(table + 14, table + 14 + doubled, 2):
        (end,), (start,) = (
            struct.unpack_from(">H", data, at),
            struct.unpack_from(">H", data, at + doubled + 2),
        )
        (delta,) = struct.unpack_from(">H", data, at + 2 * doubled + 2)
        (offset,) = struct.unpack_from(">H", data, at + 3 * doubled + 2)
        for code in range(start, min(end, 0xFFFE) + 1):
            glyph = code
            if offset:
                (glyph,) = struct.unpack_from(">H", data, at + 3 * doubled + 2 + offset + 2 * (code - start))
            found[code] = (glyph + delta) & 0xFFFF
    return found
