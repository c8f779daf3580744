"""The map of each judgement, over one ground that the page holds once."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.safestring import SafeString

from talleyrand import drawing
from talleyrand.formats.asking import read_question
from talleyrand.formats.comparison import Comparison
from talleyrand.formats.questions import judge
from talleyrand.web.boards import excerpts, wording

FEW = 14


@dataclass(frozen=True)
class Maps:
    """`ground` goes into the page once, before the maps; `each` holds one map a group."""

    ground: SafeString
    each: tuple[SafeString, ...]


def draw(comparison: Comparison, nonce: str) -> Maps:
    """The orders of every group's first book with what became of them, near to what differs."""
    turns = []
    for books in comparison.groups:
        asked = read_question(comparison.asked, comparison.books[books[0]])
        turns.append(judge(asked).turn.outcome)
    outcomes = [(outcome.verdicts, outcome.after.contested) for outcome in turns]
    series = drawing.series(asked.variant, asked.position, outcomes, language=wording.language())
    places = _places(comparison, asked.position.at)
    part = excerpts.frame(list(excerpts.anchors(asked.variant, places)), series.box)
    pictures = tuple(excerpts.picture(part, drawn) for drawn in series.drawn)
    return Maps(excerpts.ground(series, nonce), pictures)


def _places(comparison: Comparison, units: Iterable[str]) -> set[str]:
    """Where everybody stands if they are few, else where the units stand that differ; and their goals."""
    rows = comparison.differing or comparison.rows
    cells = [part.cell for row in rows for part in comparison.parts(row)]
    orders = " ".join(str(entry["order"] or entry["unit"]) for cell in cells for entry in cell.entries)
    standing = list(units)
    return {*re.findall(r"\b[A-Z]{3}\b", orders), *(standing if len(standing) <= FEW else ())}
