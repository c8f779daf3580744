"""What became of a mail, in a sentence; and what is answered where nobody took it."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from talleyrand.web.mail.layout import prose
from talleyrand.web.mail.outcomes import Answer, Outcome

SENTENCES: dict[str, Promise] = {
    Outcome.TAKEN: _("The orders were handed in."),
    Outcome.NO_ORDERS: _("No orders were found in this mail: the sheet before it, if any, stands."),
    Outcome.LATE: _("The orders came after the deadline; the game master may still let them in."),
    Outcome.GRANTED: _("The orders came late, and the game master let them in."),
    Outcome.OVERTAKEN: _("The orders were delayed on their way: those handed in later stand."),
    Outcome.OTHER_PHASE: _("The orders are meant for a phase that is not open."),
    Outcome.NOT_BEGUN: _("The game has not begun."),
    Outcome.OVER: _("The game is over."),
    Outcome.NOT_YOURS: _("Somebody else plays this power now."),
    Outcome.UNFIT: _("The orders are too long, or hold damaged characters: none was taken."),
    Outcome.SENT: _("The letter was passed on."),
    Outcome.HELD: _("The letter waits for the game master."),
    Outcome.REFUSED: _("The letter was not passed on; the answer to it says why."),
    Outcome.NAMES_WRITER: _("The letter would tell who wrote it: it was not passed on."),
    Outcome.EMPTY: _("Nothing new was written in this mail."),
    Outcome.DONE: _("What the game master asked for is done."),
    Outcome.PARTLY_DONE: _("A part of what the game master asked for is done."),
    Outcome.NOT_UNDERSTOOD: _("What the game master asked for was not understood: nothing was done."),
    Outcome.JOINED: _("The seat is taken."),
    Outcome.NOT_JOINED: _("The seat could not be taken."),
    Outcome.REPEATED: _("The same mail came once more: it counts once."),
    Outcome.BOUNCE: _("A server reports a mail that could not be delivered."),
    Outcome.AUTOMATIC: _("An automatic reply: it was set aside."),
    Outcome.LOOP: _("A mail of this site that came back: it was set aside."),
    Outcome.ENCRYPTED: _("The mail is encrypted: nobody here can read it."),
    Outcome.SPAM: _("A server marked this mail as unwanted: it was not read."),
    Outcome.UNREADABLE: _("The mail could not be read."),
    Outcome.TOO_LARGE: _("The mail is too large."),
    Outcome.REVOKED: _("The address is no longer in use."),
    Outcome.FAULT: _("The mail could not be processed. It is kept."),
}
ANSWERS: dict[Outcome, tuple[Promise, Promise]] = {
    Outcome.ENCRYPTED: (
        _("Your mail is encrypted"),
        _(
            "Your mail is encrypted, and nobody here can read it. Nothing was done. Please send it "
            "unencrypted."
        ),
    ),
    Outcome.UNREADABLE: (
        _("Your mail could not be read"),
        _("Your mail could not be read, and nothing was done. Please write it again as plain text."),
    ),
    Outcome.SPAM: (
        _("Your mail was marked as unwanted"),
        _(
            "A mail server on the way marked your mail as unwanted: it was not read, and nothing was done. "
            "Please write it again in other words, without pictures or links."
        ),
    ),
    Outcome.REVOKED: (
        _("This address is no longer in use"),
        _(
            "Your mail went to an address that is no longer in use. Nothing was done. The new one is on the "
            "page of the game."
        ),
    ),
    Outcome.FAULT: (
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


def sentence(outcome: str) -> str:
    """What became of a mail, in the language in use; "" is one that waits to be read."""
    return str(SENTENCES[outcome] if outcome else WAITING)


def answer(outcome: Outcome) -> Answer | None:
    """What is written back, in the language in use, where nobody took a mail; None: nothing is."""
    found = ANSWERS.get(outcome)
    return Answer(str(found[0]), _paragraph(found[1])) if found else None


def last_answer(text: str) -> str:
    """An answer that says that there are none for a while."""
    return f"{text.rstrip()}\n\n{_paragraph(ENOUGH)}"


def _paragraph(text: Promise) -> str:
    return "\n".join(prose(str(text))) + "\n"
