"""Positions to draw, and ways to look into the drawings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from xml.etree import ElementTree as ET

from talleyrand import variants
from talleyrand.engine.orders import Build, Convoy, Disband, Hold, Move, Order, Retreat, Support, Waive
from talleyrand.engine.outcome import Cause, CauseCode, OrderResult, Verdict
from talleyrand.engine.position import Phase, Position, Unit, UnitName
from talleyrand.variants import Variant

CLASSIC = variants.load("classic")
TRIO = variants.load("trio")
LAYERS = ["map", "owners", "borders", "centres", "orders", "labels", "units", "marks"]


def order(text: str) -> Order:
    """An order in normal form; only what these tests write."""
    if text == "WAIVE":
        return Waive()
    kind, place, sign, *rest = text.split()
    unit = UnitName(kind, place)
    if sign == "H":
        return Hold(unit)
    if sign in ("D", "B"):
        return Disband(unit) if sign == "D" else Build(unit)
    if sign in ("-", "R"):
        return Move(unit, rest[0], via="VIA" in rest) if sign == "-" else Retreat(unit, rest[0])
    target, to = UnitName(rest[0], rest[1]), rest[3] if len(rest) > 2 else None
    return Convoy(unit, target, to or "") if sign == "C" else Support(unit, target, to)


def verdict(line: str) -> Verdict:
    """`FRANCE: A PAR - BUR: moves`, and perhaps `: sea`."""
    power, text, results, *route = line.split(": ")
    given = order(text)
    unit = given.unit or UnitName("", "")
    found = tuple(OrderResult(result) for result in results.split())
    return Verdict(unit, power, given, found, Cause(CauseCode.ORDERED), route=route[0] if route else None)


def verdicts(lines: str) -> tuple[Verdict, ...]:
    return tuple(verdict(line.strip()) for line in lines.strip().splitlines())


def standing(judged: Iterable[Verdict], phase: str = "F1905M", variant: Variant = CLASSIC) -> Position:
    """The position in which the orders of these verdicts were given."""
    units = tuple(Unit(*v.unit, v.power) for v in judged if v.unit.location)
    return Position(Phase.parse(phase), units, centres=variant.board.homes)


def parsed(svg: str) -> ET.Element:
    root = ET.fromstring(svg)
    for node in root.iter():
        node.tag = node.tag.rpartition("}")[2]
    return root


def layer(root: ET.Element, name: str) -> ET.Element:
    (found,) = (node for node in root.iter("g") if node.get("id") == f"layer-{name}")
    return found


def classed(root: ET.Element, name: str) -> list[ET.Element]:
    return [node for node in root.iter() if name in (node.get("class") or "").split()]


def ordered(root: ET.Element, text: str) -> ET.Element:
    """The group of one order."""
    (found,) = (node for node in layer(root, "orders") if node.get("data-order") == text)
    return found


def marked(root: ET.Element, text: str) -> list[ET.Element]:
    return [node for node in layer(root, "marks") if node.get("data-order") == text]


def spot(node: ET.Element) -> complex:
    """Where a group is moved to."""
    match = re.match(r"translate\((\S+) (\S+)\)", node.get("transform") or "")
    assert match, node.attrib
    return complex(float(match[1]), float(match[2]))


def points(node: ET.Element) -> list[complex]:
    """The points of the path data of a straight-sided line, or of a wave."""
    pairs = re.findall(r"(-?[\d.]+) (-?[\d.]+)", node.get("d") or "")
    return [complex(float(x), float(y)) for x, y in pairs]


def line(group: ET.Element) -> list[complex]:
    """The points of the first line of an order."""
    return points(classed(group, "line")[0])


def anchor(variant: Variant, location: str, what: str = "unit") -> complex:
    x, y = variant.anchors[location][what][:2]
    return complex(x, y)


def distance(place: complex, track: Iterable[complex]) -> float:
    """From a point to the nearest stretch of a track."""
    return min(_gap(place, a, b) for a, b in pairwise(track))


def _gap(place: complex, a: complex, b: complex) -> float:
    way = b - a
    if not way:
        return abs(place - a)
    share = ((place - a) * way.conjugate()).real / abs(way) ** 2
    return abs(place - (a + way * min(max(share, 0), 1)))


def titles(root: ET.Element) -> Iterator[str]:
    return (node.text or "" for node in root.iter("title"))
