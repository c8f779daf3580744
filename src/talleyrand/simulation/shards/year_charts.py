"""What simulated games tell year by year, as lines of a picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from talleyrand.drawing.line_chart import ChartLine

from .result_queries import Row

# For bots, which have no colours of their own: apart for colour-blind eyes too.
COLOURS = ("#1c6fb5", "#d1601f", "#22865a", "#8c4fa8", "#a38a00", "#b5304f", "#555555")


def chart_lines(rows: Sequence[Row], colours: Mapping[str, str], names: Mapping[str, str]) -> list[ChartLine]:
    """The lines of `Results.years`; colours and names by bot or power, others get some."""
    found: list[ChartLine] = []
    for who in dict.fromkeys(row["who"] for row in rows):
        points = tuple((row["year"], float(row["centres"])) for row in rows if row["who"] == who)
        colour = colours.get(who, COLOURS[len(found) % len(COLOURS)])
        found.append(ChartLine(names.get(who, who), colour, points))
    return found
