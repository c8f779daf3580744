"""What each command of a game master does, once: the deeds of the desk and of his letters."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import timedelta
from functools import partial
from typing import TypeVar

from django.utils import timezone

from talleyrand.web.boards.adjudicator import QuestionRefusal
from talleyrand.web.games import order_submission, unread_email_orders
from talleyrand.web.games.game_master import deadline_actions, game_actions
from talleyrand.web.games.game_master.action_base import GameMasterRefusal, last_published_revision
from talleyrand.web.games.models import RUNNING_STATES, PhaseRevision
from talleyrand.web.mail.command_results import CommandRefused, ResultFacts
from talleyrand.web.mail.mailed_orders import late_orders
from talleyrand.web.mail.models import MailSubscription, OutboundEmail
from talleyrand.web.press import message_actions, message_visibility
from talleyrand.web.press.models import Message

from . import gm_plans, gm_questions
from .gm_commands import GmAction, GmCommand
from .gm_context import GmContext, check_phase, run_once, told_to_others

T = TypeVar("T")

JUST_OPENED = timedelta(hours=1)  # so long a phase is not published without those who are missing


def run_command(master: GmContext, key: str, command: GmCommand) -> list[ResultFacts]:
    """Do what a command says, unless it is done; what became of it, by codes."""
    return ACTIONS[command.action](master, key, command)


def _each(
    master: GmContext, key: str, things: Iterable[T], deed: Callable[[T], ResultFacts]
) -> list[ResultFacts]:
    """A deed for each of several things, each by itself."""
    return [run_once(master, f"{key}.{one}", partial(deed, one)) for one in things]


def _of_line(deed: Callable[[GmContext, GmCommand], ResultFacts]) -> ActionHandler:
    """One deed for a line."""
    return lambda master, key, command: [run_once(master, key, partial(deed, master, command))]


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
    found = run_once(master, key, lambda: _desk_facts(master))
    return tuple(found["letters"]), [found] if found["later"] or not found["letters"] else []


def _desk_facts(master: GmContext) -> ResultFacts:
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
        message_actions.return_message(_letter(master, number), told_to_others(master, command.text))
        return {"said": "returned", "letter": number}

    return _each(master, key, command.numbers, one)


# dates


def _remind(master: GmContext, _command: GmCommand) -> ResultFacts:
    game = master.fresh
    check_phase(master, game)
    powers = deadline_actions.remind_missing_players(
        game, game.phase_number, hand=master.hand, now=timezone.now()
    )
    return {"said": "reminded", "powers": list(powers)}


def _pause(master: GmContext, _command: GmCommand) -> ResultFacts:
    deadline_actions.gm_pause_game(master.game, hand=master.hand, now=timezone.now())
    return {"said": "paused"}


# the phase


def _publish(master: GmContext, key: str, command: GmCommand) -> list[ResultFacts]:
    """Judging is no part of a transaction: what was begun is written first, then what came of it."""
    begun = run_once(master, key, lambda: _begin(master, command))
    if "refused" in begun:
        return [begun]
    known = master.results.get(f"{key}.done")
    if known is None:
        told = _judged(master, begun)
        known = run_once(master, f"{key}.done", lambda: told)
    return [known]


def _begin(master: GmContext, command: GmCommand) -> ResultFacts:
    now, game = timezone.now(), master.fresh
    if game.state not in RUNNING_STATES:
        raise CommandRefused("not_playing")
    check_phase(master, game)
    if unread_email_orders.wait_until(game, now) is not None:
        raise CommandRefused("on_its_way")
    missing = deadline_actions.powers_missing_orders(game)
    opened = game.phase_opened_at
    if missing and opened is not None and opened > master.received_at - JUST_OPENED:
        raise CommandRefused("just_opened", powers=list(missing), due=(opened + JUST_OPENED).isoformat())
    if missing and not command.anyway:
        raise CommandRefused("missing", powers=list(missing))
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
        master.game, last.phase_number, told_to_others(master, command.text), hand=master.hand
    )
    return {"said": "gazette", "phase": last.phase}


def _grant(master: GmContext, key: str, command: GmCommand) -> list[ResultFacts]:
    """For late orders of a phase that is resolved it has to be rolled back: that is asked first."""
    game = master.fresh
    waiting, (_last, resolved) = late_orders.waiting_late_orders(game), late_orders.resolved_late_orders(game)
    meant, late = set(command.powers), {one.mailbox.power for one in resolved}
    is_asked = len(meant) == 1 and meant <= late and not meant & {one.mailbox.power for one in waiting}
    if is_asked or master.results.get(key) is not None:
        return gm_questions.do_or_ask(master, key, command)
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
    **dict.fromkeys(gm_plans.PLANS, gm_questions.do_or_ask),
    GmAction.PAUSE: _of_line(_pause),
    GmAction.PUBLISH: _publish,
    GmAction.GRANT: _grant,
    GmAction.GAZETTE: _of_line(_gazette),
    GmAction.ANSWER: gm_questions.take_answer,
    GmAction.HELP: _nothing,
}
