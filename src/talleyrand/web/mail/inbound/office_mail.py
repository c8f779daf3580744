"""Mail to `postmaster@` and `abuse@`: passed on to those who run the site, and answered by nobody else."""

from __future__ import annotations

import logging
from datetime import timedelta

from talleyrand.web.accounts import email_addresses
from talleyrand.web.accounts.models import Person
from talleyrand.web.common.model_fields import json_text
from talleyrand.web.mail.mail_outcomes import MailOutcome, ProcessingResult
from talleyrand.web.mail.mail_templates import render_mail
from talleyrand.web.mail.models import InboundDelivery
from talleyrand.web.mail.outbound import email_queue
from talleyrand.web.mail.parsing.parsed_email import ParsedEmail

LONGEST = 20_000  # of the text that is passed on
# Anybody may write there, and each mail becomes one for every administrator.
MOST, WITHIN = 20, timedelta(days=1)

logger = logging.getLogger(__name__)


def process_office_mail(arrival: InboundDelivery, mail: ParsedEmail) -> ProcessingResult:
    """Write what it says to each administrator with an address on file; the same mail again once."""
    if _has_had_many(arrival):
        logger.warning("mail %s to the site is kept and not passed on: many came today", arrival.pk)
        return ProcessingResult(MailOutcome.PASSED_ON, {"administrators": 0})
    told = 0
    for person in Person.objects.filter(is_administrator=True, is_active=True):
        with email_queue.reader_locale(person):
            subject, text = render_mail(
                "to_administrators",
                sender=arrival.email.envelope_sender,
                subject_line=mail.subject,
                words=mail.text[:LONGEST],
            )
            email_queue.queue_email(person, email_queue.OFFICE, f"office:{arrival.pk}", subject, text)
            told += bool(email_addresses.confirmed_email(person))
    if not told:
        logger.error("mail %s to the site reached nobody: no administrator has an address", arrival.pk)
    return ProcessingResult(MailOutcome.PASSED_ON, {"administrators": told})


def _has_had_many(arrival: InboundDelivery) -> bool:
    """Whether so many were passed on within a day that the rest is kept alone."""
    before = InboundDelivery.objects.filter(mailbox=arrival.mailbox_id, outcome=MailOutcome.PASSED_ON)
    received = arrival.email.received_at
    lately = before.filter(email__received_at__range=(received - WITHIN, received))
    return lately.annotate(told=json_text("facts__administrators")).exclude(told="0").count() >= MOST
