"""The files of every variant as they lie in their folders, and what the drawings hold.

A further shape of a map goes by the names of both: `classic tall`.
"""

from __future__ import annotations

import re
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "src" / "talleyrand" / "variants"
SVG = "{http://www.w3.org/2000/svg}"
Point = tuple[int, int]
NAMES = sorted(path.parent.name for path in FOLDER.glob("*/variant.toml"))


def toml(name: str, file: str) -> dict[str, Any]:
    return tomllib.loads((FOLDER / name / file).read_text("utf-8"))


def _names_places(name: str) -> bool:
    """Whether it has names of its own for more than its powers."""
    return (FOLDER / name / "names.fr.toml").exists() and "provinces" in toml(name, "names.fr.toml")


WITH_NAMES = [name for name in NAMES if _names_places(name)]


def _file(name: str, stem: str, ending: str) -> Path:
    variant, _, shape = name.partition(" ")
    return FOLDER / variant / f"{stem}{'-' * bool(shape)}{shape}.{ending}"


def anchors(name: str) -> dict[str, Any]:
    return tomllib.loads(_file(name, "anchors", "toml").read_text("utf-8"))


PLAYABLE = [name for name in NAMES if toml(name, "variant.toml").get("playable", True)]


@cache
def all_names(name: str, language: str) -> dict[str, Any]:
    """A variant's names, on top of those of what it extends."""
    own = toml(name, f"names.{language}.toml")
    base = toml(name, "variant.toml").get("extends")
    known = all_names(base, language) if base else {}
    return {part: {**known.get(part, {}), **own.get(part, {})} for part in {**known, **own}}


@cache
def table(name: str) -> dict[str, Any]:
    """A variant's data: what it extends, its own keys on top, what it removes taken out."""
    own = toml(name.partition(" ")[0], "variant.toml")
    if "extends" not in own:
        return own
    gone = {"powers": (), "provinces": ()} | own.get("remove", {})
    base = table(own["extends"])
    merged = {**base, **own, "powers": {**base["powers"], **own.get("powers", {})}}
    for key in ("provinces", "powers"):
        merged[key] = {code: facts for code, facts in merged[key].items() if code not in gone[key]}
    merged["adjacency"] = {
        kind: [pair for pair in pairs if all(place.split("/")[0] not in gone["provinces"] for place in pair)]
        for kind, pairs in merged["adjacency"].items()
    }
    return merged


def locations(name: str) -> set[str]:
    """Where a fleet may stand: coasts, or the province that has none; inland provinces left out."""
    places = set()
    for code, facts in table(name)["provinces"].items():
        if facts["kind"] != "inland":
            places |= {f"{code}/{coast}" for coast in facts.get("coasts", [])} or {code}
    return places


DRAWN = sorted(" ".join([path.parent.name, *path.stem.split("-")[1:]]) for path in FOLDER.glob("*/map*.svg"))


@cache
def drawing(name: str) -> ET.Element:
    return ET.parse(_file(name, "map", "svg")).getroot()


@cache
def outlines(name: str) -> dict[str, list[list[Point]]]:
    """For each province drawn: its rings, in tenths of a board unit."""
    paths = (path for path in drawing(name).iter(f"{SVG}path") if path.get("id"))
    return {path.attrib["id"].removeprefix("p-"): list(_rings(path.attrib["d"])) for path in paths}


def _rings(data: str) -> Iterator[list[Point]]:
    """Path data of one absolute start and relative lines, `M1 2l3 4 5 6z`, as closed rings."""
    for part in data.split("z"):
        numbers = [round(float(n) * 10) for n in re.findall(r"-?[\d.]+", part)]
        if numbers:
            x, y = 0, 0
            ring = [(x := x + dx, y := y + dy) for dx, dy in zip(numbers[::2], numbers[1::2], strict=True)]
            yield [*ring, ring[0]]


def contacts(name: str) -> set[tuple[str, str]]:
    """The pairs of provinces whose outlines share a piece of line."""
    sides: dict[tuple[Point, Point], set[str]] = defaultdict(set)
    for code, rings in outlines(name).items():
        for ring in rings:
            for a, b in pairwise(ring):
                sides[min(a, b), max(a, b)].add(code)
    shared = (tuple(sorted(codes)) for codes in sides.values() if len(codes) == 2)
    return {(a, b) for a, b in shared}


def inside(name: str, code: str, x: float, y: float) -> bool:
    """Whether a place in board units lies in a province as drawn (even-odd rule)."""
    x, y = x * 10, y * 10
    crossings = 0
    for ring in outlines(name)[code]:
        for (ax, ay), (bx, by) in pairwise(ring):
            if (ay > y) != (by > y) and x < ax + (y - ay) * (bx - ax) / (by - ay):
                crossings += 1
    return crossings % 2 == 1
