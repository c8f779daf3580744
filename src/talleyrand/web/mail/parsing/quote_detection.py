"""What of a mail its writer has written now. When in doubt, a line is quoted: the answer tells of it.

Four things say that a line is quoted: a mark at its start (">", or our "|"), a tag of the page, our own first
line above it (`REPLY_ABOVE`), or the words by which mail programs introduce what they quote.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence

from . import quote_introductions
from .parsed_email import LeftOutKind
from .text_folding import latin_letters, without_invisible_start
from .text_lines import TextLine

REPLY_ABOVE = "↑ Répondez au-dessus de cette ligne · Reply above this line"
"""The first line of each of our mails: what follows it, and is not marked as quoted, is ours all the same."""

LONG, LONGEST_LINE = 50, 68
"""What wraps lines at the second leaves the tail of a marked line as long as the first without a mark."""

_CUT = re.compile(r"audessusdecetteligne|replyabovethisline|pondezaudessusdecette|reply?abovethis")
_MARKS = re.compile(
    "[>|\u00a6\u2502\u2503\u2758\u2223\uffe8\u23d0\uff5c\u01c0\uff1e\u203a\u276f\u2503\u258c\u258f\u2595]|&gt;"
)
_INITIALS = re.compile(r"([A-Z]{2,3})> ")


def mark_quotes(lines: list[TextLine]) -> None:
    """Say of each line whether it is quoted or forwarded."""
    _by_marks(lines)
    _from_cut(lines)
    _from_introduction(lines)
    _attributions(lines)
    _tails(lines)


def _quote(lines: Sequence[TextLine], piece: LeftOutKind = LeftOutKind.QUOTE) -> None:
    for line in lines:
        line.piece = line.piece or piece


def is_marked(text: str) -> bool:
    """Whether a line begins with a mark of quotes."""
    return _MARKS.match(without_invisible_start(text)) is not None


def _by_marks(lines: Sequence[TextLine]) -> None:
    for line in lines:
        if line.piece is None and is_marked(line.text):
            line.piece = LeftOutKind.QUOTE
    for before, line in itertools.pairwise(lines):
        marks = _INITIALS.match(before.text), _INITIALS.match(line.text)
        if marks[0] and marks[1] and marks[0][1] == marks[1][1]:
            _quote([before, line])


def _from_cut(lines: Sequence[TextLine]) -> None:
    """From our own first line on, unless it is marked itself: then something may follow."""
    stream: list[str] = []
    starts: list[int] = []
    length = 0
    for line in lines:
        starts.append(length)
        found = latin_letters(line.text)
        stream.append(found)
        length += len(found)
    owners = iter(range(len(lines)))
    at = next(owners, 0)
    for match in _CUT.finditer("".join(stream)):
        while at + 1 < len(lines) and starts[at + 1] <= match.start():
            at = next(owners)
        if lines[at].piece is None:
            _quote(lines[_first_of_cut(lines, at) :])
            return


def _first_of_cut(lines: Sequence[TextLine], at: int) -> int:
    """Our line may have been wrapped before the words by which it is known."""
    before = lines[at - 1] if at else None
    return at - 1 if before and "pondez" in latin_letters(before.text)[-12:] else at


def _from_introduction(lines: Sequence[TextLine]) -> None:
    """From the first line on that introduces what is quoted without marks, or forwarded."""
    for at, line in enumerate(lines):
        if line.is_blank:
            continue
        piece = quote_introductions.introduced_piece(lines, at)
        if piece is not None:
            for other in lines[at:]:
                other.piece = other.piece or piece
            return


def _attributions(lines: Sequence[TextLine]) -> None:
    """Sentences that say who wrote what is quoted below; dated, and with nothing marked below, all is."""
    for at in range(len(lines)):
        if lines[at].piece is not None or lines[at].is_blank:
            continue
        found = quote_introductions.find_attribution(lines, at)
        if found is None:
            continue
        following = next((line for line in lines[at + 1 :] if not line.is_blank), None)
        if following is None or following.piece is not None:
            _quote(lines[found.first : at + 1])
        elif found.is_dated:
            _quote(lines[found.first :])
            return


def _tails(lines: Sequence[TextLine]) -> None:
    """What a program that wraps lines left over of marked ones."""
    is_tail = False
    for before, line in itertools.pairwise(lines):
        if line.piece is not None or before.piece is not LeftOutKind.QUOTE or line.is_blank:
            is_tail = False
            continue
        word = line.text.split(None, 1)[0]
        is_tail |= len(before.text) >= LONG and len(before.text) + 1 + len(word) > LONGEST_LINE
        if is_tail:
            line.piece = LeftOutKind.QUOTE
