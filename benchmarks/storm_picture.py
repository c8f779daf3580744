"""The growth of a storm as a picture: seconds to the last publication against games due at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

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
