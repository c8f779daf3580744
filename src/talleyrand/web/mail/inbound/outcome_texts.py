"""What became of a mail, in a sentence; and what is answered where nobody took it."""

from __future__ import annotations

from talleyrand.web.mail.coded_sentences import coded_sentence
from talleyrand.web.mail.mail_outcomes import MailOutcome, MailReply
from talleyrand.web.mail.mail_templates import render_mail

# What nobody takes and is answered all the same.
ANSWERED = (
    *(MailOutcome.ENCRYPTED, MailOutcome.UNREADABLE, MailOutcome.SPAM),
    *(MailOutcome.REVOKED, MailOutcome.FAULT),
)


def outcome_text(outcome: str) -> str:
    """What became of a mail, in the language in use; "" is one that waits to be read."""
    return coded_sentence("outcome", outcome or "waiting")


def outcome_reply(outcome: MailOutcome) -> MailReply | None:
    """What is written back, in the language in use, where nobody took a mail; None: nothing is."""
    return MailReply(*render_mail("not_taken", outcome=outcome)) if outcome in ANSWERED else None


def last_reply_text(text: str) -> str:
    """An answer that says that there are none for a while."""
    return f"{text.rstrip()}\n\n{render_mail('last_reply')[1]}"
