"""Cuts a sheet into powers and lines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Set

from talleyrand.variants import Variant

from .lexer import DASH, MAX_LINE, clean, words
from .places import Index, index
from .vocabulary import CONDITIONS, unled

MAX_DATE = 40
_HEADING_MARKS = " \t#*_=-:.;,[]()«»\"'<>"


def split_sheet(text: str, variant: Variant) -> dict[str | None, list[str]]:
    """The lines of each power, as written; None holds those before any heading.

    A heading is a power's name alone on its line, or before a colon. Semicolons and line ends separate
    orders; a line that stops at a dash or after a unit's letter goes on on the next. Dates are left out.
    """
    names = index(variant, None)
    dates = {word for season in variant.seasons.values() for name in season.values() for word in words(name)}
    found: dict[str | None, list[str]] = {}
    power: str | None = None
    for line in _joined(text, names):
        heading, rest = _heading(line, names)
        power = heading or power
        if heading:
            found.setdefault(heading, [])
        for order in orders_on(rest, variant):
            if order and not _is_date(order, dates):
                found.setdefault(power, []).append(order)
    return found


def whole_lines(text: str, variant: Variant) -> Iterator[str]:
    """The lines of a sheet that are not blank, those cut in the middle of an order put together."""
    return _joined(text, index(variant, None))


def parts(line: str) -> list[str]:
    """What stands between semicolons; from the first part that depends on something, the rest is one."""
    found = [part.strip() for part in line.split(";")]
    for i, part in enumerate(found):
        if _depends(part):
            return [*filter(None, found[:i]), "; ".join(filter(None, found[i:]))]
    return [part for part in found if part]


def orders_on(line: str, variant: Variant) -> Iterator[str]:
    """The parts of a line, cut where a comma or "and" stands before a unit's letter."""
    letters = "".join(variant.board.kinds)
    for part in parts(line):
        if _depends(part):
            yield part
            continue
        for order in re.split(rf"(?:,\s*|\s(?:et|and)\s+)(?=[{letters}]\s)", part):
            yield order.strip()


def _depends(part: str) -> bool:
    return not CONDITIONS.isdisjoint(words(part[:MAX_LINE]))


def _joined(text: str, names: Index) -> Iterator[str]:
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


def _goes_on(held: str, line: str, names: Index) -> bool:
    last = held.rpartition(";")[2].strip()
    if not last or len(last) > 200:
        return False
    if last.casefold() in names.kinds:
        return True
    first = words(line[:60])[:1]
    begins = not first or first[0] in names.kinds or _heading(line, names)[0] is not None
    return clean(last)[-1:] == DASH and not begins and not line.lstrip().startswith(("-", "*", "•"))


def _heading(line: str, names: Index) -> tuple[str | None, str]:
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


def _power(text: str, names: Index) -> str | None:
    key = " ".join(unled(text.strip(_HEADING_MARKS)))
    code = names.powers.get(key)
    return code if code and key not in names.places else None


def _is_date(order: str, dates: Set[str]) -> bool:
    if len(order) > MAX_DATE:
        return False
    found = words(order)
    return not dates.isdisjoint(found) and all(word in dates or word.isdigit() for word in found)
