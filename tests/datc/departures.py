"""Where a book departs from the DATC's own, and which of its choices cause it.

python -m tests.datc.departures    writes `departures.toml` anew
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from pathlib import Path

from talleyrand import rulebooks
from talleyrand.engine.errors import ImpossibleCombination
from talleyrand.rulebooks import LoadedRulebook
from tests.datc.answers import Value, datc_cases, phases, told

TABLE = Path(__file__).with_suffix(".toml")
DATC = "datc"
BOOKS = tuple(name for name in rulebooks.names() if name != DATC)
_HEAD = """\
# Where each book departs from the DATC's own over all its cases: the number of each case whose results
# differ, and the choices that cause it. Set back to the DATC's values they remove the departure; leave one
# of them, and it stays.
"""


def recorded() -> Mapping[str, Mapping[str, list[str]]]:
    """The table: by book and case, the options that cause the departure."""
    return tomllib.loads(TABLE.read_text("utf-8"))


def departures(book: str) -> list[str]:
    """The cases of the DATC that a book settles otherwise."""
    return [number for number in datc_cases() if _judged(number, book) != _standard(number)]


def remains(book: str, number: str, options: Collection[str]) -> bool:
    """Whether a departure stays when these options take the DATC's values.

    True as well for options that cannot take them without others.
    """
    standard = rulebooks.load(DATC)
    choices = {option: standard.value(option) for option in options}
    try:
        rulebooks.customise(book, choices)
    except ImpossibleCombination:
        return True
    return _judged(number, {"extends": book, "options": choices}) != _standard(number)


def causes(book: str, number: str) -> list[str]:
    """One option that causes a departure or, where it takes several, those none of which can be left out."""
    unlike = _unlike(rulebooks.load(book))
    for option in unlike:
        if not remains(book, number, [option]):
            return [option]
    found, before = unlike, list[str]()
    while found != before:
        before = found
        for option in before:
            others = [one for one in found if one != option]
            if not remains(book, number, others):
                found = others
    return found


def _unlike(book: LoadedRulebook) -> list[str]:
    standard = rulebooks.load(DATC)
    return [option for option in rulebooks.options() if book.value(option) != standard.value(option)]


def _judged(number: str, book: str | Value) -> list[Value]:
    return [told(answer) for answer in phases(datc_cases()[number], book)]


@cache
def _standard(number: str) -> list[Value]:
    return _judged(number, DATC)


def _written() -> Iterator[str]:
    yield _HEAD
    for book in BOOKS:
        yield f"\n[{book}]\n"
        for number in departures(book):
            options = ", ".join(f'"{option}"' for option in causes(book, number))
            yield f'"{number}" = [{options}]\n'


if __name__ == "__main__":
    TABLE.write_text("".join(_written()), "utf-8")
