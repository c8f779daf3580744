"""What the pages of the rules show, book by book, in the reader's language."""

from __future__ import annotations

import json
import re
import secrets
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django.urls import reverse
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from talleyrand import rulebooks, variants
from talleyrand.rulebooks import LoadedRulebook
from talleyrand.web.boards import display_names, phase_maps, result_rows

from . import example_boards, rules_texts
from .example_boards import ExampleBoard
from .rules_texts import (
    LocalizedText,
    RulebookRule,
    RulePoint,
    RulesChapter,
    RulesExample,
    RuleStatement,
    RulesWords,
)

PageContext = dict[str, Any]
BoardUrls = Callable[[str, bool], str]  # the name of a board, solved or not → its address
SPECIAL = "special"
LONGEST_SEARCH = 100
_ORDER = re.compile(r"\{([^}]+)\}")


@dataclass(frozen=True)
class OpenRulebook:
    """A book open for a reader: the judge's choices, the language, and where pictures come from."""

    book: LoadedRulebook
    language: str
    pictures: BoardUrls

    @property
    def name(self) -> str:
        return self.book.name

    @property
    def title(self) -> str:
        return self.book.title[self.language]

    @property
    def text(self) -> SafeString:
        return rules_html(_rulebook_text(self).text, self.language)

    @property
    def words(self) -> RulesWords:
        return RulesWords(self.language)


def rulebooks_with_pages() -> list[str]:
    """The books that have pages, in the order they are told."""
    return [name for name in rules_texts.rulebook_texts() if name in rulebooks.names()]


def open_rulebook(name: str, pictures: BoardUrls | None = None) -> OpenRulebook:
    """A book for the reader of the moment; raises KeyError for one without pages."""
    if name not in rulebooks_with_pages():
        raise KeyError(name)
    return OpenRulebook(rulebooks.load(name), display_names.reader_language(), pictures or _addresses(name))


def _addresses(book: str) -> BoardUrls:
    def address(board: str, solved: bool) -> str:
        name = "library:rules_board_solved" if solved else "library:rules_board"
        return reverse(name, args=[book, board])

    return address


def rules_html(text: LocalizedText, language: str) -> SafeString:
    """A text for a page: orders between braces are written as the language writes them."""
    variant = variants.load("classic")
    parts = _ORDER.split(text[language])
    orders = [
        f"<code>{escape(example_boards.order_as_written(one, variant, language))}</code>"
        for one in parts[1::2]
    ]
    texts = [escape(one) for one in parts[::2]]
    # Escaped piece by piece; the marks around the orders are ours.
    return mark_safe("".join(a + b for a, b in zip(texts, [*orders, ""], strict=True)))  # noqa: S308


# chapters


def rulebook_contents(shelf: OpenRulebook) -> list[PageContext]:
    """The chapters of a book with the titles of their rules, what is special to it last."""
    return [
        {
            "id": chapter.id,
            "title": chapter.title[shelf.language],
            "rules": [{"id": rule.id, "title": rule.title[shelf.language]} for rule in rules],
        }
        for chapter, rules in _chapters(shelf)
    ]


def _chapters(shelf: OpenRulebook) -> Iterator[tuple[RulesChapter, list[RulebookRule]]]:
    for chapter in (*rules_texts.rules_chapters(), special_chapter(shelf.name)):
        yield chapter, [rule for rule in chapter.rules if rule.applies_to(shelf.name)]


def special_chapter(book: str) -> RulesChapter:
    """What is special to a book, as its last chapter."""
    title = {language: RulesWords(language)["special"] for language in rules_texts.LANGUAGES}
    return RulesChapter(SPECIAL, title, rules_texts.rulebook_texts()[book].special)


def chapter_context(shelf: OpenRulebook, name: str) -> PageContext:
    """A chapter of a book, ready for a page; raises KeyError where there is none of that name."""
    listed = list(_chapters(shelf))
    ids = [one.id for one, _ in listed]
    if name not in ids:
        raise KeyError(name)
    place = ids.index(name)
    found, rules = listed[place]
    return {
        "id": found.id,
        "number": place + 1,
        "title": found.title[shelf.language],
        "rules": [_rule(shelf, rule) for rule in rules],
        "previous": _heading(shelf, listed[place - 1][0]) if place else None,
        "next": _heading(shelf, listed[place + 1][0]) if place + 1 < len(listed) else None,
    }


def _heading(shelf: OpenRulebook, chapter: RulesChapter) -> PageContext:
    return {"id": chapter.id, "title": chapter.title[shelf.language]}


