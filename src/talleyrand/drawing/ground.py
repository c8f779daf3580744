"""The layers that don't change during a phase: the map, its labels, its centres, their owners."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from xml.etree import ElementTree as ET

from talleyrand.variants import Variant

from . import words
from .markup import element, layer, number, text, title
from .scene import Scene

GROUND = ("seas", "water", "impassable", "lands")
OVERLAY = ("lakes", "borders")
ROOM, LARGER, HALF_CAPITAL = 3, 1.2, 0.36


@dataclass(frozen=True)
class Ground:
    """A variant's drawing, taken apart."""

    style: str
    box: tuple[float, ...]
    groups: Mapping[str, ET.Element]
    outlines: Mapping[str, str]


@lru_cache(maxsize=16)
def ground(variant: Variant) -> Ground:
    """Read the drawing of a variant."""
    # The drawing is the variant's own file, never something a visitor sent.
    root = ET.fromstring(variant.map_svg)  # noqa: S314
    for node in root.iter():
        node.tag = node.tag.rpartition("}")[2]
    style = "".join(node.text or "" for node in root.findall("style"))
    groups = {node.get("id", ""): node for node in root.findall("g")}
    named = [node for node in root.iter("path") if node.get("id")]
    outlines = {node.get("id", "").removeprefix("p-"): node.get("d", "") for node in named}
    return Ground(style.strip(), tuple(map(float, root.get("viewBox", "").split())), groups, outlines)


@lru_cache(maxsize=32)
def map_layer(variant: Variant, language: str) -> str:
    """Seas and lands, each province with its full name."""
    return layer("map", *_groups(variant, GROUND, language))


@lru_cache(maxsize=32)
def border_layer(variant: Variant) -> str:
    """Lakes and borders, which stay above the tint of the owners."""
    return layer("borders", *_groups(variant, OVERLAY, ""))


def owner_layer(scene: Scene) -> str:
    """Each owned centre's province in its owner's colour."""
    return layer("owners", *(_owned(scene, code, power) for code, power in sorted(owners(scene).items())))


def owners(scene: Scene) -> dict[str, str]:
    """The power that owns each centre."""
    return {code: power for power, codes in (scene.position.centres or {}).items() for code in codes}


def _owned(scene: Scene, code: str, power: str) -> str:
    said = words.say(
        scene.language,
        "{place}: centre of {power}",
        place=words.place(scene.variant, scene.language, code),
        power=words.power(scene.variant, scene.language, power),
    )
    return element(
        "path",
        title(said),
        class_="owner",
        data_province=code,
        data_power=power,
        fill=scene.colour(power),
        d=ground(scene.variant).outlines.get(code, ""),
    )


@lru_cache(maxsize=32)
def centre_layer(variant: Variant) -> str:
    return layer("centres", *_groups(variant, ("centres",), ""))


@lru_cache(maxsize=32)
def label_layer(variant: Variant, language: str) -> str:
    """The abbreviations of the provinces, as orders in this language are written."""
    short = variant.names(language).abbreviations.get(variant.naming.get(language, ""), {})
    node = ground(variant).groups["labels"]
    return layer("labels", *(_label(label, short) for label in node.iter("text")))


def _label(node: ET.Element, short: Mapping[str, tuple[str, ...]]) -> str:
    code = node.get("id", "")[2:]
    named = short.get(code, (node.text or code,))[0]
    attributes = {**node.attrib, **_enlarged(node, named), "data-province": code}
    written = "".join(f' {key}="{text(value)}"' for key, value in attributes.items())
    return f"<text{written}>{text(named)}</text>"


def _enlarged(node: ET.Element, named: str) -> dict[str, str]:
    """Small letters in the room the map leaves for three capitals."""
    if named.isupper() or len(named) > ROOM:
        return {}
    size, foot = float(node.get("font-size", "0")), float(node.get("y", "0"))
    return {"font-size": number(size * LARGER), "y": number(foot + size * (LARGER - 1) * HALF_CAPITAL)}


def _groups(variant: Variant, wanted: Iterable[str], language: str) -> Iterable[str]:
    found = ground(variant).groups
    for name in wanted:
        if name in found:
            yield _written(variant, found[name], language)


def _written(variant: Variant, group: ET.Element, language: str) -> str:
    lines = ET.tostring(group, encoding="unicode").strip()
    return re.sub(r'<path id="p-([A-Z0-9]+)"([^>]*?) ?/>', lambda m: _province(variant, language, m), lines)


def _province(variant: Variant, language: str, match: re.Match[str]) -> str:
    code, rest = match[1], match[2]
    named = title(words.place(variant, language, code))
    return f'<path id="p-{code}" data-province="{code}"{rest}>{named}</path>'
