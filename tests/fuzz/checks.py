"""What must hold of the answer to any sheet whatever."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

from talleyrand.engine.board import province_of
from talleyrand.engine.orders import Order
from talleyrand.formats import adjudication
from talleyrand.notation import OrderLine, ReadingContext, parse_normal, read_line, read_lines
from talleyrand.notation.lexer import DASH, clean_line, tokenize
from talleyrand.notation.vocabulary import LINK_WORDS
from tests.fuzz.scenes import Value, context

JUDGED = ("multiple_orders", "superseded", "surplus", "coast_missing")


def check(asked: Value) -> frozenset[str]:
    """Every property of one question; gives what kinds of answers its lines got."""
    answer: Any = adjudication.read_question_orders(asked)
    json.dumps(answer, allow_nan=False).encode("ascii")
    assert "error" not in answer, answer
    (sheets,) = asked["sheets"].values()
    _every_line_is_answered(answer, sheets)
    for entry in answer["orders"]:
        _is_told(entry)
    for note in answer["notes"]:
        _says(note)
    where = context(asked)
    for sheet in sheets:
        for line in read_lines(sheet, where):
            names_what_it_orders(line, where)
            _is_read_back(line, where)
    return frozenset(_features(answer))


def _every_line_is_answered(answer: Value, sheets: list[list[str]]) -> None:
    numbers = {(entry["sheet"], entry["line_no"]) for entry in answer["orders"] if entry["line"] is not None}
    assert numbers == {(i, j) for i, sheet in enumerate(sheets, 1) for j in range(1, len(sheet) + 1)}


def _is_told(entry: Value) -> None:
    """A refusal has a sentence in each language, and so has a note."""
    if entry["error"] is not None:
        _says(entry["error"]["message"])
    for note in entry["notes"]:
        _says(note)
    if entry["order"] is not None:
        assert str(parse_normal(entry["order"])) == entry["order"]


def _says(sentences: Value) -> None:
    for language in ("fr", "en"):
        assert sentences[language].strip(), sentences
    assert sentences["fr"] != sentences["en"], sentences


def names_what_it_orders(line: OrderLine, where: ReadingContext) -> None:
    """Every province of an accepted order is named in its line, in a form that may mean it."""
    if line.order is None or line.refusal is not None:
        return
    named = set(_named(line.text, where))
    assert _provinces(line.order) <= named, (line.text, str(line.order))


def _provinces(order: Order) -> set[str]:
    places = [order.unit and order.unit.location, getattr(order, "to", None), *getattr(order, "path", ())]
    target = getattr(order, "target", None)
    return {province_of(place) for place in (*places, target and target.location) if place}


def _named(text: str, where: ReadingContext) -> Iterator[str]:
    """The provinces that some words of a line may mean, letters glued to them or not."""
    tokens = [token for token in tokenize(clean_line(text)) if token.key != DASH]
    names = where.index
    for start in range(len(tokens)):
        yield from where.two_letter_forms.get(tokens[start].key, ())
        yield from _meant(tokens[start].key[1:], tokens[start].text[1:], where)
        words: tuple[str, ...] = ()
        for token in tokens[start : start + names.longest + 4]:
            words = (*words, token.key)
            written = "".join(one.text for one in tokens[start : start + len(words)])
            yield from _meant(" ".join(words), written, where)
            yield from names.guessed_provinces(words)
            bare = tuple(word for word in words if word not in LINK_WORDS)
            yield from names.guessed_provinces(bare) if bare else ()


def _meant(key: str, written: str, where: ReadingContext) -> tuple[str, ...]:
    return where.index.listed_provinces(key, written)


def _is_read_back(line: OrderLine, where: ReadingContext) -> None:
    """The normal form of an accepted order is read as the same order where no list is in use."""
    if line.order is None or line.refusal is not None or where.naming not in (None, "judge"):
        return
    again = read_line(str(line.order), where)
    assert again.order == line.order or again.refusal is not None, (line.text, str(line.order), again)


def _features(answer: Value) -> Iterator[str]:
    for entry in answer["orders"]:
        if entry["line"] is not None:
            kinds = sorted({note["kind"] for note in entry["notes"]})
            order = parse_normal(entry["order"]) if entry["order"] else None
            error = entry["error"]["kind"] if entry["error"] else ""
            yield "/".join((type(order).__name__ if order else "", error, *kinds))
    yield from (note["kind"] for note in answer["notes"])


def effort(work: Callable[[], object]) -> int:
    """How many calls some work takes: the same on every machine, unlike seconds."""
    calls = 0

    def count(_frame: FrameType, event: str, _arg: object) -> None:
        nonlocal calls
        calls += event == "call"

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(before)
    return calls
