"""What the page of two books side by side shows."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from talleyrand import rulebooks
from talleyrand.formats.comparison import supplied_by
from talleyrand.rulebooks import FALLBACK, LoadedRulebook, Option
from talleyrand.web.boards import wording

from . import rules_texts
from .books_input import title


def side_by_side(first: LoadedRulebook, second: LoadedRulebook) -> dict[str, Any]:
    """Every option, those on which the books differ first."""
    options = rulebooks.options().values()
    differing = [one for one in options if first.value(one.name) != second.value(one.name)]
    same = [one for one in options if one not in differing]
    return {
        "titles": (title(first), title(second)),
        "count": len(differing),
        "total": len(differing) + len(same),
        "differing": _rows(differing, (first, second)),
        "same": _rows(same, (first, second)),
    }


def _rows(options: Iterable[Option], books: tuple[LoadedRulebook, ...]) -> list[dict[str, Any]]:
    return [point(option.name, books) for option in options]


def point(name: str, books: Iterable[LoadedRulebook]) -> dict[str, Any]:
    """An option with what each book chooses."""
    option = rulebooks.options()[name]
    return {
        "option": option,
        "title": option.title[wording.language()],
        "choices": [(title(book), choice(book, name)) for book in books],
    }


def choice(book: LoadedRulebook, option: str) -> dict[str, str]:
    """What a book chooses in words, and where it says so or where the value comes from."""
    value = book.value(option)
    origin = supplied_by(book, option)
    return {
        "value": value,
        "words": rulebooks.options()[option].value_titles[value][wording.language()],
        "source": rulebooks.cited(book.sources.get(option, ""), wording.language()),
        "silence": silence(origin) if origin else "",
        "rule": _rule(book, option),
    }


def _rule(book: LoadedRulebook, option: str) -> str:
    """Where the rules of the book tell the point; "" for a book of one's own."""
    told = book.name in rules_texts.books() and option in rules_texts.places()
    return reverse("library:rules_point", args=[book.name, option]) if told and _is_ours(book) else ""


def _is_ours(book: LoadedRulebook) -> bool:
    return book.name in rulebooks.names() and rulebooks.load(book.name) == book


def silence(origin: str) -> str:
    """That a value is our reading of what a book leaves open, and where it comes from."""
    if origin == FALLBACK:
        fallback = title(rulebooks.load(FALLBACK))
        return _("Our reading: the choice of %(book)s.") % {"book": fallback}
    sentences = {
        "default": _("Our reading: the usual value."),
        "first": _("Our reading: the first value there is."),
        "compatible": _("Our reading: the first value that agrees with its choices."),
    }
    return sentences[origin]
