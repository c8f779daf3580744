"""The rules of a variant as data: chapters in its own folder, in both languages, with our readings."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources.abc import Traversable
from typing import Any

from talleyrand import variants

from .rules_texts import LocalizedText, localized_text

Table = dict[str, Any]
TABLES = ("worth", "kinds")


@dataclass(frozen=True)
class VariantStatement:
    """What a rule says, and where the text says it."""

    text: LocalizedText
    where: LocalizedText


@dataclass(frozen=True)
class OpenPoint:
    """How a point that the text leaves open is read, and where it leaves it open.

    `option`: the choice of a game that settles it, with a sentence for each value; `numbers`: which open
    points of the text it settles (tests hold them against the list of all).
    """

    id: str
    text: LocalizedText
    where: LocalizedText
    option: str
    values: Mapping[str, LocalizedText]
    numbers: tuple[int, ...]


@dataclass(frozen=True)
class WrittenLine:
    """A line as a player writes it in each language, in a question where the judge reads it as `order`."""

    question: Mapping[str, Any]
    power: str
    beside: Mapping[str, list[str]]
    written: LocalizedText
    order: str
    means: LocalizedText


@dataclass(frozen=True)
class VariantRule:
    """`points` are read here, `choices` the text itself leaves to whoever sets up a game."""

    id: str
    title: LocalizedText
    says: tuple[VariantStatement, ...]
    points: tuple[OpenPoint, ...]
    choices: tuple[OpenPoint, ...]
    lines: tuple[WrittenLine, ...]
    table: str


@dataclass(frozen=True)
class VariantChapter:
    id: str
    title: LocalizedText
    rules: tuple[VariantRule, ...]


def variants_with_rules() -> tuple[str, ...]:
    """The variants whose own rules have pages."""
    return tuple(name for name in variants.all_names() if _folder(name).is_dir())


def _folder(name: str) -> Traversable:
    """Where the pages of a variant lie: its own, else those of the variant that it extends."""
    folders = [variants.variant_folder(one) / "chapters" for one in variants.base_names(name)]
    return next((folder for folder in folders if folder.is_dir()), folders[0])


@cache
def variant_chapters(name: str) -> tuple[VariantChapter, ...]:
    """The chapters of a variant's rules; none where it has no pages."""
    if name not in variants_with_rules():
        return ()
    folder = _folder(name)
    places = {key: localized_text(table) for key, table in _read_toml_table(folder / "places.toml").items()}
    files = sorted(file.name for file in folder.iterdir() if file.name[:1].isdigit())
    return tuple(_ChapterReader(name, places, _read_toml_table(folder / file)).read() for file in files)


def _read_toml_table(path: Traversable) -> Table:
    return tomllib.loads(path.read_text("utf-8"))


class _ChapterReader:
    """One file being read; raises KeyError for a place of the text or a setting that nobody named."""

    def __init__(self, variant: str, places: Mapping[str, LocalizedText], table: Table) -> None:
        self.variant, self.places, self.table = variant, places, table

    def read(self) -> VariantChapter:
        rules = tuple(map(self._rule, self.table["rule"]))
        return VariantChapter(self.table["id"], localized_text(self.table), rules)

    def _rule(self, table: Table) -> VariantRule:
        return VariantRule(
            id=table["id"],
            title=localized_text(table["title"]),
            says=tuple(
                VariantStatement(localized_text(one), self.places[one["where"]])
                for one in table.get("says", ())
            ),
            points=tuple(map(self._point, table.get("reading", ()))),
            choices=tuple(map(self._point, table.get("choice", ()))),
            lines=tuple(map(self._line, table.get("line", ()))),
            table=table.get("table", ""),
        )

    def _point(self, table: Table) -> OpenPoint:
        return OpenPoint(
            id=table["id"],
            text=localized_text(table),
            where=self.places[table["where"]],
            option=table.get("option", ""),
            values={value: localized_text(text) for value, text in table.get("values", {}).items()},
            numbers=tuple(table.get("open", ())),
        )

    def _line(self, table: Table) -> WrittenLine:
        return WrittenLine(
            question={"variant": self.variant, **self.table["setting"][table["setting"]]},
            power=table["power"],
            beside=table.get("beside", {}),
            written=localized_text(table),
            order=table["order"],
            means=localized_text(table["means"]),
        )


def open_points(name: str) -> Iterator[tuple[VariantChapter, OpenPoint]]:
    """Every point that is read here, in the order of the chapters."""
    for chapter in variant_chapters(name):
        for rule in chapter.rules:
            for point in rule.points:
                yield chapter, point


def settable_points(name: str) -> Iterator[tuple[VariantRule, OpenPoint]]:
    """What a game may settle before it begins, point by point, the text's own choices first."""
    rules = [rule for chapter in variant_chapters(name) for rule in chapter.rules]
    yield from ((rule, point) for rule in rules for point in rule.choices)
    yield from ((rule, point) for rule in rules for point in rule.points if point.option)
