"""What grows, as pictures: a storm with the games due at once, the cost of each thing with what there is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from math import log10
from typing import Any

WIDE, HIGH, LEFT, TOP, RIGHT, BOTTOM = 640, 360, 60, 20, 110, 50
INKS = ("#1f5a94", "#a8431f", "#3d7a3a")
TITLE = "parties dues à la même seconde / games due in the same second"
Points = Sequence[tuple[int, float]]


def drawn(growth: Mapping[str, Points]) -> str:
    """An SVG with one line for each name."""
    most = max((games for points in growth.values() for games, _ in points), default=1)
    longest = max((seconds for points in growth.values() for _, seconds in points), default=1.0)
    step = _step(longest)
    highest = step * (int(longest / step) + 1)

    def place(games: float, seconds: float) -> tuple[float, float]:
        x = LEFT + (WIDE - LEFT - RIGHT) * games / most
        return x, HIGH - BOTTOM - (HIGH - TOP - BOTTOM) * seconds / highest

    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {HIGH}" font-family="sans-serif">']
    parts.append(f'<rect width="{WIDE}" height="{HIGH}" fill="#fff"/>')
    for number in range(int(highest / step) + 1):
        (left, y), (right, _) = place(0, number * step), place(most, number * step)
        parts.append(f'<path d="M{left:.1f} {y:.1f}H{right:.1f}" stroke="#ddd"/>')
        parts.append(_text(left - 8, y + 4, f"{number * step:g} s", "end"))
    for games in sorted({games for points in growth.values() for games, _ in points}):
        x, y = place(games, 0)
        parts.append(_text(x, y + 18, str(games)))
    parts.append(_text((LEFT + WIDE - RIGHT) / 2, HIGH - 10, TITLE))
    for ink, (name, points) in zip(INKS, growth.items(), strict=False):
        spots = [place(games, seconds) for games, seconds in points]
        way = " ".join(f"{x:.1f},{y:.1f}" for x, y in spots)
        parts.append(f'<polyline points="{way}" fill="none" stroke="{ink}" stroke-width="2"/>')
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{ink}"/>' for x, y in spots]
        parts.append(_text(spots[-1][0] + 8, spots[-1][1] + 4, name, "start", ink))
    return "\n".join([*parts, "</svg>", ""])


def _step(longest: float) -> float:
    """The distance of the lines of the grid: about five of them."""
    return next(step for step in (0.5, 1, 2, 5, 10, 20, 50, 100) if longest / step <= 6 or step == 100)


def _text(x: float, y: float, words: str, anchor: str = "middle", ink: str = "#333") -> str:
    place = f'x="{x:.1f}" y="{y:.1f}" font-size="12" text-anchor="{anchor}" fill="{ink}"'
    return f"<text {place}>{escape(words)}</text>"


# the cost of each thing

PANEL_WIDE, PANEL_HIGH, LEGEND = 330, 250, 190
LEAST, MOST = 0.5, 1000.0  # milliseconds that are drawn
AXES = {
    "games": "parties du site / games of the site",
    "phases": "phases d’une partie / phases of one game",
    "own": "parties d’une personne / games of one person",
}
NAMES = {
    "page of a game": "page d’une partie",
    "page of its first phase": "page de sa première phase",
    "its table": "sa table",
    "its record (JSON)": "son enregistrement (JSON)",
    "handing in": "remise des ordres",
    "own games, games to join": "liste : les siennes, à rejoindre",
    "news": "nouvelles",
    "games to watch": "liste : parties à suivre",
    "games that ended": "liste : parties finies",
    "publication": "publication",
    "sweep, nothing due": "passage d’horloge, rien n’est dû",
    "figures of the watch": "chiffres de la veille",
}
HUES = (
    *("#1f5a94", "#a8431f", "#3d7a3a", "#7a3a78", "#8a6a00", "#007a7a"),
    *("#c0325a", "#555555", "#2f8fd0", "#6b8e00", "#b06ad0", "#000000"),
)
Grown = Mapping[str, Mapping[str, Mapping[str, Sequence[Sequence[Any]]]]]


def growth(found: Grown) -> str:
    """An SVG with a row for each database and a column for each thing that grows, on scales of logarithms."""
    acts = [name for name in NAMES if any(name in axis for axes in found.values() for axis in axes.values())]
    ink = dict(zip(acts, HUES, strict=False))
    wide, high = PANEL_WIDE * len(AXES) + 20, PANEL_HIGH * len(found) + LEGEND
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" font-family="sans-serif">']
    parts.append(f'<rect width="{wide}" height="{high}" fill="#fff"/>')
    for row, (database, axes) in enumerate(found.items()):
        for column, (axis, title) in enumerate(AXES.items()):
            parts += _panel(column * PANEL_WIDE, row * PANEL_HIGH, f"{database} : {title}", axes[axis], ink)
    for place, act in enumerate(acts):
        x, y = 50 + place % 3 * PANEL_WIDE, PANEL_HIGH * len(found) + 30 + place // 3 * 40
        parts.append(f'<path d="M{x - 22} {y - 4}h16" stroke="{ink[act]}" stroke-width="3"/>')
        parts.append(_text(x, y, NAMES[act], "start", ink[act]))
        parts.append(_text(x, y + 14, act, "start", "#666"))
    return "\n".join([*parts, "</svg>", ""])


def _panel(
    left: float, top: float, title: str, acts: Mapping[str, Sequence[Sequence[Any]]], ink: Mapping[str, str]
) -> list[str]:
    sizes = [point[0] for point in next(iter(acts.values()))]

    def place(size: float, cost: float) -> tuple[float, float]:
        far = log10(size / sizes[0]) / max(log10(sizes[-1] / sizes[0]), 0.01)
        up = log10(min(max(cost, LEAST), MOST) / LEAST) / log10(MOST / LEAST)
        return left + 62 + far * (PANEL_WIDE - 87), top + PANEL_HIGH - 40 - up * (PANEL_HIGH - 75)

    parts = [_text(left + PANEL_WIDE / 2 + 10, top + 20, title)]
    for cost in (1, 10, 100, 1000):
        (start, y), (end, _) = place(sizes[0], cost), place(sizes[-1], cost)
        parts.append(f'<path d="M{start:.1f} {y:.1f}H{end:.1f}" stroke="#ddd"/>')
        parts.append(_text(start - 6, y + 4, f"{cost} ms", "end"))
    for size in sizes:
        x, y = place(size, LEAST)
        parts.append(_text(x, y + 16, str(size)))
    for name, points in acts.items():
        spots = [place(size, cost) for size, cost, *_ in points]
        way = " ".join(f"{x:.1f},{y:.1f}" for x, y in spots)
        parts.append(f'<polyline points="{way}" fill="none" stroke="{ink[name]}" stroke-width="2"/>')
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.5" fill="{ink[name]}"/>' for x, y in spots]
    return parts
