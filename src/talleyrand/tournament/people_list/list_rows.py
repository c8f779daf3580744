"""From the bytes of a file, or what was pasted, to rows of cells."""

from __future__ import annotations

import codecs
import csv
import io
from collections import Counter
from dataclasses import dataclass

from talleyrand.formats.visible_text import one_line_name
from talleyrand.tournament.event_errors import InvalidEvent

MAX_FILE_BYTES = 1 << 20  # bytes of a file
MAX_LIST_LENGTH = 200_000  # letters of a list
MAX_LINES = 400  # lines
MAX_CELLS = 60
SEPARATORS = "\t;|,"
SPREADSHEETS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")  # xlsx and ods; xls
BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


class InvalidList(InvalidEvent):
    """A file or a text that no list can be read from: `import_*`."""


@dataclass(frozen=True)
class ListRow:
    """One row, and the line of the text at which it begins."""

    line: int
    cells: tuple[str, ...]


def decode_file(content: bytes) -> str:
    """The text of a file in UTF-8, UTF-16, UTF-32 or the Windows of Western Europe; raises BadList."""
    if len(content) > MAX_FILE_BYTES:
        raise InvalidList("import_too_long", most=str(MAX_LINES))
    if content.startswith(SPREADSHEETS):
        raise InvalidList("import_spreadsheet")
    try:
        text = _decoded(content)
    except UnicodeDecodeError:
        raise InvalidList("import_not_text") from None
    return text


def _decoded(content: bytes) -> str:
    for mark, encoding in BYTE_ORDER_MARKS:
        if content.startswith(mark):
            return content[len(mark) :].decode(encoding)
    sides = content[0::2].count(0), content[1::2].count(0)
    if max(sides) * 5 > len(content):  # Latin letters in two bytes each, without a mark
        return content.decode("utf-16-be" if sides[0] > sides[1] else "utf-16-le")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        return content.decode("cp1252")


def read_rows(text: str) -> list[ListRow]:
    """The rows of a text that are not empty, by the separator that suits it; raises BadList."""
    if len(text) > MAX_LIST_LENGTH:
        raise InvalidList("import_too_long", most=str(MAX_LINES))
    if any(letter < " " and letter not in "\t\r\n\f\v" for letter in text):
        raise InvalidList("import_not_text")
    lines = text.replace("\r\n", "\n").replace("\r", "\n").removeprefix("\ufeff")
    found = list(_rows(lines, guess_separator(lines)))
    if not found:
        raise InvalidList("import_empty")
    if len(found) > MAX_LINES + 1:  # the headings
        raise InvalidList("import_too_long", most=str(MAX_LINES))
    return found


def guess_separator(text: str) -> str:
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


def _rows(text: str, sign: str) -> list[ListRow]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=sign, skipinitialspace=True)
    found, line = [], 1
    try:
        for cells in reader:
            row = ListRow(line, tuple(map(_clean, cells)))
            if any(row.cells) and not (line == 1 and cells[0].startswith("sep=")):
                found.append(row)
            line = reader.line_num + 1
    except csv.Error:
        raise InvalidList("import_bad_row", line=str(line)) from None
    if any(len(row.cells) > MAX_CELLS for row in found):
        raise InvalidList("import_too_wide", most=str(MAX_CELLS))
    return found


def _clean(cell: str) -> str:
    """Without outer blanks, invisible signs, or the apostrophe that keeps a spreadsheet from reckoning."""
    told = one_line_name(cell)
    return told[1:] if told[:1] == "'" and told[1:2] in ("=", "+", "-", "@") else told
