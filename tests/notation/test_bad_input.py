"""Whatever is typed gets an answer: an order, or a refusal with a documented reason."""

from __future__ import annotations

import random
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from talleyrand import rulebooks, variants
from talleyrand.engine.errors import OrderAmbiguous, OrderNotAllowed, OrderNotUnderstood
from talleyrand.engine.position import DislodgedUnit, Phase, Position, Unit
from talleyrand.notation import (
    NOTE_KINDS,
    REFUSAL_REASONS,
    OrderLine,
    ReadingContext,
    read_line,
    read_lines,
    split_sheet,
)

CLASSIC = variants.load("classic")
BOOK = rulebooks.load("anjou_feu")
START = ReadingContext(CLASSIC, CLASSIC.definition.start, "FRANCE", BOOK)
RETREAT = ReadingContext(
    CLASSIC,
    Position(
        Phase("S", 1902, "R"),
        dislodged=(DislodgedUnit(Unit("F", "STP/SC", "RUSSIA"), "NWY", retreats=("FIN", "LVN")),),
    ),
    "RUSSIA",
    BOOK,
)
WINTER = ReadingContext(
    CLASSIC,
    Position(Phase("W", 1901, "A"), (Unit("A", "SPA", "FRANCE"),), centres={"FRANCE": ("PAR", "BRE", "SPA")}),
    None,
    BOOK,
)
WORDS = """
    A F a à H S C R D B - -> → ; , : ( ) / + VIA via par convoi si sinon et Par Bou Mar MAR Bre Liv Tyr Nor
    Nrv cn cs n s côte nord sud Esp Spa StP Saint Pétersbourg mer du Nord golfe l' d’ la de France russe
    soutient supports convoie convoys tient holds se saborde disband construit build retire waive 1. 2) * • ½
    \u00a0 \u200f \u202e \u0000 \ud800 e\u0301 \uff21 ﬁ ß İ x xxx Tokyo 🙂 中文 \u2018 ’ « »
""".split()  # noqa: SIM905


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "empty"),
        (" \t\u00a0", "empty"),
        ("\x00\x01\x02", "unreadable"),
        ("\u200f\u200e", "unreadable"),
        ("🙂", "unreadable"),
        ("\ud800\udfff", "unreadable"),
        ("----------", "unreadable"),
        ("\x7fELF\x02\x01\x01", "unknown_place"),
        ("A" * 1_000_000, "line_too_long"),
        ("A Par - " + "Spa n - " * 100_000, "line_too_long"),
    ],
)
def test_junk_is_refused(text: str, reason: str) -> None:
    line = read_line(text, START)
    assert isinstance(line.refusal, OrderNotUnderstood)
    assert line.refusal.code == reason
    assert line.text == text
    assert len(line.refusal.text) <= 60
    assert line.refusal.text.isprintable()


@pytest.mark.parametrize(
    "text",
    [
        "A Par - Pic\u200f",
        "\ufeffA Par - Pic",
        "A\u00a0Par\u00a0-\u202fPic",
        "A Par\u00ad - Pic",
        "A Par \u2013 Pic",
        "A Par\t-\tPic\r\n",
        "A Par - Pic\x00",
        "\uff21 \uff30\uff41\uff52 \uff0d \uff30\uff49\uff43",
    ],
)
def test_what_a_keyboard_adds_does_not_matter(text: str) -> None:
    assert str(read_line(text, START).order) == "A PAR - PIC"


@pytest.mark.parametrize("name", ["A Mar - Pie\u0301mont", "A Mar - Pi\u00e9mont", "A MAR - PIE\u0301MONT"])
def test_accents_may_be_composed_or_not(name: str) -> None:
    assert str(read_line(name, START).order) == "A MAR - PIE"


@pytest.mark.parametrize(
    "line",
    [
        "A Par - " + "Spa n - " * 45,
        "A Par S " * 45,
        "Nor - " * 60,
        "A " * 190,
        "via " * 90,
        "Liv Tyr Nor " * 30,
    ],
)
def test_a_twisted_line_takes_little_time(line: str) -> None:
    start = time.process_time()
    assert read_line(line, START).refusal is not None
    assert time.process_time() - start < 2


def test_an_endless_sheet_is_cut_off_and_every_line_answered() -> None:
    lines = read_lines(["A Par - Tokyo"] * 3000, START)
    assert [line.number for line in lines] == list(range(1, 3001))
    assert lines[499].refusal is not None
    assert lines[499].refusal.code == "unknown_place"
    assert lines[500].refusal is not None
    assert lines[500].refusal.code == "too_many_lines"


@pytest.mark.long
def test_a_large_sheet_is_split_without_losing_a_word() -> None:
    sheet = "France\n" + "A Par - Bou; " * 80_000 + "\x00\n"
    found = split_sheet(sheet, CLASSIC)["FRANCE"]
    assert len(found) == 80_001
    assert found[0] == "A Par - Bou"


@given(st.text(max_size=80))
def test_any_text_gets_an_answer(text: str) -> None:
    for context in (START, RETREAT, WINTER):
        _sound(read_line(text, context), text)


@pytest.mark.long
def test_shuffled_words_get_an_answer(seed: int, full: bool) -> None:
    draw = random.Random(seed)
    for _ in range(20_000 if full else 600):
        text = " ".join(draw.choices(WORDS, k=draw.randint(1, 9)))
        for context in (START, RETREAT, WINTER):
            _sound(read_line(text, context), text)


@pytest.mark.long
def test_spoilt_orders_get_an_answer(seed: int, full: bool) -> None:
    draw = random.Random(seed)
    options = [str(order) for order in START.options]
    for _ in range(20_000 if full else 600):
        letters = list(draw.choice(options))
        for _ in range(draw.randint(1, 3)):
            letters[draw.randrange(len(letters))] = draw.choice("AFSCxyé -/;\x00()")
        _sound(read_line("".join(letters), START), "".join(letters))


def _sound(line: OrderLine, text: str) -> None:
    assert line.text == text
    assert all(note.kind in NOTE_KINDS for note in line.notes)
    if line.refusal is None:
        assert line.order is not None
    else:
        assert isinstance(line.refusal, OrderNotUnderstood | OrderNotAllowed | OrderAmbiguous)
        assert line.refusal.code in REFUSAL_REASONS or isinstance(line.refusal, OrderNotAllowed)
        if isinstance(line.refusal, OrderAmbiguous):
            assert len(line.refusal.candidates) > 1
            assert line.order is None
