"""The table of all collisions of all lists of names, as the page on writing orders shows it.

python -m tests.notation.reference    writes it into both pages
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from talleyrand import rulebooks, variants
from talleyrand.notation import ReadingContext
from talleyrand.notation.lexer import folded_words
from talleyrand.notation.name_index import CODES_PROFILE, COMMON_PROFILE, NameIndex, load_name_index
from talleyrand.notation.vocabulary import CONVOY_AGENT_WORDS, ORDER_VERBS
from talleyrand.variants import LANGUAGES, Variant

DOCS = Path(__file__).parents[2] / "docs"
PAGES = {"fr": DOCS / "fr/reference/ecrire-les-ordres.md", "en": DOCS / "en/reference/writing-orders.md"}
HEADS = {
    "fr": ("Écrit", "Lieu", "Listes", "Règlements", "Plateaux"),
    "en": ("Written", "Place", "Lists", "Rulebooks", "Boards"),
}
BESIDE_HEADS = {
    "fr": ("Écrit", "Lieu", "Et aussi", "Plateaux"),
    "en": ("Written", "Place", "And also", "Boards"),
}
NAMES = {"fr": "noms entiers", "en": "full names"}
EVERY = {"fr": "tous", "en": "all"}
NONE = {"fr": "aucun", "en": "none"}
KINDS = {
    "coast": {"fr": "une côte", "en": "a coast"},
    "power": {"fr": "une puissance", "en": "a power"},
    "word": {"fr": "un mot des ordres", "en": "a word of orders"},
}
BOOKS = tuple(rulebooks.names())
_MARKED = re.compile(r"(<!-- (\w+) -->\n).*?(<!-- /\2 -->)", re.DOTALL)
Rows = dict[tuple[str, ...], list[str]]


def filled(page: str, language: str) -> str:
    """A page with its tables as they must be."""
    tables = {"collisions": _collisions(language), "beside": _beside(language)}
    written = {name: "".join(lines) for name, lines in tables.items()}
    return _MARKED.sub(lambda found: f"{found[1]}{written[found[2]]}{found[3]}", page)


def forms(variant: Variant) -> dict[str, dict[str, set[str]]]:
    """Each form as a list has it, folded: the provinces it means, and the lists that say so."""
    found: dict[str, dict[str, set[str]]] = {}
    for form, code, listing in _listed(variant):
        if code in variant.board.provinces:
            found.setdefault(_key(form), {}).setdefault(code, set()).add(f"{listing} {form}")
    return found


def _listed(variant: Variant) -> Iterator[tuple[str, str, str]]:
    for tongue in LANGUAGES:
        names = variant.names(tongue)
        for code, place in names.provinces.items():
            yield from ((form, code, "") for form in (place.name, *place.other_forms))
        for listing, table in names.abbreviations.items():
            yield from ((form, code, listing) for code, written in table.items() for form in written)
        for listing, shared in names.shared.items():
            yield from ((form, code, listing) for form, codes in shared.items() for code in codes)
    yield from ((code, code, CODES_PROFILE) for code in variant.board.provinces)


def _key(form: str) -> str:
    found = folded_words(form)
    return " ".join(found[1:] if len(found) > 1 and found[0] in ("le", "la", "les", "l", "the") else found)


def _collisions(language: str) -> Iterator[str]:
    """Letters that mean two places: which lists say so, and the books under which each may be meant."""
    rows: Rows = {}
    for variant in map(variants.load_board, variants.all_names()):
        for key, places in forms(variant).items():
            for form in _told_apart(variant, key) if len(places) > 1 else ():
                for code in sorted(places):
                    place = variant.names(language).provinces[code].name
                    told = (_lists(places[code], language), _books(variant, key, form, code, language))
                    rows.setdefault((f"`{form}`", place, *told), []).append(variant.name)
    yield from _table(HEADS[language], rows)


def _told_apart(variant: Variant, key: str) -> list[str]:
    """A form; in capitals and in small letters where that makes a difference under some book."""
    small, capitals = key.capitalize(), key.upper()
    names = [_names(variant, book) for book in BOOKS]
    alike = all(
        set(one.listed_provinces(key, small)) == set(one.listed_provinces(key, capitals)) for one in names
    )
    return [small] if alike else [capitals, small]


def _lists(listed: Iterable[str], language: str) -> str:
    """The lists that have a form, each with the letters as it writes them."""
    found = [one.partition(" ") for one in sorted(listed)]
    named = [
        (f"`{one}`" if one else NAMES[language], written)
        for one, _, written in found
        if one != COMMON_PROFILE
    ]
    return ", ".join(f"{one} ({written})" for one, written in named)


def _books(variant: Variant, key: str, form: str, code: str, language: str) -> str:
    found = [book for book in BOOKS if code in _names(variant, book).listed_provinces(key, form)]
    if len(found) == len(BOOKS):
        return EVERY[language]
    return ", ".join(f"`{book}`" for book in found) or NONE[language]


def _names(variant: Variant, book: str) -> NameIndex:
    return ReadingContext(variant, variant.definition.start, None, rulebooks.load(book)).index


def _beside(language: str) -> Iterator[str]:
    """Letters that are a place, and something else that stands on a sheet."""
    rows: Rows = {}
    for variant in map(variants.load_board, variants.all_names()):
        names = load_name_index(variant, None)
        others = {
            "coast": names.coasts,
            "power": names.powers,
            "word": ORDER_VERBS.keys() | CONVOY_AGENT_WORDS,
        }
        for key, meaning in names.places.items():
            kinds = [KINDS[kind][language] for kind, known in others.items() if key in known]
            if kinds:
                place = variant.names(language).provinces[meaning.capitals[0]].name
                rows.setdefault((f"`{key.capitalize()}`", place, ", ".join(kinds)), []).append(variant.name)
    yield from _table(BESIDE_HEADS[language], rows)


def _table(heads: tuple[str, ...], rows: Rows) -> Iterator[str]:
    yield f"| {' | '.join(heads)} |\n{'|---' * len(heads)}|\n"
    for row, boards in sorted(rows.items(), key=lambda one: one[0][0].casefold()):
        yield f"| {' | '.join((*row, ', '.join(f'`{board}`' for board in boards)))} |\n"


if __name__ == "__main__":
    for language, page in PAGES.items():
        page.write_text(filled(page.read_text("utf-8"), language), "utf-8")
