"""Why a line fits no form of order, as far as it made sense, and what should have followed.

The legal order nearest to what was written is shown to the player, never applied.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from math import inf
from typing import NamedTuple

from talleyrand.engine.errors import OrderNotAllowed, OrderNotUnderstood
from talleyrand.engine.orders import Hold, Order, Retreat, Waive
from talleyrand.engine.position import UnitName

from .grammar import OrderParser
from .lexer import DASH, LineToken, quote_text
from .name_index import NameIndex
from .order_candidates import OrderCandidates
from .parsed_order import ParsedOrder, ParseFailure, UnitRef
from .reading_context import OrderLine, PhaseFamily, ReadingContext
from .reasons import RefusalReason
from .vocabulary import AND_WORDS, LINK_WORDS, ORDER_VERBS, OrderVerb

MAX_DISTANCE = 0.9
"""The most that may be changed: one word of three letters with one right, or a letter and a sign."""

TOO_FAR = MAX_DISTANCE + 0.001  # sums of prices are rounded at the end
MAX_WORDS = 24
DISTANCE_STEPS = 3  # of effort, to measure how far one order is
OMISSION_PRICES = {"H": 0.2, "B": 0.2, "D": 0.2, "VIA": 0.5}

_SIGNS = {
    OrderVerb.HOLD: "H",
    OrderVerb.MOVE: "-",
    OrderVerb.SUPPORT: "S",
    OrderVerb.CONVOY: "C",
    OrderVerb.BY_CONVOY: "VIA",
    OrderVerb.RETREAT: "R",
    OrderVerb.DISBAND: "D",
    OrderVerb.BUILD: "B",
    OrderVerb.WAIVE: "WAIVE",
}


_ALONE: dict[type, str] = {Hold: "H", Waive: "WAIVE"}
"""Orders that are near everything, and suggested only where their sign is written."""


class LineWord(NamedTuple):
    """A word of the line: what it may be in normal form, and its letters."""

    word: str
    senses: tuple[str, ...]


def nearest_legal_order(tokens: list[LineToken], line: OrderLine, context: ReadingContext) -> str:
    """The one legal order within a small edit of the words, in normal form; "" if none or several.

    None where more units stand than any game has, for to list their orders takes long, nor where looking at
    them would take more than is left of `context.effort`; nor where `context.count_options` says how many.
    """
    if len(context.position.units) > len(context.variant.board.centres):
        return ""
    if context.count_options is not None:
        context.effort.try_spend(DISTANCE_STEPS * context.count_options(context.power, line.unit))
        return ""
    written = _items(tokens[:MAX_WORDS], context.index)
    senses = {sense for item in written for sense in item.senses}
    mine = _possible(context.options_for_unit(line.unit), senses, context) if line.unit else []
    options = mine or _possible(context.options, senses, context)
    if not context.effort.try_spend(DISTANCE_STEPS * len(options)):
        return ""
    measure = _OrderDistance(written, context.index)
    scored = sorted((measure.distance(order), str(order)) for order in options)
    if not scored or scored[0][0] > MAX_DISTANCE:
        return ""
    tied = len(scored) > 1 and scored[1][0] == scored[0][0]
    return "" if tied else scored[0][1]


def _possible(orders: Iterable[Order], senses: set[str], context: ReadingContext) -> list[Order]:
    """Without those that are suggested only where their sign is written."""
    found = [order for order in orders if _ALONE.get(type(order), "") in {*senses, ""}]
    if context.family is PhaseFamily.RETREATS and "D" not in senses:
        return [order for order in found if isinstance(order, Retreat)]
    return found


def _items(tokens: list[LineToken], index: NameIndex) -> list[LineWord]:
    items: list[LineWord] = []
    i = 0
    while i < len(tokens):
        size, item = _item(tokens, i, index)
        i += size
        if item.senses or item.word not in LINK_WORDS:
            items.append(item)
    return items


def _item(tokens: list[LineToken], i: int, index: NameIndex) -> tuple[int, LineWord]:
    longest = 0 if tokens[i].key == DASH else index.longest
    for size in range(min(longest, len(tokens) - i), 0, -1):
        key = " ".join(token.key for token in tokens[i : i + size] if token.key != DASH)
        codes = index.listed_provinces(key, tokens[i].text) if tokens[i + size - 1].key != DASH else ()
        if codes:
            return size, LineWord(key, codes)
    key = tokens[i].key
    kind = (index.kinds[key],) if key in index.kinds else ()
    return 1, LineWord(key, (*kind, *(_SIGNS[sign] for sign in ORDER_VERBS.get(key, ()))))


class _OrderDistance:
    """How far a line's words are from an order's."""

    def __init__(self, written: list[LineWord], index: NameIndex) -> None:
        self.written = written
        self.index = index
        self.known: dict[tuple[LineWord, str], float] = {}

    def distance(self, order: Order) -> float:
        """Edits of whole words: changed by how unlike they are, left out or added at a fixed price.

        What is too far to be suggested is infinitely far: no further word brings it nearer.
        """
        words = str(order).split()
        row = [0.0]
        for word in words:
            row.append(row[-1] + self._absent(word))
        for item in self.written:
            following = [row[0] + self._extra(item)]
            for i, word in enumerate(words):
                changed = row[i] + self._unlike(item, word)
                dropped = row[i + 1] + self._extra(item)
                following.append(min(changed, dropped, following[i] + self._absent(word)))
            row = following
            if min(row) > TOO_FAR:
                return inf
        return round(row[-1], 3)

    def _absent(self, word: str) -> float:
        return 0.2 if word in self.index.kinds.values() else OMISSION_PRICES.get(word, 0.8)

    def _extra(self, item: LineWord) -> float:
        return 0.2 if item.word in self.index.kinds else 0.8

    def _unlike(self, item: LineWord, word: str) -> float:
        key = (item, word)
        if key not in self.known:
            self.known[key] = self._compared(item, word)
        return self.known[key]

    def _compared(self, item: LineWord, word: str) -> float:
        code = word.partition("/")[0]
        if code in item.senses:
            return 0.0 if code == word else 0.1
        if code not in self.index.board.provinces:
            return 0.4 if _alike(item, word, self.index) else 0.9
        return min(letter_difference(item.word, form) for form in self.index.forms_of_province(code))


def _alike(item: LineWord, word: str, index: NameIndex) -> bool:
    """Whether both are letters of units, or both signs."""
    letters = index.board.kinds
    if word in letters:
        return any(sense in letters for sense in item.senses)
    return any(sense in _SIGNS.values() for sense in item.senses)


@lru_cache(maxsize=20000)
def letter_difference(first: str, second: str) -> float:
    """How much of two words differs, letter by letter; 1 where it is more than half."""
    if abs(len(first) - len(second)) > max(len(first), len(second)) / 2:
        return 1.0
    row = list(range(len(second) + 1))
    for i, letter in enumerate(first, 1):
        following = [i]
        for j, other in enumerate(second, 1):
            following.append(min(row[j - 1] + (letter != other), row[j] + 1, following[j - 1] + 1))
        row = following
    share = row[-1] / max(len(first), len(second))
    return share if share <= 0.5 else 1.0


def refuse_misunderstood(line: OrderLine, parser: OrderParser, readings: OrderCandidates) -> OrderLine:
    """The line with its refusal, and the unit it is about if that much is clear."""
    failure = parser.failure
    unit = _unit(failure.unit, readings)
    reason, text = _reason(parser, failure)
    units = (str(unit),) if unit else ()
    return replace(
        line, unit=unit, refusal=OrderNotUnderstood(reason, quote_text(text or line.text), units=units)
    )


def refuse_unfinished(line: OrderLine, sentence: ParsedOrder, readings: OrderCandidates) -> OrderLine:
    """A line whose words are all known and that is no order: it lacks a part, or has a step too many."""
    if sentence.unit is None:
        return replace(line, refusal=OrderNotUnderstood(RefusalReason.NO_UNIT, quote_text(line.text)))
    unit = _unit(sentence.unit, readings)
    units = (str(unit),) if unit else ()
    if sentence.path and sentence.to:
        text = quote_text(" - ".join(place.text for place in (*sentence.path, sentence.to)))
        return replace(
            line, unit=unit, refusal=OrderNotAllowed(RefusalReason.SEVERAL_STEPS, text, units=units)
        )
    return replace(
        line,
        unit=unit,
        refusal=OrderNotUnderstood(RefusalReason.INCOMPLETE, quote_text(line.text), units=units),
    )


def _unit(ref: UnitRef | None, readings: OrderCandidates) -> UnitName | None:
    if ref is None:
        return None
    found = readings.unit_candidates(ParsedOrder(None, ref))
    return found[0].name if len(found) == 1 else None


def _reason(parser: OrderParser, failure: ParseFailure) -> tuple[RefusalReason, str]:
    at, tokens = failure.at, parser.tokens
    if at >= parser.end:
        return (RefusalReason.INCOMPLETE if failure.unit else RefusalReason.NO_UNIT), ""
    rest = parser.text[tokens[at].start : tokens[-1].end]
    if failure.wanted in ("unit", "place", "other"):
        word = _words(parser, at)
        if word:
            return RefusalReason.UNKNOWN_PLACE, word
        return (RefusalReason.UNKNOWN_WORDS, rest) if failure.unit else (RefusalReason.NO_UNIT, "")
    if _begins_order(parser, at):
        return RefusalReason.SEVERAL_ORDERS, rest
    return RefusalReason.UNKNOWN_WORDS, rest


def _words(parser: OrderParser, at: int) -> str:
    """The words that stand where a place should, up to the next sign."""
    tokens = parser.tokens
    while at < parser.end - 1 and (tokens[at].key in LINK_WORDS or tokens[at].key in parser.index.kinds):
        at += 1
    end = at
    while end < parser.end and _may_be_name(tokens[end], first=end == at):
        end += 1
    return parser.text[tokens[at].start : tokens[end - 1].end] if end > at else ""


def _may_be_name(token: LineToken, *, first: bool) -> bool:
    return (
        token.key != DASH
        and token.key[0].isalnum()
        and token.key not in ORDER_VERBS
        and (first or len(token.key) > 1)
    )


def _begins_order(parser: OrderParser, at: int) -> bool:
    while at < parser.end and (parser.tokens[at].key == ";" or parser.tokens[at].key in AND_WORDS):
        at += 1
    found = next(parser.parses(at), None) if at < parser.end else None
    return found is not None and (found.unit is None or found.unit.kind is not None or found.verb is not None)
