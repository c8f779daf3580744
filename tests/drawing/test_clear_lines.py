"""Orders of crowded phases stay readable however small the map: all is measured in radii of a unit.

The phases are recorded ones of thirty units and more.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple
from xml.etree.ElementTree import Element

import pytest

from talleyrand import drawing, variants
from talleyrand.drawing.map_scene import MapScene
from talleyrand.engine.position import Position, province_of
from talleyrand.formats import adjudication
from talleyrand.formats.question_input import read_question
from talleyrand.variants import Variant
from tests.drawing.pictures import CLASSIC, classed, distance, layer, parsed, points, spot

FILE = Path(__file__).parents[1] / "formats/by_sea_to_marseilles.jsonl"
CROWD = 30  # units
MAPS = (CLASSIC, CLASSIC.in_shape("tall"))
HALF = 9.5  # of an army's width, at scale 1
BODY = 0.85  # of a radius: what a line may not come nearer to than that
SHAFT = 1.2  # radii of a shaft that are seen, and with its head:
ARROW = 1.8


class Drawn(NamedTuple):
    """A phase as it is drawn, with its results."""

    name: str
    position: Position
    root: Element
    scene: MapScene

    @property
    def radius(self) -> float:
        return HALF * self.scene.scale

    def unit(self, province: str) -> complex | None:
        """Where the unit of a province stands."""
        unit = self.position.units_by_province.get(province)
        return self.scene.point(unit.location) if unit else None


@cache
def crowded() -> tuple[Drawn, ...]:
    rows = [json.loads(row) for row in FILE.read_text("utf-8").splitlines()]
    full = [row for row in rows if sum(map(len, row["units"].values())) >= CROWD]
    return tuple(_drawn(row, variant) for row in full for variant in MAPS)


def _drawn(row: dict[str, object], variant: Variant) -> Drawn:
    asked = read_question({name: row[name] for name in ("phase", "units", "orders")} | {"rulebook": "datc"})
    verdicts = adjudication.resolve_question(asked).turn.outcome.verdicts
    root = parsed(drawing.draw_board(variant, asked.position, verdicts=verdicts))
    scene = MapScene(variant, asked.position, "fr")
    return Drawn(f"{row['id']} {variant.shape}", asked.position, root, scene)


def orders(drawn: Drawn, kind: str) -> Iterator[tuple[Element, list[str]]]:
    """The groups of the orders of a kind, each with the words of its order."""
    for group in classed(drawn.root, kind):
        if group.get("data-order") and classed(group, "line"):
            yield group, (group.get("data-order") or "").split()


def own_line(group: Element) -> list[complex]:
    """The line of the order itself: what it says of a move that nobody ordered is drawn before it."""
    return points(classed(group, "line")[-1])


def seen(track: Sequence[complex], discs: Sequence[complex], radius: float) -> float:
    """How much of a line lies outside of all the discs."""
    steps = 200
    total = 0.0
    for a, b in pairwise(track):
        inside = (a + (b - a) * (at + 0.5) / steps for at in range(steps))
        total += abs(b - a) / steps * sum(all(abs(p - c) > radius for c in discs) for p in inside)
    return total


@pytest.mark.long
def test_there_is_a_crowd() -> None:
    assert len(crowded()) >= 20


@pytest.mark.long
def test_no_line_runs_through_a_unit_that_it_does_not_concern() -> None:
    hit = []
    for drawn in crowded():
        for kind in ("move", "support"):
            for group, words in orders(drawn, kind):
                concerned = {province_of(word) for word in words} | carriers(drawn, words)
                for unit in drawn.position.units:
                    place = drawn.unit(unit.province)
                    if unit.province in concerned or place is None:
                        continue
                    if distance(place, own_line(group)) < BODY * drawn.radius:
                        hit.append((drawn.name, " ".join(words), unit.province))
    assert hit == []


def carriers(drawn: Drawn, words: list[str]) -> set[str]:
    """The fleets that are ordered to carry a unit."""
    convoys = (
        one.split() for one in (node.get("data-order") or "" for node in classed(drawn.root, "convoy"))
    )
    return {province_of(one[1]) for one in convoys if one[3:5] == words[:2]}


@pytest.mark.long
def test_each_arrow_shows_a_shaft_and_a_head() -> None:
    for drawn in crowded():
        for group, words in orders(drawn, "move"):
            ends = (drawn.unit(province_of(words[place])) for place in (1, 3))
            discs = [place for place in ends if place is not None]
            (head,) = (points(node) for node in classed(group, "head")) if classed(group, "head") else ([],)
            told = (drawn.name, " ".join(words))
            assert seen(own_line(group), discs, drawn.radius) > SHAFT * drawn.radius, told
            whole = [*own_line(group), *head[:1]]
            assert seen(whole, discs, drawn.radius) > ARROW * drawn.radius, told
            assert all(abs(corner - place) > BODY * drawn.radius for corner in head for place in discs), told


def test_each_support_ends_on_what_it_supports() -> None:
    for drawn in crowded():
        for group, words in orders(drawn, "support"):
            end, target = own_line(group)[-1], drawn.unit(province_of(words[4]))
            told = (drawn.name, " ".join(words))
            assert target is not None, told
            moves = [node for node, other in orders(drawn, "move") if other[:2] == words[3:5]]
            if len(words) == 5:
                assert 1 < abs(end - target) / drawn.radius < 2.5, told
            elif [other for other in moves if (other.get("data-order") or "").split()[3] == words[6]]:
                assert distance(end, own_line(moves[0])) < 0.2 * drawn.radius, told
                assert abs(end - target) > drawn.radius, told
            (knob,) = (node for node in group if node.tag == "circle")
            assert abs(complex(float(knob.get("cx", 0)), float(knob.get("cy", 0))) - end) < 0.1, told


def test_whoever_is_driven_out_has_spikes_around() -> None:
    fallen = 0
    for drawn in crowded():
        for group in classed(drawn.root, "order"):
            if "dislodged" not in (group.get("data-result") or "").split():
                continue
            fallen += 1
            place = drawn.unit(group.get("data-province") or "")
            marks = [node for node in layer(drawn.root, "marks") if classed(node, "burst")]
            (mark,) = (node for node in marks if node.get("data-unit") == group.get("data-unit"))
            assert spot(mark) == pytest.approx(place, abs=0.1)
            spikes = points(classed(mark, "burst")[0])
            assert max(map(abs, spikes)) > 1.8 * HALF
    assert fallen > 10


def test_lines_are_as_thick_as_units_are_large() -> None:
    for name in ("classic", "trio", "diplomatie_2000"):
        variant = variants.load(name)
        start = variant.definition.start
        layer = parsed(drawing.draw_layers(variant, start).orders)
        scale = MapScene(variant, start, "fr").scale
        assert float(layer.get("font-size") or 0) == pytest.approx(10 * scale, rel=0.01)
    assert "em" in drawing.BOARD_CSS.partition(".board .order .line { stroke-width: ")[2][:8]
