"""What stands on a sheet beside orders: titles, rules, comments, remarks between brackets.

And what people write around them: courtesy, greetings, goodbyes, signatures, quotes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from enum import Enum
from functools import lru_cache
from typing import NamedTuple

from talleyrand.engine.outcome import AdjudicationNote
from talleyrand.variants import Variant

from .grammar import OrderParser
from .lexer import DASH, LineToken, clean_line, fold_accents, folded_words, quote_text, tokenize
from .name_index import NameIndex
from .parsed_order import EVERYDAY_NOUNS, EVERYDAY_WORDS, PlaceRef
from .reading_notes import make_note
from .reasons import NoteKind
from .vocabulary import (
    ADDING_WORDS,
    CONDITION_WORDS,
    CONVOY_AGENT_WORDS,
    DOUBT_WORDS,
    ORDER_VERBS,
    REPLACING_WORDS,
    TITLE_FILLER_WORDS,
    TITLE_WORDS,
    OrderVerb,
    phrase_set,
)

MAX_TITLE_LENGTH = 80
MAX_REMARK_LENGTH = 120

_COMMENT = re.compile(r"\s*(?:#(?!\s*\d)|//)")
_BRACKETS = re.compile(r"\(([^()]*)\)|\[([^\[\]]*)\]")
_TRAILING = re.compile(r"\s(?:#(?!\s*\d)|//)(.*)$")


def non_order_notes(text: str, variant: Variant, index: NameIndex) -> tuple[AdjudicationNote, ...] | None:
    """What to say of a line that holds no order: a blank, a rule, a title, a comment; None if it may."""
    if not any(letter.isalnum() for letter in text):
        return () if all(letter.isspace() or letter in "-=_*#~.·•+|/\\<>—–" for letter in text) else None
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


def can_only_be_order(found: tuple[str, ...], variant: Variant, index: NameIndex) -> bool:
    """Whether the words of a line in normal form, a unit's letter first, make no title, goodbye or name, and
    depend on nothing."""
    spoken = found in _GOODBYE or not CONDITION_WORDS.isdisjoint(found)
    return found[0] in index.kinds and not spoken and not _is_title(found, variant, index)


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


_BEFORE = phrase_set("before_order")
_GREETED = phrase_set("greeting_before_order")
_AFTER = phrase_set("after_order")
_LONGEST = 5
_GREETING = phrase_set("greeting")
_GOODBYE = phrase_set("goodbye")
_ATTRIBUTION = re.compile(r"\b(?:wrote|écrit|ecrit|a écrit)\s*:\s*$", re.IGNORECASE)
_ADDRESS = re.compile(r"\w@\w|\bwww\.\w|\bhttps?://")
_MARK = re.compile(r"\s*(?:--+|[—–_]{2,}|—)\s*(?=\w)")
_PARTED = re.compile(r"-\s|\s-")
_LATER = re.compile(r"\s*[aà]\s*\+(?:\s+[^\W\d_]+)?[\s.!,]*$", re.IGNORECASE)
_HEADER = re.compile(r"\s*(?:subject|date|from|to|cc|sent|re|objet|sujet|de|à|envoyé)\s*:", re.IGNORECASE)
_OPENING = re.compile(r"([^,:!]{1,60})[,:!]\s*(?=\S)")
_OPENINGS = phrase_set("opening")
MAX_GREETING_WORDS = 4
MAX_NAME_WORDS = 4
MAX_SIGNATURE_LINES = 3
MAX_NAME_LENGTH = 40


class UncourteousOrder(NamedTuple):
    """An order without the courtesy around it, and whether it began with a greeting."""

    tokens: list[LineToken]
    greeted: bool = False


def strip_courtesy(tokens: list[LineToken]) -> UncourteousOrder:
    """The words of a line without courtesy and without the first person."""
    start, end, greeted = 0, len(tokens), False
    while start < end:
        size = _phrase_length(tokens[start:end], _BEFORE) or 0
        hello = 0 if size else _phrase_length(tokens[start:end], _GREETED)
        if not size and not hello:
            break
        start += size + hello
        greeted = greeted or bool(hello)
    while end > start:
        size = next((size for size in _sizes(end - start) if _keys(tokens[end - size : end]) in _AFTER), 0)
        if not size:
            break
        end -= size
    return UncourteousOrder(tokens[start:end], greeted)


def _phrase_length(tokens: Sequence[LineToken], phrases: frozenset[tuple[str, ...]]) -> int:
    """How many tokens the longest phrase at the beginning takes."""
    return next((size for size in _sizes(len(tokens)) if _keys(tokens[:size]) in phrases), 0)


def _sizes(most: int) -> range:
    return range(min(_LONGEST, most), 0, -1)


def _keys(tokens: Iterable[LineToken]) -> tuple[str, ...]:
    return tuple(token.key for token in tokens)


def is_quoted(text: str) -> bool:
    """Whether a line repeats another letter, or says whose it is ("Dan wrote:")."""
    return text.lstrip().startswith((">", "&gt;")) or bool(_ATTRIBUTION.search(text[-20:]))


def is_greeting(text: str) -> bool:
    """Whether a line begins as a greeting or a goodbye does, or as the head of a letter."""
    found = folded_words(text)
    return bool(_ADDRESS.search(text) or _LATER.match(text) or _HEADER.match(text)) or any(
        found[:size] in _GREETING or found[:size] in _GOODBYE for size in _sizes(len(found))
    )


def is_goodbye(text: str) -> bool:
    """Whether a line is a goodbye and nothing else: what follows is a signature."""
    return len(text) <= MAX_NAME_LENGTH and folded_words(text) in _GOODBYE


def text_after_greeting(text: str) -> str:
    """What stands behind a short greeting or remark that ends with a comma, a colon or "!"; else nothing."""
    found = _OPENING.match(clean_line(text))
    spoken = folded_words(found[1]) if found else ()
    if found is None or len(spoken) > MAX_GREETING_WORDS:
        return ""
    return text[found.end() :] if is_greeting(found[1]) or spoken in _OPENINGS else ""


def looks_like_order(text: str, index: NameIndex) -> bool:
    """Whether words that nothing was made of name a unit, or a place to go to: then they are no remark."""
    cleaned = clean_line(text)
    tokens = tokenize(cleaned)
    start = _phrase_length(tokens, _GREETING)
    parser = OrderParser(tokens, index, cleaned, loose=True)
    return any(_names_a_unit(parser, i) or _leads_somewhere(parser, i, start) for i in range(len(tokens)))


def _names_a_unit(parser: OrderParser, i: int) -> bool:
    """Whether a unit's letter or word with a place begins at a token, or a verb that builds or removes it."""
    token = parser.tokens[i]
    leading = {OrderVerb.BUILD, OrderVerb.DISBAND}.intersection(ORDER_VERBS.get(token.key, ()))
    if i < parser.end - 1 and len(token.key) > 1 and leading:
        return any(not _is_spoken(unit.place) for unit, _ in parser.unit(i + 1))
    if token.key not in parser.index.kinds or token.text in "aàÀ":
        return False
    between = parser.tokens[i + 2].key == DASH if i + 2 < parser.end else False
    return between or any(unit.kind and not _is_spoken(unit.place) for unit, _ in parser.unit(i))


