"""Spoilt sheets: no crash, no order out of nothing, no line unanswered, and never too much work."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator

import pytest

from talleyrand import notation, variants
from talleyrand.engine.errors import TalleyrandError
from talleyrand.formats.plain_text import read_game_text
from talleyrand.notation import OrderLine, ReadingContext, parse_normal, read_lines
from tests.each import each
from tests.fuzz.checks import check, effort, names_what_it_orders
from tests.fuzz.mutations import mutated, sheet
from tests.fuzz.scenes import context, corpus, drawn, seeds

SAMPLE = 70
HOUR = 3600
SIGNS = ("A", "F", "H", "S", "C", "-", "R", "D", "B", "via", "xxx", ",", ";", "(", ")", "et", "ou")
CLASSIC = variants.load("classic")


def rounds(full: bool) -> Iterator[int]:
    """So many questions; at full size as many as an hour has room for."""
    if not full:
        yield from range(SAMPLE)
        return
    end = time.monotonic() + HOUR
    number = 0
    while time.monotonic() < end:
        yield number
        number += 1


@pytest.mark.long
def test_spoilt_sheets_are_answered(
    seed: int, full: bool, record_property: Callable[[str, object], None]
) -> None:
    number = 0
    for number in rounds(full):
        draw = random.Random(f"{seed} {number}")
        sheets = [sheet(draw, seeds()) for _ in range(draw.choice((1, 1, 1, 2, 3)))]
        asked = drawn(draw, sheets)
        try:
            check(asked)
        except Exception as fault:
            fault.add_note(f"seed {seed}, round {number}: {asked!a}")
            raise
    size = "an hour with --full" if not full else "an hour"
    record_property("sampled", f"spoilt sheets: {number + 1} rounds ({size}), seed {seed}")


@pytest.mark.long
@each("text", corpus())
def test_the_corpus_is_answered(text: str) -> None:
    check(drawn(random.Random(f"0 {text!a}"), [[text]]))


def test_the_other_doors_take_anything(seed: int) -> None:
    draw = random.Random(seed)
    for _ in range(SAMPLE):
        text = "\n".join(sheet(draw, seeds()))
        notation.split_sheet(text, CLASSIC)
        notation.announced_relation(text)
        notation.find_power(text, CLASSIC)
        notation.names_destination(text, CLASSIC)
        try:
            read_game_text(text)
        except TalleyrandError:
            continue


def test_words_that_name_no_place_make_no_order(seed: int) -> None:
    """Letters that begin no name and are in no list, with the signs of orders among them."""
    draw = random.Random(seed)
    asked = drawn(draw, [["A Par H"]])
    where = context(asked)
    for _ in range(SAMPLE):
        words = ["".join(draw.choices("jkqwxyz", k=draw.randint(3, 9))) for _ in range(draw.randint(1, 5))]
        signs = draw.choices(SIGNS, k=draw.randint(0, 6))
        line = words + signs
        draw.shuffle(line)
        text = " ".join(line)
        for read in read_lines([text], where):
            assert read.order is None or read.refusal is not None, text


def test_an_order_out_of_nothing_would_be_noticed() -> None:
    where = _start()
    for order in ("A PAR - PIC", "A MAR - BUR", "A PAR S A MAR - BUR"):
        with pytest.raises(AssertionError):
            names_what_it_orders(OrderLine("A Par - Bou", order=parse_normal(order)), where)
    names_what_it_orders(OrderLine("A Par - Bou", order=parse_normal("A PAR - BUR")), where)


# effort


def _start() -> ReadingContext:
    return context(drawn(random.Random(0), [["A Par H"]]))


def test_twice_the_lines_are_twice_the_work(seed: int) -> None:
    """A sheet costs what its lines cost: measured in calls, which every machine counts alike."""
    draw = random.Random(seed)
    where = _start()
    lines = [mutated(draw, seeds()) for _ in range(15)]
    read_lines(lines * 4, where)
    small = effort(lambda: read_lines(lines, where))
    large = effort(lambda: read_lines(lines * 4, where))
    assert large <= 4 * small * 1.2


@pytest.mark.one_in(4)
@pytest.mark.parametrize(
    "unit",
    [
        "A ",
        "A Par - ",
        "A Par S ",
        "A Par - Bou, ",
        "A Par - Bou ou ",
        "A Par et ",
        "Nor - ",
        "Liv Tyr Nor ",
        "via ",
        "(a) ",
        "~~A Par~~ ",
        "; ",
        "si ",
        "mer de ",
        "Bourgongne ",
        "zut ",
        "\u200b",
        "é",
        "<b>",
        "[",
    ],
)
def test_a_longer_line_is_not_much_more_work(unit: str) -> None:
    """From the longest line that is read, not much is added; beyond it the work grows as its letters do."""
    where = _start()
    ordinary = effort(lambda: read_lines(["A Paris - Bourgongne, A Mar S A Par - Bou"] * 10, where))
    line = (unit * 400)[:390]
    assert effort(lambda: read_lines([line], where)) <= 60 * ordinary
    long = effort(lambda: read_lines([unit * 2000], where))
    longer = effort(lambda: read_lines([unit * 8000], where))
    assert longer <= 4 * long * 1.5 + ordinary
