"""What may be done to a practice game, each by one conditional update: the winner changed the row."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils import timezone

from talleyrand.web.boards import referee
from talleyrand.web.boards.referee import Lines, Question

from .models import PracticeGame, PracticeTurn

ATTEMPTS = 8


class Overtaken(Exception):
    """The game went on, or back, in another window since this page was shown."""


class Finished(Exception):
    """Nothing is left to order: the game is over."""


@dataclass
class Story:
    """A game with its turns: `number` counts the phases from 1, the last one is still open."""

    game: PracticeGame

    @cached_property
    def phases(self) -> list[str]:
        """The phases played, in order."""
        return list(self.game.turns.values_list("phase", flat=True))

    @property
    def current(self) -> int:
        """The number of the phase that waits for orders, or of the end."""
        return len(self.phases) + 1

    def turn(self, number: int) -> PracticeTurn | None:
        return self.game.turns.filter(number=number).first()

    def question(self, number: int) -> Question | None:
        """The question of a phase; None where the game ended before it."""
        here = self.turn(number)
        situation: dict[str, Any] | None = here.situation if here else None
        if situation is None and number == 1:
            situation = self.game.start
        elif situation is None:
            before = self.game.turns.get(number=number - 1)
            situation = referee.following(_asked(self.game, self.game.start), before.answer)
        return None if situation is None else _asked(self.game, situation)

    def open_question(self, number: int) -> Question:
        """The question of the phase that waits; raises Overtaken and Finished."""
        if number != self.current:
            raise Overtaken
        question = self.question(number)
        if question is None:
            raise Finished
        return question


def _asked(game: PracticeGame, situation: Mapping[str, Any]) -> Question:
    return referee.ask(game.variant, game.rulebook, game.seed, situation)


def create(
    variant: str, rulebook: str, start: Mapping[str, Any], submission: str, **more: Any
) -> PracticeGame:
    """A new game; the same submission twice is the same game. Raises Unanswered for a bad start."""
    referee.check(referee.ask(variant, rulebook, "", start))
    if not submission:
        return PracticeGame.objects.create(variant=variant, rulebook=rulebook, start=dict(start), **more)
    defaults = {"variant": variant, "rulebook": rulebook, "start": dict(start), **more}
    return PracticeGame.objects.get_or_create(submission=submission, defaults=defaults)[0]


def redraft(game: PracticeGame, number: int, change: Callable[[Question, Lines], Lines]) -> PracticeGame:
    """Change the orders in preparation; raises Overtaken, Finished and what `change` raises."""
    for _ in range(ATTEMPTS):
        story = Story(PracticeGame.objects.get(pk=game.pk))
        draft = change(story.open_question(number), story.game.draft)
        if draft == story.game.draft or _update(story.game, draft=dict(draft)):
            story.game.draft = dict(draft)
            return story.game
    raise Overtaken


def resolve(game: PracticeGame, number: int, submission: str) -> PracticeTurn:
    """Play the open phase with the orders in preparation; the same submission twice is the same turn.

    Judged outside any transaction; published only if nothing changed meanwhile.
    """
    for _ in range(ATTEMPTS):
        played = game.turns.filter(submission=submission).first()
        if played is not None:
            return played
        story = Story(PracticeGame.objects.get(pk=game.pk))
        question = story.open_question(number)
        turn = _publish(story.game, number, submission, question)
        if turn is not None:
            return turn
    raise Overtaken


def _publish(game: PracticeGame, number: int, submission: str, question: Question) -> PracticeTurn | None:
    orders = game.draft
    answer = referee.judge(question, orders)
    with transaction.atomic():
        if not _update(game, draft={}):
            return None
        return game.turns.create(
            number=number, phase=question["phase"], submission=submission, orders=orders, answer=answer
        )


def take_back(game: PracticeGame, number: int) -> None:
    """Undo the last phase: its orders are in preparation again. Raises Overtaken."""
    with transaction.atomic():
        turn = game.turns.last()
        if turn is None or turn.number != number:
            raise Overtaken
        fresh = PracticeGame.objects.get(pk=game.pk)
        if not _update(fresh, draft=turn.orders):
            raise Overtaken
        turn.delete()


def choose_power(game: PracticeGame, power: str) -> None:
    """Play one power, or all of them ("")."""
    PracticeGame.objects.filter(pk=game.pk).update(plays=power, changed=timezone.now())


def copy(game: PracticeGame, number: int, submission: str) -> PracticeGame:
    """A game of one's own that continues from phase `number` of another."""
    try:
        return _copy(game, number, submission)
    except IntegrityError:
        return PracticeGame.objects.get(submission=submission)


def _copy(game: PracticeGame, number: int, submission: str) -> PracticeGame:
    with transaction.atomic():
        own = PracticeGame.objects.create(
            submission=submission,
            variant=game.variant,
            rulebook=game.rulebook,
            seed=game.seed,
            plays=game.plays,
            start=game.start,
            draft=_orders_at(game, number),
        )
        for turn in game.turns.filter(number__lt=number):
            own.turns.create(
                number=turn.number,
                phase=turn.phase,
                submission=turn.submission,
                situation=turn.situation,
                orders=turn.orders,
                answer=turn.answer,
            )
    return own


def _orders_at(game: PracticeGame, number: int) -> dict[str, list[str]]:
    turn = game.turns.filter(number=number).first()
    return turn.orders if turn else {}


def _update(game: PracticeGame, **values: Any) -> bool:
    """Change the row if nobody else did since it was read."""
    row = PracticeGame.objects.filter(pk=game.pk, version=game.version)
    return row.update(version=F("version") + 1, changed=timezone.now(), **values) == 1
