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

from . import opponents
from .models import Deliberation, PracticeGame, PracticeTurn

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

    @property
    def decided(self) -> int:
        """The last phase that somebody chose in, before those that the computer played through alone."""
        last = number = self.current - 1
        while number > 1 and self._carried(number):
            number -= 1
        return number if number >= 1 and self._chosen(number) else last

    def _carried(self, number: int) -> bool:
        return not self._chosen(number) and not self.phases[number - 1].endswith("M")

    def _chosen(self, number: int) -> bool:
        turn, question = self.turn(number), self.question(number)
        if turn is None or question is None:
            return False
        return not turn.bots or bool(set(referee.choosers(question)) - set(turn.bots))

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
    turn = judged(game, number, submission, question, {})
    return turn if publish(turn) else None


def judged(
    game: PracticeGame, number: int, submission: str, question: Question, computed: Lines
) -> PracticeTurn:
    """A phase played with the orders in preparation and those of the computer’s players; not kept yet."""
    orders = {**opponents.without(game.draft, game.bots), **computed}
    return PracticeTurn(
        game=game,
        number=number,
        phase=question["phase"],
        submission=submission,
        orders=orders,
        answer=referee.judge(question, orders),
        bots={power: game.bots[power] for power in computed},
    )


def publish(turn: PracticeTurn) -> bool:
    """Keep a phase played, unless its game has changed since it was read."""
    with transaction.atomic():
        if not _update(turn.game, draft={}):
            return False
        turn.save()
    return True


def take_back(game: PracticeGame, number: int) -> None:
    """Undo the phases since `number`, of which the player chose in the first alone: his orders are in
    preparation again. Raises Overtaken.
    """
    with transaction.atomic():
        fresh = PracticeGame.objects.get(pk=game.pk)
        back = Story(fresh).decided
        turn = fresh.turns.filter(number=back).first()
        if turn is None or not back <= number < Story(fresh).current:
            raise Overtaken
        if not _update(fresh, draft=opponents.without(turn.orders, turn.bots)):
            raise Overtaken
        Deliberation.objects.filter(game=fresh).delete()
        fresh.turns.filter(number__gte=back).delete()


def choose_power(game: PracticeGame, power: str) -> None:
    """Play one power, or all of them ("")."""
    PracticeGame.objects.filter(pk=game.pk).update(plays=power, changed=timezone.now())


def give_powers(game: PracticeGame, bots: Mapping[str, str]) -> None:
    """Have these powers played by the computer, and all others by whoever holds the address."""
    plays = "" if game.plays in bots else game.plays
    row = PracticeGame.objects.filter(pk=game.pk)
    row.update(bots=dict(bots), plays=plays, version=F("version") + 1, changed=timezone.now())


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
            bots=game.bots,
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
                bots=turn.bots,
            )
    return own


def _orders_at(game: PracticeGame, number: int) -> dict[str, list[str]]:
    turn = game.turns.filter(number=number).first()
    return opponents.without(turn.orders, turn.bots) if turn else {}


def _update(game: PracticeGame, **values: Any) -> bool:
    """Change the row if nobody else did since it was read."""
    row = PracticeGame.objects.filter(pk=game.pk, version=game.version)
    return row.update(version=F("version") + 1, changed=timezone.now(), **values) == 1
