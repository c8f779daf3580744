"""What became of a mail, in a sentence; and what is answered where nobody took it."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from talleyrand.web.mail.mail_outcomes import MailOutcome, MailReply
from talleyrand.web.mail.text_layout import prose

SENTENCES: dict[str, Promise] = {
    MailOutcome.TAKEN: _("The orders were handed in."),
    MailOutcome.NO_ORDERS: _("No orders were found in this mail: the sheet before it, if any, stands."),
    MailOutcome.LATE: _("The orders came after the deadline; the game master may still let them in."),
    MailOutcome.GRANTED: _("The orders came late, and the game master let them in."),
    MailOutcome.OVERTAKEN: _("The orders were delayed on their way: those handed in later stand."),
    MailOutcome.OTHER_PHASE: _("The orders are meant for a phase that is not open."),
    MailOutcome.NOT_BEGUN: _("The game has not begun."),
    MailOutcome.OVER: _("The game is over."),
    MailOutcome.NOT_YOURS: _("Somebody else plays this power now."),
    MailOutcome.UNFIT: _("The orders are too long, or hold damaged characters: none was taken."),
    MailOutcome.SENT: _("The letter was passed on."),
    MailOutcome.HELD: _("The letter waits for the game master."),
    MailOutcome.REFUSED: _("The letter was not passed on; the answer to it says why."),
    MailOutcome.NAMES_WRITER: _("The letter would tell who wrote it: it was not passed on."),
    MailOutcome.EMPTY: _("Nothing new was written in this mail."),
    MailOutcome.DONE: _("What the game master asked for is done."),
    MailOutcome.PARTLY_DONE: _("A part of what the game master asked for is done."),
    MailOutcome.NOT_UNDERSTOOD: _("What the game master asked for was not understood: nothing was done."),
    MailOutcome.JOINED: _("The seat is taken."),
    MailOutcome.NOT_JOINED: _("The seat could not be taken."),
    MailOutcome.REPEATED: _("The same mail came once more: it counts once."),
    MailOutcome.BOUNCE: _("A server reports a mail that could not be delivered."),
    MailOutcome.AUTOMATIC: _("An automatic reply: it was set aside."),
    MailOutcome.LOOP: _("A mail of this site that came back: it was set aside."),
    MailOutcome.ENCRYPTED: _("The mail is encrypted: nobody here can read it."),
    MailOutcome.SPAM: _("A server marked this mail as unwanted: it was not read."),
    MailOutcome.UNREADABLE: _("The mail could not be read."),
    MailOutcome.TOO_LARGE: _("The mail is too large."),
    MailOutcome.REVOKED: _("The address is no longer in use."),
    MailOutcome.FAULT: _("The mail could not be processed. It is kept."),
}
ANSWERS: dict[MailOutcome, tuple[Promise, Promise]] = {
    MailOutcome.ENCRYPTED: (
        _("Your mail is encrypted"),
        _(
            "Your mail is encrypted, and nobody here can read it. Nothing was done. Please send it "
            "unencrypted."
        ),
    ),
    MailOutcome.UNREADABLE: (
        _("Your mail could not be read"),
        _("Your mail could not be read, and nothing was done. Please write it again as plain text."),
    ),
    MailOutcome.SPAM: (
        _("Your mail was marked as unwanted"),
        _(
            "A mail server on the way marked your mail as unwanted: it was not read, and nothing was done. "
            "Please write it again in other words, without pictures or links."
        ),
    ),
    MailOutcome.REVOKED: (
        _("This address is no longer in use"),
        _(
            "Your mail went to an address that is no longer in use. Nothing was done. The new one is on the "
            "page of the game."
        ),
    ),
    MailOutcome.FAULT: (
        _("Your mail could not be processed"),
        _(
            "Your mail could not be processed, by a fault of this site. It is kept, and the game master has "
            "been told. Until you hear more, do it on the page of the game, or write once more."
        ),
    ),
}
ENOUGH = _(
    "You have had many answers in a few minutes: there are none for a while. Your mails are still read."
)
WAITING = _("The mail has not been read yet.")


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
