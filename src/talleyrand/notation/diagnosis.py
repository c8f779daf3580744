"""Why a line fits no form of order: as far as it made sense, and what should have followed."""

from __future__ import annotations

from dataclasses import replace

from talleyrand.engine.errors import NotAllowed, NotUnderstood
from talleyrand.engine.position import UnitName

from .context import Line
from .grammar import Parser
from .lexer import DASH, Token, quote
from .readings import Readings
from .reasons import Reason
from .sentences import Failure, Sentence, UnitRef
from .vocabulary import AND, LINKS, SIGNS


def misunderstood(line: Line, parser: Parser, readings: Readings) -> Line:
    """The line with its refusal, and the unit it is about if that much is clear."""
    failure = parser.failure
    unit = _unit(failure.unit, readings)
    reason, text = _reason(parser, failure)
    units = (str(unit),) if unit else ()
    return replace(line, unit=unit, refusal=NotUnderstood(reason, quote(text or line.text), units=units))


def unfinished(line: Line, sentence: Sentence, readings: Readings) -> Line:
    """A line whose words are all known and that is no order: it lacks a part, or has a step too many."""
    if sentence.unit is None:
        return replace(line, refusal=NotUnderstood(Reason.NO_UNIT, quote(line.text)))
    unit = _unit(sentence.unit, readings)
    units = (str(unit),) if unit else ()
    if sentence.path and sentence.to:
        text = quote(" - ".join(place.text for place in (*sentence.path, sentence.to)))
        return replace(line, unit=unit, refusal=NotAllowed(Reason.SEVERAL_STEPS, text, units=units))
    return replace(line, unit=unit, refusal=NotUnderstood(Reason.INCOMPLETE, quote(line.text), units=units))


def _unit(ref: UnitRef | None, readings: Readings) -> UnitName | None:
    if ref is None:
        return None
    found = readings.subjects(Sentence(None, ref))
    return found[0].name if len(found) == 1 else None


def _reason(parser: Parser, failure: Failure) -> tuple[Reason, str]:
    at, tokens = failure.at, parser.tokens
    if at >= parser.end:
        return (Reason.INCOMPLETE if failure.unit else Reason.NO_UNIT), ""
    rest = parser.text[tokens[at].start : tokens[-1].end]
    if failure.wanted in ("unit", "place", "other"):
        word = _words(parser, at)
        if word:
            return Reason.UNKNOWN_PLACE, word
        return (Reason.UNKNOWN_WORDS, rest) if failure.unit else (Reason.NO_UNIT, "")
    if _begins_order(parser, at):
        return Reason.SEVERAL_ORDERS, rest
    return Reason.UNKNOWN_WORDS, rest


def _words(parser: Parser, at: int) -> str:
    """The words that stand where a place should, up to the next sign."""
    tokens = parser.tokens
    while at < parser.end - 1 and (tokens[at].key in LINKS or tokens[at].key in parser.index.kinds):
        at += 1
    end = at
    while end < parser.end and _may_be_name(tokens[end], first=end == at):
        end += 1
    return parser.text[tokens[at].start : tokens[end - 1].end] if end > at else ""


def _may_be_name(token: Token, *, first: bool) -> bool:
    return (
        token.key != DASH
        and token.key[0].isalnum()
        and token.key not in SIGNS
        and (first or len(token.key) > 1)
    )


def _begins_order(parser: Parser, at: int) -> bool:
    while at < parser.end and (parser.tokens[at].key == ";" or parser.tokens[at].key in AND):
        at += 1
    found = next(parser.sentences(at), None) if at < parser.end else None
    return found is not None and (found.unit is None or found.unit.kind is not None or found.sign is not None)
