"""Elements of SVG as text: everything escaped, attributes in the order given, numbers short."""

from __future__ import annotations

import re
from html import escape

FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML cannot hold, not even escaped."""

AttributeValue = str | float | None


def element(tag: str, *children: str, **attributes: AttributeValue) -> str:
    """One element; `data_unit` stands for `data-unit`, `class_` for `class`; None is left out."""
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape_text(_value(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    return f"<{tag}{written}>{''.join(children)}</{tag}>" if children else f"<{tag}{written}/>"


def layer_group(name: str, *children: str, **attributes: AttributeValue) -> str:
    """A group that a page can replace by its id, one child a line.

    Shown again by a `use`, it stands in a tree of its own, where the style only finds what is inside.
    """
    lines = "".join(f"{child}\n" for child in children if child)
    return element("g", f"\n{lines}", id=f"layer-{name}", class_="board", **attributes)


def escape_text(raw: str) -> str:
    """Text that can stand anywhere in XML."""
    return escape(FORBIDDEN.sub("\ufffd", raw), quote=True)


def title_element(raw: str) -> str:
    return element("title", escape_text(raw))


def translate(point: complex) -> str:
    """A translation."""
    return f"translate({format_coordinate(point.real)} {format_coordinate(point.imag)})"


def format_coordinate(value: float) -> str:
    """At most one decimal, never "-0"."""
    return f"{round(value, 1) + 0.0:g}"


def _value(value: AttributeValue) -> str:
    return value if isinstance(value, str) else f"{value:g}"
