"""Streams of JSON lines: one answer a question, whatever the line."""

import io
import json
from collections.abc import Callable
from typing import Any

from talleyrand.formats.adjudication import AnswerJson, adjudicate_question
from talleyrand.formats.json_checks import MAX_JSON_BYTES
from talleyrand.formats.json_lines import answer_stream

GOOD = b'{"id": 1, "phase": "S1901M"}\n'


def ask(data: bytes, reply: Callable[[object], AnswerJson] = adjudicate_question) -> list[dict[str, Any]]:
    return list(answer_stream(io.BytesIO(data), reply))


def kind(reply: dict[str, Any]) -> str | None:
    return str(reply["error"]["kind"]) if "error" in reply else None


def test_every_line_is_answered_in_order() -> None:
    bad = [
        b'{"id": 2, "phase": "S19',
        b"\xff\xfe\x00\x01",
        b"\x00\x01\x02",
        b"[" * 50_000,
        b'{"id": "three", "phase": 1, "phase": 2}',
        b'{"id": 4, "seed": NaN}',
        b'{"id": 5, "seed": 1e999}',
        b"1" * 5000,
        b"x" * (MAX_JSON_BYTES + 100),
    ]
    replies = ask(GOOD + b"\n".join(bad) + b"\n" + GOOD)
    assert [kind(reply) for reply in replies] == [
        None,
        *["bad_json"] * len(bad[:-2]),
        "bad_json",
        "bad_json",
        None,
    ]
    assert [reply["id"] for reply in replies] == [1, 2, None, None, None, "three", 4, 5, None, None, 1]


def test_blank_lines_are_no_questions_and_the_last_line_needs_no_end() -> None:
    assert len(ask(b"\n  \n" + GOOD + b"\r\n" + GOOD.strip())) == 2


def test_a_byte_order_mark_is_no_fault() -> None:
    assert kind(ask(b"\xef\xbb\xbf" + GOOD)[0]) is None


def test_a_line_of_just_the_limit_is_read() -> None:
    filler = b" " * (MAX_JSON_BYTES - len(GOOD) + 1)
    assert kind(ask(GOOD.strip() + filler + b"\n" + GOOD)[0]) is None


def test_answers_come_as_the_questions_do() -> None:
    class Slow(io.BytesIO):
        asked = 0

        def readline(self, size: int | None = -1, /) -> bytes:
            self.asked += 1
            return super().readline(size)

    source = Slow(GOOD * 3)
    replies = answer_stream(source, adjudicate_question)
    next(replies)
    assert source.asked == 1


def test_the_stream_outlives_a_fault_of_ours() -> None:
    def broken(question: object) -> AnswerJson:
        raise ZeroDivisionError(question)

    reply = ask(GOOD, broken)[0]
    assert (reply["id"], kind(reply)) == (1, "internal")
    assert "ZeroDivisionError" in reply["error"]["message"]["en"]
    json.dumps(reply)
