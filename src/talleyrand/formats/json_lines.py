"""A stream of JSON objects, one a line: every line is answered, and the stream goes on."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from math import isfinite
from typing import BinaryIO, NoReturn

from talleyrand.engine.errors import TalleyrandError
from talleyrand.variants import LANGUAGES

from .adjudication import AnswerJson, failure_answer
from .answer_errors import Languages
from .json_checks import MAX_JSON_BYTES, InvalidQuestion, Json, clip_json

_CHUNK = 1 << 16
AnswerFunction = Callable[[Json], AnswerJson]
QuestionLine = bytes | None
"""A line of a stream; None for one over the limit, of which nothing is kept."""

_ID = re.compile(rb'\s*\{\s*"id"\s*:\s*("(?:[^"\\]|\\.){0,200}"|-?\d{1,18}(?![\d.eE]))')


def read_json(text: str) -> Json:
    """A JSON value; raises InvalidQuestion (`not_json`, `too_deep`, `key_twice`)."""
    try:
        value: Json = json.loads(text, object_pairs_hook=_table, parse_constant=_refuse, parse_float=_finite)
    except json.JSONDecodeError as fault:
        raise InvalidQuestion("not_json", place=str(fault.pos + 1)) from None
    except RecursionError:
        raise InvalidQuestion("too_deep") from None
    except ValueError:
        raise InvalidQuestion("not_json", place="?") from None
    return value


def answer_stream(
    source: BinaryIO, reply: AnswerFunction, languages: Languages = LANGUAGES
) -> Iterator[AnswerJson]:
    """The answer to each line of a stream, in order; blank lines are not questions. What is wrong with a line
    is told in `languages`."""
    for lines in question_lines(source):
        for line in lines:
            yield answer_line(line, reply, languages)


def answer_line(line: QuestionLine, reply: AnswerFunction, languages: Languages = LANGUAGES) -> AnswerJson:
    """The answer to one line of a stream, whatever it holds; None is a line too long to be kept."""
    try:
        return reply(read_json_line(line))
    except Exception as broken:  # noqa: BLE001 the stream outlives a fault of ours
        return failure_answer({"id": _id_of(line)}, line_fault(broken), languages)


def line_fault(broken: Exception) -> TalleyrandError:
    """What is told of a line that came to an exception: what is wrong with it, or that the fault is ours."""
    if isinstance(broken, TalleyrandError):
        return broken
    if isinstance(broken, RecursionError):
        return InvalidQuestion("too_deep")
    return InvalidQuestion("internal", reason=type(broken).__name__)


def _id_of(line: QuestionLine) -> Json:
    """The `id` that a broken line begins with, if it is one that can be told."""
    found = _ID.match(line or b"")
    try:
        return json.loads(found[1]) if found else None
    except ValueError:
        return None


def read_json_line(line: QuestionLine) -> Json:
    """The JSON value of a line; None is a line too long to be kept. Raises InvalidQuestion (`too_long`,
    `not_utf8`, and as `read_json`)."""
    if line is None:
        raise InvalidQuestion("too_long", limit=str(MAX_JSON_BYTES >> 20))
    try:
        text = line.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        raise InvalidQuestion("not_utf8", place=str(fault.start + 1)) from None
    return read_json(text)


def question_lines(source: BinaryIO) -> Iterator[list[QuestionLine]]:
    """The lines of a stream that are not blank, as they come: those that are there together."""
    held, too_long = bytearray(), False
    while chunk := source.read1(_CHUNK):  # type: ignore[attr-defined]
        found: list[QuestionLine] = []
        *ended, rest = chunk.split(b"\n")
        for end in ended:
            held += end
            found.append(None if too_long or len(held) > MAX_JSON_BYTES else bytes(held) + b"\n")
            held, too_long = bytearray(), False
        held += rest
        if len(held) > MAX_JSON_BYTES:
            held, too_long = bytearray(), True
        yield [line for line in found if line is None or line.strip()]
    if too_long or held.strip():
        yield [None if too_long else bytes(held)]


def _table(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    table = dict(pairs)
    if len(table) != len(pairs):
        keys = [key for key, _ in pairs]
        raise InvalidQuestion("key_twice", key=clip_json(next(key for key in keys if keys.count(key) > 1)))
    return table


def _finite(digits: str) -> float:
    number = float(digits)
    if not isfinite(number):
        raise ValueError
    return number


def _refuse(_constant: str) -> NoReturn:
    raise ValueError
