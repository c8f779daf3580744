"""Boards as SVG: a position, its orders, and what became of them.

`draw` gives a picture to keep; `base` the empty board of a page, `layers` (or one of the functions
for a single layer) what the page puts into it. `series` draws several outcomes of one position.
Colours are left open, as variables with the usual values: a page chooses by attributes and the sheet of
`looks`, a picture to keep by `kept` (or `png`), which writes the values of a `Look` in.
"""

from .board_svg import (
    DrawingSeries,
    MapLayers,
    draw_board,
    draw_empty_board,
    draw_layers,
    draw_marks_layer,
    draw_order_layers,
    draw_orders_layer,
    draw_owners_layer,
    draw_series,
    draw_units_layer,
)
from .map_style import BOARD_CSS, MapStyle, apply_style, palettes, standalone_svg, theme_stylesheet, themes

__all__ = [
    "BOARD_CSS",
    "DrawingSeries",
    "MapLayers",
    "MapStyle",
    "apply_style",
    "draw_board",
    "draw_empty_board",
    "draw_layers",
    "draw_marks_layer",
    "draw_order_layers",
    "draw_orders_layer",
    "draw_owners_layer",
    "draw_series",
    "draw_units_layer",
    "palettes",
    "standalone_svg",
    "theme_stylesheet",
    "themes",
]
