"""Whatever is "said in this book" has a place there that is about it: pages, choices, causes."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from importlib import resources

import pytest

from talleyrand import rulebooks
from talleyrand.rulebooks.rulebook_loader import citable_rules, cite_rule
from talleyrand.web.library import rules_texts
from tests.rulebooks.articles import TEXTS, articles, known, missing


def _statements() -> Iterator[tuple[str, str, str, str]]:
    """Each statement with each book that makes it: the rule, the book, the place, what it says."""
    special = (rule for book in rules_texts.rulebook_texts().values() for rule in book.special)
    told = (rule for chapter in rules_texts.rules_chapters() for rule in chapter.rules)
    for rule in (*told, *special):
        for one in rule.statements:
            for book, where in one.places.items():
                yield rule.id, book, where, one.text["fr"]


def _sources() -> Iterator[tuple[str, str]]:
    """Each place that a choice or a cause quotes, in each of the texts at hand."""
    titles = {title: book for book, (title, _) in TEXTS.items()}
    quoted = [source for name in rulebooks.names() for source in rulebooks.load(name).sources.values()]
    quoted += [cite_rule(name, rule) for name in rulebooks.names() for rule in citable_rules()]
    for source in dict.fromkeys(quoted):
        for part in source.split(" – "):
            title, _, where = part.partition(", ")
            if title in titles and where:
                yield titles[title], where


def test_a_statement_is_made_where_it_is_said_to_be() -> None:
    """The place exists, holds every number and name of the statement, and is about the same thing."""
    made = list(_statements())
    assert len(made) > 200
    assert [one for one in made if missing(one[1], one[2], one[3])] == []


def test_a_source_is_an_article_of_its_text() -> None:
    for book, where in sorted(set(_sources())):
        assert [one for one in known(book, where) if one not in articles()[book]] == [], (book, where)


@pytest.mark.parametrize(
    "book", [name for name, told in rules_texts.rulebook_texts().items() if told.is_whole]
)
def test_what_a_book_does_not_say_is_our_reading(book: str) -> None:
    """Of a text that was read from end to end, what has no place in it is marked, and some of it is."""
    ours = [
        one.text["fr"]
        for chapter in rules_texts.rules_chapters()
        for rule in chapter.rules
        if rule.applies_to(book)
        for one in rule.statements
        if not one.is_aside and book not in one.places
    ]
    assert ours
    assert "Il y a 14 provinces intérieures, 42 provinces côtières et 19 mers." in ours


@pytest.mark.parametrize(
    ("book", "where", "text"),
    [
        ("classic_1976", "X.1", "On compte une demi-heure de négociation, puis 15 minutes."),
        ("classic_1976", "II.1", "Le plateau compte 75 cases."),
        ("classic_1976", "II.1", "La Suisse ne se traverse pas."),
        ("simplified", "centres et provinces", "14 provinces sont intérieures, 42 côtières."),
        ("simplified", "convois", "Plusieurs trajets restent bons."),
        ("simplified", "", "Une unité tient."),
        ("anjou_feu", "IV, cas simples 1", "Un vote peut arrêter la partie."),
    ],
)
def test_what_is_not_there_is_found_out(book: str, where: str, text: str) -> None:
    assert missing(book, where, text)


def test_books_name_the_texts_they_are_quoted_by() -> None:
    texts = tomllib.loads((resources.files(rulebooks) / "places.toml").read_text("utf-8"))["texts"]
    assert {book: title for book, (title, _) in TEXTS.items()}.items() <= texts.items()
    assert all(re.fullmatch(r"[\w .’]+", title) for title in texts.values())
