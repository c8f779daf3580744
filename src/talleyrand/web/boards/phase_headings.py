"""A sheet that stands under the heading of another phase."""

from __future__ import annotations

from talleyrand import variants
from talleyrand.engine.position import Phase
from talleyrand.formats.phase_heading_parser import read_phase_heading

from .adjudicator import Question
from .order_drafts import MOST_LINES


def other_phase_heading(question: Question, text: str) -> str:
    """The first heading that names another season than the phase's; "" where there is none."""
    variant, now = variants.load(question["variant"]), Phase.parse(question["phase"])
    for line in text.splitlines()[:MOST_LINES]:
        found = read_phase_heading(line, variant)
        if found is not None and (found.season, found.year) != (now.season, now.year):
            return line.strip()
    return ""
