"""What is drawn of a phase of a game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from talleyrand.web.boards import phase_maps
from talleyrand.web.boards.adjudicator import Question
from talleyrand.web.boards.phase_maps import PhaseMap

if TYPE_CHECKING:
    from .practice_board import PracticeBoard


def practice_map(desk: PracticeBoard) -> PhaseMap:
    """A phase played with its results, an open one with the orders given, or the end of a game."""
    if desk.played_turn and desk.question:
        return phase_maps.results_map(desk.question, desk.played_turn.answer).only_orders(
            desk.board_filter.shows
        )
    if desk.question:
        return phase_maps.draft_map(desk.question, desk.preparation.readings if desk.preparation else ())
    return phase_maps.position_map(_end(desk))


def _end(desk: PracticeBoard) -> Question:
    last = desk.game.turns.last()
    answer: Mapping[str, Any] = last.answer if last else {}
    phase = answer.get("phase") or desk.game.start_situation["phase"]
    kept = {name: answer[name] for name in ("units", "centers") if answer.get(name) is not None}
    return {"variant": desk.game.variant, "rulebook": desk.game.rulebook, "phase": phase, **kept}
