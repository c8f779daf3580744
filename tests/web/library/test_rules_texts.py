"""The data of the rule pages: every option told, nothing missing in a language, no order misspelt."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from talleyrand import notation, rulebooks, variants
from talleyrand.web.library import rules_context, rules_texts
from talleyrand.web.library.rules_texts import LocalizedText, RulebookRule

CLASSIC = variants.load("classic")


def _rules() -> Iterator[RulebookRule]:
    for chapter in rules_texts.rules_chapters():
        yield from chapter.rules
    for book in rules_texts.rulebook_texts().values():
        yield from book.special


def _texts() -> Iterator[LocalizedText]:
    for chapter in rules_texts.rules_chapters():
        yield chapter.title
    for rule in _rules():
        yield rule.title
        yield from (one.text for one in rule.statements)
        yield from (said for point in rule.points for said in point.values.values())
    for example in rules_texts.rules_examples().values():
        yield from (example.title, example.text)
    yield from (book.text for book in rules_texts.rulebook_texts().values())
    yield from (stage.text for stage in rules_texts.demonstration_phases())


def test_every_book_has_pages() -> None:
    assert set(rules_context.rulebooks_with_pages()) == set(rulebooks.names()) - {"judge"}


def test_every_value_of_every_option_is_told_once() -> None:
    points = [point for rule in _rules() for point in rule.points]
    told = {point.option: set(point.values) for point in points}
    assert told == {name: set(option.values) for name, option in rulebooks.options().items()}
    assert len(points) == len(told)


def test_every_text_is_in_both_languages() -> None:
    for said in _texts():
        assert all(said[language].strip() for language in ("fr", "en")), said
        assert said["fr"] != said["en"] or len(said["fr"].split()) < 4, said


def test_punctuation_is_that_of_the_language() -> None:
    for said in _texts():
        assert not re.search(r" [:;!?»]|« |['\"]|\.\.\.", said["fr"]), said["fr"]
        assert not re.search(r"[«»'\"]|\.\.\.", said["en"]), said["en"]


def test_every_order_in_a_text_is_in_normal_form() -> None:
    orders = [order for said in _texts() for order in re.findall(r"\{([^}]*)\}", said["fr"])]
    assert len(orders) > 10
    for order in orders:
        assert str(notation.parse_normal(order)) == order


def test_both_languages_name_the_same_orders() -> None:
    for said in _texts():
        found = [sorted(re.findall(r"\{([^}]*)\}", said[language])) for language in ("fr", "en")]
        assert found[0] == found[1], said


def test_every_example_is_shown_and_every_name_known() -> None:
    shown = {name for rule in _rules() for name in rule.examples}
    assert shown == set(rules_texts.rules_examples())
    stages = {number for rule in _rules() for number in rule.demonstration}
    assert stages <= set(range(1, len(rules_texts.demonstration_phases()) + 1))


def test_names_of_rules_and_books_are_known() -> None:
    for chapter in rules_texts.rules_chapters():
        names = [rule.id for rule in chapter.rules]
        assert len(names) == len(set(names))
        assert all(re.fullmatch(r"[a-z-]+", name) for name in (chapter.id, *names))
    for rule in _rules():
        named = {book for one in rule.statements for book in one.places}
        assert {*named, *rule.books} <= set(rules_texts.rulebook_texts()), rule.id


@pytest.mark.parametrize("number", range(1, 14))
def test_the_thirteen_examples_of_the_classic_rules_are_there(number: int) -> None:
    title = rules_texts.rules_examples()[f"EX{number:02}"].title
    assert title["en"].startswith(f"Example {number}:")


@pytest.mark.parametrize("letter", "ABCD")
def test_the_four_paradoxes_of_the_tournament_are_there(letter: str) -> None:
    assert rules_texts.rules_examples()[f"AF-{letter}"].title["en"].startswith(f"Example {letter}:")


def test_places_are_quoted_in_both_languages() -> None:
    places = {place for rule in _rules() for one in rule.statements for place in one.places.values()}
    for place in places:
        assert not re.search("[àâéèêîôûùç;]", rulebooks.translate_citation(place, "en")), place


def test_points_depend_on_values_that_exist() -> None:
    for needs in (point.needs for rule in _rules() for point in rule.points):
        for option, values in needs.items():
            assert set(values) < set(rulebooks.options()[option].values)
