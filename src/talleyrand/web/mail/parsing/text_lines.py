"""A text as lines: those of format=flowed put together again, those that are quoted marked."""

from __future__ import annotations

from dataclasses import dataclass

from .parsed_email import LeftOutKind

SIGNATURE = "-- "
MOST_LINES = 20_000
"""What stands behind them was no person’s."""


@dataclass
class TextLine:
    """A line of a mail; `piece` is None as long as it may be its writer’s own.

    `on_page` is what the same line is in the mail’s other version, the page.
    """

    text: str
    piece: LeftOutKind | None = None
    on_page: LeftOutKind | None = None

    @property
    def is_blank(self) -> bool:
        return not self.text or self.text.isspace()


def split_lines(text: str) -> list[TextLine]:
    """The lines as they stand."""
    return [TextLine(line) for line in text.split("\n", MOST_LINES)[:MOST_LINES]]


def split_flowed(text: str, *, delsp: bool) -> list[TextLine]:
    """The lines of a text in the manner of RFC 3676: a blank at the end says that the line goes on."""
    found: list[TextLine] = []
    held: list[str] = []
    depth = 0
    for line in text.split("\n", MOST_LINES)[:MOST_LINES]:
        marks = len(line) - len(line.lstrip(">"))
        bare = line[marks:]
        bare = bare.removeprefix(" ")
        if held and (marks != depth or bare == SIGNATURE):
            found.append(_put_together(held, depth))
            held = []
        depth = marks
        goes_on = bare.endswith(" ") and bare != SIGNATURE
        held.append(bare[:-1] if goes_on and delsp else bare)
        if not goes_on:
            found.append(_put_together(held, depth))
            held = []
    return [*found, _put_together(held, depth)] if held else found


def _put_together(pieces: list[str], depth: int) -> TextLine:
    text = "".join(pieces)
    return TextLine(f"{'>' * depth} {text}", LeftOutKind.QUOTE) if depth else TextLine(text)