def _rule(shelf: OpenRulebook, rule: RulebookRule) -> PageContext:
    return {
        "id": rule.id,
        "title": rule.title[shelf.language],
        "says": list(_says(shelf, rule)),
        "points": [_point(shelf, point) for point in _points(shelf, rule)],
        "examples": [
            example_context(shelf, name)
            for name in rule.examples
            if rules_texts.rules_examples()[name].applies_to(shelf.name)
        ],
        "stages": [(number, demonstration_title(number, shelf.language)) for number in rule.demonstration],
    }


def _rulebook_text(shelf: OpenRulebook) -> rules_texts.RulebookText:
    return rules_texts.rulebook_texts()[shelf.name]


def _points(shelf: OpenRulebook, rule: RulebookRule) -> list[RulePoint]:
    return [point for point in rule.points if point.applies_to(shelf.book)]


def _says(shelf: OpenRulebook, rule: RulebookRule) -> Iterator[PageContext]:
    """What a rule says under a book, what stands at one place of it together."""
    told = [one for one in rule.statements if one.is_aside or _states(shelf, one)]
    for place, same in groupby(told, lambda one: one.places.get(shelf.name, "")):
        yield {"texts": _texts(shelf, same), "source": rulebooks.translate_citation(place, shelf.language)}
    ours = [one for one in rule.statements if one not in told]
    if ours:
        yield {"texts": _texts(shelf, ours), "ours": True}


def _texts(shelf: OpenRulebook, statements: Iterable[RuleStatement]) -> list[SafeString]:
    return [rules_html(one.text, shelf.language) for one in statements]


def _states(shelf: OpenRulebook, statement: RuleStatement) -> bool:
    """Whether a book says it; of a book that is not at hand whole, whatever is told of it stands."""
    if shelf.name in statement.places:
        return True
    return not _rulebook_text(shelf).is_whole


def _point(shelf: OpenRulebook, point: RulePoint) -> PageContext:
    value = shelf.book.value(point.option)
    return {
        "option": point.option,
        "text": rules_html(point.values[value], shelf.language),
        "silent": point.option in shelf.book.silent_options,
        "source": rulebooks.translate_citation(shelf.book.sources.get(point.option, ""), shelf.language),
        "elsewhere": list(_elsewhere(shelf, point, value)),
    }


def _elsewhere(shelf: OpenRulebook, point: RulePoint, here: str) -> Iterator[PageContext]:
    """What other books say of a point, each other value with the books that hold it."""
    holders: dict[str, list[str]] = {}
    for name in rulebooks_with_pages():
        book = rulebooks.load(name)
        if point.option not in book.silent_options and book.value(point.option) != here:
            holders.setdefault(book.value(point.option), []).append(book.title[shelf.language])
    for value, titles in holders.items():
        yield {"books": titles, "text": rules_html(point.values[value], shelf.language)}


# boards


def example_context(shelf: OpenRulebook, name: str) -> PageContext:
    """An example under a book: its sheets, and what becomes of them."""
    told = rules_texts.rules_examples()[name]
    board = example_boards.example_board(name, shelf.name, shelf.language)
    return {
        **_board(shelf, board),
        "whole": False,
        "title": told.title[shelf.language],
        "text": rules_html(told.text, shelf.language),
        "elsewhere": list(_other_outcomes(shelf, told)),
    }


def _board(shelf: OpenRulebook, board: ExampleBoard) -> PageContext:
    named = board.variant.names(shelf.language)
    return {
        "id": board.name,
        "orders_picture": shelf.pictures(board.name, False),  # noqa: FBT003
        "solved_picture": shelf.pictures(board.name, True),  # noqa: FBT003
        "phase": display_names.phase_name(board.variant, board.question["phase"]),
        "sheets": list(_sheets(shelf, board)),
        "results": result_rows.results_by_power(board.variant, board.answer),
        "captures": [
            (named.location(code), display_names.power_name(board.variant, power))
            for code, power in example_boards.captured_centres(board)
        ],
        "winners": [
            display_names.power_name(board.variant, power) for power in board.answer.get("winner") or ()
        ],
        "out": [
            display_names.power_name(board.variant, power)
            for power in example_boards.eliminated_in_example(board)
        ],
        "position": _position(shelf, board),
        "submission": secrets.token_urlsafe(18),
    }


