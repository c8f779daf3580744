"""A position as a card of 1200 by 630, the size at which links show a preview."""

from __future__ import annotations

from collections.abc import Sequence

from talleyrand.engine.position import Position
from talleyrand.variants import Variant

from . import captions
from .base_map import centre_owners, load_base_map
from .map_scene import MapScene
from .svg_markup import element, escape_text, format_coordinate
from .unit_symbols import unit_symbol

WIDTH, HEIGHT = 1200, 630
BOARD = 756.0  # what the board may take of the width
MARGIN = 30.0
ROOM = WIDTH - BOARD - 2 * MARGIN
LETTER = 0.6  # the width of a letter, in font sizes
PAPER, INK, SOFT = "#f6f3ec", "#1d2a33", "#4b5962"


def draw_preview_card(
    variant: Variant, position: Position, board: str, lines: Sequence[str], language: str = "fr"
) -> str:
    """A board that `draw` made, to the left; to the right the lines, and the powers by centres.

    The first line is large.
    """
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}">'
    paper = element("rect", width=WIDTH, height=HEIGHT, fill=PAPER)
    scene = MapScene(variant, position, language)
    return f"{head}{paper}{_placed(board, variant)}{_words(scene, lines)}</svg>\n"


def _placed(board: str, variant: Variant) -> str:
    """The board inside the card, as large as it can be."""
    _, _, wide, tall = load_base_map(variant).box
    size = min(BOARD / wide, HEIGHT / tall)
    top, width, height = map(format_coordinate, ((HEIGHT - size * tall) / 2, size * wide, size * tall))
    place = f'x="0" y="{top}" width="{width}" height="{height}"'
    return board.replace("<svg ", f"<svg {place} ", 1)


def _words(scene: MapScene, lines: Sequence[str]) -> str:
    x, y = BOARD + MARGIN, MARGIN
    parts = []
    for place, line in enumerate(lines):
        size = _size(line, 40 if place == 0 else 25)
        y += size * 1.3
        parts.append(_line(line, x, y, size, bold=place == 0, fill=INK if place == 0 else SOFT))
    parts.append(_powers(scene, x, y + MARGIN))
    parts.append(_line("Talleyrand", x, HEIGHT - MARGIN, 24, bold=True, fill=INK))
    return "".join(parts)


def _size(line: str, largest: float) -> float:
    """Letters as large as the room beside the board allows."""
    return min(largest, ROOM / (LETTER * max(len(line), 1)))


def _line(line: str, x: float, y: float, size: float, *, bold: bool, fill: str) -> str:
    return element(
        "text",
        escape_text(line),
        x=format_coordinate(x),
        y=format_coordinate(y),
        font_size=format_coordinate(size),
        font_family="DejaVu Sans",
        font_weight="bold" if bold else None,
        fill=fill,
    )


def _powers(scene: MapScene, x: float, top: float) -> str:
    """Each power with its number of centres, the largest first; nothing where nobody owns any."""
    held = list(centre_owners(scene.position).values())
    powers = sorted(scene.variant.board.powers, key=lambda power: -held.count(power))
    row = min(46.0, (HEIGHT - top - 3 * MARGIN) / max(len(powers), 1))
    letter = next(iter(scene.variant.board.kinds))
    rows = []
    for place, power in enumerate(powers if held else ()):
        y = top + row * (place + 0.5)
        sign = unit_symbol(scene.variant.board, letter, scene.colour(power), scene.sign(power))
        said = f"{captions.power_caption(scene.variant, scene.language, power)} {held.count(power)}"
        spot = f"translate({format_coordinate(x + 18)} {format_coordinate(y)}) scale({row / 32:.2f})"
        rows.append(element("g", element("g", sign, class_="board"), transform=spot))
        rows.append(
            _line(said, x + 46, y + row * 0.2, min(row * 0.56, _size(said, 26)), bold=False, fill=INK)
        )
    return "".join(rows)
