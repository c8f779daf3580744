"""Why a line fits no form of order: as far as it made sense, and what should have followed."""

from __future__ import annotations

from dataclasses import replace

from talleyrand.engine.errors import OrderNotAllowed, OrderNotUnderstood
from talleyrand.engine.position import UnitName

from .grammar import OrderParser
from .lexer import DASH, LineToken, quote_text
from .order_candidates import OrderCandidates
from .parsed_order import ParsedOrder, ParseFailure, UnitRef
from .reading_context import OrderLine
from .reasons import RefusalReason
from .vocabulary import AND_WORDS, LINK_WORDS, ORDER_VERBS


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
