"""Hands over to a mail server what is to leave. Any number of processes may do so at once.

A mail is claimed by one conditional update, and looked at again just before it is handed over: it leaves if
its reader still may read it, for the address that he has on file at that moment. Between the server’s
answer and our mark lies one update: whoever dies there leaves a mail that is handed over again, as the same
bytes under the same Message-ID, by which a mail program knows it as one. Nothing is lost, and no mail is
handed over by two at once.
"""

from __future__ import annotations

import logging
import re
import smtplib
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta
from email import message_from_bytes
from email.message import Message
from typing import Any

from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.core.mail.backends import smtp
from django.db import DatabaseError
from django.db.models import Case, DateTimeField, DurationField, ExpressionWrapper, F, QuerySet, Value, When
from django.utils import timezone

from talleyrand.web.accounts import email_addresses
from talleyrand.web.accounts.models import Person
from talleyrand.web.claims import Counted, Queue, Sweep, each
from talleyrand.web.common import restore_note
from talleyrand.web.common.failpoints import failpoint
from talleyrand.web.common.transactions import write_transaction
from talleyrand.web.games.viewer_permissions import GameViewer
from talleyrand.web.mail.models import OutboundEmail, SendLock
from talleyrand.web.notifications.models import NotificationDelivery
from talleyrand.web.settings.mail_server import SENDS

from . import email_queue, message_builder, notification_digests
from .message_builder import BuiltEmail

CLAIM = timedelta(minutes=5)  # more than a server may take for one mail
MINUTE = timedelta(minutes=1)
AT_ONCE = 3.0  # seconds after which other work has its turn, and a stop is noticed
# Before a mail that was refused is handed over again: three days in all.
PAUSES = tuple(timedelta(minutes=length) for length in (1, 5, 15, 60, 180, 360, 720, 1440, 1440))
SHUT = tuple(timedelta(seconds=length) for length in (30, 60, 120, 300, 600))  # for a server out of order
BROKEN = 3  # mails in a row that a server breaks off at: it is out of order
MOVED = timedelta(hours=1)  # a copy put back sooner is a site that moves, whose mail has not left yet
LONGEST_REFUSAL = 500
OUT = "out"

# Who lets whom go first: as if a mail had come so much later. So nobody waits for ever.
PRIORITY_DELAYS = {
    email_queue.ANSWER: timedelta(0),
    message_builder.LETTER: timedelta(minutes=5),
    message_builder.NEWS: timedelta(minutes=15),
    email_queue.OFFICE: timedelta(minutes=15),  # anybody may write to postmaster@
}
OTHERS = timedelta(minutes=1)  # reports, reminders
FLOODED = timedelta(minutes=20)

# Codes of servers: that we are unknown there, that they close; and of reasons that may be mended.
UNKNOWN_THERE, CLOSING = (530, 534, 535, 538), (421, 454)
POLICY, TOO_LARGE = re.compile(r"\s*[45]\.7\."), 552
STATUS = re.compile(r"\s*([245]\.\d{1,3}\.\d{1,3})\b")

# Why a mail never leaves; `email_queue.drop_reason_text` says it.
INACTIVE, NO_ADDRESS, NO_LONGER = "inactive", "no_address", "no_longer_his"
UNDELIVERABLE, REFUSED, RESTORED = email_queue.UNDELIVERABLE, "refused", "restored"

logger = logging.getLogger(__name__)


def send_due_now() -> None:
    """What a call for the mail does."""
    send_due_emails(timezone.now())


def send_due_emails(now: datetime) -> int:
    """Hand over what is due, as fast as the pace allows; how many mails have left.

    News that are due are made into mails first. Without a mail server nothing happens.
    """
    if not settings.HAS_MAIL:
        return 0
    _reckon_restored(now)
    notification_digests.queue_digests(now)
    with_us = EmailSender(now)
    try:
        return with_us.send_due()
    finally:
        with_us.close()


# what waits


def _due(now: datetime) -> QuerySet[OutboundEmail]:
    return _in_turn(OutboundEmail.objects.filter(sent_at=None, drop_reason="", due_at__lte=now))


