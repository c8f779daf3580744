"""The outlines in a drawing: rings of points, whoever drew them.

Of SVG, what outlines are made of is read: `path` elements with lines and curves. What could run or fetch
anything is a finding, and nothing of it is ever followed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NoReturn
from xml.etree import ElementTree as ET

from .findings import VariantFinding

Point = tuple[float, float]
Ring = tuple[Point, ...]
Box = tuple[float, float, float, float]  # left, top, width, height
LARGEST = 5_000_000  # bytes
MOST = 200_000  # points
FARTHEST = 100_000.0  # of a number, in board units
STEPS = 8  # straight pieces of a curve
BEYOND = ("impassable", "water")
NAMELESS_PREFIX = "_"  # surfaces without a province are named so
ACTIVE_ELEMENTS = {
    "script",
    "foreignObject",
    "iframe",
    "object",
    "embed",
    "audio",
    "video",
    "animate",
    "set",
    "handler",
}
ACTIVE_ELEMENTS |= {"animateTransform", "animateMotion", "a", "image", "feImage"}
NUMBERS = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2, "A": 7, "Z": 0}
AWAY = re.compile(r"@import|url\((?!\s*['\"]?#)|\\", re.IGNORECASE)  # what a style loads; \ may spell it
TOKEN = re.compile(r"([A-Za-z])|([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)")


@dataclass(frozen=True)
class MapOutlines:
    """`rings` for each province, and for each nameless surface under a name with an underscore."""

    box: Box
    rings: dict[str, tuple[Ring, ...]]


class UnreadableMap(Exception):
    """A drawing that cannot be measured at all."""

    def __init__(self, finding: VariantFinding) -> None:
        super().__init__(finding.code)
        self.finding = finding


def read_outlines(data: bytes) -> tuple[MapOutlines, list[VariantFinding]]:
    """Take the bytes of `map.svg`; give its outlines and what they may not hold. Raises UnreadableMap."""
    root = _parsed(data)
    findings = list(_alive(root))
    rings: dict[str, tuple[Ring, ...]] = {}
    left = MOST
    for element, moved in _walk(root):
        name = _owner(element, len(rings))
        if not name:
            continue
        found = tuple(_rings(element.get("d", ""), left))
        left -= sum(map(len, found))
        if moved:
            findings.append(VariantFinding("svg_moved", (name,)))
        if name in rings:
            findings.append(VariantFinding("svg_twice", (name,)))
        rings[name] = rings.get(name, ()) + found
    return MapOutlines(_sheet(_box(root), rings), rings), findings


class _Builder(ET.TreeBuilder):
    """Refuses what could grow or fetch while it is read, in whatever encoding it is written."""

    def doctype(self, _name: str, _public: str | None, _system: str | None) -> NoReturn:
        raise UnreadableMap(VariantFinding("svg_doctype"))

    def pi(self, target: str, _data: str | None = None) -> NoReturn:
        raise UnreadableMap(VariantFinding("svg_alive", facts={"what": f"<?{target[:40]}?>"}))


def _parsed(data: bytes) -> ET.Element:
    if len(data) > LARGEST:
        raise UnreadableMap(VariantFinding("svg_too_long", facts={"limit": str(LARGEST // 1_000_000)}))
    if re.search(rb"<!(DOCTYPE|ENTITY)", data, re.IGNORECASE):
        raise UnreadableMap(VariantFinding("svg_doctype"))
    try:
        root = ET.fromstring(data, ET.XMLParser(target=_Builder()))  # noqa: S314 - entities are refused
    except (ET.ParseError, ValueError, LookupError) as fault:
        line, column = getattr(fault, "position", (1, 0))
        raise UnreadableMap(
            VariantFinding("svg_syntax", facts={"line": str(line), "column": str(column + 1)})
        ) from None
    if _tag(root) != "svg":
        raise UnreadableMap(VariantFinding("svg_root", facts={"tag": _tag(root)[:40]}))
    return root


def _tag(element: ET.Element) -> str:
    return str(element.tag).rpartition("}")[2]


def _alive(root: ET.Element) -> Iterator[VariantFinding]:
    """Elements that act or fetch, attributes that run, addresses outside the file."""
    for element in root.iter():
        if _tag(element) in ACTIVE_ELEMENTS:
            yield VariantFinding("svg_alive", facts={"what": f"<{_tag(element)}>"})
        for key, value in element.attrib.items():
            name = key.rpartition("}")[2]
            if name.lower().startswith("on") or (name in ("href", "src") and not value.startswith("#")):
                yield VariantFinding("svg_alive", facts={"what": name[:40]})
        if any(
            AWAY.search(words) for words in (element.text or "", element.tail or "", *element.attrib.values())
        ):
            yield VariantFinding("svg_alive", facts={"what": "url()"})


def _walk(root: ET.Element) -> Iterator[tuple[ET.Element, bool]]:
    """Every path, and whether it or what holds it is moved: by a `transform`, by a view within the view."""
    waiting = [(root, False)]
    while waiting:
        element, moved = waiting.pop()
        moved = (
            moved
            or bool(element.get("transform"))
            or "transform" in element.get("style", "")
            or (element is not root and _tag(element) == "svg")
        )
        if _tag(element) == "path":
            yield element, moved
        if _tag(element) not in ("defs", "symbol", "clipPath", "mask"):
            waiting += [(child, moved) for child in reversed(element)]


def _owner(element: ET.Element, count: int) -> str:
    """The province that a path draws; an underscore and a number for what is out of play; else nothing."""
    identity = element.get("id", "")
    if identity.startswith("p-"):
        return identity.removeprefix("p-")
    return f"{NAMELESS_PREFIX}{count}" if set(element.get("class", "").split()) & set(BEYOND) else ""


def _box(root: ET.Element) -> Box:
    numbers = [float(number) for _, number in TOKEN.findall(root.get("viewBox", "")) if number]
    if len(numbers) != 4 or max(map(abs, numbers)) > FARTHEST or numbers[2] <= 0 or numbers[3] <= 0:
        raise UnreadableMap(VariantFinding("svg_box"))
    left, top, width, height = numbers
    return left, top, width, height


def _sheet(box: Box, rings: Mapping[str, Sequence[Ring]]) -> Box:
    """The part of the picture that holds the map: there may be insets or a legend beside it."""
    points = [point for found in rings.values() for ring in found for point in ring]
    if not points:
        return box
    left, top = (max(box[axis], min(point[axis] for point in points)) for axis in (0, 1))
    right, foot = (min(box[axis] + box[axis + 2], max(point[axis] for point in points)) for axis in (0, 1))
    return left, top, right - left, foot - top


def _rings(data: str, most: int) -> Iterator[Ring]:
    """The closed lines of path data, curves cut into straight pieces; raises UnreadableMap."""
    points: list[Point] = []
    for count, (begins, point) in enumerate(_points(data)):
        if count > most:
            raise UnreadableMap(VariantFinding("svg_points", facts={"limit": str(MOST)}))
        if begins:
            yield from _closed(points)
            points = []
        points.append(point)
    yield from _closed(points)


def _closed(points: list[Point]) -> Iterator[Ring]:
    """The ring of these points, if they make one."""
    if len(points) > 2:
        kept = [point for point, before in zip(points, [None, *points], strict=False) if point != before]
        yield (*kept, kept[0]) if kept[0] != kept[-1] else tuple(kept)


def _points(data: str) -> Iterator[tuple[bool, Point]]:
    """Every point in order, and whether a new line begins there."""
    here = start = mirror = (0.0, 0.0)
    for letter, numbers in _commands(data):
        absolute, kind = letter.isupper(), letter.upper()
        origin = (0.0, 0.0) if absolute else here
        if kind == "M":
            here = start = mirror = _plus(origin, numbers)
            yield True, here
        elif kind == "Z":
            here = mirror = start
        elif kind in "LHV":
            here = mirror = _straight(kind, origin, here, numbers)
            yield False, here
        else:
            curve = _curve(kind, origin, here, mirror, numbers)
            mirror, here = curve[-2], curve[-1]
            yield from ((False, point) for point in _cut([*curve[:-2], *curve[-2:]]))


def _commands(data: str) -> Iterator[tuple[str, list[float]]]:
    """Letters with their numbers; a letter holds for all that follow, and lines follow a start."""
    tokens = list(TOKEN.findall(data))
    at = 0
    letter = ""
    while at < len(tokens):
        if tokens[at][0]:
            letter, at = tokens[at][0], at + 1
            if letter.upper() not in NUMBERS:
                raise UnreadableMap(VariantFinding("svg_path", facts={"what": letter}))
        wanted = NUMBERS[letter.upper()] if letter else 0
        numbers = [number for _, number in tokens[at : at + wanted]]
        if (
            not letter
            or len(numbers) < wanted
            or "" in numbers
            or (not wanted and at < len(tokens) and tokens[at][1])
        ):
            raise UnreadableMap(VariantFinding("svg_path", facts={"what": letter or tokens[at][1]}))
        yield letter, [_finite(number) for number in numbers]
        at += wanted
        letter = {"M": "L", "m": "l"}.get(letter, letter)


def _finite(number: str) -> float:
    value = float(number)
    if abs(value) > FARTHEST:
        raise UnreadableMap(VariantFinding("svg_path", facts={"what": number[:20]}))
    return value


def _plus(origin: Point, numbers: Sequence[float]) -> Point:
    return origin[0] + numbers[-2], origin[1] + numbers[-1]


def _straight(kind: str, origin: Point, here: Point, numbers: Sequence[float]) -> Point:
    if kind == "H":
        return origin[0] + numbers[0], here[1]
    if kind == "V":
        return here[0], origin[1] + numbers[0]
    return _plus(origin, numbers)


def _curve(kind: str, origin: Point, here: Point, mirror: Point, numbers: Sequence[float]) -> list[Point]:
    """Start, controls and end of a curve; an arc of a circle is taken for its chord."""
    if kind == "A":
        return [here, here, _plus(origin, numbers)]
    given = [(origin[0] + x, origin[1] + y) for x, y in zip(numbers[::2], numbers[1::2], strict=True)]
    reflected = (2 * here[0] - mirror[0], 2 * here[1] - mirror[1])
    return [here, *([reflected] if kind in "ST" else []), *given]


def _cut(curve: Sequence[Point]) -> Iterator[Point]:
    """Points along a Bézier curve of any degree (de Casteljau)."""
    for step in range(1, STEPS + 1):
        share, points = step / STEPS, list(curve)
        while len(points) > 1:
            points = [
                (a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share) for a, b in pairwise(points)
            ]
        yield points[0]
