"""One cell of a list: a flag, rounds, a date, an amount; or what is wrong with it."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from datetime import date
from fractions import Fraction
from functools import cache

from talleyrand import variants
from talleyrand.tournament.board_rules import CLASSIC, variant_powers
from talleyrand.tournament.model import Office
from talleyrand.tournament.name_matching import fold_name

from .list_rows import InvalidList

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
    """An amount of money, with its cents where it has any: “12,50 €” is 12.50."""
    told = re.sub(r"[\s€]|EUR|eur", "", cell).replace(",", ".")
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
