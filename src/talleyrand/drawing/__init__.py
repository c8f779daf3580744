"""Boards as SVG: a position, its orders, and what became of them.

`draw` gives a picture to keep; `base` the empty board of a page, `layers` (or one of the functions
for a single layer) what the page puts into it. `series` draws several outcomes of one position.
"""

from .board import (
    Layers,
    Series,
    base,
    draw,
    layers,
    marks_layer,
    orders_layer,
    owners_layer,
    series,
    units_layer,
)
from .style import STYLE

__all__ = [
    "STYLE",
    "Layers",
    "Series",
    "base",
    "draw",
    "layers",
    "marks_layer",
    "orders_layer",
    "owners_layer",
    "series",
    "units_layer",
]
