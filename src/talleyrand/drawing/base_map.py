"""The layers that don't change during a phase: the map, its labels, its centres, their owners.

A hatching for each power is for eyes and printers that do not tell colours apart. Crowded parts of a map
stand once more, larger: views of the same layers, so that they always show the same.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from xml.etree import ElementTree as ET

from talleyrand.engine.position import Position
from talleyrand.variants import Variant

from . import captions
from .map_scene import MapScene
from .svg_markup import element, escape_text, format_coordinate, layer_group, title_element

TILE_SIDE = 9
HATCHES = (
    "M-1 10L10 -1M-1 1L1 -1M8 10L10 8",  # rising
    "M-1 -1L10 10M8 -1L10 1M-1 8L1 10",  # falling
    "M0 4.5L9 4.5",  # level
    "M4.5 0L4.5 9",  # upright
    "M0 4.5L9 4.5M4.5 0L4.5 9",  # square net
    "M-1 10L10 -1M-1 -1L10 10",  # slanting net
    "M4 4.5A.8 .8 0 1 1 4 4.6Z",  # dots
    "M0 6Q2.25 1 4.5 6T9 6",  # waves
    "M0 7L4.5 2L9 7",  # roofs
    "M2 4.5L7 4.5M4.5 2L4.5 7",  # crosses
)
NEXT_SET_SCALE = 1.2  # for the next ten, where a board has as many powers


def hatch_patterns(powers: int) -> Iterator[str]:
    """The definitions of the hatchings of so many powers."""
    for rank in range(1, powers + 1):
        side = round(TILE_SIDE * NEXT_SET_SCALE ** ((rank - 1) // len(HATCHES)), 1)
        line = element("path", class_="thread", d=HATCHES[(rank - 1) % len(HATCHES)])
        facts = {"viewBox": f"0 0 {TILE_SIDE} {TILE_SIDE}", "patternUnits": "userSpaceOnUse"}
        yield element("pattern", line, id=f"board-hatch-{rank}", width=side, height=side, **facts)


def hatch_fill(rank: int) -> str:
    """The fill that hatches for the power of a rank."""
    return f"url(#board-hatch-{rank})"


LAYERS = ("map", "owners", "borders", "centres", "orders", "labels", "units", "marks")
TITLE = (4, 24)  # board units from the lower left corner of an inset to its title
SHARE = ("x", "y", "width", "height")


@lru_cache(maxsize=32)
def insets_group(variant: Variant, language: str) -> str:
    """The views of a map's insets, "" where it has none."""
    found = "\n".join(_view(node, language) for node in load_base_map(variant).insets)
    return f'<g id="insets">\n{found}\n</g>' if found else ""


def _view(node: ET.Element, language: str) -> str:
    shown, place = (
        dict(zip(SHARE, node.get(name, "").split(), strict=True)) for name in ("data-shown", "data-at")
    )
    layers = (element("use", href=f"#layer-{name}") for name in LAYERS)
    seen = element("svg", *layers, class_="view", viewBox=node.get("data-shown", ""), **place)
    at = {"x": float(place["x"]) + TITLE[0], "y": float(place["y"]) + float(place["height"]) + TITLE[1]}
    title = element(
        "text", escape_text(node.get(f"data-title-{language}", "")), class_="name view-title", **at
    )
    frames = (element("rect", class_="frame", stroke_width="2", **box) for box in (shown, place))
    return element("g", seen, *frames, title, class_="inset")


BASE_GROUPS = ("seas", "grid", "water", "shores", "board-shore", "lands")
OVERLAY_GROUPS = ("lakes", "borders")
MAX_ENLARGED_LETTERS, ENLARGEMENT, HALF_CAPITAL = 3, 1.2, 0.32
LETTER = 0.55  # the width of a letter, in font sizes
CENTRE = captions.mark_for_translation("{place}: centre of {power}")


@dataclass(frozen=True)
class BaseMap:
    """A variant's drawing, taken apart."""

    style: str
    box: tuple[float, ...]
    groups: Mapping[str, ET.Element]
    insets: Sequence[ET.Element]
    outlines: Mapping[str, str]


@lru_cache(maxsize=16)
def load_base_map(variant: Variant) -> BaseMap:
    """Read the drawing of a variant."""
    # The drawing is the variant's own file, never something a visitor sent.
    root = ET.fromstring(variant.map_svg)  # noqa: S314
    for node in root.iter():
        node.tag = node.tag.rpartition("}")[2]
    style = "".join(node.text or "" for node in root.findall("style"))
    groups = {node.get("id", ""): node for node in root.findall("g")}
    named = {node.get("id", ""): node.get("d", "") for node in root.iter("path") if node.get("id")}
    outlines = {name.removeprefix("p-"): data for name, data in named.items() if name.startswith("p-")}
    box = tuple(map(float, root.get("viewBox", "").split()))
    return BaseMap(style.strip(), box, groups, list(groups.get("insets", ())), outlines)


@lru_cache(maxsize=32)
def map_group(variant: Variant, language: str) -> str:
    """Seas and lands, each province with its full name; before them the hatchings that owners use."""
    hatchings = element("defs", *hatch_patterns(len(variant.board.powers)))
    return layer_group("map", hatchings, _margin(variant), *_groups(variant, BASE_GROUPS, language))


def _margin(variant: Variant) -> str:
    """The paper beside the map, where insets lie."""
    left, top, width, height = load_base_map(variant).box
    paper = element("rect", class_="band", x=left, y=top, width=width, height=height)
    return paper if load_base_map(variant).insets else ""


