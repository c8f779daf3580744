"""Orders that came too late by mail: what waits for the game master, and how he lets it in."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone

from talleyrand.web.accounts.models import Person
from talleyrand.web.boards.order_preparation import OrderPreparation
from talleyrand.web.common.transactions import write_transaction
from talleyrand.web.games import game_log, order_submission, recipients
from talleyrand.web.games.game_master import phase_corrections
from talleyrand.web.games.game_master.action_base import (
    ExpectedRevision,
    GameMasterActor,
    last_published_revision,
)
from talleyrand.web.games.models import (
    RUNNING_STATES,
    Game,
    GameMembership,
    GameRole,
    OrderSet,
    PhaseRevision,
)
from talleyrand.web.games.phase_pages import order_texts
from talleyrand.web.mail.coded_sentences import coded_sentence
from talleyrand.web.mail.mail_outcomes import MailOutcome
from talleyrand.web.mail.models import InboundDelivery, MailboxPurpose
from talleyrand.web.mail.outbound import email_queue

from . import order_replies
from .order_replies import OrderReply

WAITING = (MailOutcome.LATE, MailOutcome.OTHER_PHASE)
GRANTED = "granted"
AFTER_RESOLUTION = ("past", "before")  # why orders for another phase may be for the one published last


class LateOrdersRefused(Exception):
    """Orders that cannot be let in; nothing has changed.

    `not_late` (this mail brought no late orders), `published` (their phase is not open), `not_yours`
    (somebody else plays the power now), `later` (a later sheet of the power stands).
    """

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code

    @property
    def sentence(self) -> str:
        """Why, and what to do, in the language in use."""
        return coded_sentence("late_orders", self.code)


def order_set_key(arrival: InboundDelivery) -> str:
    """What makes the sheet of a mail one sheet, however often the mail is read."""
    return f"mail:{arrival.content_digest}"


def waiting_late_orders(game: Game) -> list[InboundDelivery]:
    """The mails whose orders for the open phase came too late and may be let in, in order of receipt.

    For the game master alone. Their `facts` hold `power` and `lines`.
    """
    if game.state not in RUNNING_STATES:
        return []
    return [row for row in _candidates(game) if _problem(row, game, game.phase_number, game.phase) == ""]


def resolved_late_orders(game: Game) -> tuple[PhaseRevision | None, list[InboundDelivery]]:
    """The phase published last, and the mails that came too late for it and may be let in if it is rolled
    back; for the game master alone.
    """
    last = last_published_revision(game)
    if last is None or not last.phase_number:
        return None, []
    rows = _candidates(game)
    return last, [row for row in rows if _problem(row, game, last.phase_number, last.phase) == ""]


def late_orders_to_accept(game: Game) -> list[InboundDelivery]:
    """Both: those that may be let in now, then those for which the phase published last is rolled back."""
    return [*waiting_late_orders(game), *resolved_late_orders(game)[1]]


def _candidates(game: Game) -> QuerySet[InboundDelivery]:
    found = InboundDelivery.objects.filter(
        mailbox__game=game, mailbox__purpose=MailboxPurpose.ORDERS, outcome__in=WAITING
    )
    return found.select_related("email", "mailbox__person").order_by("email__received_at", "pk")


def notify_late_orders(arrival: InboundDelivery, facts: Mapping[str, Any]) -> None:
    """The game masters learn of orders that came too late and may be let in, in the transaction that keeps
    them; `facts`: of the mail.
    """
    game, power, number = _game(arrival), arrival.mailbox.power, facts["number"]
    kind = "resolved_orders" if facts.get("why") in AFTER_RESOLUTION else "late_orders"
    times = PhaseRevision.objects.filter(game=game, phase_number=number).count()  # rolled back: late anew
    once = f"{kind}:{number}.{times}:{power}"
    recipients.notify_about_game(game, who_may_accept(game), kind, once, power=power)


def who_may_accept(game: Game) -> list[int]:
    """The game masters, by primary key of the persons; an assistant lets nothing in."""
    masters = GameMembership.objects.filter(game=game, role=GameRole.GAME_MASTER, left_at=None)
    return list(masters.values_list("person", flat=True))


def are_for_the_game_master(outcome: str, facts: Mapping[str, Any]) -> bool:
    """Whether a mail brought orders that only a game master can still let in."""
    meant = facts.get("why") in AFTER_RESOLUTION and "lines" in facts
    return outcome == MailOutcome.LATE or (outcome == MailOutcome.OTHER_PHASE and meant)


def grant_late_orders(arrival: InboundDelivery, by: Person) -> OrderSet:
    """Let late orders in: they are the sheet that counts, as received then; its player has a receipt.

    Asked twice, it is done once. Raises LateOrdersRefused, and OrdersRefusal where the game has moved on
    meanwhile.
    """
    row = _with_email(arrival)
    return _known(row) or _grant(row, by, _read_waiting(row))


def roll_back_and_grant(
    arrival: InboundDelivery, ground: ExpectedRevision, hand: GameMasterActor, now: datetime
) -> OrderSet:
    """Roll back the phase published last, and let in the orders that came too late for it: both or neither.

    Asked twice, it is done once. Raises LateOrdersRefused, OrdersRefusal, GameMasterRefusal (moved, first)
    and QuestionRefusal.
    """
    row = _with_email(arrival)
    if (known := _known(row)) is not None:
        return known
    prepared, granted = _read_waiting(row), list[OrderSet]()
    phase_corrections.roll_back_phase(
        _game(row),
        ground,
        hand=hand,
        now=now,
        then=lambda: granted.append(_grant(row, hand.person, prepared)),
    )
    return granted[-1]


def _with_email(arrival: InboundDelivery) -> InboundDelivery:
    found = InboundDelivery.objects.select_related("email", "mailbox__game", "mailbox__person")
    return found.get(pk=arrival.pk)


def _read_waiting(row: InboundDelivery) -> OrderPreparation | None:
    """The orders as they are understood, outside of the transaction in which they are told."""
    facts = row.facts
    if row.outcome not in WAITING or "lines" not in facts or row.mailbox.person is None:
        return None
    with email_queue.reader_locale(row.mailbox.person):
        prepared = order_replies.read_order_set(
            _game(row), facts["number"], row.mailbox.power, facts["lines"]
        )
        if prepared is not None:
            order_texts.missing_orders_text(prepared)
    return prepared


def _game(row: InboundDelivery) -> Game:
    game = row.mailbox.game
    assert game is not None
    return game


def _known(row: InboundDelivery) -> OrderSet | None:
    if row.outcome != MailOutcome.GRANTED:
        return None
    return order_submission.order_set_by_key(_game(row), row.mailbox.power, order_set_key(row))


def _problem(row: InboundDelivery, game: Game, number: int, phase: str) -> str:
    """Why a mail cannot be let in for a phase: one of the codes of LateOrdersRefused; "" where it can."""
    facts, power = row.facts, row.mailbox.power
    if row.outcome not in WAITING or "lines" not in facts:
        return "not_late"
    if (facts["number"], facts["phase"]) != (number, phase):
        return "published"
    if recipients.player_ids_of(game, power) != [row.mailbox.person_id]:
        return "not_yours"
    return "later" if is_overtaken(row, order_submission.counting_order_sets(game, number).get(power)) else ""


def is_overtaken(row: InboundDelivery, standing: OrderSet | None) -> bool:
    """Whether the sheet that counts was handed in after a mail; a draft taken at the deadline was not."""
    return (
        standing is not None and standing.origin != "draft" and standing.received_at > row.email.received_at
    )


@write_transaction
def _grant(row: InboundDelivery, by: Person, prepared: OrderPreparation | None) -> OrderSet:
    game = Game.objects.select_for_update().get(pk=_game(row).pk)
    row.refresh_from_db(fields=["outcome", "facts"])
    known = _known(row)
    if known is not None:
        return known
    is_open = game.state in RUNNING_STATES
    problem = _problem(row, game, game.phase_number, game.phase) if is_open else "published"
    if problem:
        raise LateOrdersRefused(problem)
    sheet = _handed(row, game)
    facts = {**row.facts, "receipt": sheet.receipt_number}
    InboundDelivery.objects.filter(pk=row.pk).update(outcome=MailOutcome.GRANTED, facts=facts)
    game_log.add_log_entry(
        game, GRANTED, role=GameRole.GAME_MASTER, by=by, power=sheet.power, phase=game.phase
    )
    _tell(row, sheet, prepared)
    return sheet


def _handed(row: InboundDelivery, game: Game) -> OrderSet:
    facts: dict[str, Any] = row.facts
    return order_submission.submit_orders(
        game,
        row.mailbox.power,
        facts["lines"],
        number=game.phase_number,
        key=order_set_key(row),
        origin=GRANTED,
        at=row.email.received_at,
        by=row.mailbox.person,
        final=bool(facts.get("final")),
    )


def _tell(row: InboundDelivery, sheet: OrderSet, prepared: OrderPreparation | None) -> None:
    """The receipt, to the address on file of whoever wrote it."""
    person = row.mailbox.person
    assert person is not None
    with email_queue.reader_locale(person):
        answer = OrderReply(sheet.game, sheet.power, prepared=prepared).granted(sheet)
    email_queue.queue_email(
        person,
        GRANTED,
        f"{GRANTED}:{row.content_digest}:{row.mailbox_id}",
        answer.subject,
        answer.text,
        game=sheet.game,
        power=sheet.power,
        mailbox=row.mailbox if row.mailbox.revoked_at is None else None,
        sender=sheet.game.name,
        thread=answer.thread,
        due=timezone.now(),
    )
