"""Crowded parts of a map once more, larger: views of the same layers, so that they always show the same."""

from __future__ import annotations

from functools import lru_cache
from xml.etree import ElementTree as ET

from talleyrand.variants import Variant

from .base_map import load_base_map
from .svg_markup import element, escape_text

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