@lru_cache(maxsize=32)
def borders_group(variant: Variant) -> str:
    """Lakes and borders, which stay above the tint of the owners."""
    return layer_group("borders", *_groups(variant, OVERLAY_GROUPS, ""))


def owners_group(scene: MapScene) -> str:
    """Each owned centre's province in its owner's colour; paler, what the variant's rules colour."""
    owned, coloured = sorted(centre_owners(scene.position).items()), sorted(_coloured(scene).items())
    pale = (
        _owned(scene, code, power, captions.mark_for_translation("{place}: colour of {power}"), " pale")
        for code, power in coloured
    )
    return layer_group("owners", *pale, *(_owned(scene, code, power) for code, power in owned))


def _coloured(scene: MapScene) -> Mapping[str, str]:
    """Whose colour provinces without a centre have."""
    politics = scene.variant.definition.politics
    return politics.province_colours(scene.variant.board, scene.position) if politics else {}


def centre_owners(position: Position) -> dict[str, str]:
    """The power that owns each centre."""
    return {code: power for power, codes in (position.centres or {}).items() for code in codes}


def _owned(scene: MapScene, code: str, power: str, sentence: str = CENTRE, look: str = "") -> str:
    said = captions.translate(
        scene.language,
        sentence,
        place=captions.place_caption(scene.variant, scene.language, code),
        power=captions.power_caption(scene.variant, scene.language, power),
    )
    outline = load_base_map(scene.variant).outlines.get(code, "")
    return element(
        "g",
        title_element(said),
        element("path", fill=scene.colour(power), d=outline),
        element("path", class_="hatch", fill=hatch_fill(scene.rank(power)), d=outline),
        class_=f"owner{look}",
        data_province=code,
        data_power=power,
    )


@lru_cache(maxsize=32)
def centres_group(variant: Variant) -> str:
    return layer_group("centres", *_groups(variant, ("centres",), ""))


@lru_cache(maxsize=32)
def labels_group(variant: Variant, language: str) -> str:
    """The names of the provinces where there is room, and the abbreviations that orders are written with.

    Where both exist, a page or a picture chooses (`data-names`).
    """
    short = variant.names(language).abbreviations.get(variant.naming.get(language, ""), {})
    groups = load_base_map(variant).groups
    written = groups.get(f"names-{language}", ())
    named = {node.get("data-province") for node in written}
    codes = (_label(label, short, named) for label in groups["labels"].iter("text"))
    names = (element("text", escape_text(node.text or ""), **node.attrib) for node in written)
    return layer_group("labels", *names, *codes)


Box = tuple[float, float, float, float]  # the middle, half the width and half the height


@lru_cache(maxsize=32)
def label_boxes(variant: Variant, language: str) -> tuple[Box, ...]:
    """What the names of the provinces cover, and the codes where there is no name; turned ones in part."""
    groups = load_base_map(variant).groups
    names = list(groups.get(f"names-{language}", ()))
    named = {node.get("data-province") for node in names}
    codes = (node for node in groups["labels"].iter("text") if node.get("id", "")[2:] not in named)
    return tuple(box for node in (*names, *codes) for box in _boxes(node))


def _boxes(node: ET.Element) -> Iterable[Box]:
    """The box of a line, or one for each letter of a bent one."""
    xs, ys = ([float(n) for n in node.get(axis, "0").split()] for axis in "xy")
    size, letters = float(node.get("font-size", "0")), len(node.text or "")
    wide = (
        size * LETTER
        if len(xs) > 1
        else letters * (size * LETTER + float(node.get("letter-spacing", "0"))) / 2
    )
    turned = node.get("transform", "").startswith("rotate")
    middle = size * LETTER / 2 if len(xs) > 1 else 0
    for x, y in zip(xs, ys, strict=True):
        yield x + middle, y - size * HALF_CAPITAL, min(wide, size) if turned else wide, size * HALF_CAPITAL


def _label(node: ET.Element, short: Mapping[str, tuple[str, ...]], named: Collection[str | None]) -> str:
    code = node.get("id", "")[2:]
    said = short.get(code, (node.text or code,))[0]
    looks = node.get("class", "") + (" named" if code in named else "")
    attributes = {**node.attrib, "class": looks, **_enlarged(node, said), "data-province": code}
    return element("text", escape_text(said), **attributes)


def _enlarged(node: ET.Element, named: str) -> dict[str, str]:
    """Small letters in the room the map leaves for three capitals."""
    if named.isupper() or len(named) > MAX_ENLARGED_LETTERS:
        return {}
    size, foot = float(node.get("font-size", "0")), float(node.get("y", "0"))
    return {
        "font-size": format_coordinate(size * ENLARGEMENT),
        "y": format_coordinate(foot + size * (ENLARGEMENT - 1) * HALF_CAPITAL),
    }


def _groups(variant: Variant, wanted: Iterable[str], language: str) -> Iterable[str]:
    found = load_base_map(variant).groups
    for name in wanted:
        if name in found:
            yield _group_markup(variant, found[name], language)


def _group_markup(variant: Variant, group: ET.Element, language: str) -> str:
    lines = ET.tostring(group, encoding="unicode").strip()
    return re.sub(r'<path id="p-([A-Z0-9]+)"([^>]*?) ?/>', lambda m: _province(variant, language, m), lines)


def _province(variant: Variant, language: str, match: re.Match[str]) -> str:
    code, rest = match[1], match[2]
    named = title_element(captions.place_caption(variant, language, code))
    return f'<path id="p-{code}" data-province="{code}"{rest}>{named}</path>'
