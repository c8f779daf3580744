"""What stands above and below a board drawn to be kept: title and phase, powers, signs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil

from . import captions
from .base_map import centre_owners
from .map_scene import DrawnOrder, MapScene
from .order_layer import CROSSED_OUT_RESULTS, RESULT_GLYPHS, standoff_symbol
from .svg_markup import element, escape_text, format_coordinate, layer_group
from .unit_symbols import cross_symbol, result_badge, unit_symbol

HEAD, ROW = 46.0, 34.0
MARGIN, SYMBOL = 18.0, 34.0
LETTER, MAX_TEXT_SIZE = 0.56, 15.0  # the width of a letter, in font sizes, to leave room; the size of words
USUAL_WIDTH = 1200.0  # of a board, for which all this is dimensioned
SLACK = 0.15  # how much a row may be squeezed


def draw_heading(scene: MapScene, title: str, box: Sequence[float]) -> tuple[str, float]:
    """The title to the left, the phase to the right, above the board; and the height that takes."""
    left, top, width, _ = box
    scale = width / USUAL_WIDTH
    phase = captions.phase_caption(scene.variant, scene.language, scene.position.phase)
    band = element("rect", class_="band", x=left, y=top - HEAD * scale, width=width, height=HEAD * scale)
    foot, edge = {"y": round(top - 15 * scale, 1)}, MARGIN * scale
    room = USUAL_WIDTH - 2 * MARGIN - LETTER * (20 * len(phase) + 22)
    size = min(22.0, room / (LETTER * max(len(title), 1)))
    named = element(
        "text", escape_text(title), class_="title", x=left + edge, **foot, font_size=round(size * scale, 1)
    )
    told = {"x": round(left + width - edge, 1), **foot, "font_size": round(20 * scale, 1)}
    return layer_group(
        "heading", band, named, element("text", escape_text(phase), class_="phase", **told)
    ), HEAD * scale


def draw_legend(scene: MapScene, tasks: Sequence[DrawnOrder], box: Sequence[float]) -> tuple[str, float]:
    """The powers with their centres and units, then the marks in use; and the height that takes."""
    left, top, width, height = box
    packed = [row for items in (_powers(scene), _signs(scene, tasks)) for row in _rows(items)]
    size = min(map(_size, packed), default=MAX_TEXT_SIZE)
    rows = [_spread(row, size) for row in packed]
    scale = width / USUAL_WIDTH
    tall = ROW * scale * len(rows)
    band = element("rect", class_="band", x=left, y=top + height, width=width, height=round(tall, 1))
    downs = (top + height + ROW * scale * (at + 0.5) for at in range(len(rows)))
    sized = "" if scale == 1 else f" scale({scale:.4g})"
    moves = (f"translate({format_coordinate(left)} {format_coordinate(down)}){sized}" for down in downs)
    lines = [element("g", *row, transform=move) for row, move in zip(rows, moves, strict=True)]
    return layer_group("legend", band, *lines), tall


LegendItem = tuple[str, str]


def _rows(items: Sequence[LegendItem]) -> list[Sequence[LegendItem]]:
    """As few rows as their words need, about equally long."""
    needs = sum(SYMBOL + len(said) * LETTER * MAX_TEXT_SIZE for _, said in items)
    count = ceil(needs / (USUAL_WIDTH - 2 * MARGIN) - SLACK)
    size = ceil(len(items) / max(count, 1))
    return [items[at : at + size] for at in range(0, len(items), size)] if items else []


def _size(row: Sequence[LegendItem]) -> float:
    """The size at which the words of a row find room."""
    room = (USUAL_WIDTH - 2 * MARGIN) - SYMBOL * len(row)
    return min(MAX_TEXT_SIZE, room / (LETTER * max(sum(len(said) for _, said in row), 1)))


def _spread(items: Sequence[LegendItem], size: float) -> list[str]:
    """Symbols with their words, side by side, each with the room its words need."""
    out, x = [], MARGIN + 13
    for symbol, said in items:
        words_at = {"x": round(x + 17, 1), "y": round(size * 0.36, 1), "font_size": round(size, 1)}
        out.append(element("g", symbol, transform=f"translate({format_coordinate(x)} 0)"))
        out.append(element("text", escape_text(said), class_="said", **words_at))
        x += SYMBOL + len(said) * size * LETTER
    return out


def _powers(scene: MapScene) -> list[LegendItem]:
    held = list(centre_owners(scene.position).values())
    board = scene.variant.board
    letter = next(iter(board.kinds))
    return [
        (
            unit_symbol(board, letter, scene.colour(power), scene.sign(power)),
            captions.power_caption(scene.variant, scene.language, power)
            + (f" {held.count(power)}" if power in board.powers else ""),
        )
        for power in board.seats
    ]


MEANINGS: Mapping[str, str] = {
    "bounces": captions.mark_for_translation("bounced"),
    "support_given": captions.mark_for_translation("support given"),
    "support_cut": captions.mark_for_translation("support cut"),
    "convoys": captions.mark_for_translation("convoys"),
    "convoy_disrupted": captions.mark_for_translation("convoy disrupted"),
    "void": captions.mark_for_translation("void"),
    "illegal": captions.mark_for_translation("illegal order"),
    "dislodged": captions.mark_for_translation("dislodged"),
    "destroyed": captions.mark_for_translation("destroyed"),
    "builds": captions.mark_for_translation("built"),
}


def _signs(scene: MapScene, tasks: Sequence[DrawnOrder]) -> list[LegendItem]:
    """The marks that this drawing uses, in a fixed order."""
    results = {result for task in tasks for result in task.results}
    used = {RESULT_GLYPHS[result] for result in results if result in RESULT_GLYPHS}
    if scene.position.dislodged:
        used.add("dislodged")
    items = [(result_badge(glyph), said) for glyph, said in MEANINGS.items() if glyph in used]
    if results & CROSSED_OUT_RESULTS:
        items.append(
            (
                element("g", cross_symbol(), transform="scale(.8)"),
                captions.mark_for_translation("unit leaves the board"),
            )
        )
    if scene.position.contested:
        items.append((standoff_symbol(), captions.mark_for_translation("left empty by a standoff")))
    return [(symbol, captions.translate(scene.language, said)) for symbol, said in items]
