"""What servers send back: mails of ours that reached nobody.

The address for it is known to its person’s servers alone: a false report stops mails to whoever sent it.
"""

from __future__ import annotations

import re

from talleyrand.web.accounts import email_addresses
from talleyrand.web.common.transactions import write_transaction
from talleyrand.web.mail.mail_outcomes import MailOutcome, ProcessingResult
from talleyrand.web.mail.models import InboundDelivery, OutboundEmail
from talleyrand.web.mail.outbound import email_queue, message_builder
from talleyrand.web.mail.parsing import MessageClass, ParsedEmail

PERMANENT = "5"
# What was held against one mail: its words, its size, its form. Another may arrive.
OF_ONE_MAIL = ("5.2.3", "5.3.4", "5.6.", "5.7.")
OURS = re.compile(
    rb"^%s: *([A-Za-z0-9_-]{1,32})" % message_builder.TOKEN_HEADER.encode(), re.MULTILINE | re.IGNORECASE
)
MOST_MAILS = 10  # that a report tells of


def process_bounce(arrival: InboundDelivery, mail: ParsedEmail) -> ProcessingResult:
    """Count a mail that came back for good; what is only late, or written by anybody, changes nothing."""
    person = arrival.mailbox.person
    if mail.message_class != MessageClass.BOUNCE:
        return ProcessingResult(MailOutcome.AUTOMATIC)
    facts = {"status": mail.status[: email_queue.LONGEST_STATUS]}
    if person is None:
        return ProcessingResult(MailOutcome.BOUNCE, {**facts, "counted": _of_invitation(arrival, mail)})
    to = email_addresses.confirmed_email(person)
    if not to or not _is_final(mail) or not _is_about(arrival, mail, to):
        return ProcessingResult(MailOutcome.BOUNCE, {**facts, "counted": False})
    paused = email_queue.record_bounce(person, to, arrival.email.received_at, mail.status)
    return ProcessingResult(MailOutcome.BOUNCE, {**facts, "counted": True, "paused": paused})


@write_transaction
def _of_invitation(arrival: InboundDelivery, mail: ParsedEmail) -> bool:
    """Whether an invitation came back for good: then its page says so, and whoever invited is told."""
    invitation = int(arrival.mailbox.target)
    sent = OutboundEmail.objects.filter(reply_mailbox=invitation, person=None, drop_reason="")
    failed = [address.lower() for address in mail.failed]
    came_back = [one for one in sent.exclude(sent_at=None) if one.address.lower() in failed]
    if not came_back or not _is_final(mail):
        return False
    sent.filter(pk__in=[one.pk for one in came_back]).update(drop_reason=email_queue.UNDELIVERABLE)
    for one in came_back:
        email_queue.tell_inviter(one)
    return True


def _is_final(mail: ParsedEmail) -> bool:
    if mail.status.startswith(OF_ONE_MAIL):
        return False
    return bool(mail.failed) and (not mail.status or mail.status.startswith(PERMANENT))


def _is_about(arrival: InboundDelivery, mail: ParsedEmail, to: str) -> bool:
    """Whether it tells of the address on file; or of one that passes it on, where it holds a mail of ours."""
    if to.lower() in [one.lower() for one in mail.failed]:
        return True
    tokens = [found.decode() for found in OURS.findall(bytes(arrival.email.raw_bytes))[:MOST_MAILS]]
    since = arrival.email.received_at - email_queue.REVIVED_WITHIN
    sent = OutboundEmail.objects.filter(person=arrival.mailbox.person_id, sent_at__gt=since)
    return sent.filter(message_token__in=tokens).exists()
