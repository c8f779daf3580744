"""Mail to `postmaster@` and `abuse@`: passed on to those who run the site, and answered by nobody else."""

from __future__ import annotations

import logging

from talleyrand.web.accounts import email_addresses
from talleyrand.web.accounts.models import Person
from talleyrand.web.mail.mail_outcomes import MailOutcome, ProcessingResult
from talleyrand.web.mail.mail_templates import render_mail
from talleyrand.web.mail.models import InboundDelivery
from talleyrand.web.mail.outbound import email_queue
from talleyrand.web.mail.parsing.parsed_email import ParsedEmail

LONGEST = 20_000  # of the text that is passed on

logger = logging.getLogger(__name__)


def process_office_mail(arrival: InboundDelivery, mail: ParsedEmail) -> ProcessingResult:
    """Write what it says to each administrator with an address on file; the same mail again once."""
    told = 0
    for person in Person.objects.filter(is_administrator=True, is_active=True):
        with email_queue.reader_locale(person):
            subject, text = render_mail(
                "to_administrators",
                sender=arrival.email.envelope_sender,
                subject_line=mail.subject,
                words=mail.text[:LONGEST],
            )
            email_queue.queue_email(person, "office", f"office:{arrival.pk}", subject, text)
            told += bool(email_addresses.confirmed_email(person))
    if not told:
        logger.error("mail %s to the site reached nobody: no administrator has an address", arrival.pk)
    return ProcessingResult(MailOutcome.PASSED_ON, {"administrators": told})
