"""From the bytes of a file, or what was pasted, to rows of cells; what stands in which column, and in a cell.

A column is known by its heading in French or English, or by the look of its cells. A cell is a flag, rounds,
a date, an amount; or what is wrong with it is said.
"""

from __future__ import annotations

import codecs
import csv
import io
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from functools import cache
from importlib.resources import files

from talleyrand import variants
from talleyrand.formats.visible_text import one_line_name
from talleyrand.tournament.board_rules import CLASSIC, variant_powers
from talleyrand.tournament.event_errors import InvalidEvent
from talleyrand.tournament.model import Office
from talleyrand.tournament.name_matching import fold_name

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
    """The text of a file in UTF-8, UTF-16, UTF-32 or the Windows of Western Europe; raises InvalidList."""
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
    """The rows of a text that are not empty, by the separator that suits it; raises InvalidList."""
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


_COLUMNS = tomllib.loads(files(__package__).joinpath("columns.toml").read_text("utf-8"))
COLUMN_HEADINGS: Mapping[str, tuple[str, str]] = {
    name: (one["fr"], one["en"]) for name, one in _COLUMNS.items()
}
PRIVATE_COLUMNS = ("born", "mail", "phone", "note", "due", "paid", "prefers")
ROUND = re.compile(r"(?:r|ronde|round|manche|partie|game|tour) ?([1-9]\d?)")
MAIL, PHONE = re.compile(r"[^@\s]+@[^@\s]+"), re.compile(r"\+?[\d .()/-]{8,20}")
DATE = re.compile(r"(19|20)\d\d|\d{1,2}[/.-]\d{1,2}[/.-](19|20)\d\d|(19|20)\d\d-\d\d-\d\d")
IGNORED = ""


def round_column(number: int) -> str:
    """The column in which a cross means that somebody plays a round."""
    return f"round:{number}"


def columns_from_headings(cells: Sequence[str]) -> tuple[str, ...] | None:
    """The columns by their headings; None where the row is none of headings."""
    found = tuple(map(_column_of_cell, cells))
    held = [one for one in found if one]
    if not {"name", "last", "first"} & set(held):
        return None
    return _once(_unsplit_name(found))


def _column_of_cell(cell: str) -> str:
    told = fold_name(cell)
    for field, ours in COLUMN_HEADINGS.items():
        if told in (*map(fold_name, ours), *_COLUMNS[field]["others"]):
            return field
    numbered = ROUND.fullmatch(told)
    return round_column(int(numbered[1])) if numbered else IGNORED


def _unsplit_name(found: tuple[str, ...]) -> tuple[str, ...]:
    """“Nom” alone is the whole name."""
    if "last" in found and "first" not in found and "name" not in found:
        return tuple("name" if one == "last" else one for one in found)
    return found


