"""Answers in some languages, and without reasons: the same answer with something left out."""

import json
from collections.abc import Callable
from typing import Any

from talleyrand.formats.adjudication import adjudicate_question, read_question_orders
from talleyrand.formats.rulebook_comparison import comparison_answer
from talleyrand.rulebooks import load
from tests.each import each

Value = Any

MOVES = {
    "id": 1,
    "phase": "S1901M",
    "units": {"FRANCE": ["A PAR", "A PIC", "F ENG"], "GERMANY": ["A BEL", "A RUH"]},
    "orders": {
        "FRANCE": ["A Pic - Bel", "F Eng S A Pic - Bel", "A Par - Mos", "A Par - Bru", "et voilà"],
        "GERMANY": ["Belgium holds", "A Ruh S A Bel"],
    },
    "strange": 1,
}
SHEETS = {
    "phase": "S1901M",
    "units": {"FRANCE": ["A PAR", "A PIC"]},
    "sheets": {"FRANCE": [["A Par - Bur"], ["Automne 1903", "A Pic - Bel"]]},
}
RETREATS = {
    "phase": "S1901R",
    "units": {"RUSSIA": ["A BUL"]},
    "dislodged": {"TURKEY": [{"unit": "A CON", "by": "BUL", "retreats": ["SMY"]}]},
    "orders": {"TURKEY": ["A Con - Smy", "A Con - Ank"]},
}
WINTER = {
    "phase": "W1901A",
    "units": {"FRANCE": ["A BUR"]},
    "centers": {"FRANCE": ["PAR", "BRE"]},
    "orders": {"FRANCE": ["Build A Mos", "F Par", "A Mar"]},
}
BAD = {"id": 7, "phase": "S1901M", "variant": "nowhere"}
QUESTIONS: list[Value] = [MOVES, SHEETS, RETREATS, WINTER, BAD]
SAYS = ("why", "message")


def kept(value: Value, languages: tuple[str, ...]) -> Value:
    """What is left of an answer in every language: the oracle of the shorter forms."""
    if isinstance(value, list):
        return [kept(part, languages) for part in value]
    if not isinstance(value, dict):
        return value
    left = {name: kept(part, languages) for name, part in value.items() if name not in ("fr", "en")}
    said = {name: part for name, part in value.items() if name in languages}
    return {name: part for name, part in (left | said).items() if languages or name not in SAYS}


@each("reply", [adjudicate_question, read_question_orders])
@each("languages", [("fr", "en"), ("fr",), ("en",), ()])
@each("question", QUESTIONS)
def test_an_answer_in_some_languages_is_the_whole_one_without_the_others(
    reply: Callable[..., Value], languages: tuple[str, ...], question: Value
) -> None:
    whole, told = reply(question), reply(question, languages=languages)
    assert json.dumps(told) == json.dumps(kept(whole, languages))


def test_sentences_are_left_out_of_a_comparison_too() -> None:
    books = {name: load(name) for name in ("datc", "anjou_feu")}
    whole = comparison_answer(MOVES, books)
    assert comparison_answer(MOVES, books, ("en",)) == kept(whole, ("en",))


def test_without_reasons_what_happened_is_told_all_the_same() -> None:
    whole: Value = adjudicate_question(MOVES)
    bare: Value = adjudicate_question(MOVES, with_reasons=False, languages=())
    expected = kept(whole, ())
    for entry in (*bare["orders"], *expected["orders"]):
        for sought in ("units", "any_of", "change"):
            entry["cause"].pop(sought)
    assert bare == expected
