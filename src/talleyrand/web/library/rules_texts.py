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
LocalizedText = Mapping[str, str]  # language → text
LANGUAGES = ("fr", "en")
# French keeps its high punctuation on the line of the word before it.
_HIGH = re.compile(r" ([:;!?»])|(«) ")


@dataclass(frozen=True)
class RulePoint:
    """A point on which books differ, with a sentence for each of its values.

    It is told of the books alone whose other options have the values in `needs`.
    """

    option: str
    values: Mapping[str, LocalizedText]
    needs: Mapping[str, tuple[str, ...]]

    def applies_to(self, book: LoadedRulebook) -> bool:
        return all(book.value(option) in values for option, values in self.needs.items())


@dataclass(frozen=True)
class RuleStatement:
    """Part of a rule; `places` is its place in each book that states it.

    A book whose whole text was read and that has no place here does not state it: there it is our reading.
    `is_aside` is no rule but a word about this site or what follows.
    """

    text: LocalizedText
    places: Mapping[str, str]
    is_aside: bool = False


@dataclass(frozen=True)
class RulebookRule:
    """A rule, statement by statement; `rulebook_texts` are those it is special to (else all)."""

    id: str
    title: LocalizedText
    statements: tuple[RuleStatement, ...]
    books: tuple[str, ...]
    points: tuple[RulePoint, ...]
    examples: tuple[str, ...]
    demonstration: tuple[int, ...]

    def applies_to(self, book: str) -> bool:
        return not self.books or book in self.books

    def text(self, language: str) -> str:
        """All that it says."""
        return " ".join(one.text[language] for one in self.statements)


@dataclass(frozen=True)
class RulesChapter:
    id: str
    title: LocalizedText
    rules: tuple[RulebookRule, ...]


@dataclass(frozen=True)
class RulebookText:
    """What a book is, and what it has beside the rules of the game.

    Where its text is `is_whole`, a statement without a place in it is one it does not make.
    """

    text: LocalizedText
    special: tuple[RulebookRule, ...]
    is_whole: bool = False


@dataclass(frozen=True)
class ExampleOutcome:
    """What becomes of an example under some books (under all others where it names none)."""

    books: tuple[str, ...]
    results: tuple[str, ...]


@dataclass(frozen=True)
class RulesExample:
    """A position with orders.

    A line is an order in normal form, or what a player writes in each language. `armies_by_sea` names the
    armies whose players say that they go by sea, under the books that want it said.
    """

    id: str
    title: LocalizedText
    text: LocalizedText
    position: Table
    orders: Mapping[str, tuple[str | LocalizedText, ...]]
    outcomes: tuple[ExampleOutcome, ...]
    books: tuple[str, ...] = ()
    case: str = ""
    armies_by_sea: tuple[str, ...] = ()

    def lines(self, language: str, *, marked: bool) -> dict[str, list[str]]:
        """The sheets, as they are handed to the judge; `marked` where a book wants the sea way asked for."""
        return {
            power: [self._line(line, language, marked) for line in lines]
            for power, lines in self.orders.items()
        }

    def _line(self, line: str | LocalizedText, language: str, marked: bool) -> str:
        if not isinstance(line, str):
            return line[language]
        asks = marked and any(line.startswith(f"{unit} - ") for unit in self.armies_by_sea)
        return f"{line} VIA" if asks else line

    def applies_to(self, book: str) -> bool:
        return not self.books or book in self.books

    def outcome(self, book: str) -> ExampleOutcome:
        """What is recorded for a book."""
        named = [outcome for outcome in self.outcomes if book in outcome.books]
        return (named or [outcome for outcome in self.outcomes if not outcome.books])[0]


@dataclass(frozen=True)
class DemonstrationPhase:
    """One phase of the demonstration game."""

    phase: str
    text: LocalizedText
    orders: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def rules_folder() -> Traversable:
    return resources.files(__package__) / "rules"


def _read_toml_table(path: Traversable) -> Table:
    return tomllib.loads(path.read_text("utf-8"))


