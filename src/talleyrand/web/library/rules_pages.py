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
from talleyrand.web.boards import picture, results, wording

from . import rules_boards, rules_texts
from .rules_boards import Board
from .rules_texts import Chapter, Example, Point, Rule, Said, Statement, Words

Shown = dict[str, Any]
Pictures = Callable[[str, bool], str]  # the name of a board, solved or not → its address
SPECIAL = "special"
LONGEST_SEARCH = 100
_ORDER = re.compile(r"\{([^}]+)\}")


@dataclass(frozen=True)
class Shelf:
    """A book open for a reader: the judge's choices, the language, and where pictures come from."""

    book: LoadedRulebook
    language: str
    pictures: Pictures

    @property
    def name(self) -> str:
        return self.book.name

    @property
    def title(self) -> str:
        return self.book.title[self.language]

    @property
    def text(self) -> SafeString:
        return written(_told(self).text, self.language)

    @property
    def words(self) -> Words:
        return Words(self.language)


def names() -> list[str]:
    """The books that have pages, in the order they are told."""
    return [name for name in rules_texts.books() if name in rulebooks.names()]


def open_book(name: str, pictures: Pictures | None = None) -> Shelf:
    """A book for the reader of the moment; raises KeyError for one without pages."""
    if name not in names():
        raise KeyError(name)
    return Shelf(rulebooks.load(name), wording.language(), pictures or _addresses(name))


def _addresses(book: str) -> Pictures:
    def address(board: str, solved: bool) -> str:
        name = "library:rules_board_solved" if solved else "library:rules_board"
        return reverse(name, args=[book, board])

    return address


def written(text: Said, language: str) -> SafeString:
    """A text for a page: orders between braces are written as the language writes them."""
    variant = variants.load("classic")
    parts = _ORDER.split(text[language])
    orders = [f"<code>{escape(rules_boards.line(one, variant, language))}</code>" for one in parts[1::2]]
    texts = [escape(one) for one in parts[::2]]
    # Escaped piece by piece; the marks around the orders are ours.
    return mark_safe("".join(a + b for a, b in zip(texts, [*orders, ""], strict=True)))  # noqa: S308


# chapters


def contents(shelf: Shelf) -> list[Shown]:
    """The chapters of a book with the titles of their rules, what is special to it last."""
    return [
        {
            "id": chapter.id,
            "title": chapter.title[shelf.language],
            "rules": [{"id": rule.id, "title": rule.title[shelf.language]} for rule in rules],
        }
        for chapter, rules in _chapters(shelf)
    ]


def _chapters(shelf: Shelf) -> Iterator[tuple[Chapter, list[Rule]]]:
    for chapter in (*rules_texts.chapters(), special(shelf.name)):
        yield chapter, [rule for rule in chapter.rules if rule.holds(shelf.name)]


def special(book: str) -> Chapter:
    """What is special to a book, as its last chapter."""
    title = {language: Words(language)["special"] for language in rules_texts.LANGUAGES}
    return Chapter(SPECIAL, title, rules_texts.books()[book].special)


def chapter(shelf: Shelf, name: str) -> Shown:
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


def _heading(shelf: Shelf, chapter: Chapter) -> Shown:
    return {"id": chapter.id, "title": chapter.title[shelf.language]}


def _rule(shelf: Shelf, rule: Rule) -> Shown:
    return {
        "id": rule.id,
        "title": rule.title[shelf.language],
        "says": list(_says(shelf, rule)),
        "points": [_point(shelf, point) for point in _points(shelf, rule)],
        "examples": [
            example(shelf, name) for name in rule.examples if rules_texts.examples()[name].holds(shelf.name)
        ],
        "stages": [(number, stage_title(number, shelf.language)) for number in rule.demonstration],
    }


def _told(shelf: Shelf) -> rules_texts.Book:
    return rules_texts.books()[shelf.name]


def _points(shelf: Shelf, rule: Rule) -> list[Point]:
    return [point for point in rule.points if point.concerns(shelf.book)]


def _says(shelf: Shelf, rule: Rule) -> Iterator[Shown]:
    """What a rule says under a book, what stands at one place of it together."""
    told = [one for one in rule.says if one.aside or _states(shelf, one)]
    for place, same in groupby(told, lambda one: one.where.get(shelf.name, "")):
        yield {"texts": _texts(shelf, same), "source": rulebooks.cited(place, shelf.language)}
    ours = [one for one in rule.says if one not in told]
    if ours:
        yield {"texts": _texts(shelf, ours), "ours": True}


def _texts(shelf: Shelf, statements: Iterable[Statement]) -> list[SafeString]:
    return [written(one.text, shelf.language) for one in statements]


def _states(shelf: Shelf, statement: Statement) -> bool:
    """Whether a book says it; of a book that is not at hand whole, whatever is told of it stands."""
    if shelf.name in statement.where:
        return True
    return not _told(shelf).whole


def _point(shelf: Shelf, point: Point) -> Shown:
    value = shelf.book.value(point.option)
    return {
        "option": point.option,
        "text": written(point.values[value], shelf.language),
        "silent": point.option in shelf.book.silent,
        "source": rulebooks.cited(shelf.book.sources.get(point.option, ""), shelf.language),
        "elsewhere": list(_elsewhere(shelf, point, value)),
    }


def _elsewhere(shelf: Shelf, point: Point, here: str) -> Iterator[Shown]:
    """What other books say of a point, each other value with the books that hold it."""
    holders: dict[str, list[str]] = {}
    for name in names():
        book = rulebooks.load(name)
        if point.option not in book.silent and book.value(point.option) != here:
            holders.setdefault(book.value(point.option), []).append(book.title[shelf.language])
    for value, titles in holders.items():
        yield {"books": titles, "text": written(point.values[value], shelf.language)}