def _sheets(shelf: OpenRulebook, board: ExampleBoard) -> Iterator[PageContext]:
    """Every power with a unit or a line: what stands there, and what it writes."""
    units, fallen = board.question.get("units", {}), board.question.get("dislodged", {})
    for power in board.variant.board.powers:
        lines = board.question["orders"].get(power, ())
        names = [*units.get(power, ()), *(one["unit"] for one in fallen.get(power, ()))]
        if lines or names:
            yield {
                "name": display_names.power_name(board.variant, power),
                "colour": board.variant.colours[power],
                "units": [phase_maps.unit_text(board.variant, name) for name in names],
                "lines": [
                    example_boards.order_as_written(one, board.variant, shelf.language) for one in lines
                ],
            }


def _position(shelf: OpenRulebook, board: ExampleBoard) -> str:
    """The board as a text that the practice board takes in, orders included."""
    sheets = {
        power: [example_boards.order_as_written(one, board.variant, shelf.language) for one in lines]
        for power, lines in board.question["orders"].items()
    }
    return json.dumps({**board.question, "orders": sheets}, ensure_ascii=False)


def _other_outcomes(shelf: OpenRulebook, told: RulesExample) -> Iterator[PageContext]:
    """How the example ends under the books that judge it otherwise: only what differs."""
    here = told.outcome(shelf.name)
    ends: dict[tuple[str, ...], list[str]] = {}
    for name in rulebooks_with_pages():
        other = told.outcome(name)
        if told.applies_to(name) and other != here:
            ends.setdefault(other.results, []).append(rulebooks.load(name).title[shelf.language])
    for found, titles in ends.items():
        yield {"books": titles, "results": [_result(line) for line in found if line not in here.results]}


def _result(line: str) -> str:
    """A recorded line in words: `F ENG convoys dislodged`."""
    kind, place, *words = line.split()
    unit = phase_maps.unit_text(variants.load("classic"), f"{kind} {place}")
    colon = ":" if display_names.reader_language() == "en" else "\u00a0:"
    return f"{unit}{colon} {', '.join(map(display_names.result_name, words))}"


# the demonstration game


def demonstration_title(number: int, language: str) -> str:
    code = rules_texts.demonstration_phases()[number - 1].phase
    phase = display_names.phase_name(variants.load("classic"), code)
    return f"{RulesWords(language)['demonstration']}, {phase}"


def demonstration_context(shelf: OpenRulebook, number: int) -> PageContext:
    """A phase of the demonstration game; raises IndexError beyond its end."""
    told = rules_texts.demonstration_phases()
    if not 1 <= number <= len(told):
        raise IndexError(number)
    board = example_boards.demonstration_boards(shelf.name)[number - 1]
    return {
        **_board(shelf, board),
        "number": number,
        "whole": True,
        "title": display_names.phase_name(board.variant, board.question["phase"]),
        "text": rules_html(told[number - 1].text, shelf.language),
        "counts": _counts(board),
        "elsewhere": [],
    }


def _counts(board: ExampleBoard) -> list[PageContext]:
    """Centres and units of each power at the end of the phase."""
    centres, units = board.answer.get("centers") or {}, board.answer.get("units") or {}
    return [
        {
            "name": display_names.power_name(board.variant, power),
            "colour": board.variant.colours[power],
            "centres": len(centres.get(power, ())),
            "units": len(units.get(power, ())),
        }
        for power in board.variant.board.powers
    ]


# search


def search_rules(shelf: OpenRulebook, text: str) -> list[PageContext]:
    """The rules of a book that contain every word."""
    words = folded_text(text[:LONGEST_SEARCH]).split()
    if not words:
        return []
    return [
        {"chapter": chapter.id, "id": rule.id, "title": rule.title[shelf.language], "where": heading}
        for chapter, rules in _chapters(shelf)
        for heading in [chapter.title[shelf.language]]
        for rule in rules
        if all(word in folded_text(_rule_text(shelf, rule)) for word in words)
    ]


def _rule_text(shelf: OpenRulebook, rule: RulebookRule) -> str:
    points = (point.values[shelf.book.value(point.option)][shelf.language] for point in _points(shelf, rule))
    boards = (rules_texts.rules_examples()[name].title[shelf.language] for name in rule.examples)
    return " ".join((rule.title[shelf.language], rule.text(shelf.language), *points, *boards))


def folded_text(text: str) -> str:
    """Without accents or capitals, apostrophes all alike."""
    plain = unicodedata.normalize("NFKD", text.replace("’", "'")).casefold()
    return "".join(letter for letter in plain if not unicodedata.combining(letter))
