"""The rules as data: chapters, books, examples and words in both languages, read from `rules/`."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any

from talleyrand.rulebooks import LoadedRulebook

Table = dict[str, Any]
Said = Mapping[str, str]  # language → text
LANGUAGES = ("fr", "en")
# French keeps its high punctuation on the line of the word before it.
_HIGH = re.compile(r" ([:;!?»])|(«) ")


@dataclass(frozen=True)
class Point:
    """A point on which books differ, with a sentence for each of its values.

    It is told of the books alone whose other options have the values in `needs`.
    """

    option: str
    values: Mapping[str, Said]
    needs: Mapping[str, tuple[str, ...]]

    def concerns(self, book: LoadedRulebook) -> bool:
        return all(book.value(option) in values for option, values in self.needs.items())


@dataclass(frozen=True)
class Statement:
    """Part of a rule; `where` is its place in each book that states it.

    A book whose whole text was read and that has no place here does not state it: there it is our reading.
    `aside` is no rule but a word about this site or what follows.
    """

    text: Said
    where: Mapping[str, str]
    aside: bool = False


@dataclass(frozen=True)
class Rule:
    """A rule, statement by statement; `books` are those it is special to (else all)."""

    id: str
    title: Said
    says: tuple[Statement, ...]
    books: tuple[str, ...]
    points: tuple[Point, ...]
    examples: tuple[str, ...]
    demonstration: tuple[int, ...]

    def holds(self, book: str) -> bool:
        return not self.books or book in self.books

    def text(self, language: str) -> str:
        """All that it says."""
        return " ".join(one.text[language] for one in self.says)


@dataclass(frozen=True)
class Chapter:
    id: str
    title: Said
    rules: tuple[Rule, ...]


@dataclass(frozen=True)
class Book:
    """What a book is, and what it has beside the rules of the game.

    Where its text is `whole`, a statement without a place in it is one it does not make.
    """

    text: Said
    special: tuple[Rule, ...]
    whole: bool = False


@dataclass(frozen=True)
class Outcome:
    """What becomes of an example under some books (under all others where it names none)."""

    books: tuple[str, ...]
    results: tuple[str, ...]


@dataclass(frozen=True)
class Example:
    """A position with orders.

    A line is an order in normal form, or what a player writes in each language. `asks` names the armies
    whose players say that they go by sea, under the books that want it said.
    """

    id: str
    title: Said
    text: Said
    position: Table
    orders: Mapping[str, tuple[str | Said, ...]]
    outcomes: tuple[Outcome, ...]
    books: tuple[str, ...] = ()
    case: str = ""
    asks: tuple[str, ...] = ()

    def lines(self, language: str, *, marked: bool) -> dict[str, list[str]]:
        """The sheets, as they are handed to the judge; `marked` where a book wants the sea way asked for."""
        return {
            power: [self._line(line, language, marked) for line in lines]
            for power, lines in self.orders.items()
        }

    def _line(self, line: str | Said, language: str, marked: bool) -> str:
        if not isinstance(line, str):
            return line[language]
        asks = marked and any(line.startswith(f"{unit} - ") for unit in self.asks)
        return f"{line} VIA" if asks else line

    def holds(self, book: str) -> bool:
        return not self.books or book in self.books

    def outcome(self, book: str) -> Outcome:
        """What is recorded for a book."""
        named = [outcome for outcome in self.outcomes if book in outcome.books]
        return (named or [outcome for outcome in self.outcomes if not outcome.books])[0]


@dataclass(frozen=True)
class Stage:
    """One phase of the demonstration game."""

    phase: str
    text: Said
    orders: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def folder() -> Traversable:
    return resources.files(__package__) / "rules"


def _read(path: Traversable) -> Table:
    return tomllib.loads(path.read_text("utf-8"))


def _files(name: str) -> Iterator[Table]:
    listed = sorted((folder() / name).iterdir(), key=lambda file: file.name)
    return (_read(file) for file in listed if file.name.endswith(".toml"))


def said(table: Mapping[str, str]) -> Said:
    """A text in both languages, its French punctuation kept together."""
    return {"fr": _HIGH.sub(_held, table["fr"]), "en": table["en"]}


def _held(match: re.Match[str]) -> str:
    return f"\u00a0{match[1]}" if match[1] else f"{match[2]}\u00a0"


@cache
def chapters() -> tuple[Chapter, ...]:
    return tuple(
        Chapter(table["id"], said(table), tuple(map(_rule, table["rule"]))) for table in _files("chapters")
    )


def _rule(table: Table) -> Rule:
    return Rule(
        id=table["id"],
        title=said(table["title"]),
        says=tuple(map(_statement, table.get("says", (table,)))),
        books=tuple(table.get("books", ())),
        points=tuple(map(_point, table.get("point", ()))),
        examples=tuple(table.get("examples", ())),
        demonstration=tuple(table.get("demonstration", ())),
    )


def _statement(table: Table) -> Statement:
    return Statement(said(table), table.get("where", {}), table.get("aside", False))


def _point(table: Table) -> Point:
    return Point(
        option=table["option"],
        values={value: said(text) for value, text in table["values"].items()},
        needs={option: tuple(values) for option, values in table.get("needs", {}).items()},
    )


@cache
def books() -> Mapping[str, Book]:
    """What is told of each book that has pages."""
    read = _read(folder() / "books.toml")
    return {
        name: Book(said(table), tuple(map(_rule, table.get("special", ()))), table.get("whole", False))
        for name, table in read.items()
    }


@cache
def examples() -> Mapping[str, Example]:
    found = [_example(table) for file in _files("examples") for table in file["example"]]
    return {example.id: example for example in found}


POSITION = ("phase", "variant", "units", "dislodged", "contested", "centers", "absent", "torn")


def _example(table: Table) -> Example:
    return Example(
        id=table["id"],
        title=said(table["title"]),
        text=said(table),
        position={name: table[name] for name in POSITION if name in table},
        orders={power: tuple(lines) for power, lines in table.get("orders", {}).items()},
        outcomes=tuple(
            Outcome(tuple(one.get("books", ())), tuple(one["results"])) for one in table["outcome"]
        ),
        books=tuple(table.get("books", ())),
        case=table.get("case", ""),
        asks=tuple(table.get("asks", ())),
    )


@cache
def stages() -> tuple[Stage, ...]:
    """The demonstration game, phase by phase."""
    return tuple(
        Stage(table["phase"], said(table), {power: tuple(lines) for power, lines in table["orders"].items()})
        for table in _read(folder() / "demonstration.toml")["stage"]
    )


@cache
def places() -> Mapping[str, tuple[str, str]]:
    """Where each option is told: chapter and rule."""
    return {
        point.option: (chapter.id, rule.id)
        for chapter in chapters()
        for rule in chapter.rules
        for point in rule.points
    }


@cache
def _words() -> Mapping[str, Said]:
    return {name: said(table) for name, table in _read(folder() / "words.toml").items()}


class MissingWord(LookupError):
    """A template asks for words that nobody wrote: not a KeyError, which templates pass over."""


class Words:
    """What the pages say around the rules, in one language."""

    def __init__(self, language: str) -> None:
        self._language = language

    def __getitem__(self, name: str) -> str:
        if name not in _words():
            raise MissingWord(name)
        return _words()[name][self._language]
