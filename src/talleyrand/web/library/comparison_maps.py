"""The map of each judgement, over one ground that the page holds once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from django.utils.safestring import SafeString, mark_safe

from talleyrand import drawing
from talleyrand.formats.asking import read_question
from talleyrand.formats.comparison import Comparison
from talleyrand.formats.questions import judge
from talleyrand.variants import Variant
from talleyrand.web.boards import wording

RATIO = 1.2  # the boards are six wide by five high
LEAST = 0.45  # of the board's width: nearer, a province looks lost
MARGIN = 80.0
FEW = 14
_ID = re.compile(r' id="[^"]*"')


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
    frame = _frame(list(_points(asked.variant, places)), series.box)
    shared = (
        f'<svg aria-hidden="true" width="0" height="0" class="ground">'
        f'<style nonce="{nonce}">{series.style}</style>'
        f'<defs><g class="board" id="ground-under">{_ID.sub("", series.under)}</g>'
        f'<g class="board" id="ground-over">{_ID.sub("", series.over)}</g></defs></svg>'
    )
    # Drawn by `drawing`, which escapes every word; nothing else of the visitor's is in it.
    return Maps(mark_safe(shared), tuple(_map(layers, frame) for layers in series.drawn))  # noqa: S308


def _map(layers: drawing.Layers, frame: str) -> SafeString:
    """Its layers are found by nobody: identifiers would stand in the page several times."""
    inside = f'<use href="#ground-under"/>{layers.orders}<use href="#ground-over"/>{layers.marks}'
    return mark_safe(  # noqa: S308 as above
        f'<svg xmlns="http://www.w3.org/2000/svg" aria-hidden="true" class="board" viewBox="{frame}">'
        f"{_ID.sub('', inside)}</svg>"
    )


def _frame(points: list[tuple[float, float]], box: tuple[float, ...]) -> str:
    """The part of the board that holds these points, or all of it."""
    left, top, wide, high = box
    if not points:
        return " ".join(f"{number:g}" for number in box)
    xs, ys = zip(*points, strict=True)
    width = max(max(xs) - min(xs) + 2 * MARGIN, RATIO * (max(ys) - min(ys) + 2 * MARGIN), LEAST * wide)
    width = min(width, wide, RATIO * high)
    height = width / RATIO
    x = _within((min(xs) + max(xs) - width) / 2, left, left + wide - width)
    y = _within((min(ys) + max(ys) - height) / 2, top, top + high - height)
    return f"{x:.1f} {y:.1f} {width:.1f} {height:.1f}"


def _within(value: float, least: float, greatest: float) -> float:
    return max(least, min(value, greatest))


def _points(variant: Variant, places: Iterable[str]) -> Iterator[tuple[float, float]]:
    for place in places:
        anchor = variant.anchors.get(place, {}).get("unit")
        if anchor:
            yield anchor[0], anchor[1]


def _places(comparison: Comparison, units: Iterable[str]) -> set[str]:
    """Where everybody stands if they are few, else where the units stand that differ; and their goals."""
    rows = comparison.differing or comparison.rows
    cells = [part.cell for row in rows for part in comparison.parts(row)]
    orders = " ".join(str(entry["order"] or entry["unit"]) for cell in cells for entry in cell.entries)
    standing = list(units)
    return {*re.findall(r"\b[A-Z]{3}\b", orders), *(standing if len(standing) <= FEW else ())}
