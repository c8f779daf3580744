"""The cases of the rules as files: facts in TOML, made into questions of the command line.

id, title, source   what the case is about, and where the rules say so
books               the rulebooks it holds under; `any` for every book
options             choices that the case makes beside the book's own
phase, variant, units, dislodged, contested, centers, homes, sheets, politics, seed
                    as in a question; `variant` is classic when absent, `sheets` replaces `orders`
asks                units whose orders say that they go by sea, under the books that want it said
orders              by power: the order in normal form, then as a player writes it in French and in English
                    (absent or "": nobody wrote it)
expected.units      by unit: all of its results (those of its refused lines too), where it went (`to`), who
                    dislodged it (`by`, the attacker's province) and every place of retreat
otherwise           by book: the units of which it says something else
expected.after      the position afterwards: units by power, dislodged units, provinces left by a stand-off
expected.balance    centres minus units before the adjustments
expected.homes      by power: the home centres that it has named
expected.owners     by centre: its owner, or ""
expected.winner, eliminated, alive
expected.next       the phase that follows ("": the game is over)
expected.politics   fields among those of the answer, each whole; expected.drawn: on whom the lot fell
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from talleyrand import rulebooks

Value = dict[str, Any]
FOLDER = Path(__file__).parent
TONGUES = ("normal", "fr", "en")
_SEA = dict(zip(TONGUES, (" VIA", " par convoi", " via convoy"), strict=True))
_POSITION = (
    *(
        "phase",
        "variant",
        "units",
        "dislodged",
        "contested",
        "centers",
        "homes",
        "sheets",
        "politics",
        "seed",
    ),
)


@dataclass(frozen=True)
class Case:
    """One case."""

    id: str
    title: str
    source: str
    books: tuple[str, ...]
    position: Value
    orders: Mapping[str, list[list[str]]]
    expected: Value = field(repr=False)
    options: Mapping[str, str] = field(default_factory=dict)
    asks: tuple[str, ...] = ()
    otherwise: Mapping[str, Value] = field(default_factory=dict)

    def tongues(self) -> list[str]:
        """The normal form, and the languages in which somebody wrote at least one of its orders."""
        rows = [row for rows in self.orders.values() for row in rows]
        return ["normal", *(tongue for tongue in TONGUES[1:] if any(_written(row, tongue) for row in rows))]

    def question(self, book: str, tongue: str = "normal") -> Value:
        """The case as a question."""
        lines = {
            power: [self._line(row, book, tongue) for row in rows] for power, rows in self.orders.items()
        }
        rulebook = {"extends": book, "options": dict(self.options)} if self.options else book
        asked = {"id": f"{self.id} {book} {tongue}", "rulebook": rulebook, **self.position}
        return asked if "sheets" in asked else asked | {"orders": lines}

    def _line(self, row: list[str], book: str, tongue: str) -> str:
        line = _written(row, tongue)
        asked = any(row[0].startswith(f"{unit} - ") for unit in self.asks)
        if asked and rulebooks.load(book).value("land_or_sea_route") == "marker_required":
            line = line + _SEA[tongue] if line else row[0] + _SEA["normal"]
        return line or row[0]

    def units(self, book: str) -> Value:
        """What is expected of each unit under a book."""
        expected: Value = self.expected.get("units", {})
        return expected | self.otherwise.get(book, {})


def _written(row: list[str], tongue: str) -> str:
    place = TONGUES.index(tongue)
    return row[place] if place < len(row) else ""


@cache
def cases() -> tuple[Case, ...]:
    """Every case, in the order of the files."""
    found = []
    for file in sorted(FOLDER.glob("*.toml")):
        found += [_case(table) for table in tomllib.loads(file.read_text("utf-8"))["case"]]
    return tuple(found)


def _case(table: Value) -> Case:
    position = {name: table.pop(name) for name in _POSITION if name in table}
    return Case(
        id=table.pop("id"),
        title=table.pop("title"),
        source=table.pop("source"),
        books=_books(table.pop("books")),
        position=position,
        orders=table.pop("orders", {}),
        expected=table.pop("expected"),
        asks=tuple(table.pop("asks", ())),
        **table,
    )


def _books(names: list[str]) -> tuple[str, ...]:
    return rulebooks.names() if names == ["any"] else tuple(names)
