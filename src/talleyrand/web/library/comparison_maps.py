"""The map of each judgement, over one ground that the page holds once."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.safestring import SafeString

from talleyrand import drawing
from talleyrand.formats.adjudication import resolve_question
from talleyrand.formats.question_input import read_question
from talleyrand.formats.rulebook_comparison import RulebookComparison
from talleyrand.web.boards import display_names, map_excerpts

FEW_UNITS = 14


@dataclass(frozen=True)
class ComparisonMaps:
    """`shared_ground` goes into the page once, before the maps; `group_maps` holds one map a group."""

    shared_ground: SafeString
    group_maps: tuple[SafeString, ...]


def draw_comparison_maps(comparison: RulebookComparison, nonce: str) -> ComparisonMaps:
    """The orders of every group's first book with what became of them, near to what differs."""
    turns = []
    for books in comparison.groups:
        asked = read_question(comparison.asked, comparison.books[books[0]])
        turns.append(resolve_question(asked).turn.outcome)
    outcomes = [(outcome.verdicts, outcome.position_after.contested) for outcome in turns]
    series = drawing.draw_series(
        asked.variant, asked.position, outcomes, language=display_names.reader_language()
    )
    places = _places(comparison, asked.position.units_by_province)
    part = map_excerpts.excerpt_box(list(map_excerpts.unit_points(asked.variant, places)), series.box)
    pictures = tuple(map_excerpts.excerpt_svg(part, drawn) for drawn in series.drawn)
    return ComparisonMaps(map_excerpts.shared_ground(series, nonce), pictures)


def _places(comparison: RulebookComparison, units: Iterable[str]) -> set[str]:
    """Where everybody stands if they are few, else where the units stand that differ; and their goals."""
    rows = comparison.differing or comparison.rows
    cells = [part.cell for row in rows for part in comparison.parts(row)]
    orders = " ".join(str(entry["order"] or entry["unit"]) for cell in cells for entry in cell.entries)
    standing = list(units)
    return {*re.findall(r"\b[A-Z]{3}\b", orders), *(standing if len(standing) <= FEW_UNITS else ())}
