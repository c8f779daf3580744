"""What may become of a mail that came to us: every one ends as one of these."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class MailOutcome(StrEnum):
    """How a mail ended; whether its writer is answered is said in `outcome_texts`."""

    # orders
    TAKEN = "taken"  # a sheet was handed in
    NO_ORDERS = "no_orders"  # nothing in it is an order of its writer’s: the sheet before stands
    LATE = "late"  # after the deadline: kept, and the game master may grant it
    GRANTED = "granted"  # a late one that the game master let in
    OVERTAKEN = "overtaken"  # it came after a later one, which stands
    ANSWERED = "answered"  # a proposal to end the game, a vote or a link: the answer says what came of it
    OTHER_PHASE = "other_phase"  # meant for a phase that is not open
    NOT_BEGUN = "not_begun"
    OVER = "over"
    NOT_YOURS = "not_yours"  # somebody else plays this power now
    UNFIT = "unfit"  # too long, or with damaged characters
    # letters
    SENT = "sent"
    HELD = "held"  # it waits for the game master
    REFUSED = "refused"  # the rules of the game’s letters, with their code
    NAMES_WRITER = "names_writer"  # it would tell who wrote it
    EMPTY = "empty"  # nothing but what was quoted, or attached
    # the game master’s
    DONE = "done"
    PARTLY_DONE = "partly_done"
    NOT_UNDERSTOOD = "not_understood"
    # of the site's office
    PASSED_ON = "passed_on"  # to those who run the site
    # joining
    JOINED = "joined"
    NOT_JOINED = "not_joined"
    # without an answer
    REPEATED = "repeated"  # the same mail once more
    BOUNCE = "bounce"
    AUTOMATIC = "automatic"  # out of office, a receipt, a list
    LOOP = "loop"  # one of ours that came back
    # answered, and nothing done
    ENCRYPTED = "encrypted"
    SPAM = "spam"  # marked so by a server before us
    UNREADABLE = "unreadable"
    TOO_LARGE = "too_large"
    REVOKED = "revoked"
    FAULT = "fault"  # ours: it waits for whoever runs the site


@dataclass(frozen=True)
class MailReply:
    """What is written back, to the address on file alone, in the reader’s language.

    Answering it goes to the address that the mail came to, or to the room `reply_target`, as a mailbox names
    it.
    """

    subject: str
    text: str
    thread: str = ""
    reply_target: str = ""


@dataclass(frozen=True)
class ProcessingResult:
    """What a mail came to: `facts` are kept with it, as codes."""

    outcome: MailOutcome
    facts: Mapping[str, Any] = field(default_factory=dict)
    answer: MailReply | None = None
