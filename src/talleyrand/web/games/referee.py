"""The seam between a game and the judge: snapshot, judge outside transactions, publish if nothing changed."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import F

from talleyrand.web.accounts.models import Person
from talleyrand.web.boards import referee
from talleyrand.web.boards.referee import Answer, Question
from talleyrand.web.notices import counters

from . import dating, inbox, log
from .models import Game, Revision, State
from .story import Story

ATTEMPTS = 8


class Overtaken(Exception):
    """Another phase is open by now, or none."""


@dataclass(frozen=True)
class Snapshot:
    """What a phase is judged by: the sheets that count, and the powers without one."""

    game: Game
    number: int
    question: Question
    sheets: dict[str, list[str]]
    absent: list[str]

    @property
    def digest(self) -> str:
        told = json.dumps([self.question, self.sheets, self.absent], sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()

    def judged(self) -> Answer:
        """What becomes of the sheets; raises Unanswered."""
        asked = {**self.question, "absent": self.absent} if self.absent else self.question
        return referee.judge(asked, self.sheets)


def snapshot(game: Game, number: int) -> Snapshot:
    """The open phase as it stands; raises Overtaken."""
    fresh = Game.objects.get(pk=game.pk)
    question = Story(fresh).question(number)
    if fresh.number != number or question is None or fresh.state not in (State.PLAYING, State.PAUSED):
        raise Overtaken
    sheets = {power: one.lines for power, one in inbox.counting(fresh, number).items()}
    absent = [power for power in referee.choosers(question) if power not in sheets]
    return Snapshot(fresh, number, question, sheets, absent)


def adjudicate(game: Game, number: int, now: datetime, by: Person | None = None) -> Revision:
    """Judge the open phase and publish it, whoever is missing. Raises Overtaken, and Unanswered."""
    for _ in range(ATTEMPTS):
        taken = snapshot(game, number)
        published = publish(taken, taken.judged(), now, by)
        if published is not None:
            return published
    raise Overtaken


def publish(taken: Snapshot, answer: Answer, now: datetime, by: Person | None = None) -> Revision | None:
    """Keep a phase and open the next one, unless the game has changed since the snapshot: then None."""
    after = referee.following(taken.question, answer)
    with transaction.atomic():
        game = taken.game
        claimed = Game.objects.filter(pk=game.pk, version=game.version, number=taken.number, state=game.state)
        if not claimed.update(version=F("version") + 1):
            return None
        revision = Revision.objects.create(
            game=game,
            number=taken.number,
            revision=Revision.objects.filter(game=game, number=taken.number).count() + 1,
            kind="adjudication",
            phase=taken.question["phase"],
            situation=Story(game).situation(taken.number),
            sheets=taken.sheets,
            absent=taken.absent,
            digest=taken.digest,
            answer=answer,
            after=after,
            by=by,
        )
        _onward(game, after, answer, now)
        log.note(game, "published", by=by, phase=revision.phase)
        counters.bump(counters.game_topic(game.key))
    return revision


def _onward(game: Game, after: dict[str, object] | None, answer: Answer, now: datetime) -> None:
    game.seats.update(final=False, draft=[])
    if after is None:
        game.state, game.ended, game.phase, game.due, game.sweep = State.ENDED, now, "", None, None
        game.result = {"kind": "solo", "powers": answer.get("winner") or []}
    else:
        game.number += 1
        dating.open_phase(game, str(after["phase"]), now)
    game.version = F("version") + 1
    game.save()
