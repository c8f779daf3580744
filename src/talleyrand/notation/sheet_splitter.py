"""Cuts a sheet into powers and lines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Set

from talleyrand.variants import Variant

from .lexer import DASH, MAX_LINE, clean_line, folded_words
from .name_index import NameIndex, load_name_index
from .vocabulary import CONDITION_WORDS, without_article

MAX_DATE_LENGTH = 40
_HEADING_MARKS = " \t#*_=-:.;,[]()«»\"'<>"


def split_sheet(text: str, variant: Variant) -> dict[str | None, list[str]]:
    """The lines of each power, as written; None holds those before any heading.

    A heading is a power's name alone on its line, or before a colon. Semicolons and line ends separate
    orders; a line that stops at a dash or after a unit's letter goes on on the next. Dates are left out.
    """
    names = load_name_index(variant, None)
    dates = {
        word for season in variant.seasons.values() for name in season.values() for word in folded_words(name)
    }
    found: dict[str | None, list[str]] = {}
    power: str | None = None
    for line in _joined(text, names):
        heading, rest = _heading(line, names)
        power = heading or power
        if heading:
            found.setdefault(heading, [])
        for order in split_orders(rest, variant):
            if order and not _is_date(order, dates):
                found.setdefault(power, []).append(order)
    return found


def join_broken_lines(text: str, variant: Variant) -> Iterator[str]:
    """The lines of a sheet that are not blank, those cut in the middle of an order put together."""
    return _joined(text, load_name_index(variant, None))


def split_at_semicolons(line: str) -> list[str]:
    """What stands between semicolons; from the first part that depends on something, the rest is one."""
    found = [part.strip() for part in line.split(";")]
    for i, part in enumerate(found):
        if _depends(part):
            return [*filter(None, found[:i]), "; ".join(filter(None, found[i:]))]
    return [part for part in found if part]


def split_orders(line: str, variant: Variant) -> Iterator[str]:
    """The parts of a line, cut where a comma or "and" stands before a unit's letter."""
    letters = "".join(variant.board.kinds)
    for part in split_at_semicolons(line):
        if _depends(part):
            yield part
            continue
        for order in re.split(rf"(?:,\s*|\s(?:et|and)\s+)(?=[{letters}]\s)", part):
            yield order.strip()


def _depends(part: str) -> bool:
    return not CONDITION_WORDS.isdisjoint(folded_words(part[:MAX_LINE]))


def _joined(text: str, names: NameIndex) -> Iterator[str]:
    """The lines, those cut in the middle of an order put together."""
    held = ""
    for line in text.splitlines():
        if held and _goes_on(held, line, names):
            held = f"{held.rstrip()} {line.strip()}"
            continue
        if held.strip():
            yield held
        held = line
    if held.strip():
        yield held


def _goes_on(held: str, line: str, names: NameIndex) -> bool:
    last = held.rpartition(";")[2].strip()
    if not last or len(last) > 200:
        return False
    if last.casefold() in names.kinds:
        return True
    first = folded_words(line[:60])[:1]
    begins = not first or first[0] in names.kinds or _heading(line, names)[0] is not None
    return clean_line(last)[-1:] == DASH and not begins and not line.lstrip().startswith(("-", "*", "•"))


def _heading(line: str, names: NameIndex) -> tuple[str | None, str]:
    """The power a line begins with, and what follows; (None, line) without one."""
    if len(line) <= 80:
        power = _power(line, names)
        if power:
            return power, ""
    before, colon, after = line.partition(":")
    if colon and len(before) <= 60:
        power = _power(before, names)
        if power:
            return power, after
    return None, line


def _power(text: str, names: NameIndex) -> str | None:
    key = " ".join(without_article(text.strip(_HEADING_MARKS)))
    code = names.powers.get(key)
    return code if code and key not in names.places else None


def _is_date(order: str, dates: Set[str]) -> bool:
    if len(order) > MAX_DATE_LENGTH:
        return False
    found = folded_words(order)
    return not dates.isdisjoint(found) and all(word in dates or word.isdigit() for word in found)
