"""Boards as SVG: a position, its orders, and what became of them.

`draw` gives a picture to keep; `base` the empty board of a page, `layers` (or one of the functions
for a single layer) what the page puts into it.
"""

from .board import Layers, base, draw, layers, marks_layer, orders_layer, owners_layer, units_layer
from .style import STYLE

__all__ = [
    "STYLE",
    "Layers",
    "base",
    "draw",
    "layers",
    "marks_layer",
    "orders_layer",
    "owners_layer",
    "units_layer",
]
