"""What each command of a game master does, once: the deeds of the desk and of his letters."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import TypeVar

from django.utils import timezone

from talleyrand import variants
from talleyrand.web.accounts.models import Person
from talleyrand.web.boards.adjudicator import QuestionRefusal
from talleyrand.web.games import order_submission, page_context, unread_email_orders
from talleyrand.web.games.deadlines import deadline_errors, typed_dates, typed_durations
from talleyrand.web.games.game_master import deadline_actions, game_actions
from talleyrand.web.games.game_master.action_base import (
    GameMasterActor,
    GameMasterRefusal,
    last_published_revision,
)
from talleyrand.web.games.models import RUNNING_STATES, Game, GameRole, PhaseRevision
from talleyrand.web.games.viewer_permissions import GameViewer
from talleyrand.web.mail import anonymity_filter, mailboxes
from talleyrand.web.mail.anonymity_filter import KnownWriter
from talleyrand.web.mail.command_results import CommandRefused, CommandResults, ResultFacts
from talleyrand.web.mail.mailed_orders import late_orders
from talleyrand.web.mail.models import MailSubscription, OutboundEmail
from talleyrand.web.press import message_actions, message_text, message_visibility
from talleyrand.web.press.models import Message

from .gm_commands import GmAction, GmCommand

T = TypeVar("T")

JUST_OPENED = timedelta(hours=1)  # so long a phase is not published without those who are missing
FURTHEST = timedelta(days=366)


@dataclass(frozen=True)
class GmContext:
    """A game master who has written, and when; `phase`: the one that the mail speaks of, if any."""

    game: Game
    person: Person
    received_at: datetime
    results: CommandResults
    writer: KnownWriter
    phase: str = ""

    @property
    def hand(self) -> GameMasterActor:
        return GameMasterActor(self.person, GameRole.GAME_MASTER)

    @property
    def sight(self) -> GameViewer:
        return GameViewer(self.fresh, self.person)

    @property
    def fresh(self) -> Game:
        return Game.objects.get(pk=self.game.pk)


def run_command(master: GmContext, key: str, command: GmCommand) -> list[ResultFacts]:
    """Do what a command says, unless it is done; what became of it, by codes."""
    return ACTIONS[command.action](master, key, command)


@contextmanager
def _refusing() -> Iterator[None]:
    """What other parts of the site refuse, refused here."""
    try:
        yield
    except GameMasterRefusal as refused:
        raise CommandRefused(refused.code) from None
    except message_actions.MessageNotHeld as settled:
        raise CommandRefused("settled", state=settled.state) from None
    except message_text.InvalidText as unfit:
        raise CommandRefused("reason", why=unfit.code) from None
    except deadline_errors.InvalidDeadlineSettings as unfit:
        raise CommandRefused("date", why=unfit.code) from None


def _told(master: GmContext, words: str) -> str:
    """His words as others read them: without our addresses, and telephone numbers under them."""
    game_words = anonymity_filter.game_words(variants.load(master.game.variant))
    return anonymity_filter.examine(words, master.writer, game_words, mailboxes.our_address_pattern()).text


def _once(master: GmContext, key: str, deed: Callable[[], ResultFacts]) -> ResultFacts:
    def refusing() -> ResultFacts:
        with _refusing():
            return deed()

    return master.results.run_once(key, refusing)


def _each(
    master: GmContext, key: str, things: Iterable[T], deed: Callable[[T], ResultFacts]
) -> list[ResultFacts]:
    """A deed for each of several things, each by itself."""
    return [_once(master, f"{key}.{one}", partial(deed, one)) for one in things]


def _of_line(deed: Callable[[GmContext, GmCommand], ResultFacts]) -> ActionHandler:
    """One deed for a line."""
    return lambda master, key, command: [_once(master, key, partial(deed, master, command))]


def _nothing(_master: GmContext, _key: str, command: GmCommand) -> list[ResultFacts]:
    """What only asks for an answer."""
    return [{"said": str(command.action)}]


# letters


def _deliver(master: GmContext, key: str, command: GmCommand) -> list[ResultFacts]:
    numbers, told = _numbers(master, key, command)
    return told + _each(master, key, numbers, partial(_pass_on, master))


def _numbers(master: GmContext, key: str, command: GmCommand) -> tuple[tuple[int, ...], list[ResultFacts]]:
    """Which letters are meant; for all of them, those that he has been shown when he wrote."""
    if not command.all_messages:
        return command.numbers, []
    found = _once(master, key, lambda: _shown(master))
    return tuple(found["letters"]), [found] if found["later"] or not found["letters"] else []


def _shown(master: GmContext) -> ResultFacts:
    waiting = list(message_visibility.held_messages(master.sight))
    shown = [letter for letter in waiting if _was_shown(master, letter)]
    numbers = [message_visibility.message_number(letter) for letter in shown]
    return {"said": "all", "letters": numbers, "later": len(waiting) - len(shown)}


def _was_shown(master: GmContext, letter: Message) -> bool:
    """Whether a letter had left for him before he wrote; where no mail goes to him, whether it was there."""
    corresponds = MailSubscription.objects.filter(
        game=master.game, person=master.person, ended_at=None
    ).exists()
    if not corresponds:
        return letter.written_at <= master.received_at
    sent = OutboundEmail.objects.filter(
        person=master.person, idempotency_key=f"held:{letter.pk}", sent_at__lte=master.received_at
    )
    return sent.exists()


def _letter(master: GmContext, number: int) -> Message:
    found = message_visibility.message_by_number(master.sight, number)
    if found is None:
        raise CommandRefused("no_letter", letter=number)
    return found


def _pass_on(master: GmContext, number: int) -> ResultFacts:
    message_actions.release_message(_letter(master, number), timezone.now())
    return {"said": "passed", "letter": number}


def _give_back(master: GmContext, key: str, command: GmCommand) -> list[ResultFacts]:
    def one(number: int) -> ResultFacts:
        message_actions.return_message(_letter(master, number), _told(master, command.text))
        return {"said": "returned", "letter": number}

    return _each(master, key, command.numbers, one)


# dates


def _check_phase(master: GmContext, game: Game) -> None:
    """He means the phase that was open when he wrote, or that this mail has opened itself."""
    if any(told.get("said") == "published" for told in master.results.all().values()):
        return
    other = master.phase and master.phase != game.phase
    if game.state in RUNNING_STATES and (
        other or (game.phase_opened_at is not None and game.phase_opened_at > master.received_at)
    ):
        raise CommandRefused("other_phase", phase=game.phase)


def _remind(master: GmContext, _command: GmCommand) -> ResultFacts:
    game = master.fresh
    _check_phase(master, game)
    powers = deadline_actions.remind_missing_players(
        game, game.phase_number, hand=master.hand, now=timezone.now()
    )
    return {"said": "reminded", "powers": list(powers)}


def _extend(master: GmContext, command: GmCommand) -> ResultFacts:
    now, game = timezone.now(), master.fresh
    _check_phase(master, game)
    until = _until(command, max(game.deadline or now, now), now)
    if game.deadline is not None and until <= game.deadline:
        raise CommandRefused("earlier", due=game.deadline.isoformat())
    deadline_actions.gm_set_deadline(game, until, game.deadline, hand=master.hand, now=now)
    return {"said": "extended", "due": until.isoformat()}


def _until(command: GmCommand, begins: datetime, now: datetime) -> datetime:
    """A date that was written, or so long after `begins`; raises CommandRefused and
    InvalidDeadlineSettings.
    """
    until = _dated(command, begins, now)
    if until > now + FURTHEST:
        raise CommandRefused("too_far")
    return until


def _dated(command: GmCommand, begins: datetime, now: datetime) -> datetime:
    if not command.text:
        raise CommandRefused("undated")
    if not command.until:
        try:
            return begins + min(typed_durations.parse_duration(command.text), 2 * FURTHEST)
        except deadline_errors.InvalidDeadlineSettings:
            pass
    return typed_dates.parse_moment(command.text, now, page_context.reader_time_zone())


def _pause(master: GmContext, _command: GmCommand) -> ResultFacts:
    deadline_actions.gm_pause_game(master.game, hand=master.hand, now=timezone.now())
    return {"said": "paused"}


def _resume(master: GmContext, command: GmCommand) -> ResultFacts:
    now = timezone.now()
    until = _until(command, now, now) if command.text else None
    game = deadline_actions.gm_resume_game(master.game, until, hand=master.hand, now=now)
    return {"said": "resumed", "due": game.deadline.isoformat() if game.deadline else ""}


# the phase


def _publish(master: GmContext, key: str, command: GmCommand) -> list[ResultFacts]:
    """Judging is no part of a transaction: what was begun is written first, then what came of it."""
    begun = _once(master, key, lambda: _begin(master, command))
    if "refused" in begun:
        return [begun]
    known = master.results.get(f"{key}.done")
    if known is None:
        told = _judged(master, begun)
        known = _once(master, f"{key}.done", lambda: told)
    return [known]


def _begin(master: GmContext, command: GmCommand) -> ResultFacts:
    now, game = timezone.now(), master.fresh
    if game.state not in RUNNING_STATES:
        raise CommandRefused("not_playing")
    _check_phase(master, game)
    if unread_email_orders.wait_until(game, now) is not None:
        raise CommandRefused("on_its_way")
    missing = deadline_actions.powers_missing_orders(game)
    if missing and not command.anyway:
        raise CommandRefused("missing", powers=list(missing))
    if (
        missing
        and game.phase_opened_at is not None
        and game.phase_opened_at > master.received_at - JUST_OPENED
    ):
        raise CommandRefused("just_opened", powers=list(missing))
    return {"said": "publishing", "number": game.phase_number, "phase": game.phase}


def _judged(master: GmContext, begun: ResultFacts) -> ResultFacts:
    number = int(begun["number"])
    try:
        deadline_actions.gm_adjudicate_phase(master.game, number, hand=master.hand, now=timezone.now())
    except QuestionRefusal:
        return {"refused": "unjudged"}
    except GameMasterRefusal as refused:
        if refused.code != "moved" or not _is_published(master, number):
            return {"refused": refused.code}
    return {"said": "published", "phase": begun["phase"]}


def _is_published(master: GmContext, number: int) -> bool:
    """Whether his own hand has published a phase: this mail, before it was broken off."""
    return PhaseRevision.objects.filter(
        game=master.game, phase_number=number, is_current=True, published_by=master.person
    ).exists()


def _gazette(master: GmContext, command: GmCommand) -> ResultFacts:
    last = last_published_revision(master.game)
    if last is None:
        raise CommandRefused("not_begun")
    game_actions.publish_gazette(
        master.game, last.phase_number, _told(master, command.text), hand=master.hand
    )
    return {"said": "gazette", "phase": last.phase}


def _grant(master: GmContext, key: str, command: GmCommand) -> list[ResultFacts]:
    return _each(master, key, command.powers, partial(_let_in, master))


def _let_in(master: GmContext, power: str) -> ResultFacts:
    """The last orders of a power that came too late."""
    found = [one for one in late_orders.waiting_late_orders(master.fresh) if one.mailbox.power == power]
    if not found:
        raise CommandRefused("no_late", power=power)
    try:
        late_orders.grant_late_orders(found[-1], master.person)
    except late_orders.LateOrdersRefused as refused:
        raise CommandRefused("not_granted", why=refused.code) from None
    except order_submission.OrdersRefusal:
        raise CommandRefused("moved") from None
    return {"said": "granted", "power": power}


ActionHandler = Callable[[GmContext, str, GmCommand], list[ResultFacts]]
ACTIONS: Mapping[GmAction, ActionHandler] = {
    GmAction.RELEASE: _deliver,
    GmAction.RETURN: _give_back,
    GmAction.STATUS: _nothing,
    GmAction.REMIND: _of_line(_remind),
    GmAction.EXTEND: _of_line(_extend),
    GmAction.PAUSE: _of_line(_pause),
    GmAction.RESUME: _of_line(_resume),
    GmAction.PUBLISH: _publish,
    GmAction.GRANT: _grant,
    GmAction.GAZETTE: _of_line(_gazette),
    GmAction.HELP: _nothing,
}