def _once(found: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(IGNORED if one in found[:at] else one for at, one in enumerate(found))


def guess_columns(rows: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """The columns of a list without headings: the name first, then what mails, dates and telephones are."""
    width = max(map(len, rows))
    found = ["name"] + [_guessed([row[at] for row in rows if at < len(row)]) for at in range(1, width)]
    return _once(tuple(found))


def _guessed(cells: Sequence[str]) -> str:
    told = [cell for cell in cells if cell]
    for field, look in (("mail", MAIL), ("born", DATE), ("phone", PHONE)):
        if told and all(look.fullmatch(cell) for cell in told):
            return field
    return "club" if told and all(re.search(r"[^\W\d]{2}", cell) for cell in told) else IGNORED


def chosen_columns(wanted: Sequence[str], width: int, rounds: Sequence[int]) -> tuple[str, ...]:
    """The columns that somebody has chosen, as far as there are such."""
    known = {*COLUMN_HEADINGS, *map(round_column, rounds)}
    chosen = [one if one in known else IGNORED for one in wanted[:width]]
    return _once(tuple(chosen + [IGNORED] * (width - len(chosen))))


MAX_LENGTHS = {"name": 120, "first": 60, "last": 60, "note": 2000}
USUAL_MAX_LENGTH = 200
YES_WORDS = {"oui", "yes", "o", "y", "x", "1", "vrai", "true", "v", "ok", "✓", "✔", "☑"}
NO_WORDS = {"non", "no", "n", "0", "faux", "false", "-", "–", "☐"}
ALL_ROUNDS_WORDS = {"toutes", "tous", "tout", "all", "toutes les rondes"}
OFFICE_WORDS = {
    Office.ORGANISER: ("organisateur", "organisatrice", "organiser", "organizer", "orga", "director"),
    Office.ASSISTANT: ("assistant", "assistante", "arbitre", "adjoint", "adjointe"),
    Office.VOLUNTEER: ("benevole", "volontaire", "volunteer"),
    Office.NONE: ("", "joueur", "joueuse", "player", "aucune", "none"),
}  # fmt: skip
ROUND_SPAN = re.compile(r"(\d{1,2})\s*(?:-|–|à|to|au)\s*(\d{1,2})")
FIRST_BIRTH_YEAR, LAST_BIRTH_YEAR = 1900, 2100


def text_cell(cell: str, field: str) -> str:
    """A text that is not too long."""
    if len(cell) > MAX_LENGTHS.get(field, USUAL_MAX_LENGTH):
        raise InvalidList("import_long_cell", most=str(MAX_LENGTHS.get(field, USUAL_MAX_LENGTH)))
    return cell


def flag_cell(cell: str) -> bool:
    """Yes or no, in a word or a cross."""
    told = fold_name(cell) or cell.strip()
    if told in YES_WORDS:
        return True
    if told in NO_WORDS:
        return False
    raise InvalidList("import_bad_flag", value=cell[:40])


def office_cell(cell: str) -> Office:
    """What somebody is for the organisation; a plain yes is the organiser’s."""
    told = fold_name(cell)
    return next((one for one, words in OFFICE_WORDS.items() if told in words), None) or _office(cell)


def _office(cell: str) -> Office:
    try:
        return Office.VOLUNTEER if flag_cell(cell) else Office.NONE
    except InvalidList:
        raise InvalidList("import_bad_office", value=cell[:40]) from None


def rounds_cell(cell: str, known: Collection[int]) -> tuple[int, ...]:
    """Rounds by their numbers: “1 2 4”, “R1, R3”, “1-3”, “toutes”."""
    told = fold_name(cell) or cell.strip()
    if told in ALL_ROUNDS_WORDS:
        return tuple(sorted(known))
    if told in NO_WORDS or told in ("aucune", "none"):
        return ()
    found: set[int] = set()
    for first, last in ROUND_SPAN.findall(cell):
        found |= set(range(int(first), int(last) + 1))
    found |= {int(one) for one in re.findall(r"\d{1,3}", ROUND_SPAN.sub(" ", cell))}
    if not found or not found <= set(known) or re.search(r"[^\W\d_]{2}", ROUND_SPAN.sub(" ", _bare(cell))):
        raise InvalidList("import_bad_rounds", value=cell[:40], known=", ".join(map(str, sorted(known))))
    return tuple(sorted(found))


def _bare(cell: str) -> str:
    return re.sub(r"\b(r|rondes?|rounds?|et|and)\s*(?=\d|\b)", " ", cell, flags=re.IGNORECASE)


def birth_cell(cell: str) -> str:
    """A year, or a date in the French order or as ISO 8601 has it."""
    if re.fullmatch(r"\d{4}", cell) and FIRST_BIRTH_YEAR <= int(cell) <= LAST_BIRTH_YEAR:
        return cell
    day = re.fullmatch(r"(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})", cell)
    iso = re.fullmatch(r"(\d{4})[/.-](\d{1,2})[/.-](\d{1,2})", cell)
    parts = (day[3], day[2], day[1]) if day else iso.groups() if iso else None
    try:
        found = date(*map(int, parts)) if parts else None
    except ValueError:
        found = None
    if found is None or not FIRST_BIRTH_YEAR <= found.year <= LAST_BIRTH_YEAR:
        raise InvalidList("import_bad_date", value=cell[:40])
    return found.isoformat()


def amount_cell(cell: str) -> str:
    """An amount of money, with its cents where it has any: “12,50 €” is 12.50, “£20” is 20."""
    told = re.sub(r"[\s€£$]|EUR|GBP|USD|CAD|CHF", "", cell.upper()).replace(",", ".")
    if not re.fullmatch(r"\d{1,6}(\.\d{1,2})?", told):
        raise InvalidList("import_bad_amount", value=cell[:40])
    exact = Fraction(told)
    return str(exact) if exact.denominator == 1 else f"{float(exact):.2f}"


def minutes_cell(cell: str) -> int:
    """Minutes: “90”, “1 h 30”, “1:30”."""
    hours = re.fullmatch(r"(\d{1,2})\s*(?:h|:)\s*(\d{0,2})\s*(?:min|mn|m)?", cell, re.IGNORECASE)
    if hours:
        return int(hours[1]) * 60 + int(hours[2] or 0)
    plain_minutes = re.fullmatch(r"(\d{1,4})\s*(?:minutes?|min|mn|')?", cell, re.IGNORECASE)
    if not plain_minutes:
        raise InvalidList("import_bad_minutes", value=cell[:40])
    return int(plain_minutes[1])


def mail_cell(cell: str) -> str:
    """An address that has the form of one."""
    if not re.fullmatch(r"[^@\s<>\"]{1,64}@[^@\s<>\"]{1,180}", cell):
        raise InvalidList("import_bad_mail", value=cell[:60])
    return cell


def powers_cell(cell: str) -> tuple[str, ...]:
    """Powers, best first: “Turquie, France”, “TUR FRA”, in French or English."""
    if fold_name(cell) in NO_WORDS or cell.strip() in NO_WORDS:
        return ()
    told = [fold_name(one) for one in re.split(r"[,;/>+]", cell) if fold_name(one)]
    known = _powers()
    if len(told) == 1 and told[0] not in known:
        told = told[0].split()
    if not told or not set(told) <= set(known):
        raise InvalidList("import_bad_powers", value=cell[:40], powers=", ".join(variant_powers(CLASSIC)))
    return tuple(dict.fromkeys(known[one] for one in told))


@cache
def _powers() -> Mapping[str, str]:
    """The powers of the classic board by each of their names, without accents."""
    every = {fold_name(power): power for power in variant_powers(CLASSIC)}
    for language in variants.LANGUAGES:
        for power, names in variants.load(CLASSIC).names(language).powers.items():
            every |= {fold_name(name): power for name in (names.name, *names.other_forms, *names.short)}
    return every


CELL_READERS: Mapping[str, Callable[[str], object]] = {
    "office": office_cell,
    "beginner": flag_cell,
    "youth": flag_cell,
    "recorder": flag_cell,
    "accepted": flag_cell,
    "born": birth_cell,
    "minutes": minutes_cell,
    "mail": mail_cell,
    "due": amount_cell,
    "paid": amount_cell,
    "prefers": powers_cell,
}
