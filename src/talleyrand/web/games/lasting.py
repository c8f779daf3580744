"""What cannot be taken back: lines of former sheets of a phase that stand beside those of the last one."""

from __future__ import annotations

from collections.abc import Mapping

from talleyrand.web.boards import referee
from talleyrand.web.boards.referee import Answer, Lines, Question

from . import inbox
from .models import Game, Sheet
from .story import Story


def lines(game: Game, number: int, question: Question, last: Lines) -> dict[str, list[str]]:
    """For each power the lines that count: what it can no longer take back, then those of its `last` sheet.

    Raises Unanswered.
    """
    former: dict[str, list[list[str]]] = {}
    for sheet in Sheet.objects.filter(game=game, number=number, withdrawn=None).order_by("receipt"):
        former.setdefault(sheet.power, []).append(sheet.lines)
    counted = {power: list(found) for power, found in last.items()}
    for power, sheets in former.items():
        own = counted.get(power, [])
        before = sheets if sheets[-1] != own else sheets[:-1]
        if before:
            counted[power] = [*_kept(question, power, [*before, own]), *own]
    return counted


def _kept(question: Question, power: str, sheets: list[list[str]]) -> list[str]:
    """The lines of all sheets but the last that the judge takes all the same."""
    read = referee.read_sheets(question, {power: sheets})
    return [
        entry["line"]
        for entry in read
        if entry["line"] is not None and entry["error"] is None and entry["sheet"] < len(sheets)
    ]


def announced(game: Game, question: Question) -> Answer | None:
    """What everybody knows of an open phase in which what is handed in is public at once, as the judge
    would tell it now; None for any other phase. Raises Unanswered.
    """
    story = Story(game)
    if not story.is_optional(game.phase):
        return None
    last: Mapping[str, Sheet] = inbox.counting(game, game.number)
    handed = {power: sheet.lines for power, sheet in last.items()}
    return referee.judge(question, lines(game, game.number, question, handed), apart=True)
