"""The table of options that the reference shows, made of what the books are made of.

python -m tests.rulebooks.reference    writes it into both pages
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from talleyrand import rulebooks
from talleyrand.engine.rulebook import CONTRADICTIONS, Contradiction, option_values
from talleyrand.messages.catalogue import phrase
from talleyrand.rulebooks import RulebookOption

REFERENCE = Path(__file__).parents[2] / "docs"
PAGES = {
    "fr": REFERENCE / "fr/reference/reglements.md",
    "en": REFERENCE / "en/reference/rulebooks.md",
}
HEADS: dict[str, dict[str, tuple[str, ...]]] = {
    "books": {"fr": ("Nom", "Règlement", "Points réglés"), "en": ("Name", "Rulebook", "Points settled")},
    "options": {"fr": ("Ligne", "Option", "Valeurs", "DATC"), "en": ("Row", "Option", "Values", "DATC")},
}
BESIDE = {"fr": " avec ", "en": " with "}
_MARKED = re.compile(r"(<!-- (\w+) -->\n).*?(<!-- /\2 -->)", re.DOTALL)


def filled(page: str, language: str) -> str:
    """A page with its tables as they must be."""
    lists = {"books": _books, "options": _options, "contradictions": _contradictions}
    tables = {name: "".join(lines(language)) for name, lines in lists.items()}
    return _MARKED.sub(lambda found: f"{found[1]}{tables[found[2]]}{found[3]}", page)


def _head(table: str, language: str) -> str:
    heads = HEADS[table][language]
    return f"| {' | '.join(heads)} |\n{'|---' * len(heads)}|\n"


def _books(language: str) -> Iterator[str]:
    yield _head("books", language)
    for name in rulebooks.names():
        book = rulebooks.load(name)
        settled = len(rulebooks.options()) - len(book.silent_options)
        yield f"| `{name}` | {book.title[language]} | {settled} |\n"


def _contradictions(language: str) -> Iterator[str]:
    for one in CONTRADICTIONS:
        pairs = (f"`{name}` = {_either(values)}" for name, values in _sides(one))
        yield f"- {BESIDE[language].join(pairs)} – {phrase(language, f'contradiction.{one.reason}')}\n"


def _sides(one: Contradiction) -> Iterator[tuple[str, list[str]]]:
    for name, values in ((one.first, one.first_values), (one.second, one.second_values)):
        yield name, [value for value in option_values()[name] if value in values]


def _either(values: list[str]) -> str:
    return ", ".join(f"`{value}`" for value in values)


def _options(language: str) -> Iterator[str]:
    yield _head("options", language)
    for option in rulebooks.options().values():
        values = "<br>".join(_value(option, value, language) for value in option.values)
        title = f"{option.title[language]}<br>`{option.name}`"
        yield f"| {option.row} | {title} | {values} | {option.datc} |\n"


def _value(option: RulebookOption, value: str, language: str) -> str:
    supplied = value == rulebooks.silent_default(option.name).value and len(option.values) > 1
    code = f"**`{value}`**" if supplied else f"`{value}`"
    return f"{code} {option.value_titles[value][language]}"


if __name__ == "__main__":
    for language, page in PAGES.items():
        page.write_text(filled(page.read_text("utf-8"), language), "utf-8")
