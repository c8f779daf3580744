"""Where somebody's points come from, line by line: the same on public pages, at the desk and on paper."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from talleyrand.messages.tournament_sentences import working_sentences
from talleyrand.scoring import ScoreLine
from talleyrand.tournament.board_rules import CLASSIC, board_variant
from talleyrand.tournament.standings import StandingEntry, WorkingStep
from talleyrand.web.boards import display_names
from talleyrand.web.boards.score_texts import PointsLine, points_lines, points_text


def game_lines(lines: Iterable[ScoreLine]) -> tuple[PointsLine, ...]:
    """How a scoring system came to the points of a game."""
    return points_lines(lines, board_variant(CLASSIC))


def step_lines(steps: Iterable[WorkingStep], names: Mapping[str, str]) -> tuple[PointsLine, ...]:
    """What becomes of points; `names`: of people, by their numbers."""
    return tuple(
        PointsLine(working_sentences(step, names)[display_names.reader_language()], points_text(step.points))
        for step in steps
    )


def entry_lines(entry: StandingEntry, names: Mapping[str, str]) -> tuple[PointsLine, ...]:
    """All of what one game, or one ruling, brings."""
    return (*game_lines(entry.working), *step_lines(entry.steps, names))
