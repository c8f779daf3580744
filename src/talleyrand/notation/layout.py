"""What stands on a sheet beside orders: titles, rules, comments, remarks between brackets."""

from __future__ import annotations

import re
from enum import Enum
from functools import lru_cache
from typing import NamedTuple

from talleyrand.engine.outcome import Note
from talleyrand.variants import Variant

from .courtesy import is_goodbye, is_quoted
from .lexer import clean, cut, quote, words
from .notes import note
from .places import Index
from .reasons import NoteKind
from .vocabulary import ADDING, CONDITIONS, DOUBTS, HEADINGS, LEADS, REPLACING

LONGEST_TITLE = 80
LONGEST_REMARK = 120

_COMMENT = re.compile(r"\s*(?:#(?!\s*\d)|//)")
_BRACKETS = re.compile(r"\(([^()]*)\)|\[([^\[\]]*)\]")
_TRAILING = re.compile(r"\s(?:#(?!\s*\d)|//)(.*)$")


def idle(text: str, variant: Variant, index: Index) -> tuple[Note, ...] | None:
    """What to say of a line that holds no order: a blank, a rule, a title, a comment; None if it may."""
    if not any(letter.isalnum() for letter in text):
        return () if _is_rule(text) else None
    if _COMMENT.match(text) or is_quoted(text) or is_goodbye(text):
        return (note(NoteKind.REMARK, written=quote(text)),)
    if len(text) > LONGEST_TITLE:
        return None
    found = words(text)
    if found and _is_title(found, variant, index):
        return (note(NoteKind.HEADING, written=quote(text)),)
    spoken = text.rstrip().endswith(":") or announces(text) is not None
    if spoken and _names_nothing(found, index):
        return (note(NoteKind.REMARK, written=quote(text)),)
    return None


def is_title(text: str, variant: Variant, index: Index) -> bool:
    """Whether a line is a title, as `idle` has it."""
    return any(told.kind is NoteKind.HEADING for told in idle(text, variant, index) or ())


class Relation(Enum):
    """What a sheet says it is to the sheets before it."""

    REPLACES = "replaces"
    ADDS = "adds"


def announces(text: str) -> Relation | None:
    """What a title or a comment says of the earlier sheets of the same power."""
    found = set(words(text[:LONGEST_REMARK]))
    if found & REPLACING:
        return Relation.REPLACES
    return Relation.ADDS if found & ADDING else None


def _is_rule(text: str) -> bool:
    return all(letter.isspace() or letter in "-=_*#~.·•+|/\\<>—–" for letter in text)


def _is_title(found: tuple[str, ...], variant: Variant, index: Index) -> bool:
    """Whether all words are those of titles, one of them at least a power, a season, or a kind of phase."""
    if " ".join(found) in index.places:
        return False
    telling = _titular(variant, index)
    return not telling.isdisjoint(found) and all(
        word in telling or word in LEADS or word.isdigit() for word in found
    )


@lru_cache(maxsize=64)
def _titular(variant: Variant, index: Index) -> frozenset[str]:
    powers = {word for name in index.powers for word in name.split() if len(word) > 1}
    seasons = {word for names in variant.seasons.values() for name in names.values() for word in words(name)}
    return frozenset((powers | seasons | HEADINGS) - LEADS)


def _names_nothing(found: tuple[str, ...], index: Index) -> bool:
    return not any(word in index.places or word in index.kinds or word in CONDITIONS for word in found)


class Aside(NamedTuple):
    """A line without its remarks, the remarks, and the power that one of them names."""

    text: str
    remarks: tuple[str, ...]
    power: str = ""


def set_aside(text: str, index: Index) -> Aside:
    """The line without the remarks that say nothing of its order: what names a place or doubts stays.

    What stands behind # is a comment even where it names a place, as on a line of its own; two strokes may
    as well part two orders.
    """
    text = clean(text)
    removed: list[str] = []
    named = ""
    spans = [match.span() for match in _BRACKETS.finditer(text)]
    trailing = _TRAILING.search(text)
    spans += [trailing.span()] if trailing and not any(a < trailing.end() <= b for a, b in spans) else []
    for start, end in sorted(spans, reverse=True):
        written = text[start:end].strip()
        power = index.powers.get(" ".join(words(written)), "")
        if power or _is_remark(written, index) or _is_comment(written):
            text = f"{text[:start]} {text[end:]}"
            named = power or named
            removed += [] if power else [written]
    return Aside(text, tuple(removed), named)


def comment_at(text: str) -> int:
    """Where the comment begins that stands behind # on a line with something before it; else its length."""
    trailing = _TRAILING.search(text)
    return trailing.start() if trailing and trailing[0].lstrip().startswith("#") else len(text)


def _is_comment(written: str) -> bool:
    return written.startswith("#") and not set(words(written)) & (CONDITIONS | DOUBTS)


def _is_remark(written: str, index: Index) -> bool:
    if len(written) > LONGEST_REMARK:
        return False
    tokens = [token for token in cut(written) if token.key[0].isalnum()]
    spoken = {token.key for token in tokens}
    if not tokens or spoken & (CONDITIONS | DOUBTS):
        return False
    return not any(index.meaning(token.key, token.text) for token in tokens)
