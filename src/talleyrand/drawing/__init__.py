"""Boards as SVG: a position, its orders, and what became of them.

`draw` gives a picture to keep; `base` the empty board of a page, `layers` (or one of the functions
for a single layer) what the page puts into it. `series` draws several outcomes of one position.
Colours are left open, as variables with the usual values: a page chooses by attributes and the sheet of
`looks`, a picture to keep by `kept` (or `png`), which writes the values of a `Look` in.
"""

from .board import (
    Layers,
    Series,
    base,
    draw,
    given,
    layers,
    marks_layer,
    orders_layer,
    owners_layer,
    series,
    units_layer,
)
from .looks import Look, kept, palettes, settled, sheet, themes
from .style import STYLE

__all__ = [
    "STYLE",
    "Layers",
    "Look",
    "Series",
    "base",
    "draw",
    "given",
    "kept",
    "layers",
    "marks_layer",
    "orders_layer",
    "owners_layer",
    "palettes",
    "series",
    "settled",
    "sheet",
    "themes",
    "units_layer",
]
