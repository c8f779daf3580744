"""What became of a mail, in a sentence; and what is answered where nobody took it."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from talleyrand.web.mail.mail_outcomes import MailOutcome, MailReply
from talleyrand.web.mail.mail_templates import render_mail

SENTENCES: dict[str, Promise] = {
    MailOutcome.TAKEN: _("The orders were received."),
    MailOutcome.NO_ORDERS: _("No orders found in this email; earlier orders, if any, still count."),
    MailOutcome.LATE: _("The orders arrived after the deadline; only the GM can still accept them."),
    MailOutcome.GRANTED: _("The orders were late; the GM accepted them."),
    MailOutcome.OVERTAKEN: _("The orders were delayed on their way; newer ones count."),
    MailOutcome.OTHER_PHASE: _("The orders don’t fit the current phase."),
    MailOutcome.NOT_BEGUN: _("The game has not started."),
    MailOutcome.OVER: _("The game is over."),
    MailOutcome.NOT_YOURS: _("The sender cannot use this address now."),
    MailOutcome.UNFIT: _("The text is too long or contains damaged characters: nothing was accepted."),
    MailOutcome.SENT: _("The message was sent."),
    MailOutcome.HELD: _("The message is waiting for the game master."),
    MailOutcome.REFUSED: _("The message was not sent; the reply to it says why."),
    MailOutcome.NAMES_WRITER: _("The message would reveal who wrote it, so it was not sent."),
    MailOutcome.EMPTY: _("There was no new text in this email."),
    MailOutcome.DONE: _("The GM’s commands were carried out."),
    MailOutcome.PARTLY_DONE: _("Not all of the GM’s commands were carried out."),
    MailOutcome.NOT_UNDERSTOOD: _("The email was not understood: nothing was done."),
    MailOutcome.JOINED: _("The player joined the game."),
    MailOutcome.NOT_JOINED: _("No seat was taken."),
    MailOutcome.REPEATED: _("Duplicate email: it counts only once."),
    MailOutcome.BOUNCE: _("A server reports that an email could not be delivered."),
    MailOutcome.AUTOMATIC: _("Automatic reply: ignored."),
    MailOutcome.LOOP: _("One of this site’s own emails came back: ignored."),
    MailOutcome.ENCRYPTED: _("The email is encrypted: no one here can read it."),
    MailOutcome.SPAM: _("A server flagged this email as spam: not read."),
    MailOutcome.UNREADABLE: _("The email could not be read."),
    MailOutcome.TOO_LARGE: _("The email is too large."),
    MailOutcome.REVOKED: _("The address is no longer in use."),
    MailOutcome.FAULT: _("The email could not be processed. It is kept."),
}
# What nobody takes and is answered all the same.
ANSWERED = (
    *(MailOutcome.ENCRYPTED, MailOutcome.UNREADABLE, MailOutcome.SPAM),
    *(MailOutcome.REVOKED, MailOutcome.FAULT),
)
WAITING = _("The email has not been read yet.")


def outcome_text(outcome: str) -> str:
    """What became of a mail, in the language in use; "" is one that waits to be read."""
    return str(SENTENCES[outcome] if outcome else WAITING)


def outcome_reply(outcome: MailOutcome) -> MailReply | None:
    """What is written back, in the language in use, where nobody took a mail; None: nothing is."""
    return MailReply(*render_mail("not_taken", outcome=outcome)) if outcome in ANSWERED else None


def last_reply_text(text: str) -> str:
    """An answer that says that there are none for a while."""
    return f"{text.rstrip()}\n\n{render_mail('last_reply')[1]}"
