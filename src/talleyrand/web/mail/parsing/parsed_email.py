"""The parts of a mail: what its writer wrote now, and what was left out of it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

# A line of ours that begins so is an order that we repeat: it is never read as one, quoted or not.
ORDER_MARK = "|"


class MessageClass(StrEnum):
    """What a mail is, before anybody looks at what it says."""

    PERSONAL = "personal"  # somebody wrote it
    BOUNCE = "bounce"
    AUTOMATIC = "automatic"
    LOOP = "loop"
    ENCRYPTED = "encrypted"
    UNREADABLE = "unreadable"


class LeftOutKind(StrEnum):
    """What was left out of a mail."""

    QUOTE = "quote"
    FORWARD = "forward"
    SIGNATURE = "signature"
    CLIENT = "client"  # "Sent from my telephone"
    ADVERT = "advert"
    PICTURE = "picture"
    DOCUMENT = "document"
    CARD = "card"  # a vCard
    OTHER = "other"  # another attachment
    REMOTE = "remote"  # what a page would have fetched: a tracking pixel


@dataclass(frozen=True)
class LeftOut:
    """A piece that was left out; `name` is its file’s, for the writer alone."""

    kind: LeftOutKind
    name: str = ""


@dataclass(frozen=True)
class ParsedEmail:
    """What somebody wrote.

    `text` has no quotes, no signature, no marks of his mail program. `names` and `addresses` are those that
    the headers give of the writer: they prove nothing, and serve to find them in his text. `recipients` are
    all the addresses of To and Cc. Of a bounce, `failed` are the addresses that nothing reaches, `delayed`
    those that a server still tries, and `status` is the reason it gives first ("5.1.1"). `is_from_list`: it
    is AUTOMATIC for the headers of a list alone.
    """

    message_class: MessageClass
    text: str = ""
    subject: str = ""
    left_out: tuple[LeftOut, ...] = ()
    names: tuple[str, ...] = ()
    addresses: tuple[str, ...] = ()
    recipients: tuple[str, ...] = ()
    message_id: str = ""
    in_reply_to: str = ""
    is_spam: bool = False
    is_html: bool = False
    is_from_list: bool = False
    failed: tuple[str, ...] = ()
    delayed: tuple[str, ...] = ()
    status: str = ""