def _files(name: str) -> Iterator[Table]:
    listed = sorted((rules_folder() / name).iterdir(), key=lambda file: file.name)
    return (_read_toml_table(file) for file in listed if file.name.endswith(".toml"))


def localized_text(table: Mapping[str, str]) -> LocalizedText:
    """A text in both languages, its French punctuation kept together."""
    return {"fr": _HIGH.sub(_held, table["fr"]), "en": table["en"]}


def _held(match: re.Match[str]) -> str:
    return f"\u00a0{match[1]}" if match[1] else f"{match[2]}\u00a0"


@cache
def rules_chapters() -> tuple[RulesChapter, ...]:
    return tuple(
        RulesChapter(table["id"], localized_text(table), tuple(map(_rule, table["rule"])))
        for table in _files("chapters")
    )


def _rule(table: Table) -> RulebookRule:
    return RulebookRule(
        id=table["id"],
        title=localized_text(table["title"]),
        statements=tuple(map(_statement, table.get("says", (table,)))),
        books=tuple(table.get("books", ())),
        points=tuple(map(_point, table.get("point", ()))),
        examples=tuple(table.get("examples", ())),
        demonstration=tuple(table.get("demonstration", ())),
    )


def _statement(table: Table) -> RuleStatement:
    return RuleStatement(localized_text(table), table.get("where", {}), table.get("aside", False))


def _point(table: Table) -> RulePoint:
    return RulePoint(
        option=table["option"],
        values={value: localized_text(text) for value, text in table["values"].items()},
        needs={option: tuple(values) for option, values in table.get("needs", {}).items()},
    )


@cache
def rulebook_texts() -> Mapping[str, RulebookText]:
    """What is told of each book that has pages."""
    read = _read_toml_table(rules_folder() / "books.toml")
    return {
        name: RulebookText(
            localized_text(table), tuple(map(_rule, table.get("special", ()))), table.get("whole", False)
        )
        for name, table in read.items()
    }


@cache
def rules_examples() -> Mapping[str, RulesExample]:
    found = [_example(table) for file in _files("examples") for table in file["example"]]
    return {example.id: example for example in found}


POSITION = ("phase", "variant", "units", "dislodged", "contested", "centers", "absent", "torn")


def _example(table: Table) -> RulesExample:
    return RulesExample(
        id=table["id"],
        title=localized_text(table["title"]),
        text=localized_text(table),
        position={name: table[name] for name in POSITION if name in table},
        orders={power: tuple(lines) for power, lines in table.get("orders", {}).items()},
        outcomes=tuple(
            ExampleOutcome(tuple(one.get("books", ())), tuple(one["results"])) for one in table["outcome"]
        ),
        books=tuple(table.get("books", ())),
        case=table.get("case", ""),
        armies_by_sea=tuple(table.get("asks", ())),
    )


@cache
def demonstration_phases() -> tuple[DemonstrationPhase, ...]:
    """The demonstration game, phase by phase."""
    return tuple(
        DemonstrationPhase(
            table["phase"],
            localized_text(table),
            {power: tuple(lines) for power, lines in table["orders"].items()},
        )
        for table in _read_toml_table(rules_folder() / "demonstration.toml")["stage"]
    )


@cache
def option_places() -> Mapping[str, tuple[str, str]]:
    """Where each option is told: chapter and rule."""
    return {
        point.option: (chapter.id, rule.id)
        for chapter in rules_chapters()
        for rule in chapter.rules
        for point in rule.points
    }


@cache
def _words() -> Mapping[str, LocalizedText]:
    return {
        name: localized_text(table) for name, table in _read_toml_table(rules_folder() / "words.toml").items()
    }


class MissingRulesWord(LookupError):
    """A template asks for words that nobody wrote: not a KeyError, which templates pass over."""


class RulesWords:
    """What the pages say around the rules, in one language."""

    def __init__(self, language: str) -> None:
        self._language = language

    def __getitem__(self, name: str) -> str:
        if name not in _words():
            raise MissingRulesWord(name)
        return _words()[name][self._language]
