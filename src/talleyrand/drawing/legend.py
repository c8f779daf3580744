"""What stands above and below a board drawn to be kept: title and phase, powers, signs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from . import words
from .ground import owners
from .marks import CROSSED, GLYPHS, swords
from .markup import element, layer, number, text
from .scene import Scene, Task
from .symbols import badge, cross, token

HEAD, ROW = 46.0, 34.0
MARGIN, SYMBOL = 18.0, 34.0
LETTER = 0.62  # the width of a letter, in font sizes, to leave room


def heading(scene: Scene, title: str, box: Sequence[float]) -> str:
    """The title to the left, the phase to the right, above the board."""
    left, top, width, _ = box
    phase = words.phase(scene.variant, scene.language, scene.position.phase)
    band = element("rect", class_="band", x=left, y=top - HEAD, width=width, height=HEAD)
    base = top - 15
    return layer(
        "heading",
        band,
        element("text", text(title), class_="title", x=left + MARGIN, y=base, font_size=22),
        element("text", text(phase), class_="phase", x=left + width - MARGIN, y=base, font_size=20),
    )


def legend(scene: Scene, tasks: Sequence[Task], box: Sequence[float]) -> tuple[str, float]:
    """The powers with their centres and units, then the marks in use; and the height that takes."""
    left, top, width, height = box
    rows = [_spread(_powers(scene), width)]
    signs = _signs(scene, tasks)
    if signs:
        rows.append(_spread(signs, width))
    tall = ROW * len(rows)
    band = element("rect", class_="band", x=left, y=top + height, width=width, height=tall)
    lines = [
        element("g", *row, transform=f"translate({number(left)} {number(top + height + ROW * (at + 0.5))})")
        for at, row in enumerate(rows)
    ]
    return layer("legend", band, *lines), tall


Item = tuple[str, str]


def _spread(items: Sequence[Item], width: float) -> list[str]:
    """Symbols with their words, side by side, each with the room its words need."""
    needs = [len(said) for _, said in items]
    room = (width - 2 * MARGIN) - SYMBOL * len(items)
    size = min(14.0, room / (LETTER * max(sum(needs), 1)))
    out, x = [], MARGIN + 13
    for (symbol, said), letters in zip(items, needs, strict=True):
        words_at = {"x": round(x + 17, 1), "y": round(size * 0.36, 1), "font_size": round(size, 1)}
        out.append(element("g", symbol, transform=f"translate({number(x)} 0)"))
        out.append(element("text", text(said), class_="said", **words_at))
        x += SYMBOL + letters * size * LETTER
    return out


def _powers(scene: Scene) -> list[Item]:
    held = list(owners(scene).values())
    board = scene.variant.board
    letter = next(iter(board.kinds))
    return [
        (
            token(board, letter, scene.colour(power), scene.sign(power)),
            f"{words.power(scene.variant, scene.language, power)} {held.count(power)}",
        )
        for power in board.powers
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
