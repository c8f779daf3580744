"""Whether units, centres and names have room where the anchors put them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from statistics import median
from typing import Any

from .findings import VariantFinding
from .map_borders import BorderRules
from .map_contacts import clearance, distance
from .map_outlines import MapOutlines, Point, Ring
from .variant_files import CheckedBoard

UNIT, CENTRE = 8.0, 3.8  # board units: radii of what is drawn
ROOM = {"unit": 8.0, "centre": 3.8, "retreat": 4.0}  # the least distance from a border
APART = 0.5  # the least gap between two things that are drawn at once
SHIFTED = 10.0  # a dislodged unit stands at least so far from the other
WIDE, HIGH = 2.15, 0.8  # a code of three capitals, in font sizes
USUAL, SMALL = 11.5, 9.0  # sizes of codes: that for which symbols are made; the largest with smaller ones
SIZES = {"unit": 2, "centre": 2, "retreat": 2, "label": 3}
Marks = Mapping[str, tuple[float, ...]]


def anchor_findings(
    anchors: Mapping[str, Any], board: CheckedBoard, rules: BorderRules, outlines: MapOutlines
) -> Iterator[VariantFinding]:
    """Check every place of the board."""
    places = anchor_marks(anchors)
    scale = _scale(places)
    for place, wanted in _wanted(board).items():
        missing = [mark for mark in wanted if mark not in places.get(place, {})]
        if missing:
            yield VariantFinding("anchor_missing", (place,), {"marks": ", ".join(missing)})
    for place, marks in sorted(places.items()):
        code = place.partition("/")[0]
        if code not in board.kinds:
            yield VariantFinding("anchor_unknown", (place,))
        elif code in outlines.rings:
            yield from _anchor_findings(place, marks, outlines.rings[code], scale)
            yield from _apart(place, marks, places.get(code, {}), scale)
    yield from _on_coasts(places, board, rules, outlines)


def anchor_marks(anchors: Mapping[str, Any]) -> dict[str, Marks]:
    """The marks of each place, without what is none."""
    return {place: _marks(marks) for place, marks in anchors.items() if isinstance(marks, dict)}


def _scale(places: Mapping[str, Marks]) -> float:
    """The size of what is drawn: symbols are smaller on a board of small codes."""
    usual = median([marks["label"][2] for marks in places.values() if "label" in marks] or [USUAL])
    return usual / USUAL if usual < SMALL else 1.0


def _marks(table: Mapping[str, Any]) -> Marks:
    """The marks that are so many numbers."""
    return {mark: tuple(table[mark]) for mark, size in SIZES.items() if _numbers(table.get(mark), size)}


def _numbers(value: object, size: int) -> bool:
    if not isinstance(value, list) or len(value) != size:
        return False
    return all(isinstance(n, int | float) and not isinstance(n, bool) and abs(n) < 1e6 for n in value)


def _wanted(board: CheckedBoard) -> dict[str, list[str]]:
    wanted: dict[str, list[str]] = {}
    for code in board.kinds:
        wanted[code] = ["unit", "label", "retreat", *(["centre"] if code in board.centres else [])]
        wanted |= {place: ["unit", "retreat"] for place in board.places(code) if place != code}
    return wanted


def _anchor_findings(
    place: str, marks: Marks, rings: Sequence[Ring], scale: float
) -> Iterator[VariantFinding]:
    for mark, usual in ROOM.items():
        least = usual * scale
        if mark in marks:
            room = clearance(marks[mark], rings)
            if room < 0:
                yield VariantFinding("anchor_outside", (place, mark))
            elif room < least:
                yield VariantFinding(
                    "anchor_tight", (place, mark), {"room": f"{room:.1f}", "least": f"{least:.2g}"}
                )
    if "label" in marks and any(clearance(corner, rings) < 0 for corner in _corners(marks["label"])):
        yield VariantFinding("label_outside", (place,), {"size": f"{marks['label'][2]:g}"})


def _corners(label: Sequence[float]) -> list[Point]:
    x, y, size = label
    across, up = WIDE * size / 2, HIGH * size / 2
    return [(x + dx, y + dy) for dx in (-across, 0, across) for dy in (-up, up)]


def _apart(place: str, marks: Marks, whole: Marks, scale: float) -> Iterator[VariantFinding]:
    """The unit beside the centre and the name of its province, a dislodged one beside the other."""
    if "unit" not in marks:
        return
    x, y = marks["unit"]
    if "centre" in whole:
        yield from _gap(place, "centre", math.dist((x, y), whole["centre"]) - (UNIT + CENTRE) * scale)
    if "label" in whole:
        yield from _gap(place, "label", _to_label((x, y), whole["label"]) - UNIT * scale)
    if "centre" in whole and "label" in whole and place.partition("/")[0] == place:
        yield from _gap(place, "centre_label", _to_label(whole["centre"], whole["label"]) - CENTRE * scale)
    if "retreat" in marks and math.dist((x, y), marks["retreat"]) < SHIFTED * scale:
        yield VariantFinding(
            "retreat_close", (place,), {"away": f"{math.dist((x, y), marks['retreat']):.1f}"}
        )


def _gap(place: str, mark: str, gap: float) -> Iterator[VariantFinding]:
    if gap < APART:
        yield VariantFinding("anchors_close", (place, mark), {"gap": f"{gap:.1f}", "least": f"{APART:g}"})


def _to_label(at: Sequence[float], label: Sequence[float]) -> float:
    x, y, size = label
    across, up = max(abs(at[0] - x) - WIDE * size / 2, 0.0), max(abs(at[1] - y) - HIGH * size / 2, 0.0)
    return math.hypot(across, up)


def _on_coasts(
    places: Mapping[str, Marks], board: CheckedBoard, rules: BorderRules, outlines: MapOutlines
) -> Iterator[VariantFinding]:
    """The fleet of a coast stands nearer to that coast's own waters than to those of another alone."""
    for code in board.coasts:
        coasts = [place for place in board.places(code) if "unit" in places.get(place, {})]
        for place in coasts:
            own = _to_waters(places[place]["unit"], rules.near(place), outlines)
            for other in coasts:
                alone = rules.near(other) - rules.near(place)
                if other != place and alone and _to_waters(places[place]["unit"], alone, outlines) < own:
                    yield VariantFinding("coast_unit_astray", (place, other))


def _to_waters(at: Sequence[float], waters: set[str], outlines: MapOutlines) -> float:
    point: Point = (at[0], at[1])
    rings = (ring for water in waters for ring in outlines.rings.get(water, ()))
    return min((distance(point, a, b) for ring in rings for a, b in pairwise(ring)), default=math.inf)