def _leads_somewhere(parser: OrderParser, i: int, start: int) -> bool:
    """Whether a sign between two places, or a dash with blanks before a place, stands at a token."""
    tokens = parser.tokens
    if not start < i < parser.end - 1 or OrderVerb.MOVE not in ORDER_VERBS.get(tokens[i].key, ()):
        return False
    if not any(not place.guessed for place, _ in parser.place(i + 1)):
        return False
    if tokens[i].key == DASH and not tokens[i].unspaced:
        return True
    return any(j == i for at in range(max(start, i - 3), i) for _, j in parser.place(at))


def _is_spoken(place: PlaceRef) -> bool:
    """Whether a place is but guessed, from a word of ordinary speech."""
    return place.guessed and fold_accents(place.text) in EVERYDAY_WORDS | EVERYDAY_NOUNS


class SignatureLines(NamedTuple):
    """The lines in which a letter may be signed, and the place of its goodbye (or the number of lines)."""

    names: frozenset[int]
    goodbye: int


def find_signatures(lines: Sequence[str], index: NameIndex, last: int, *, sure: bool) -> SignatureLines:
    """The places of the lines in which a letter may be signed: the last ones, if they are but names.

    Behind a goodbye or a dash whatever looks like a name is one; elsewhere only what is like no place, and
    unless `sure` a blank line stands before it. What opens a letter, or stands before its `last` order, is
    no goodbye.
    """
    written = [i for i, text in enumerate(lines) if text.strip()]
    goodbye = max((i for i in written[1:] if i > last and is_goodbye(lines[i])), default=len(lines))
    found: set[int] = set()
    for i in reversed(written[1:][-MAX_SIGNATURE_LINES:]):
        if not looks_like_name(lines[i], index):
            break
        if i > goodbye or starts_with_dash(lines[i]) or _is_nothing_else(lines, i, index, sure=sure):
            found.add(i)
    return SignatureLines(frozenset(found), goodbye)


def starts_with_dash(text: str) -> bool:
    """Whether a long dash stands before a line."""
    return bool(_MARK.match(text))


def _is_nothing_else(lines: Sequence[str], i: int, index: NameIndex, *, sure: bool) -> bool:
    apart = sure or not lines[i - 1].strip()
    return apart and not any(
        word in index.places or index.guessed_provinces((word,)) or word in index.coasts
        for word in folded_words(lines[i])
    )


def looks_like_name(text: str, index: NameIndex) -> bool:
    """Whether a line is one to four words that begin with capitals, and none of them a word of orders."""
    bare = clean_line(_MARK.sub("", text, count=1)).strip(" .,;!()")
    if (
        not bare
        or len(bare) > MAX_NAME_LENGTH
        or _PARTED.search(bare)
        or not all(c.isalpha() or c in " .-'’&()," for c in bare)
    ):
        return False
    parts = re.findall(r"[^\W\d_]+", bare)
    known = ORDER_VERBS.keys() | index.kinds.keys() | CONDITION_WORDS | DOUBT_WORDS | CONVOY_AGENT_WORDS
    spoken = {word for part in parts for word in folded_words(part)}
    names = [part for part in parts if part[:1].isupper()]
    return len(parts) <= MAX_NAME_WORDS and len(names) >= (len(parts) + 1) // 2 and spoken.isdisjoint(known)
