"""What is drawn of a phase of a game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from talleyrand.web.boards import picture
from talleyrand.web.boards.picture import Sketch
from talleyrand.web.boards.referee import Question

if TYPE_CHECKING:
    from .board import Desk


def sketch(desk: Desk) -> Sketch:
    """A phase played with its results, an open one with the orders given, or the end of a game."""
    if desk.turn and desk.question:
        return picture.played(desk.question, desk.turn.answer).only(desk.narrowed.keeps)
    if desk.question:
        return picture.prepared(desk.question, desk.preparation.readings if desk.preparation else ())
    return picture.standing(_end(desk))


def _end(desk: Desk) -> Question:
    last = desk.game.turns.last()
    answer: Mapping[str, Any] = last.answer if last else {}
    phase = answer.get("phase") or desk.game.start["phase"]
    kept = {name: answer[name] for name in ("units", "centers") if answer.get(name) is not None}
    return {"variant": desk.game.variant, "rulebook": desk.game.rulebook, "phase": phase, **kept}
