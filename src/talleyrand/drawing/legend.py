"""What stands above and below a board drawn to be kept: title and phase, powers, signs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil

from . import words
from .ground import owners
from .marks import CROSSED, GLYPHS, swords
from .markup import element, layer, number, text
from .scene import Scene, Task
from .symbols import badge, cross, token

HEAD, ROW = 46.0, 34.0
MARGIN, SYMBOL = 18.0, 34.0
LETTER, SAID = 0.56, 15.0  # the width of a letter, in font sizes, to leave room; the size of words
USUAL_WIDTH = 1200.0  # of a board, for which all this is dimensioned
SLACK = 0.15  # how much a row may be squeezed


def heading(scene: Scene, title: str, box: Sequence[float]) -> tuple[str, float]:
    """The title to the left, the phase to the right, above the board; and the height that takes."""
    left, top, width, _ = box
    scale = width / USUAL_WIDTH
    phase = words.phase(scene.variant, scene.language, scene.position.phase)
    band = element("rect", class_="band", x=left, y=top - HEAD * scale, width=width, height=HEAD * scale)
    foot, edge = {"y": round(top - 15 * scale, 1)}, MARGIN * scale
    named = element(
        "text", text(title), class_="title", x=left + edge, **foot, font_size=round(22 * scale, 1)
    )
    told = {"x": round(left + width - edge, 1), **foot, "font_size": round(20 * scale, 1)}
    return layer("heading", band, named, element("text", text(phase), class_="phase", **told)), HEAD * scale


def legend(scene: Scene, tasks: Sequence[Task], box: Sequence[float]) -> tuple[str, float]:
    """The powers with their centres and units, then the marks in use; and the height that takes."""
    left, top, width, height = box
    packed = [row for items in (_powers(scene), _signs(scene, tasks)) for row in _rows(items)]
    size = min(map(_size, packed), default=SAID)
    rows = [_spread(row, size) for row in packed]
    scale = width / USUAL_WIDTH
    tall = ROW * scale * len(rows)
    band = element("rect", class_="band", x=left, y=top + height, width=width, height=round(tall, 1))
    downs = (top + height + ROW * scale * (at + 0.5) for at in range(len(rows)))
    sized = "" if scale == 1 else f" scale({scale:.4g})"
    moves = (f"translate({number(left)} {number(down)}){sized}" for down in downs)
    lines = [element("g", *row, transform=move) for row, move in zip(rows, moves, strict=True)]
    return layer("legend", band, *lines), tall


Item = tuple[str, str]


def _rows(items: Sequence[Item]) -> list[Sequence[Item]]:
    """As few rows as their words need, about equally long."""
    needs = sum(SYMBOL + len(said) * LETTER * SAID for _, said in items)
    count = ceil(needs / (USUAL_WIDTH - 2 * MARGIN) - SLACK)
    size = ceil(len(items) / max(count, 1))
    return [items[at : at + size] for at in range(0, len(items), size)] if items else []


def _size(row: Sequence[Item]) -> float:
    """The size at which the words of a row find room."""
    room = (USUAL_WIDTH - 2 * MARGIN) - SYMBOL * len(row)
    return min(SAID, room / (LETTER * max(sum(len(said) for _, said in row), 1)))


def _spread(items: Sequence[Item], size: float) -> list[str]:
    """Symbols with their words, side by side, each with the room its words need."""
    out, x = [], MARGIN + 13
    for symbol, said in items:
        words_at = {"x": round(x + 17, 1), "y": round(size * 0.36, 1), "font_size": round(size, 1)}
        out.append(element("g", symbol, transform=f"translate({number(x)} 0)"))
        out.append(element("text", text(said), class_="said", **words_at))
        x += SYMBOL + len(said) * size * LETTER
    return out


def _powers(scene: Scene) -> list[Item]:
    held = list(owners(scene).values())
    board = scene.variant.board
    letter = next(iter(board.kinds))
    return [
        (
            token(board, letter, scene.colour(power), scene.sign(power)),
            words.power(scene.variant, scene.language, power)
            + (f" {held.count(power)}" if power in board.powers else ""),
        )
        for power in board.seats
    ]


MEANINGS: Mapping[str, str] = {
    "bounces": words.marked("move failed"),
    "support_given": words.marked("support given"),
    "support_cut": words.marked("support cut"),
    "convoys": words.marked("convoy made"),
    "convoy_disrupted": words.marked("convoy disrupted"),
    "void": words.marked("without object"),
    "illegal": words.marked("illegal order"),
    "dislodged": words.marked("unit dislodged"),
    "destroyed": words.marked("unit destroyed"),
    "builds": words.marked("unit built"),
}


def _signs(scene: Scene, tasks: Sequence[Task]) -> list[Item]:
    """The marks that this drawing uses, in a fixed order."""
    results = {result for task in tasks for result in task.results}
    used = {GLYPHS[result] for result in results if result in GLYPHS}
    if scene.position.dislodged:
        used.add("dislodged")
    items = [(badge(glyph), said) for glyph, said in MEANINGS.items() if glyph in used]
    if results & CROSSED:
        items.append((element("g", cross(), transform="scale(.8)"), words.marked("unit leaves the board")))
    if scene.position.contested:
        items.append((swords(), words.marked("left empty by a stand-off")))
    return [(symbol, words.say(scene.language, said)) for symbol, said in items]