def _in_turn(waiting: QuerySet[OutboundEmail]) -> QuerySet[OutboundEmail]:
    """Answers to orders, reports, letters, news; what has waited long enough goes before all."""
    known = [When(is_of_flood=True, then=Value(FLOODED))]
    known += [When(kind=kind, then=Value(length)) for kind, length in PRIORITY_DELAYS.items()]
    patience = Case(*known, default=Value(OTHERS), output_field=DurationField())
    turn = ExpressionWrapper(F("due_at") + patience, output_field=DateTimeField())
    return waiting.annotate(turn=turn).order_by("turn", "pk")


def _may_leave(now: datetime) -> bool:
    """Whether the server takes mail, and the pace is not reached; all processes wait for each other here."""
    gate, _new = SendLock.objects.select_for_update().get_or_create(name=OUT)
    handed_over = OutboundEmail.objects.filter(attempted_at__range=(now - MINUTE, now + MINUTE))
    is_shut = gate.closed_until is not None and gate.closed_until > now
    return not is_shut and handed_over.count() < settings.MAILS_PER_MINUTE


# one that carries


class EmailSender:
    """Takes mail after mail to the server over one connection, from the moment `now`."""

    def __init__(self, now: datetime) -> None:
        queue = Queue(
            _due,
            each(self._send_row),
            CLAIM,
            "a mail that leaves",
            seconds=AT_ONCE,
            at_a_look=1,
            counted=Counted.ABANDONED,
            most_attempts=len(PAUSES),
            exhausted=lambda _sweep, row: self._drop(row, UNDELIVERABLE),
            pauses=PAUSES,
            failed=lambda _sweep, _row: self.close(),  # a line that may stand in the middle of a mail
            may_claim=_may_leave,
            noted_in="attempted_at",
            is_secret=True,  # what is said of a problem may name an address
            database_failures=1,
        )
        self.sweep = Sweep(queue, now)
        self._broken = 0
        self._line: Any = None

    def send_due(self) -> int:
        """Until nothing is due, the pace is reached or the server refuses; how many mails have left."""
        return self.sweep.run()

    def _send_row(self, _sweep: Sweep, row: OutboundEmail) -> bool:
        """Hand over one mail, or shut the gate where the server takes none; whether it has left."""
        failpoint("mail out: claimed")
        try:
            self._open()
        except OSError as problem:  # all of smtplib’s too
            logger.error("mail cannot leave: %s", _failure_text(problem))  # noqa: TRY400 it may name an address
            self.close()
            self._release(row)
            return self._end()
        failpoint("mail out: connected")
        sealed = self._looked_at(row)
        failpoint("mail out: sealed")
        return sealed is not None and self._hand_over(row, sealed)

    def _end(self) -> bool:
        _shut(self.sweep.now)
        self.sweep.is_over = True
        return False

    def _looked_at(self, row: OutboundEmail) -> BuiltEmail | None:
        """The mail as it leaves now; None where it must not, or fails to be written."""
        fresh = OutboundEmail.objects.filter(
            pk=row.pk, claimed_by=row.claimed_by, sent_at=None, drop_reason=""
        )
        found = fresh.select_related("person", "game", "reply_mailbox").first()
        if found is None:  # withdrawn meanwhile, or another’s since we took so long
            self._release(row)
            return None
        try:
            to = _address(found)
            return message_builder.build_email(found, to)
        except NotDeliverable as gone:
            self._drop(row, gone.code)
        except DatabaseError:
            raise
        except Exception as problem:  # noqa: BLE001 a fault of ours, which may be mended by then
            logger.error("mail %s could not be written: %s", row.pk, type(problem).__name__)  # noqa: TRY400
            self._later(row, "")
        return None

    def _hand_over(self, row: OutboundEmail, sealed: BuiltEmail) -> bool:
        try:
            self._line.send_messages([RawEmailMessage(sealed)])
        except smtplib.SMTPRecipientsRefused as refused:
            code, reply = next(iter(refused.recipients.values()))
            return self._refused(row, "RCPT", code, _text(reply), sealed.to)
        except smtplib.SMTPSenderRefused as refused:
            return self._refused(row, "MAIL", refused.smtp_code, _text(refused.smtp_error), sealed.to)
        except smtplib.SMTPResponseException as refused:
            return self._refused(row, "DATA", refused.smtp_code, _text(refused.smtp_error), sealed.to)
        except OSError as problem:  # the line broke: perhaps after the mail was taken
            return self._broke(row, _failure_text(problem))
        failpoint("mail out: handed over")
        _mark(row, self.sweep.now)
        failpoint("mail out: marked")
        self._heard()
        return True

    def _refused(self, row: OutboundEmail, stage: str, code: int, reply: str, to: str) -> bool:
        logger.warning("mail %s is refused at %s with %s", row.pk, stage, code)
        if code in UNKNOWN_THERE or (stage == "MAIL" and code in CLOSING):
            self.close()
            # behind the others, should it be its own fault
            self._leave(row, attempted_at=None, due_at=self.sweep.now + SHUT[0])
            return self._end()
        if code in CLOSING or (stage == "MAIL" and code != TOO_LARGE):
            return self._broke(row, f"{code} {reply}")
        self._heard()
        if code < 500 or POLICY.match(reply):
            self._later(row, f"{code} {reply}")
        else:
            self._drop(row, REFUSED, f"{code} {reply}")
            if stage == "RCPT":
                _count_refusal(row, to, self.sweep.now, reply)
        return False

    def _broke(self, row: OutboundEmail, reply: str) -> bool:
        """No answer on this mail: one that a server breaks off at again and again is tried more and more
        seldom; several in a row are the server’s affair.
        """
        logger.warning("mail %s was broken off", row.pk)
        self.close()
        self._later(row, reply)
        self._broken += 1
        return self._end() if self._broken >= BROKEN else False

    def _heard(self) -> None:
        self._broken = 0
        if SendLock.objects.filter(name=OUT, failure_count__gt=0).exists():
            SendLock.objects.filter(name=OUT).update(failure_count=0, closed_until=None)

    # what is written down: at most one update each

    def _later(self, row: OutboundEmail, reply: str) -> None:
        if not _insist(lambda: self.sweep.put_off(row, server_reply=_storable_reply(reply))):
            self._drop(row, UNDELIVERABLE, reply)

    def _leave(self, row: OutboundEmail, **changed: Any) -> None:
        _insist(lambda: self.sweep.leave(row, **changed))

    def _release(self, row: OutboundEmail) -> None:
        self._leave(row, attempted_at=None)

    def _drop(self, row: OutboundEmail, code: str, reply: str = "") -> int:
        unsent = {} if reply else {"attempted_at": None}

        def drop() -> None:
            self.sweep.leave(row, drop_reason=code, server_reply=_storable_reply(reply), **unsent)
            if code in (UNDELIVERABLE, REFUSED):
                email_queue.tell_inviter(row)

        _insist(drop)
        return 0

    # the line

    def _open(self) -> None:
        if self._line is None:
            self._line = SmtpBackend() if settings.EMAIL_BACKEND == SENDS else get_connection()
            self._line.open()

    def close(self) -> None:
        """Hang up, if need be; a line that is broken already is no fault."""
        line, self._line = self._line, None
        if line is not None:
            with suppress(OSError):
                line.close()


