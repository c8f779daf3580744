"""What became of a mail, in a sentence; and what is answered where nobody took it."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from talleyrand.web.mail.mail_outcomes import MailOutcome, MailReply
from talleyrand.web.mail.text_layout import prose

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
ANSWERS: dict[MailOutcome, tuple[Promise, Promise]] = {
    MailOutcome.ENCRYPTED: (
        _("Your email is encrypted"),
        _(
            "Your email is encrypted: no one here can read it, and nothing was done. Please "
            "send it unencrypted."
        ),
    ),
    MailOutcome.UNREADABLE: (
        _("Your email could not be read"),
        _("Your email could not be read, and nothing was done. Please send it again as plain text."),
    ),
    MailOutcome.SPAM: (
        _("Your email was flagged as spam"),
        _(
            "A mail server flagged your email as spam: it was not read, and nothing was "
            "done. Please reword it, without images or links, and send it again."
        ),
    ),
    MailOutcome.REVOKED: (
        _("This address is no longer in use"),
        _(
            "You wrote to an address that is no longer in use. Nothing was done. The new one "
            "is on the game’s page."
        ),
    ),
    MailOutcome.FAULT: (
        _("Your email could not be processed"),
        _(
            "Your email could not be processed; the fault is ours. It is kept and has been "
            "reported. In the meantime, use the game’s page or send it again."
        ),
    ),
}
ENOUGH = _(
    "You have had many replies in a few minutes, so there will be none for a while. Your "
    "emails are still read."
)
WAITING = _("The email has not been read yet.")


def outcome_text(outcome: str) -> str:
    """What became of a mail, in the language in use; "" is one that waits to be read."""
    return str(SENTENCES[outcome] if outcome else WAITING)


def outcome_reply(outcome: MailOutcome) -> MailReply | None:
    """What is written back, in the language in use, where nobody took a mail; None: nothing is."""
    found = ANSWERS.get(outcome)
    return MailReply(str(found[0]), _paragraph(found[1])) if found else None


def last_reply_text(text: str) -> str:
    """An answer that says that there are none for a while."""
    return f"{text.rstrip()}\n\n{_paragraph(ENOUGH)}"


def _paragraph(text: Promise) -> str:
    return "\n".join(prose(str(text))) + "\n"
