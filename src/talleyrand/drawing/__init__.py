"""Boards as SVG: a position, its orders, and what became of them.

`draw_board` gives a picture to keep; `draw_empty_board` the board of a page, `draw_layers` what the page puts
into it, and `frame_layers` both together. `draw_series` draws several outcomes of one position. Colours are
left open, as variables with the usual values: a page chooses by attributes and `theme_stylesheet`, a picture
to keep by `standalone_svg` (or `png`), which writes the values of a `MapStyle` in.
"""

from .board_svg import (
    DrawingSeries,
    MapLayers,
    draw_board,
    draw_empty_board,
    draw_layers,
    draw_order_layers,
    draw_series,
    frame_layers,
)
from .map_style import (
    BOARD_CSS,
    MapStyle,
    apply_style,
    palettes,
    standalone_svg,
    style_picture,
    theme_stylesheet,
    themes,
)

__all__ = [
    "BOARD_CSS",
    "DrawingSeries",
    "MapLayers",
    "MapStyle",
    "apply_style",
    "draw_board",
    "draw_empty_board",
    "draw_layers",
    "draw_order_layers",
    "draw_series",
    "frame_layers",
    "palettes",
    "standalone_svg",
    "style_picture",
    "theme_stylesheet",
    "themes",
]
