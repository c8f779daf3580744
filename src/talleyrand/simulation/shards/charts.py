"""Centres year by year, as a picture in SVG."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from talleyrand.drawing.markup import at, element, text

from .asking import Row

WIDTH, HEIGHT = 900.0, 520.0
LEFT, RIGHT, TOP, BOTTOM = 56.0, 226.0, 88.0, 48.0
FONT = '"DejaVu Sans", Verdana, Arial, sans-serif'  # its figures stand on one line
INK, FAINT, PAPER = "#1a1a1a", "#d9d4ca", "#ffffff"
NEAREST = 17.0  # between two lines of text
# For bots, which have no colours of their own: apart for colour-blind eyes too.
COLOURS = ("#1c6fb5", "#d1601f", "#22865a", "#8c4fa8", "#a38a00", "#b5304f", "#555555")


class Words(NamedTuple):
    """What is written on a chart; `number` writes a number of centres."""

    title: str
    subtitle: str
    across: str
    up: str
    number: Callable[[float], str] = "{:.1f}".format


class Line(NamedTuple):
    """One bot or power: its name, its colour and a point (year, centres) for each year."""

    name: str
    colour: str
    points: tuple[tuple[int, float], ...]


def lines(rows: Sequence[Row], colours: Mapping[str, str], names: Mapping[str, str]) -> list[Line]:
    """The lines of `Results.years`; colours and names by bot or power, others get some."""
    found: list[Line] = []
    for who in dict.fromkeys(row["who"] for row in rows):
        points = tuple((row["year"], float(row["centres"])) for row in rows if row["who"] == who)
        colour = colours.get(who, COLOURS[len(found) % len(COLOURS)])
        found.append(Line(names.get(who, who), colour, points))
    return found


def chart(drawn: Sequence[Line], words: Words) -> str:
    """A picture of lines, each labelled at its end."""
    scale = _Scale(drawn)
    parts = [
        element("rect", width=WIDTH, height=HEIGHT, fill=PAPER),
        _text(words.title, LEFT - 36, 28, size=18, weight="bold"),
        _text(words.subtitle, LEFT - 36, 47, size=12.5),
        *_grid(scale, words),
        *[_line(line, scale) for line in drawn],
        *_labels(drawn, scale, words.number),
    ]
    box = f"0 0 {WIDTH:g} {HEIGHT:g}"
    described = element("title", text(words.title))
    return element(
        "svg",
        described,
        *parts,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=box,
        role="img",
        font_family=FONT,
    )


class _Scale:
    """From years and centres to places on the picture."""

    def __init__(self, drawn: Sequence[Line]) -> None:
        years = [year for line in drawn for year, _ in line.points]
        self.first, self.last = min(years), max(years)
        highest = max(centres for line in drawn for _, centres in line.points)
        self.tick = next(step for step in (1, 2, 5, 10, 20, 50, 100) if highest / step <= 8)
        self.top = self.tick * max(1, -int(-highest // self.tick))

    def x(self, year: float) -> float:
        width = WIDTH - LEFT - RIGHT
        return LEFT + width * (year - self.first) / max(1, self.last - self.first)

    def y(self, centres: float) -> float:
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * centres / self.top

    def years(self) -> range:
        """The years that are written below: ten at most."""
        return range(self.first, self.last + 1, max(1, -(-(self.last - self.first + 1) // 10)))


def _grid(scale: _Scale, words: Words) -> list[str]:
    right, parts = WIDTH - RIGHT, []
    for centres in range(0, scale.top + 1, scale.tick):
        y = scale.y(centres)
        parts.append(element("line", x1=LEFT, x2=right, y1=y, y2=y, stroke=FAINT if centres else INK))
        parts.append(_text(str(centres), LEFT - 8, y + 4.5, anchor="end"))
    parts += [
        _text(str(year), scale.x(year), HEIGHT - BOTTOM + 20, anchor="middle") for year in scale.years()
    ]
    parts.append(_text(words.across, right, HEIGHT - 10, anchor="end", size=12))
    parts.append(_text(words.up, LEFT - 36, TOP - 14, size=12))
    return parts


def _line(line: Line, scale: _Scale) -> str:
    points = " ".join(f"{scale.x(year):.1f},{scale.y(centres):.1f}" for year, centres in line.points)
    drawn = {"fill": "none", "stroke_linejoin": "round", "stroke_linecap": "round", "points": points}
    rim = element("polyline", **drawn, stroke=INK, stroke_width=4.2)
    inner = element("polyline", **drawn, stroke=line.colour, stroke_width=2.8)
    dots = [
        element(
            "circle",
            cx=round(scale.x(year), 1),
            cy=round(scale.y(centres), 1),
            r=3.0,
            fill=line.colour,
            stroke=INK,
        )
        for year, centres in line.points
    ]
    return element("g", element("title", text(line.name)), rim, inner, *dots)


def _labels(drawn: Sequence[Line], scale: _Scale, number: Callable[[float], str]) -> list[str]:
    """Each line's name and last value at its end, moved apart where they would cover one another."""
    ordered = sorted(drawn, key=lambda line: -line.points[-1][1])
    heights = _apart([scale.y(line.points[-1][1]) for line in ordered])
    x = WIDTH - RIGHT
    parts = []
    for line, y in zip(ordered, heights, strict=True):
        end = scale.y(line.points[-1][1])
        parts.append(
            element("path", d=f"M{x + 5:.1f} {end:.1f}L{x + 16:.1f} {y:.1f}", stroke=INK, fill="none")
        )
        mark = element("rect", width=12, height=12, y=-6, fill=line.colour, stroke=INK)
        parts.append(element("g", mark, transform=at(complex(x + 18, y))))
        parts.append(_text(f"{number(line.points[-1][1])} {line.name}", x + 36, y + 4.5))
    return parts


def _apart(heights: Sequence[float]) -> list[float]:
    """Heights in their order, none nearer to the next than a line of text, all within the picture."""
    placed: list[float] = []
    for height in heights:
        placed.append(max(height, placed[-1] + NEAREST) if placed else height)
    over = max(0.0, placed[-1] - (HEIGHT - 14)) if placed else 0.0
    for place in range(len(placed) - 1, -1, -1):
        limit = HEIGHT - 14 - NEAREST * (len(placed) - 1 - place)
        placed[place] = min(placed[place], limit) if over else placed[place]
    return placed


def _text(
    words: str, x: float, y: float, *, size: float = 13, weight: str | None = None, anchor: str | None = None
) -> str:
    return element(
        "text", text(words), x=x, y=y, font_size=size, font_weight=weight, text_anchor=anchor, fill=INK
    )
