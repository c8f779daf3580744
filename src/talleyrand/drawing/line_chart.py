"""Figures year by year, as a picture in SVG: a line for each bot or power."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from .svg_markup import element, escape_text, translate

FONT = '"DejaVu Sans", Verdana, Arial, sans-serif'  # its figures stand on one line
INK, FAINT, PAPER = "#1a1a1a", "#d9d4ca", "#ffffff"
MIN_LABEL_GAP = 17.0  # between two lines of text
TICK_STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)


class ChartFrame(NamedTuple):
    """How large a picture is, and what is left free around the lines; their names stand on the right."""

    width: float = 900.0
    height: float = 520.0
    left: float = 56.0
    right: float = 226.0
    top: float = 88.0
    bottom: float = 48.0


WIDE_FRAME = ChartFrame()
NARROW_FRAME = ChartFrame(440.0, 480.0, 44.0, 106.0, 34.0, 44.0)
"""For a page that a phone shows too: names must be short."""


class ChartLabels(NamedTuple):
    """What is written on a chart; `number` writes a number of centres."""

    title: str
    subtitle: str
    across: str
    up: str
    number: Callable[[float], str] = "{:.1f}".format


class ChartLine(NamedTuple):
    """One bot or power: its name, its colour and a point (year, figure) for each year; `bold`: whose line is
    looked for first."""

    name: str
    colour: str
    points: tuple[tuple[int, float], ...]
    bold: bool = False


def draw_chart(
    drawn: Sequence[ChartLine],
    words: ChartLabels,
    frame: ChartFrame = WIDE_FRAME,
    goal: float | None = None,
    marks: Sequence[tuple[int, str]] = (),
) -> str:
    """A picture of lines, each labelled at its end; `goal` is drawn across. Bold lines lie on top.
    `marks` are years to bring out, each with what stands above it.

    Without a title it is part of a page that says what it shows.
    """
    scale = _Scale(drawn, frame, goal)
    parts = [
        element("rect", width=frame.width, height=frame.height, fill=PAPER, class_="chart-paper"),
        _text(words.title, frame.left - 36, 28, size=18, weight="bold") if words.title else "",
        _text(words.subtitle, frame.left - 36, 47, size=12.5) if words.subtitle else "",
        *_grid(scale, words),
        *(_mark(scale, *one) for one in _marks_by_year(marks)),
        *[_line(line, scale) for line in sorted(drawn, key=lambda line: line.bold)],
        *_labels(drawn, scale, words.number),
    ]
    return element(
        "svg",
        element("title", escape_text(words.title)) if words.title else "",
        *parts,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {frame.width:g} {frame.height:g}",
        role="img" if words.title else None,
        aria_hidden=None if words.title else "true",
        font_family=FONT,
    )


class _Scale:
    """From years and figures to places on the picture."""

    def __init__(self, drawn: Sequence[ChartLine], frame: ChartFrame, goal: float | None) -> None:
        self.frame, self.goal = frame, goal
        years = [year for line in drawn for year, _ in line.points]
        self.first, self.last = min(years), max(years)
        figures = [figure for line in drawn for _, figure in line.points]
        highest, lowest = max(0.0, goal or 0.0, *figures), min(0.0, *figures)
        self.tick = next((step for step in TICK_STEPS if (highest - lowest) / step <= 8), TICK_STEPS[-1])
        self.top = self.tick * max(1, -int(-highest // self.tick))
        self.floor = self.tick * int(lowest // self.tick)

    def x(self, year: float) -> float:
        width = self.frame.width - self.frame.left - self.frame.right
        return self.frame.left + width * (year - self.first) / max(1, self.last - self.first)

    def y(self, figure: float) -> float:
        height = self.frame.height - self.frame.top - self.frame.bottom
        above = (figure - self.floor) / (self.top - self.floor)
        return self.frame.height - self.frame.bottom - height * above

    @property
    def end(self) -> float:
        """Where the lines end, across."""
        return self.frame.width - self.frame.right

    def years(self) -> range:
        """The years that are written below: ten at most, fewer on a narrow picture."""
        most = max(2, int((self.end - self.frame.left) // 45))
        return range(self.first, self.last + 1, max(1, -(-(self.last - self.first + 1) // min(10, most))))


def _grid(scale: _Scale, words: ChartLabels) -> list[str]:
    frame, right, parts = scale.frame, scale.end, []
    for figure in range(scale.floor, scale.top + 1, scale.tick):
        parts.append(
            _across(scale, figure, FAINT if figure else INK, class_="chart-rule" if figure else "chart-line")
        )
        parts.append(_text(_minus(figure), frame.left - 8, scale.y(figure) + 4.5, anchor="end"))
    if scale.goal is not None:
        parts.append(_across(scale, scale.goal, INK, class_="chart-line", stroke_dasharray="6 4"))
    below = frame.height - frame.bottom + 20
    for year in scale.years():
        at_end = year == scale.last > scale.first  # the labels begin beside it
        parts.append(_text(str(year), scale.x(year), below, anchor="end" if at_end else "middle"))
    parts.append(_text(words.across, right, frame.height - 10, anchor="end", size=12))
    parts.append(_text(words.up, frame.left - 36, frame.top - 14, size=12))
    return parts


def _marks_by_year(marks: Sequence[tuple[int, str]]) -> list[tuple[int, str]]:
    """One mark a year, of two seasons of a year both names."""
    years = dict.fromkeys(year for year, _ in marks)
    return [(year, "·".join(name for at, name in marks if at == year)) for year in years]


def _mark(scale: _Scale, year: int, name: str) -> str:
    x, top, low = scale.x(year), scale.frame.top, scale.frame.height - scale.frame.bottom
    line = element(
        "line", x1=x, x2=x, y1=top, y2=low, stroke=INK, stroke_dasharray="2 4", class_="chart-line"
    )
    return line + _text(name, x, top - 5, size=12, weight="bold", anchor="middle")


def _across(scale: _Scale, figure: float, stroke: str, **more: str) -> str:
    y = scale.y(figure)
    return element("line", x1=scale.frame.left, x2=scale.end, y1=y, y2=y, stroke=stroke, **more)


def _minus(figure: int) -> str:
    return f"−{-figure}" if figure < 0 else str(figure)


def _line(line: ChartLine, scale: _Scale) -> str:
    points = " ".join(f"{scale.x(year):.1f},{scale.y(centres):.1f}" for year, centres in line.points)
    drawn = {"fill": "none", "stroke_linejoin": "round", "stroke_linecap": "round", "points": points}
    more = 2.6 if line.bold else 0.0
    rim = element("polyline", **drawn, stroke=INK, stroke_width=4.2 + more, class_="chart-line")
    inner = element("polyline", **drawn, stroke=line.colour, stroke_width=2.8 + more)
    dots = [
        element(
            "circle",
            cx=round(scale.x(year), 1),
            cy=round(scale.y(centres), 1),
            r=4.2 if line.bold else 3.0,
            fill=line.colour,
            stroke=INK,
            class_="chart-line",
        )
        for year, centres in line.points
    ]
    return element("g", element("title", escape_text(line.name)), rim, inner, *dots)


def _labels(drawn: Sequence[ChartLine], scale: _Scale, number: Callable[[float], str]) -> list[str]:
    """Each line's name and last value at its end, moved apart where they would cover one another."""
    ordered = sorted(drawn, key=lambda line: -line.points[-1][1])
    heights = _apart([scale.y(line.points[-1][1]) for line in ordered], scale.frame.height - 14)
    x = scale.end
    parts = []
    for line, y in zip(ordered, heights, strict=True):
        end = scale.y(line.points[-1][1])
        parts.append(
            element(
                "path",
                d=f"M{x + 5:.1f} {end:.1f}L{x + 16:.1f} {y:.1f}",
                stroke=INK,
                fill="none",
                class_="chart-line",
            )
        )
        mark = element("rect", width=12, height=12, y=-6, fill=line.colour, stroke=INK, class_="chart-line")
        parts.append(element("g", mark, transform=translate(complex(x + 18, y))))
        said = f"{number(line.points[-1][1])} {line.name}"
        parts.append(_text(said, x + 36, y + 4.5, weight="bold" if line.bold else None))
    return parts


def _apart(heights: Sequence[float], lowest: float) -> list[float]:
    """Heights in their order, none nearer to the next than a line of text, all within the picture."""
    placed: list[float] = []
    for height in heights:
        placed.append(max(height, placed[-1] + MIN_LABEL_GAP) if placed else height)
    over = max(0.0, placed[-1] - lowest) if placed else 0.0
    for place in range(len(placed) - 1, -1, -1):
        limit = lowest - MIN_LABEL_GAP * (len(placed) - 1 - place)
        placed[place] = min(placed[place], limit) if over else placed[place]
    return placed


def _text(
    words: str, x: float, y: float, *, size: float = 13, weight: str | None = None, anchor: str | None = None
) -> str:
    return element(
        "text",
        escape_text(words),
        x=x,
        y=y,
        font_size=size,
        font_weight=weight,
        text_anchor=anchor,
        fill=INK,
        class_="chart-ink",
    )
