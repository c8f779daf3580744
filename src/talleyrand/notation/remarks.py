"""What stands on a sheet beside orders: titles, rules, comments, remarks between brackets."""

from __future__ import annotations

import re
from enum import Enum
from functools import lru_cache
from typing import NamedTuple

from talleyrand.engine.outcome import AdjudicationNote
from talleyrand.variants import Variant

from .courtesy import is_goodbye, is_quoted
from .lexer import (
    clean_line,
    folded_words,
    quote_text,
    tokenize,
)
from .name_index import NameIndex
from .reading_notes import make_note
from .reasons import NoteKind
from .vocabulary import (
    ADDING_WORDS,
    CONDITION_WORDS,
    DOUBT_WORDS,
    REPLACING_WORDS,
    TITLE_FILLER_WORDS,
    TITLE_WORDS,
)

MAX_TITLE_LENGTH = 80
MAX_REMARK_LENGTH = 120

_COMMENT = re.compile(r"\s*(?:#(?!\s*\d)|//)")
_BRACKETS = re.compile(r"\(([^()]*)\)|\[([^\[\]]*)\]")
_TRAILING = re.compile(r"\s(?:#(?!\s*\d)|//)(.*)$")


def non_order_notes(text: str, variant: Variant, index: NameIndex) -> tuple[AdjudicationNote, ...] | None:
    """What to say of a line that holds no order: a blank, a rule, a title, a comment; None if it may."""
    if not any(letter.isalnum() for letter in text):
        return () if _is_rule(text) else None
    if _COMMENT.match(text) or is_quoted(text) or is_goodbye(text):
        return (make_note(NoteKind.REMARK, written=quote_text(text)),)
    if len(text) > MAX_TITLE_LENGTH:
        return None
    found = folded_words(text)
    if found and _is_title(found, variant, index):
        return (make_note(NoteKind.HEADING, written=quote_text(text)),)
    spoken = text.rstrip().endswith(":") or announced_relation(text) is not None
    if spoken and _names_nothing(found, index):
        return (make_note(NoteKind.REMARK, written=quote_text(text)),)
    return None


def is_title_line(text: str, variant: Variant, index: NameIndex) -> bool:
    """Whether a line is a title, as `non_order_notes` has it."""
    return any(told.kind is NoteKind.HEADING for told in non_order_notes(text, variant, index) or ())


class SheetRelation(Enum):
    """What a sheet says it is to the sheets before it."""

    REPLACES = "replaces"
    ADDS = "adds"


def announced_relation(text: str) -> SheetRelation | None:
    """What a title or a comment says of the earlier sheets of the same power."""
    found = set(folded_words(text[:MAX_REMARK_LENGTH]))
    if found & REPLACING_WORDS:
        return SheetRelation.REPLACES
    return SheetRelation.ADDS if found & ADDING_WORDS else None


def _is_rule(text: str) -> bool:
    return all(letter.isspace() or letter in "-=_*#~.·•+|/\\<>—–" for letter in text)


def _is_title(found: tuple[str, ...], variant: Variant, index: NameIndex) -> bool:
    """Whether all words are those of titles, one of them at least a power, a season, or a kind of phase."""
    if " ".join(found) in index.places:
        return False
    telling = _title_words(variant, index)
    return not telling.isdisjoint(found) and all(
        word in telling or word in TITLE_FILLER_WORDS or word.isdigit() for word in found
    )


@lru_cache(maxsize=64)
def _title_words(variant: Variant, index: NameIndex) -> frozenset[str]:
    powers = {word for name in index.powers for word in name.split() if len(word) > 1}
    seasons = {
        word for names in variant.seasons.values() for name in names.values() for word in folded_words(name)
    }
    return frozenset((powers | seasons | TITLE_WORDS) - TITLE_FILLER_WORDS)


def _names_nothing(found: tuple[str, ...], index: NameIndex) -> bool:
    return not any(word in index.places or word in index.kinds or word in CONDITION_WORDS for word in found)


class LineWithoutRemarks(NamedTuple):
    """A line without its remarks, the remarks, and the power that one of them names."""

    text: str
    remarks: tuple[str, ...]
    power: str = ""


def strip_remarks(text: str, index: NameIndex) -> LineWithoutRemarks:
    """The line without the remarks that say nothing of its order: what names a place or doubts stays.

    What stands behind # is a comment even where it names a place, as on a line of its own; two strokes may
    as well part two orders.
    """
    text = clean_line(text)
    removed: list[str] = []
    named = ""
    spans = [match.span() for match in _BRACKETS.finditer(text)]
    trailing = _TRAILING.search(text)
    spans += [trailing.span()] if trailing and not any(a < trailing.end() <= b for a, b in spans) else []
    for start, end in sorted(spans, reverse=True):
        written = text[start:end].strip()
        power = index.powers.get(" ".join(folded_words(written)), "")
        if power or _is_remark(written, index) or _is_comment(written):
            text = f"{text[:start]} {text[end:]}"
            named = power or named
            removed += [] if power else [written]
    return LineWithoutRemarks(text, tuple(removed), named)


def comment_start(text: str) -> int:
    """Where the comment begins that stands behind # on a line with something before it; else its length."""
    trailing = _TRAILING.search(text)
    return trailing.start() if trailing and trailing[0].lstrip().startswith("#") else len(text)


def _is_comment(written: str) -> bool:
    return written.startswith("#") and not set(folded_words(written)) & (CONDITION_WORDS | DOUBT_WORDS)


def _is_remark(written: str, index: NameIndex) -> bool:
    if len(written) > MAX_REMARK_LENGTH:
        return False
    tokens = [token for token in tokenize(written) if token.key[0].isalnum()]
    spoken = {token.key for token in tokens}
    if not tokens or spoken & (CONDITION_WORDS | DOUBT_WORDS):
        return False
    return not any(index.listed_provinces(token.key, token.text) for token in tokens)
