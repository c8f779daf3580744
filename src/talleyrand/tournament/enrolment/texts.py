"""From the bytes of a file, or what was pasted, to rows of cells."""

from __future__ import annotations

import codecs
import csv
import io
from collections import Counter
from dataclasses import dataclass

from talleyrand.formats.signs import on_one_line
from talleyrand.tournament.errors import BadEvent

LARGEST = 1 << 20  # bytes of a file
LONGEST = 200_000  # letters of a list
MOST = 400  # lines
MOST_CELLS = 60
SEPARATORS = "\t;|,"
SPREADSHEETS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")  # xlsx and ods; xls
MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


class BadList(BadEvent):
    """A file or a text that no list can be read from: `import_*`."""


@dataclass(frozen=True)
class Row:
    """One row, and the line of the text at which it begins."""

    line: int
    cells: tuple[str, ...]


def decoded(content: bytes) -> str:
    """The text of a file in UTF-8, UTF-16, UTF-32 or the Windows of Western Europe; raises BadList."""
    if len(content) > LARGEST:
        raise BadList("import_too_long", most=str(MOST))
    if content.startswith(SPREADSHEETS):
        raise BadList("import_spreadsheet")
    try:
        text = _decoded(content)
    except UnicodeDecodeError:
        raise BadList("import_not_text") from None
    return text


def _decoded(content: bytes) -> str:
    for mark, encoding in MARKS:
        if content.startswith(mark):
            return content[len(mark) :].decode(encoding)
    sides = content[0::2].count(0), content[1::2].count(0)
    if max(sides) * 5 > len(content):  # Latin letters in two bytes each, without a mark
        return content.decode("utf-16-be" if sides[0] > sides[1] else "utf-16-le")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        return content.decode("cp1252")


def rows(text: str) -> list[Row]:
    """The rows of a text that are not empty, by the separator that suits it; raises BadList."""
    if len(text) > LONGEST:
        raise BadList("import_too_long", most=str(MOST))
    if any(letter < " " and letter not in "\t\r\n\f\v" for letter in text):
        raise BadList("import_not_text")
    lines = text.replace("\r\n", "\n").replace("\r", "\n").removeprefix("\ufeff")
    found = list(_rows(lines, separator(lines)))
    if not found:
        raise BadList("import_empty")
    if len(found) > MOST + 1:  # the headings
        raise BadList("import_too_long", most=str(MOST))
    return found


def separator(text: str) -> str:
    """The sign that most lines have, and have equally often; a comma only where nothing else parts them."""
    lines = [line for line in text.split("\n") if line.strip()][:50]
    if lines and lines[0].startswith("sep=") and len(lines[0]) == len("sep=") + 1:
        return lines[0][-1]
    return max(SEPARATORS, key=lambda sign: _suits(sign, lines))


def _suits(sign: str, lines: list[str]) -> tuple[int, bool]:
    times = Counter(line.count(sign) for line in lines)
    times.pop(0, None)
    often = max(times.values(), default=0)
    return (often, sign != ",")


def _rows(text: str, sign: str) -> list[Row]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=sign, skipinitialspace=True)
    found, line = [], 1
    try:
        for cells in reader:
            row = Row(line, tuple(map(_clean, cells)))
            if any(row.cells) and not (line == 1 and cells[0].startswith("sep=")):
                found.append(row)
            line = reader.line_num + 1
    except csv.Error:
        raise BadList("import_bad_row", line=str(line)) from None
    if any(len(row.cells) > MOST_CELLS for row in found):
        raise BadList("import_too_wide", most=str(MOST_CELLS))
    return found


def _clean(cell: str) -> str:
    """Without outer blanks, invisible signs, or the apostrophe that keeps a spreadsheet from reckoning."""
    told = on_one_line(cell)
    return told[1:] if told[:1] == "'" and told[1:2] in ("=", "+", "-", "@") else told