# who may have it


class NotDeliverable(Exception):
    """A mail must not leave: `inactive`, `no_address`, `no_longer_his` or `paused`."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def _address(row: OutboundEmail) -> str:
    """Where a mail goes now. Raises NotDeliverable."""
    person = row.person
    if person is None:
        return row.address
    if not person.is_active:
        raise NotDeliverable(INACTIVE)
    if not _still_his(row, person):
        raise NotDeliverable(NO_LONGER)
    to = email_addresses.confirmed_email(person)
    if not to:
        raise NotDeliverable(NO_ADDRESS)
    if email_queue.is_paused(person, to):
        raise NotDeliverable(email_queue.PAUSED_REASON)
    return to


def _still_his(row: OutboundEmail, person: Person) -> bool:
    """Whether he still plays what it concerns, runs the game, or may at least open it.

    An answer that concerns no power says what became of a mail of his own.
    """
    if row.game is None:
        return True
    sight = GameViewer(row.game, person)
    if row.power == "@":
        return sight.is_game_master
    if row.power:
        return row.power in sight.powers
    return row.kind == email_queue.ANSWER or sight.may_open


def _mark(row: OutboundEmail, now: datetime) -> None:
    """It has left, whoever has the claim now."""
    gone = OutboundEmail.objects.filter(pk=row.pk, sent_at=None)
    told = {"sent_at": now, "claimed_by": "", "claimed_until": None, "drop_reason": "", "server_reply": ""}
    _insist(lambda: gone.update(**told))


@write_transaction
def _insist(work: Callable[[], Any]) -> Any:
    done = work()
    failpoint("mail out: noted, not committed")
    return done


@write_transaction
def _shut(now: datetime) -> None:
    """The server takes no mail of anybody: all wait, longer from time to time, and none is counted."""
    gate, _new = SendLock.objects.select_for_update().get_or_create(name=OUT)
    gate.closed_until = now + SHUT[min(gate.failure_count, len(SHUT) - 1)]
    gate.failure_count += 1
    gate.save()


def _count_refusal(row: OutboundEmail, to: str, now: datetime, reply: str) -> None:
    if row.person is not None:
        found = STATUS.match(reply)
        email_queue.record_bounce(
            row.person, email_addresses.confirmed_email(row.person) or to, now, found[1] if found else ""
        )


def _text(reply: bytes | str) -> str:
    return reply.decode("utf-8", "replace") if isinstance(reply, bytes) else reply


def _storable_reply(reply: str) -> str:
    return reply.replace("\x00", "")[:LONGEST_REFUSAL]


def _failure_text(problem: OSError) -> str:
    """What failed, without what a server says: that may hold an address."""
    code = getattr(problem, "smtp_code", None) or problem.errno or ""
    return f"{type(problem).__name__} {code}".strip()


# through Django’s mail


class SmtpBackend(smtp.EmailBackend):
    """A connection to the server, which is greeted by the domain of our mail."""

    @property
    def connection_class(self) -> Any:
        kind: Any = super().connection_class

        def greeting(*where: Any, **how: Any) -> Any:
            return kind(*where, **{**how, "local_hostname": message_builder.message_domain()})

        return greeting

    def open(self) -> bool | None:
        """Connect and greet: what a server says to that is not about any mail."""
        new = super().open()
        if new and self.connection is not None:
            self.connection.ehlo_or_helo_if_needed()
        return new


class RawEmailMessage(EmailMessage):
    """A mail whose bytes are those that were sealed."""

    def __init__(self, sealed: BuiltEmail) -> None:
        super().__init__(from_email=sealed.envelope, to=[sealed.to])
        self._sealed = sealed

    def message(self, **_how: Any) -> Any:
        found = message_from_bytes(self._sealed.data, _class=_Bytes)
        found.sealed = self._sealed.data
        return found


class _Bytes(Message):
    sealed = b""

    def as_bytes(self, *_how: Any, **_more: Any) -> bytes:
        return self.sealed


# after a copy was put back


def _reckon_restored(now: datetime) -> None:
    """What a copy was to send, the site has sent since, if it served for an hour or more."""
    made = restore_note.read_note(settings.DATA)
    if made is None:
        return
    if now - made >= MOVED:
        _forget_waiting(now, now if made == restore_note.LONG_AGO else made + MOVED)
    restore_note.delete_note(settings.DATA)


@write_transaction
def _forget_waiting(now: datetime, before: datetime) -> None:
    """But for what came of it afterwards: a clock that begins again publishes at once."""
    mails = OutboundEmail.objects.filter(sent_at=None, drop_reason="", due_at__lte=now, created_at__lt=before)
    mails.update(drop_reason=RESTORED, claimed_by="")
    news = NotificationDelivery.objects.filter(
        channel=notification_digests.CHANNEL, sent_at=None, due_at__lte=now
    )
    news.filter(notification__created_at__lt=before).update(sent_at=now)
