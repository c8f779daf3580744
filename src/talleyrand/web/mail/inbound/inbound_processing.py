"""Reads the mail that is kept, each once: hands it to whoever answers for its address, and says what came
of it.

The mails of one address are read in the order in which they were received, one after another. Whoever dies
in the middle leaves a claim that soon ends; what was done until then is done once.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Case, Exists, OuterRef, Q, QuerySet, When
from django.utils import timezone, translation

from talleyrand.web.accounts.models import Person
from talleyrand.web.claims import Counted, Queue, Sweep, each
from talleyrand.web.common.failpoints import failpoint
from talleyrand.web.common.model_fields import json_text
from talleyrand.web.common.transactions import write_transaction
from talleyrand.web.games import recipients, unread_email_orders
from talleyrand.web.mail import mailboxes, parsing
from talleyrand.web.mail.conversations import message_mail
from talleyrand.web.mail.gm import gm_mail
from talleyrand.web.mail.invitations import joining_by_mail
from talleyrand.web.mail.mail_outcomes import MailOutcome, MailReply, ProcessingResult
from talleyrand.web.mail.mail_templates import render_mail
from talleyrand.web.mail.mailed_orders import late_orders, order_mail
from talleyrand.web.mail.models import (
    EmailInvitation,
    InboundDelivery,
    Mailbox,
    MailboxPurpose,
    OutboundEmail,
)
from talleyrand.web.mail.outbound import email_queue
from talleyrand.web.mail.parsing import MessageClass, ParsedEmail

from . import bounce_mail, inbound_storage, office_mail, outcome_texts

MailHandler = Callable[[InboundDelivery, ParsedEmail], ProcessingResult]

CLAIM = timedelta(seconds=30)  # after which a worker is taken for dead
SLOW = 1.0  # seconds that one mail takes, after which the orders that have come meanwhile go first
PAUSES = tuple(timedelta(seconds=length) for length in (2, 10, 30, 60))  # before what failed is tried again
ATTEMPTS = len(PAUSES) + 1
MANY, WHILE = 20, timedelta(minutes=10)  # answers to one person
DAY = timedelta(days=1)  # for as many answers that nothing was done: two machines do not talk for ever
RECITED = 10  # letters of the same words to the same in a day
FRUITLESS = frozenset(
    {
        MailOutcome.NO_ORDERS,
        MailOutcome.EMPTY,
        MailOutcome.NOT_UNDERSTOOD,
        MailOutcome.UNFIT,
        MailOutcome.REFUSED,
        MailOutcome.NOT_BEGUN,
        MailOutcome.OVER,
        MailOutcome.NOT_YOURS,
        MailOutcome.REVOKED,
        MailOutcome.ENCRYPTED,
        MailOutcome.UNREADABLE,
        MailOutcome.SPAM,
    }
)
ANSWER, FAULT = email_queue.ANSWER, "fault"  # kinds of departures
PUT_OFF, WORDS = "put off", "words"

HANDLERS: dict[str, MailHandler] = {
    MailboxPurpose.ORDERS: order_mail.process_orders,
    MailboxPurpose.MESSAGE: message_mail.process_message,
    MailboxPurpose.DESK: gm_mail.process_gm_mail,
    MailboxPurpose.INVITATION: joining_by_mail.process_reply,
    MailboxPurpose.BOUNCE: bounce_mail.process_bounce,
    MailboxPurpose.OFFICE: office_mail.process_office_mail,
}
ENDS = {
    MessageClass.BOUNCE: MailOutcome.BOUNCE,
    MessageClass.AUTOMATIC: MailOutcome.AUTOMATIC,
    MessageClass.LOOP: MailOutcome.LOOP,
    MessageClass.ENCRYPTED: MailOutcome.ENCRYPTED,
    MessageClass.UNREADABLE: MailOutcome.UNREADABLE,
}

logger = logging.getLogger(__name__)


def process_due_mail(now: datetime) -> int:
    """Read what waits to be read; how many mails were sorted."""
    return Sweep(QUEUE, now).run()


def _open_deliveries(_now: datetime) -> QuerySet[InboundDelivery]:
    rows = InboundDelivery.objects.filter(outcome="")
    return rows.select_related("email", "mailbox__game", "mailbox__person").defer("email__raw_bytes")


def _due(now: datetime) -> QuerySet[InboundDelivery]:
    """The first mail of each address that waits; orders first, for which clocks wait."""
    before = InboundDelivery.objects.filter(mailbox=OuterRef("mailbox"), outcome="").filter(
        Q(email__received_at__lt=OuterRef("email__received_at"))
        | Q(email__received_at=OuterRef("email__received_at"), pk__lt=OuterRef("pk"))
    )
    orders_first = Case(When(mailbox__purpose=MailboxPurpose.ORDERS, then=0), default=1)
    return _open_deliveries(now).filter(~Exists(before)).order_by(orders_first, "pk")


def _process_arrival(sweep: Sweep, arrival: InboundDelivery) -> bool:
    """Read a mail and say what came of it; one that fails is tried again later, and stops no other."""
    failpoint("sorting: claimed")
    with _speaking(arrival.mailbox):
        result = _come_to(arrival)
        done = record_outcome(arrival, result, sweep.started_at)
        failpoint("sorting: committed")
        return done


def _give_up(sweep: Sweep, arrival: InboundDelivery) -> bool:
    logger.error("mail %s has failed %s times: it is kept, and left alone", arrival.pk, ATTEMPTS)
    with _speaking(arrival.mailbox):
        answer = outcome_texts.outcome_reply(MailOutcome.FAULT)
        return record_outcome(arrival, ProcessingResult(MailOutcome.FAULT, answer=answer), sweep.started_at)


def _put_back(sweep: Sweep, arrival: InboundDelivery) -> None:
    """Leave a mail for later: its claim ends by itself where that cannot be written."""
    assert arrival.claimed_until is not None
    pause = PAUSES[min(arrival.attempts, len(PAUSES)) - 1]
    try:
        sweep.leave(arrival, rests_until=arrival.claimed_until - CLAIM + pause)
    except Exception:
        logger.exception("mail %s could not be put back", arrival.pk)


QUEUE = Queue(
    _due,
    each(_process_arrival),
    CLAIM,
    "mail",
    claimable=_open_deliveries,
    read_again_after=SLOW,
    counted=Counted.EVERY,
    most_attempts=ATTEMPTS,
    exhausted=_give_up,
    failed=_put_back,
)


# what a mail comes to


def _come_to(arrival: InboundDelivery) -> ProcessingResult:
    if _is_repeated(arrival):
        return ProcessingResult(MailOutcome.REPEATED)
    if _is_revoked(arrival.mailbox):
        return ProcessingResult(MailOutcome.REVOKED, answer=outcome_texts.outcome_reply(MailOutcome.REVOKED))
    mail = parsing.parse_email(bytes(arrival.email.raw_bytes))
    failpoint("sorting: read")
    outcome = _set_aside(arrival, mail)
    if outcome is not None:
        return ProcessingResult(outcome, answer=outcome_texts.outcome_reply(outcome))
    result = HANDLERS[arrival.mailbox.purpose](arrival, mail)
    failpoint("sorting: done as asked")
    if arrival.mailbox.purpose != MailboxPurpose.MESSAGE:
        return result
    return replace(result, facts={**result.facts, WORDS: _words(mail)})


def _set_aside(arrival: InboundDelivery, mail: ParsedEmail) -> MailOutcome | None:
    """Why a mail is not handed to whoever answers for its address."""
    if mail.message_class == MessageClass.PERSONAL:
        recited = MailOutcome.AUTOMATIC if _is_recited(arrival, mail) else None
        return MailOutcome.SPAM if mail.is_spam else recited
    if mail.is_from_list and arrival.mailbox.purpose == MailboxPurpose.ORDERS:
        return None if order_mail.holds_orders(arrival, mail) else MailOutcome.AUTOMATIC
    is_awaited = (
        mail.message_class == MessageClass.BOUNCE and arrival.mailbox.purpose == MailboxPurpose.BOUNCE
    )
    return None if is_awaited else ENDS[mail.message_class]


def _is_revoked(box: Mailbox) -> bool:
    """Whether an address lost its right while the mail waited; who was invited hears why."""
    if box.person is not None and not box.person.is_active:
        return True
    return box.revoked_at is not None and box.purpose != MailboxPurpose.INVITATION


def _is_recited(arrival: InboundDelivery, mail: ParsedEmail) -> bool:
    """Whether the same words have been written to the same over and over: so does a machine that answers
    letters and does not say that it is one.
    """
    if arrival.mailbox.purpose != MailboxPurpose.MESSAGE:
        return False
    told = InboundDelivery.objects.filter(mailbox=arrival.mailbox, processed_at__range=_lately(DAY))
    told = told.annotate(words=json_text(f"facts__{WORDS}"))
    return told.filter(words=_words(mail)).count() >= RECITED


def _words(mail: ParsedEmail) -> str:
    return hashlib.sha256(" ".join(mail.text.split()).encode("utf-8", "replace")).hexdigest()[:16]


def _is_repeated(arrival: InboundDelivery) -> bool:
    before = InboundDelivery.objects.filter(
        mailbox=arrival.mailbox_id, content_digest=arrival.content_digest
    ).exclude(pk=arrival.pk)
    return before.exclude(outcome__in=("", MailOutcome.REPEATED, MailOutcome.FAULT)).exists()


# what is written of it


@write_transaction
def record_outcome(arrival: InboundDelivery, result: ProcessingResult, now: datetime) -> bool:
    """Write what a mail came to, and its answer; False where another worker has done so."""
    mine = InboundDelivery.objects.filter(pk=arrival.pk, claimed_by=arrival.claimed_by, outcome="")
    done = {"outcome": result.outcome, "facts": {**arrival.facts, **result.facts}, "processed_at": now}
    if not mine.update(**done, claimed_by="", claimed_until=None):
        return False
    failpoint("sorting: outcome written")
    read_at = max(now, timezone.now())  # the sweep may have begun before a deadline that is over by now
    unread_email_orders.orders_were_read(inbound_storage.delivery_key(arrival), read_at)
    failpoint("sorting: clock told")
    if result.answer is not None:
        _reply(arrival, result.outcome, result.answer)
    if result.outcome == MailOutcome.FAULT:
        _warn_masters(arrival)
    if late_orders.are_for_the_game_master(result.outcome, result.facts):
        late_orders.notify_late_orders(arrival, result.facts)
    return True


def _reply(arrival: InboundDelivery, outcome: MailOutcome, answer: MailReply) -> None:
    """To the address on file, and to nobody that the mail names."""
    box = arrival.mailbox
    if box.person is None:
        _reply_to_guest(arrival, outcome, answer)
        return
    before = max(_answers(box.person, box), _fruitless(box) - 1 if outcome in FRUITLESS else 0)
    if before < MANY:
        last = before == MANY - 1
        text = outcome_texts.last_reply_text(answer.text) if last else answer.text
        _queue(arrival, outcome, replace(answer, text=text), _once(arrival, outcome))
        if outcome not in FRUITLESS:
            _waiting(box).delete()
    elif box.purpose == MailboxPurpose.ORDERS and outcome not in FRUITLESS:
        _put_off(arrival, outcome, answer)


def _put_off(arrival: InboundDelivery, outcome: MailOutcome, answer: MailReply) -> None:
    """Whoever has had many answers learns a while later what became of his last orders."""
    subject = email_queue.on_one_line(answer.subject)[: email_queue.LONGEST_SUBJECT]
    if not _waiting(arrival.mailbox).update(subject=subject, text=answer.text):
        once, due = f"{PUT_OFF}:{_once(arrival, outcome)}", timezone.now() + WHILE
        _queue(arrival, outcome, answer, once, due)


def _waiting(box: Mailbox) -> QuerySet[OutboundEmail]:
    """The answer that was put off, until somebody takes it away."""
    found = OutboundEmail.objects.filter(
        person=box.person, reply_mailbox=box, idempotency_key__startswith=f"{PUT_OFF}:"
    )
    return found.filter(sent_at=None, drop_reason="", claimed_by="")


def _queue(
    arrival: InboundDelivery, outcome: MailOutcome, answer: MailReply, once: str, due: datetime | None = None
) -> None:
    box = arrival.mailbox
    assert box.person is not None
    email_queue.queue_email(
        box.person,
        ANSWER,
        once,
        answer.subject,
        answer.text,
        due=due,
        game=box.game,
        power=""
        if outcome in (MailOutcome.NOT_YOURS, MailOutcome.JOINED, MailOutcome.NOT_JOINED)
        else box.power,
        mailbox=_answered_at(box, answer),
        sender=_signature(box),
        thread=answer.thread,
    )


def _answered_at(box: Mailbox, answer: MailReply) -> Mailbox | None:
    """Where answering the answer goes: a letter to several came to the addresses of each of them, and an
    address may have been renewed by the mail itself.
    """
    if box.revoked_at is not None:
        return None
    if box.person is None:
        return box
    target = answer.reply_target or box.target
    return mailboxes.get_mailbox(MailboxPurpose(box.purpose), box.game, box.person, box.power, target)


def _reply_to_guest(arrival: InboundDelivery, outcome: MailOutcome, answer: MailReply) -> None:
    """Somebody without an account, who was invited by the address that the mailbox names."""
    box = arrival.mailbox
    recent = OutboundEmail.objects.filter(address=box.target, kind=ANSWER, created_at__range=_lately(DAY))
    if (
        box.target and box.revoked_at is None and recent.count() < MANY
    ):  # who declined is not written to again
        OutboundEmail.objects.get_or_create(
            person=None,
            address=box.target,
            idempotency_key=_once(arrival, outcome),
            defaults={
                "game": box.game,
                "kind": ANSWER,
                "reply_mailbox": box,
                "sender_name": _signature(box),
                "subject": email_queue.on_one_line(answer.subject)[: email_queue.LONGEST_SUBJECT],
                "text": answer.text,
                "thread": answer.thread,
            },
        )


def _once(arrival: InboundDelivery, outcome: MailOutcome) -> str:
    """One mail has one answer; one that failed may come again, and has another then."""
    kind = FAULT if outcome == MailOutcome.FAULT else ANSWER
    return f"{kind}:{arrival.content_digest}:{arrival.mailbox_id}"


def _answers(person: Person, box: Mailbox) -> int:
    """How many he has had lately: however many letters he writes, his orders have their receipts."""
    to_orders = Q(reply_mailbox__purpose=MailboxPurpose.ORDERS)
    found = OutboundEmail.objects.filter(person=person, kind=ANSWER, created_at__range=_lately(WHILE))
    return found.filter(to_orders if box.purpose == MailboxPurpose.ORDERS else ~to_orders).count()


def _fruitless(box: Mailbox) -> int:
    """How many mails came to an address lately of which nothing came."""
    return InboundDelivery.objects.filter(
        mailbox=box, outcome__in=FRUITLESS, processed_at__range=_lately(DAY)
    ).count()


def _lately(length: timedelta) -> tuple[datetime, datetime]:
    """What a clock that was put back has written since is none of it."""
    now = timezone.now()
    return now - length, now


def _signature(box: Mailbox) -> str:
    return box.game.name if box.game is not None else ""


def _warn_masters(arrival: InboundDelivery) -> None:
    """Those who run the game learn that a mail to it waits; not whose, nor what it says."""
    game = arrival.mailbox.game
    if game is None:
        return
    for person in Person.objects.filter(pk__in=recipients.game_master_ids(game)):
        with email_queue.reader_locale(person):
            written = render_mail("unprocessed", game=game.name, number=arrival.pk)
            once = f"{FAULT}:{arrival.pk}:{person.pk}"
            email_queue.queue_email(person, FAULT, once, *written, game=game, power="@", sender=game.name)


@contextmanager
def _speaking(box: Mailbox) -> Iterator[None]:
    """The language of whoever reads the answer."""
    if box.person is not None:
        with email_queue.reader_locale(box.person):
            yield
        return
    offer = EmailInvitation.objects.filter(mailbox=box).first()
    with translation.override(offer.language if offer else settings.DOMAIN_LANGUAGES[""]):
        yield
