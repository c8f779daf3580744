"""From the bytes of a mail to what somebody wrote."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from . import endings, introductions, natures, quoting, signing
from .bounces import bounced
from .charsets import clean
from .content import Content, content
from .lines import MOST_LINES, Line
from .mail import LeftOut, Mail, Nature, Piece
from .structure import whole

LONGEST_TEXT, LONGEST_SUBJECT = 400_000, 500
DAMAGED = 0.2
"""A text with more of its letters unreadable than this is none."""

# What ends a line for some programs: only here, when it is known whether the whole line is quoted.
_SEPARATORS = re.compile("[\r\v\f\x1c-\x1e\x85\u2028\u2029]+")
_ORDER = (Piece.QUOTE, Piece.FORWARD, Piece.SIGNATURE, Piece.CLIENT, Piece.ADVERT)
_WRITER = ("From", "Sender", "Reply-To")


def read(raw: bytes) -> Mail:
    """Read a mail. Never raises: what cannot be read is UNREADABLE."""
    try:
        return understood(raw)
    except Exception:  # noqa: BLE001 - whatever somebody sends, it comes to a stated outcome
        return Mail(Nature.UNREADABLE)


def understood(raw: bytes) -> Mail:
    """The same, without the net under it."""
    raw = bytes(raw)  # databases hand out views
    part = whole(raw)
    found = content(part)
    subject = part.value("Subject")[:LONGEST_SUBJECT]
    text, left = _own(found, subject)
    nature = natures.by_headers(part) or _by_content(found, text, raw)
    told = bounced(part, _all_text(found)) if nature is Nature.BOUNCE else None
    if told is not None and not told.is_told:
        nature = Nature.AUTOMATIC
    people = part.people(*_WRITER)
    return Mail(
        nature,
        text=text if nature is not Nature.ENCRYPTED else "",
        subject=subject,
        left=left,
        names=_once(name for name, _address in people),
        addresses=_once(address for _name, address in people),
        to=_once(address for _name, address in part.people("To", "Cc")),
        message_id=part.value("Message-ID"),
        is_spam=natures.is_spam(part),
        is_html=found.is_html,
        failed=told.failed if told else (),
        delayed=told.delayed if told else (),
        status=told.status if told else "",
    )


def _once(found: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(one for one in found if one))


def _all_text(found: Content) -> str:
    return "\n".join(line.text for line in found.lines[:MOST_LINES])


def _own(found: Content, subject: str) -> tuple[str, tuple[LeftOut, ...]]:
    """What is the writer’s own, and the pieces that are not."""
    lines = _separated(signing.unsigned(found.lines[:MOST_LINES]))
    quoting.mark(lines)
    endings.mark(lines)
    for line in lines:
        line.piece = line.piece or line.on_page
    endings.drop_rules(lines)
    pieces = {line.piece for line in lines if line.piece is not None and not line.is_blank}
    if introductions.is_forward(subject) and Piece.QUOTE in pieces:
        pieces = pieces - {Piece.QUOTE} | {Piece.FORWARD}
    left = [LeftOut(piece) for piece in _ORDER if piece in pieces]
    return _put_together(lines), tuple(dict.fromkeys([*left, *found.left]))


def _separated(lines: Iterable[Line]) -> list[Line]:
    found: list[Line] = []
    for line in lines:
        pieces = _SEPARATORS.split(line.text)
        if len(pieces) > 1 and (line.piece is not None or quoting.is_marked(line.text)):
            pieces = [" ".join(pieces)]
        found += [Line(piece, line.piece, line.on_page) for piece in pieces]
    return found


def _put_together(lines: Sequence[Line]) -> str:
    """The lines that nothing was held against, with no more than one blank line between them."""
    kept: list[str] = []
    for line in lines:
        text = "" if line.piece is not None else line.text.rstrip()
        if text or (kept and kept[-1]):
            kept.append(text)
    return clean("\n".join(kept)).strip()[:LONGEST_TEXT]


def _by_content(found: Content, text: str, raw: bytes) -> Nature:
    if found.is_encrypted or natures.holds_cipher(text):
        return Nature.ENCRYPTED
    if found.is_calendar_reply:
        return Nature.AUTOMATIC
    if not raw.strip() or (found.is_damaged and not text) or text.count("\ufffd") > DAMAGED * len(text):
        return Nature.UNREADABLE
    return Nature.PERSONAL
