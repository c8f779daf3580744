"""What may be done to a practice game, each by one conditional update: the winner changed the row."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils import timezone

from talleyrand import variants
from talleyrand.negotiation.bot_characters import CHARACTERS
from talleyrand.web.boards import adjudicator, order_requests
from talleyrand.web.boards.adjudicator import Lines, Question
from talleyrand.web.bots import bot_players

from .models import PracticeBotTask, PracticeGame, PracticeTurn

MOST_RETRIES = 8


class PracticeOvertaken(Exception):
    """The game went on, or back, in another window since this page was shown."""


class PracticeFinished(Exception):
    """Nothing is left to order: the game is over."""


@dataclass
class PracticeHistory:
    """A game with its turns: `number` counts the phases from 1, the last one is still open."""

    game: PracticeGame

    @cached_property
    def played_phases(self) -> list[str]:
        """The phases played, in order."""
        return list(self.game.turns.values_list("phase", flat=True))

    @property
    def open_phase_number(self) -> int:
        """The number of the phase that waits for orders, or of the end."""
        return len(self.played_phases) + 1

    @property
    def now(self) -> str | None:
        """The phase that waits for orders; None where the game is over."""
        question = self.question(self.open_phase_number)
        return str(question["phase"]) if question else None

    def turn(self, number: int) -> PracticeTurn | None:
        return self.game.turns.filter(phase_number=number).first()

    def question(self, number: int) -> Question | None:
        """The question of a phase; None where the game ended before it."""
        here = self.turn(number)
        situation: dict[str, Any] | None = here.situation if here else None
        if situation is None and number == 1:
            situation = self.game.start_situation
        elif situation is None:
            before = self.game.turns.get(phase_number=number - 1)
            situation = adjudicator.situation_after(
                _phase_question(self.game, self.game.start_situation), before.answer
            )
        return None if situation is None else _phase_question(self.game, situation)

    @property
    def last_decided_phase_number(self) -> int:
        """The last phase that somebody chose in, before those that the computer played through alone."""
        last = number = self.open_phase_number - 1
        while number > 1 and self._carried(number):
            number -= 1
        return number if number >= 1 and self._chosen(number) else last

    def _carried(self, number: int) -> bool:
        return not self._chosen(number) and not self.played_phases[number - 1].endswith("M")

    def _chosen(self, number: int) -> bool:
        turn, question = self.turn(number), self.question(number)
        if turn is None or question is None:
            return False
        return not turn.bots or bool(set(adjudicator.deciding_powers(question)) - set(turn.bots))

    def open_question(self, number: int) -> Question:
        """The question of the phase that waits; raises PracticeOvertaken and PracticeFinished."""
        if number != self.open_phase_number:
            raise PracticeOvertaken
        question = self.question(number)
        if question is None:
            raise PracticeFinished
        return question


def _phase_question(game: PracticeGame, situation: Mapping[str, Any]) -> Question:
    return adjudicator.make_question(game.variant, game.rulebook, game.seed, situation)


def create_practice_game(
    variant: str, rulebook: str, start: Mapping[str, Any], submission: str, **more: Any
) -> PracticeGame:
    """A new game; the same submission twice is the same game. Raises QuestionRefusal for a bad start."""
    adjudicator.check_question(adjudicator.make_question(variant, rulebook, "", start))
    if not submission:
        return PracticeGame.objects.create(
            variant=variant, rulebook=rulebook, start_situation=dict(start), **more
        )
    defaults = {"variant": variant, "rulebook": rulebook, "start_situation": dict(start), **more}
    return PracticeGame.objects.get_or_create(submission_id=submission, defaults=defaults)[0]


def change_practice_draft(
    game: PracticeGame, number: int, change: Callable[[Question, Lines], Lines]
) -> PracticeGame:
    """Change the orders in preparation; raises PracticeOvertaken, PracticeFinished and what `change`
    raises.
    """
    for _ in range(MOST_RETRIES):
        story = PracticeHistory(PracticeGame.objects.get(pk=game.pk))
        draft = change(story.open_question(number), story.game.draft_orders)
        if draft == story.game.draft_orders or _update(story.game, draft_orders=dict(draft)):
            story.game.draft_orders = dict(draft)
            return story.game
    raise PracticeOvertaken


def resolve_practice_phase(game: PracticeGame, number: int, submission: str) -> PracticeTurn:
    """Play the open phase with the orders in preparation; the same submission twice is the same turn.

    Judged outside any transaction; published only if nothing changed meanwhile.
    """
    for _ in range(MOST_RETRIES):
        played = game.turns.filter(submission_id=submission).first()
        if played is not None:
            return played
        story = PracticeHistory(PracticeGame.objects.get(pk=game.pk))
        question = story.open_question(number)
        turn = _publish(story.game, number, submission, question)
        if turn is not None:
            return turn
    raise PracticeOvertaken


def _publish(game: PracticeGame, number: int, submission: str, question: Question) -> PracticeTurn | None:
    turn = adjudicated_turn(game, number, submission, question, {})
    return turn if save_turn(turn) else None


def adjudicated_turn(
    game: PracticeGame, number: int, submission: str, question: Question, computed: Lines
) -> PracticeTurn:
    """A phase played with the orders in preparation and those of the computer’s players; not kept yet."""
    orders = {**bot_players.without_bot_powers(game.draft_orders, game.bots), **computed}
    return PracticeTurn(
        game=game,
        phase_number=number,
        phase=question["phase"],
        submission_id=submission,
        orders=orders,
        answer=adjudicator.adjudicate(question, orders),
        bots={power: game.bots[power] for power in computed},
    )


def save_turn(turn: PracticeTurn) -> bool:
    """Keep a phase played, unless its game has changed since it was read."""
    with transaction.atomic():
        if not _update(turn.game, draft_orders={}):
            return False
        turn.save()
    return True


def add_message(game: PracticeGame, number: int, message: Mapping[str, Any]) -> None:
    """Keep what was said to a bot in phase `number`; the same submission twice is one message. Raises
    PracticeOvertaken.
    """
    for _ in range(MOST_RETRIES):
        fresh = PracticeGame.objects.get(pk=game.pk)
        said = fresh.talk.get("messages", [])
        if message["id"] and any(one["id"] == message["id"] for one in said):
            return
        if PracticeHistory(fresh).open_phase_number != number:
            raise PracticeOvertaken
        if _update(fresh, talk={**fresh.talk, "messages": [*said, message]}):
            return
    raise PracticeOvertaken


def _talk_before(game: PracticeGame, number: int) -> dict[str, Any]:
    """What was said before phase `number`."""
    said = [one for one in game.talk.get("messages", []) if one["number"] < number]
    return {**game.talk, "messages": said} if game.talk else {}


def roll_back_turns(game: PracticeGame, number: int) -> None:
    """Undo the phases since `number`, of which the player chose in the first alone: his orders are in
    preparation again. Raises PracticeOvertaken.
    """
    with transaction.atomic():
        fresh = PracticeGame.objects.get(pk=game.pk)
        back = PracticeHistory(fresh).last_decided_phase_number
        turn = fresh.turns.filter(phase_number=back).first()
        if turn is None or not back <= number < PracticeHistory(fresh).open_phase_number:
            raise PracticeOvertaken
        drafts = bot_players.without_bot_powers(turn.orders, turn.bots)
        if not _update(fresh, draft_orders=drafts, talk=_talk_before(fresh, back + 1)):
            raise PracticeOvertaken
        PracticeBotTask.objects.filter(game=fresh).delete()
        fresh.turns.filter(phase_number__gte=back).delete()


def choose_power(game: PracticeGame, power: str) -> None:
    """Play one power, or all of them ("")."""
    PracticeGame.objects.filter(pk=game.pk).update(played_power=power, changed_at=timezone.now())


def assign_practice_bots(game: PracticeGame, bots: Mapping[str, str], character: str | None = None) -> None:
    """Have these powers played by the computer, and all others by whoever holds the address. `character` is
    that of all bots, "" drawn by lot for each, None what it was.
    """
    with transaction.atomic():
        fresh = PracticeGame.objects.select_for_update().get(pk=game.pk)
        if character is not None:
            chosen = dict.fromkeys(bots, character) if character in CHARACTERS else {}
            fresh.talk = {"messages": fresh.talk.get("messages", []), "characters": chosen}
        fresh.played_power = "" if fresh.played_power in bots else fresh.played_power
        fresh.bots, fresh.version = dict(bots), fresh.version + 1
        fresh.save()


def copy_practice_game(
    game: PracticeGame, number: int, submission: str, *, is_owner: bool = False
) -> PracticeGame:
    """A game of one's own that continues from phase `number` of another; what was said to bots stays with
    whoever said it.
    """
    try:
        return _copy(game, number, submission, _talk_before(game, number) if is_owner else {})
    except IntegrityError:
        return PracticeGame.objects.get(submission_id=submission)


def try_orders(game: PracticeGame, number: int, power: str, text: str) -> None:
    """Begin phase `number` of a copy just made with other orders of one power, which a person plays there.

    Raises DraftRefusal for lines that are none of its orders, PracticeOvertaken and PracticeFinished.
    """
    if not text or power not in variants.load(game.variant).definition.seats:
        return
    if power in game.bots:
        assign_practice_bots(game, {one: code for one, code in game.bots.items() if one != power})
    change_practice_draft(game, number, order_requests.change_from_text(text, None, power))


def _copy(game: PracticeGame, number: int, submission: str, talk: dict[str, Any]) -> PracticeGame:
    with transaction.atomic():
        own = PracticeGame.objects.create(
            submission_id=submission,
            variant=game.variant,
            rulebook=game.rulebook,
            seed=game.seed,
            played_power=game.played_power,
            bots=game.bots,
            start_situation=game.start_situation,
            draft_orders=_orders_at(game, number),
            talk=talk,
        )
        for turn in game.turns.filter(phase_number__lt=number):
            own.turns.create(
                phase_number=turn.phase_number,
                phase=turn.phase,
                submission_id=turn.submission_id,
                situation=turn.situation,
                orders=turn.orders,
                answer=turn.answer,
                bots=turn.bots,
            )
    return own


def _orders_at(game: PracticeGame, number: int) -> dict[str, list[str]]:
    turn = game.turns.filter(phase_number=number).first()
    return bot_players.without_bot_powers(turn.orders, turn.bots) if turn else {}


def _update(game: PracticeGame, **values: Any) -> bool:
    """Change the row if nobody else did since it was read."""
    row = PracticeGame.objects.filter(pk=game.pk, version=game.version)
    return row.update(version=F("version") + 1, changed_at=timezone.now(), **values) == 1
