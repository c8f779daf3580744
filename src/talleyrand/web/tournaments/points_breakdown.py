"""Where somebody's points come from, line by line: the same on public pages, at the desk and on paper."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from talleyrand.messages.score_sentences import score_line_sentences
from talleyrand.messages.tournament_sentences import working_sentences
from talleyrand.scoring import ScoreLine
from talleyrand.tournament.standings import StandingEntry, WorkingStep
from talleyrand.web.boards import display_names

from .tournament_names import points_text, power_name


class PointsLine(NamedTuple):
    """A line, and its figure: of a game what it brings, of what comes after it the points there are then."""

    sentence: str
    points: str


def game_lines(lines: Iterable[ScoreLine]) -> tuple[PointsLine, ...]:
    """How a scoring system came to the points of a game."""
    return tuple(
        PointsLine(
            score_line_sentences(
                line.kind,
                {
                    name: power_name(fact) if isinstance(fact, str) else fact
                    for name, fact in line.facts.items()
                },
            )[display_names.reader_language()],
            points_text(line.points),
        )
        for line in lines
    )


def step_lines(steps: Iterable[WorkingStep], names: Mapping[str, str]) -> tuple[PointsLine, ...]:
    """What becomes of points; `names`: of people, by their numbers."""
    return tuple(
        PointsLine(working_sentences(step, names)[display_names.reader_language()], points_text(step.points))
        for step in steps
    )


def entry_lines(entry: StandingEntry, names: Mapping[str, str]) -> tuple[PointsLine, ...]:
    """All of what one game, or one ruling, brings."""
    return (*game_lines(entry.working), *step_lines(entry.steps, names))