# boards


def example(shelf: Shelf, name: str) -> Shown:
    """An example under a book: its sheets, and what becomes of them."""
    told = rules_texts.examples()[name]
    board = rules_boards.example(name, shelf.name, shelf.language)
    return {
        **_board(shelf, board),
        "whole": False,
        "title": told.title[shelf.language],
        "text": written(told.text, shelf.language),
        "elsewhere": list(_other_outcomes(shelf, told)),
    }


def _board(shelf: Shelf, board: Board) -> Shown:
    named = board.variant.names(shelf.language)
    return {
        "id": board.name,
        "orders_picture": shelf.pictures(board.name, False),  # noqa: FBT003
        "solved_picture": shelf.pictures(board.name, True),  # noqa: FBT003
        "phase": wording.phase(board.variant, board.question["phase"]),
        "sheets": list(_sheets(shelf, board)),
        "results": results.by_power(board.variant, board.answer),
        "captures": [
            (named.location(code), wording.power(board.variant, power))
            for code, power in rules_boards.captures(board)
        ],
        "winners": [wording.power(board.variant, power) for power in board.answer.get("winner") or ()],
        "out": [wording.power(board.variant, power) for power in rules_boards.out(board)],
        "position": _position(shelf, board),
        "submission": secrets.token_urlsafe(18),
    }


def _sheets(shelf: Shelf, board: Board) -> Iterator[Shown]:
    """Every power with a unit or a line: what stands there, and what it writes."""
    units, fallen = board.question.get("units", {}), board.question.get("dislodged", {})
    for power in board.variant.board.powers:
        lines = board.question["orders"].get(power, ())
        names = [*units.get(power, ()), *(one["unit"] for one in fallen.get(power, ()))]
        if lines or names:
            yield {
                "name": wording.power(board.variant, power),
                "colour": board.variant.colours[power],
                "units": [picture.unit_words(board.variant, name) for name in names],
                "lines": [rules_boards.line(one, board.variant, shelf.language) for one in lines],
            }


def _position(shelf: Shelf, board: Board) -> str:
    """The board as a text that the practice board takes in, orders included."""
    sheets = {
        power: [rules_boards.line(one, board.variant, shelf.language) for one in lines]
        for power, lines in board.question["orders"].items()
    }
    return json.dumps({**board.question, "orders": sheets}, ensure_ascii=False)


def _other_outcomes(shelf: Shelf, told: Example) -> Iterator[Shown]:
    """How the example ends under the books that judge it otherwise: only what differs."""
    here = told.outcome(shelf.name)
    ends: dict[tuple[str, ...], list[str]] = {}
    for name in names():
        other = told.outcome(name)
        if told.holds(name) and other != here:
            ends.setdefault(other.results, []).append(rulebooks.load(name).title[shelf.language])
    for found, titles in ends.items():
        yield {"books": titles, "results": [_result(line) for line in found if line not in here.results]}


def _result(line: str) -> str:
    """A recorded line in words: `F ENG convoys dislodged`."""
    kind, place, *words = line.split()
    unit = picture.unit_words(variants.load("classic"), f"{kind} {place}")
    colon = ":" if wording.language() == "en" else "\u00a0:"
    return f"{unit}{colon} {', '.join(map(wording.result, words))}"


# the demonstration game


def stage_title(number: int, language: str) -> str:
    phase = rules_texts.stages()[number - 1].phase
    return f"{Words(language)['demonstration']}, {wording.phase(variants.load('classic'), phase)}"


def stage(shelf: Shelf, number: int) -> Shown:
    """A phase of the demonstration game; raises IndexError beyond its end."""
    told = rules_texts.stages()
    if not 1 <= number <= len(told):
        raise IndexError(number)
    board = rules_boards.game(shelf.name)[number - 1]
    return {
        **_board(shelf, board),
        "number": number,
        "whole": True,
        "title": wording.phase(board.variant, board.question["phase"]),
        "text": written(told[number - 1].text, shelf.language),
        "counts": _counts(board),
        "elsewhere": [],
    }


def _counts(board: Board) -> list[Shown]:
    """Centres and units of each power at the end of the phase."""
    centres, units = board.answer.get("centers") or {}, board.answer.get("units") or {}
    return [
        {
            "name": wording.power(board.variant, power),
            "colour": board.variant.colours[power],
            "centres": len(centres.get(power, ())),
            "units": len(units.get(power, ())),
        }
        for power in board.variant.board.powers
    ]


# search


def search(shelf: Shelf, text: str) -> list[Shown]:
    """The rules of a book that contain every word."""
    words = folded(text[:LONGEST_SEARCH]).split()
    if not words:
        return []
    return [
        {"chapter": chapter.id, "id": rule.id, "title": rule.title[shelf.language], "where": heading}
        for chapter, rules in _chapters(shelf)
        for heading in [chapter.title[shelf.language]]
        for rule in rules
        if all(word in folded(_whole(shelf, rule)) for word in words)
    ]


def _whole(shelf: Shelf, rule: Rule) -> str:
    points = (point.values[shelf.book.value(point.option)][shelf.language] for point in _points(shelf, rule))
    boards = (rules_texts.examples()[name].title[shelf.language] for name in rule.examples)
    return " ".join((rule.title[shelf.language], rule.text(shelf.language), *points, *boards))


def folded(text: str) -> str:
    """Without accents or capitals, apostrophes all alike."""
    plain = unicodedata.normalize("NFKD", text.replace("’", "'")).casefold()
    return "".join(letter for letter in plain if not unicodedata.combining(letter))
