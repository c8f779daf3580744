"""From the bytes of a mail to what somebody wrote."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from . import message_classes, quote_detection, quote_introductions, signature_detection
from .email_content import EmailContent, email_content
from .mime_parts import parse_bounce, parse_mime, without_controls
from .parsed_email import LeftOut, LeftOutKind, MessageClass, ParsedEmail
from .text_lines import MOST_LINES, TextLine

LONGEST_TEXT, LONGEST_SUBJECT = 400_000, 500
DAMAGED = 0.2
"""A text with more of its letters unreadable than this is none."""

# What ends a line for some programs: only here, when it is known whether the whole line is quoted.
_SEPARATORS = re.compile("[\r\v\f\x1c-\x1e\x85\u2028\u2029]+")
_ORDER = (
    LeftOutKind.QUOTE,
    LeftOutKind.FORWARD,
    LeftOutKind.SIGNATURE,
    LeftOutKind.CLIENT,
    LeftOutKind.ADVERT,
)
_WRITER = ("From", "Sender", "Reply-To")

_BEGIN = "-----BEGIN PGP SIGNED MESSAGE-----"
_SIGNATURE = "-----BEGIN PGP SIGNATURE-----"
_KEY = "-----BEGIN PGP PUBLIC KEY BLOCK-----"
_ENDS = ("-----END PGP SIGNATURE-----", "-----END PGP PUBLIC KEY BLOCK-----")


def parse_email(raw: bytes) -> ParsedEmail:
    """Read a mail. Never raises: what cannot be read is UNREADABLE."""
    try:
        return parse_email_strictly(raw)
    except Exception:  # noqa: BLE001 - whatever somebody sends, it comes to a stated outcome
        return ParsedEmail(MessageClass.UNREADABLE)


def parse_email_strictly(raw: bytes) -> ParsedEmail:
    """The same, without the net under it."""
    raw = bytes(raw)  # databases hand out views
    part = parse_mime(raw)
    found = email_content(part)
    subject = part.value("Subject")[:LONGEST_SUBJECT]
    text, left = _own(found, subject)
    nature = message_classes.class_by_headers(part) or _by_content(found, text, raw)
    told = parse_bounce(part, _all_text(found)) if nature is MessageClass.BOUNCE else None
    if told is not None and not told.is_told:
        nature = MessageClass.AUTOMATIC
    people = part.people(*_WRITER)
    return ParsedEmail(
        nature,
        text=text if nature is not MessageClass.ENCRYPTED else "",
        subject=subject,
        left_out=left,
        names=_once(name for name, _address in people),
        addresses=_once(address for _name, address in people),
        recipients=_once(address for _name, address in part.people("To", "Cc")),
        message_id=part.value("Message-ID"),
        in_reply_to=part.value("In-Reply-To"),
        is_spam=message_classes.is_spam(part),
        is_html=found.is_html,
        is_from_list=nature is MessageClass.AUTOMATIC and message_classes.is_from_list(part),
        failed=told.failed if told else (),
        delayed=told.delayed if told else (),
        status=told.status if told else "",
    )


def _once(found: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(one for one in found if one))


def _all_text(found: EmailContent) -> str:
    return "\n".join(line.text for line in found.lines[:MOST_LINES])


def _own(found: EmailContent, subject: str) -> tuple[str, tuple[LeftOut, ...]]:
    """What is the writer’s own, and the pieces that are not."""
    lines = _separated(unwrap_pgp(found.lines[:MOST_LINES]))
    quote_detection.mark_quotes(lines)
    signature_detection.mark_signatures(lines)
    for line in lines:
        line.piece = line.piece or line.on_page
    signature_detection.drop_ruled_lines(lines)
    pieces = {line.piece for line in lines if line.piece is not None and not line.is_blank}
    if quote_introductions.is_forward(subject) and LeftOutKind.QUOTE in pieces:
        pieces = pieces - {LeftOutKind.QUOTE} | {LeftOutKind.FORWARD}
    left = [LeftOut(piece) for piece in _ORDER if piece in pieces]
    return _put_together(lines), tuple(dict.fromkeys([*left, *found.left]))


def _separated(lines: Iterable[TextLine]) -> list[TextLine]:
    found: list[TextLine] = []
    for line in lines:
        pieces = _SEPARATORS.split(line.text)
        if len(pieces) > 1 and (line.piece is not None or quote_detection.is_marked(line.text)):
            pieces = [" ".join(pieces)]
        found += [TextLine(piece, line.piece, line.on_page) for piece in pieces]
    return found


def _put_together(lines: Sequence[TextLine]) -> str:
    """The lines that nothing was held against, with no more than one blank line between them."""
    kept: list[str] = []
    for line in lines:
        text = "" if line.piece is not None else line.text.rstrip()
        if text or (kept and kept[-1]):
            kept.append(text)
    return without_controls("\n".join(kept)).strip()[:LONGEST_TEXT]


def _by_content(found: EmailContent, text: str, raw: bytes) -> MessageClass:
    if found.is_encrypted or message_classes.holds_cipher(text):
        return MessageClass.ENCRYPTED
    if found.is_calendar_reply:
        return MessageClass.AUTOMATIC
    if not raw.strip() or (found.is_damaged and not text) or text.count("\ufffd") > DAMAGED * len(text):
        return MessageClass.UNREADABLE
    return MessageClass.PERSONAL


# Takes a text signed with PGP out of its wrapping.


def unwrap_pgp(lines: Iterable[TextLine]) -> list[TextLine]:
    """The lines without the wrapping of RFC 9580, 7: "- " before a dash, the headers, the signature, keys."""
    found: list[TextLine] = []
    state = ""
    for line in lines:
        bare = line.text.rstrip()
        if bare == _BEGIN:
            state = "headers"
        elif bare in (_SIGNATURE, _KEY):
            state = "signature"
        elif bare in _ENDS:
            state = ""
        elif state == "headers":
            state = "text" if not bare else state
        elif state == "text" and line.text.startswith("- "):
            found.append(TextLine(line.text[2:], line.piece, line.on_page))
        elif state != "signature":
            found.append(line)
    return found
