"""What cannot be taken back: lines of former sheets of a phase that stand beside those of the last one.

They are settled once, when a sheet is handed in, and kept with it: whoever reads the page of an open phase
pays for nobody's sheets.
"""

from __future__ import annotations

import json
import logging
from functools import lru_cache

from django.db.models import Max, QuerySet

from talleyrand.web.boards import referee
from talleyrand.web.boards.referee import Answer, Lines, Question, Unanswered

from .models import Game, Sheet
from .story import Story

logger = logging.getLogger(__name__)


def settle(sheet: Sheet) -> None:
    """Settle what stands beside a sheet that was just handed in, where a phase has lines that last."""
    story = Story(sheet.game)
    question = story.question(sheet.number)
    if question is None or not story.is_optional(question["phase"]):
        return
    try:
        _beside(question, sheet)
    except Unanswered:
        logger.exception("game %s: what stands beside a sheet is left for later", sheet.game.key)


def lines(game: Game, number: int, question: Question, last: Lines) -> dict[str, list[str]]:
    """For each power the lines that count: what it can no longer take back, then those of its `last` sheet.

    Raises Unanswered.
    """
    counted = {power: list(found) for power, found in last.items()}
    for power, sheet in _newest(game, number).items():
        own, before = counted.get(power, []), _beside(question, sheet)
        if own != sheet.lines:
            before = _kept(question, power, [before, sheet.lines, own])
        counted[power] = [*before, *own]
    return counted


def announced(game: Game, question: Question) -> Answer | None:
    """What everybody knows of an open phase in which what is handed in is public at once, as the judge
    would tell it now; None for any other phase. It is shared, not to be changed. Raises Unanswered.
    """
    if not Story(game).is_optional(game.phase):
        return None
    handed = {power: sheet.lines for power, sheet in _newest(game, game.number).items()}
    return _told(json.dumps([question, lines(game, game.number, question, handed)]))


@lru_cache(maxsize=32)
def _told(asked: str) -> Answer:
    question, counted = json.loads(asked)
    return referee.judge(question, counted, apart=True)


def _of_phase(game: Game, number: int) -> QuerySet[Sheet]:
    return Sheet.objects.filter(game=game, number=number, withdrawn=None)


def _newest(game: Game, number: int) -> dict[str, Sheet]:
    """The last sheet of each power that has handed any in."""
    last = _of_phase(game, number).order_by().values("power").annotate(last=Max("pk")).values("last")
    return {sheet.power: sheet for sheet in Sheet.objects.filter(pk__in=last)}


def _beside(question: Question, sheet: Sheet) -> list[str]:
    """What stands beside a sheet; settled now where whoever handed one in did not live to do it."""
    if sheet.lasting is not None:
        return sheet.lasting
    former = _of_phase(sheet.game, sheet.number).filter(power=sheet.power, receipt__lte=sheet.receipt)
    settled = former.exclude(lasting__isnull=True).aggregate(last=Max("receipt"))["last"] or 0
    before: Sheet | None = None
    for one in former.filter(receipt__gte=settled).order_by("receipt"):
        if one.lasting is None:
            known = [before.lasting or [], before.lines, one.lines] if before else []
            one.lasting = _kept(question, sheet.power, known) if known else []
            Sheet.objects.filter(pk=one.pk).update(lasting=one.lasting)
        before = one
    assert before is not None
    return before.lasting or []


def _kept(question: Question, power: str, sheets: list[list[str]]) -> list[str]:
    """The lines of all sheets but the last that the judge takes all the same."""
    if not any(sheets[:-1]):
        return []
    read = referee.read_sheets(question, {power: sheets})
    return [
        entry["line"]
        for entry in read
        if entry["line"] is not None and entry["error"] is None and entry["sheet"] < len(sheets)
    ]
