"""What cannot be taken back: lines of former sheets of a phase that stand beside those of the last one.

They are settled once, when a sheet is handed in, and kept with it: whoever reads the page of an open phase
pays for nobody's sheets.
"""

from __future__ import annotations

import json
import logging
from functools import lru_cache

from django.db.models import Max, QuerySet

from talleyrand.web.boards import adjudicator
from talleyrand.web.boards.adjudicator import Answer, Lines, Question, QuestionRefusal

from .game_history import GameHistory
from .models import Game, OrderSet

logger = logging.getLogger(__name__)


def settle_binding_lines(sheet: OrderSet) -> None:
    """Settle what stands beside a sheet that was just handed in, where a phase has lines that last."""
    game, story = sheet.game, GameHistory(sheet.game)
    if sheet.phase_number == game.phase_number and not story.is_optional(game.phase):
        return  # as nearly always: nothing need be read for it
    question = story.question(sheet.phase_number)
    if question is None or not story.is_optional(question["phase"]):
        return
    try:
        _beside(question, sheet)
    except QuestionRefusal:
        logger.exception("game %s: what stands beside a sheet is left for later", sheet.game.key)


def counting_lines(game: Game, number: int, question: Question, last: Lines) -> dict[str, list[str]]:
    """For each power the lines that count: what it can no longer take back, then those of its `last` sheet.

    Raises QuestionRefusal.
    """
    counted = {power: list(found) for power, found in last.items()}
    for power, sheet in _newest(game, number).items():
        own, before = counted.get(power, []), _beside(question, sheet)
        if own != sheet.lines:
            before = _accepted_lines(question, power, [before, sheet.lines, own])
        counted[power] = [*before, *own]
    return counted


def announced_so_far(game: Game, question: Question) -> Answer | None:
    """What everybody knows of an open phase in which what is handed in is public at once, as the judge
    would tell it now; None for any other phase. It is shared, not to be changed. Raises QuestionRefusal.
    """
    if not GameHistory(game).is_optional(game.phase):
        return None
    handed = {power: sheet.lines for power, sheet in _newest(game, game.phase_number).items()}
    return _adjudicated(json.dumps([question, counting_lines(game, game.phase_number, question, handed)]))


@lru_cache(maxsize=32)
def _adjudicated(asked: str) -> Answer:
    question, counted = json.loads(asked)
    return adjudicator.adjudicate(question, counted, apart=True)


def _of_phase(game: Game, number: int) -> QuerySet[OrderSet]:
    return OrderSet.objects.filter(game=game, phase_number=number, withdrawn_at=None)


def _newest(game: Game, number: int) -> dict[str, OrderSet]:
    """The last sheet of each power that has handed any in."""
    last = _of_phase(game, number).order_by().values("power").annotate(last=Max("pk")).values("last")
    return {sheet.power: sheet for sheet in OrderSet.objects.filter(pk__in=last)}


def _beside(question: Question, sheet: OrderSet) -> list[str]:
    """What stands beside a sheet; settled now where whoever handed one in did not live to do it."""
    if sheet.binding_lines is not None:
        return sheet.binding_lines
    former = _of_phase(sheet.game, sheet.phase_number).filter(
        power=sheet.power, receipt_number__lte=sheet.receipt_number
    )
    settled = former.exclude(binding_lines__isnull=True).aggregate(last=Max("receipt_number"))["last"] or 0
    before: OrderSet | None = None
    for one in former.filter(receipt_number__gte=settled).order_by("receipt_number"):
        if one.binding_lines is None:
            known = [before.binding_lines or [], before.lines, one.lines] if before else []
            one.binding_lines = _accepted_lines(question, sheet.power, known) if known else []
            OrderSet.objects.filter(pk=one.pk).update(binding_lines=one.binding_lines)
        before = one
    assert before is not None
    return before.binding_lines or []


def _accepted_lines(question: Question, power: str, sheets: list[list[str]]) -> list[str]:
    """The lines of all sheets but the last that the judge takes all the same."""
    if not any(sheets[:-1]):
        return []
    read = adjudicator.read_order_sets(question, {power: sheets})
    return [
        entry["line"]
        for entry in read
        if entry["line"] is not None and entry["error"] is None and entry["sheet"] < len(sheets)
    ]
