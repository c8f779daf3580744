"""A sheet that stands under the heading of another phase."""

from __future__ import annotations

from talleyrand import variants
from talleyrand.engine.position import Phase
from talleyrand.formats.headings import read_heading

from .drafts import MOST_LINES
from .referee import Question


def other_heading(question: Question, text: str) -> str:
    """The first heading that names another season than the phase's; "" where there is none."""
    variant, now = variants.load(question["variant"]), Phase.parse(question["phase"])
    for line in text.splitlines()[:MOST_LINES]:
        found = read_heading(line, variant)
        if found is not None and (found.season, found.year) != (now.season, now.year):
            return line.strip()
    return ""
