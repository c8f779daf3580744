"""What the page of two books side by side shows."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from talleyrand import rulebooks
from talleyrand.formats.rulebook_comparison import option_origin
from talleyrand.rulebooks import FALLBACK, LoadedRulebook, RulebookOption
from talleyrand.web.boards import display_names

from . import rules_texts
from .rulebook_input import title_of_rulebook


def two_rulebooks_context(first: LoadedRulebook, second: LoadedRulebook) -> dict[str, Any]:
    """Every option, those on which the books differ first."""
    options = rulebooks.options().values()
    differing = [one for one in options if first.value(one.name) != second.value(one.name)]
    same = [one for one in options if one not in differing]
    return {
        "titles": (title_of_rulebook(first), title_of_rulebook(second)),
        "count": len(differing),
        "total": len(differing) + len(same),
        "differing": _rows(differing, (first, second)),
        "same": _rows(same, (first, second)),
    }


def _rows(options: Iterable[RulebookOption], books: tuple[LoadedRulebook, ...]) -> list[dict[str, Any]]:
    return [option_row(option.name, books) for option in options]


def option_row(name: str, books: Iterable[LoadedRulebook]) -> dict[str, Any]:
    """An option with what each book chooses."""
    option = rulebooks.options()[name]
    return {
        "option": option,
        "title": option.title[display_names.reader_language()],
        "choices": [(title_of_rulebook(book), option_choice(book, name)) for book in books],
    }


def option_choice(book: LoadedRulebook, option: str) -> dict[str, str]:
    """What a book chooses in words, and where it says so or where the value comes from."""
    value = book.value(option)
    origin = option_origin(book, option)
    return {
        "value": value,
        "words": rulebooks.options()[option].value_titles[value][display_names.reader_language()],
        "source": rulebooks.translate_citation(book.sources.get(option, ""), display_names.reader_language()),
        "silence": silence_text(origin) if origin else "",
        "rule": _rule(book, option),
    }


def _rule(book: LoadedRulebook, option: str) -> str:
    """Where the rules of the book tell the point; "" for a book of one's own."""
    told = book.name in rules_texts.rulebook_texts() and option in rules_texts.option_places()
    ours = book.name in rulebooks.names() and rulebooks.load(book.name) == book
    return reverse("library:rules_point", args=[book.name, option]) if told and ours else ""


def silence_text(origin: str) -> str:
    """That a value is our reading of what a book leaves open, and where it comes from."""
    if origin == FALLBACK:
        fallback = title_of_rulebook(rulebooks.load(FALLBACK))
        return _("We assume: as in %(book)s.") % {"book": fallback}
    sentences = {
        "default": _("We assume: the usual value."),
        "first": _("We assume: the first value available."),
        "compatible": _("We assume: the first value that fits its other choices."),
    }
    return sentences[origin]
