"""Intimate Diplomacy: who commands, and what is secret."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from talleyrand import notation, rulebooks
from talleyrand.engine.errors import TalleyrandError
from talleyrand.engine.position import Phase
from talleyrand.formats import adjudication
from talleyrand.formats.game_record import read_game_record, replay, write_game_record
from talleyrand.formats.question_input import read_question
from talleyrand.variants import load

DUEL = load("intimate").definition
BOARD, BOOK = DUEL.board, rulebooks.load("anjou_feu").adjudication_rules
SIDES = ("FIRST", "SECOND")


def asked(phase: str, orders: dict[str, list[str]] | None = None, **fields: Any) -> dict[str, Any]:
    return adjudication.adjudicate_question(
        {"variant": "intimate", "phase": phase, "orders": orders or {}, **fields}
    )


def errors(answer: dict[str, Any]) -> list[str]:
    return [
        (one["error"] or {"message": {"en": ""}})["message"]["en"] for one in answer["orders"] if one["line"]
    ]


def test_two_play_and_seven_are_on_the_board() -> None:
    assert DUEL.players == DUEL.seats == SIDES
    assert len(DUEL.board.powers) == 9
    assert len(DUEL.start.units) == 22
    assert str(DUEL.calendar.start) == "S1901H"


@pytest.mark.parametrize(
    ("phase", "line", "said"),
    [
        ("S1901H", "France?? no!", "List: France, Russia, Italy"),
        ("S1901H", "List: France, Spain", "not one of the seven powers"),
        ("S1901H", "List: France, Italy, France", "twice"),
        ("S1901H", "List: First side", "not for hire"),
        ("S1901B", "as much as it takes", "Bid: Italy 8, Germany 5"),
        ("S1901B", "Bid: Italy -3", "Bid: Italy 8, Germany 5"),
        ("S1901B", "Bid: Italy 999999", "more than the 20 credits"),
        ("S1901B", "Bid: Italy 8, Itly 3", "not one of the seven powers"),
        ("S1901B", "Bid: France 8", "not for hire"),
        ("S1901B", "Bid: Italy 8, Italy 9", "twice"),
        ("S1901B", "List: France, Italy", "Bid: Italy 8, Germany 5"),
        ("S1901M", "Bid: Italy 8", ""),
    ],
)
def test_what_cannot_be_is_refused_with_what_can(phase: str, line: str, said: str) -> None:
    homes = {"FIRST": "FRANCE", "SECOND": "RUSSIA"}
    politics = {} if phase.endswith("H") else {"homes": homes, "credits": dict.fromkeys(SIDES, 20)}
    (told,) = errors(asked(phase, {"FIRST": [line]}, politics=politics))
    assert told
    assert said in told


def test_a_second_list_and_a_second_bid_for_a_power_do_not_count() -> None:
    answer = asked("S1901H", {"FIRST": ["France", "Italy"], "SECOND": ["Turkey"]})
    assert answer["politics"]["homes"] == {"FIRST": "FRANCE", "SECOND": "TURKEY"}
    assert "the first one counts" in errors(answer)[1]
    politics = {"homes": {"FIRST": "FRANCE", "SECOND": "TURKEY"}, "credits": {"FIRST": 9, "SECOND": 9}}
    answer = asked("S1901B", {"FIRST": ["Italy 2", "Italy 3, Russia 1"]}, politics=politics)
    assert answer["politics"]["hired"] == {"ITALY": "FIRST"}
    assert answer["politics"]["credits"] == {"FIRST": 7, "SECOND": 9}


@pytest.mark.parametrize(
    ("politics", "code"),
    [
        ({"homes": ["FRANCE"]}, "not_a_table"),
        ({"homes": {"FIRST": "SPAIN"}}, "power_unknown"),
        ({"homes": {"FRANCE": "ITALY"}}, "power_unknown"),
        ({"homes": {"FIRST": "ITALY", "SECOND": "ITALY"}}, "power_unknown"),
        ({"hired": {"ITALY": "FRANCE"}}, "power_unknown"),
        ({"credits": {"FIRST": -1}}, "not_a_count"),
        ({"credits": {"FIRST": True}}, "not_a_count"),
        ({"options": {"reserves": "mine"}}, "unknown_value"),
        ({"options": {"seats": "3"}}, "unknown_option"),
    ],
)
def test_a_state_that_cannot_be_is_refused(politics: dict[str, Any], code: str) -> None:
    with pytest.raises(TalleyrandError) as refused:
        read_question({"variant": "intimate", "phase": "S1901B", "politics": politics})
    assert refused.value.code == code


def test_a_state_survives_its_table() -> None:
    politics = {
        "homes": {"FIRST": "FRANCE", "SECOND": "RUSSIA"},
        "credits": {"FIRST": 3, "SECOND": 0},
        "hired": {"ITALY": "SECOND"},
        "options": {"occupier": "any_unit"},
    }
    position = read_question({"variant": "intimate", "phase": "S1902M", "politics": politics}).position
    assert DUEL.politics
    assert DUEL.politics.write_state(BOARD, position) == politics


def test_who_may_write_is_asked_in_one_place() -> None:
    politics = {"homes": {"FIRST": "FRANCE", "SECOND": "RUSSIA"}, "hired": {"ITALY": "FIRST"}}
    asked_of = read_question({"variant": "intimate", "phase": "S1902M", "politics": politics}).position
    position = replace(DUEL.start, phase=Phase.parse("S1902M"), political_state=asked_of.political_state)
    rules = DUEL.rules_for(position.phase)
    led = {side: {u.name for u in position.units if DUEL.leader(position, u.power) == side} for side in SIDES}
    for side in SIDES:
        assert {order.unit for order in rules.legal_orders(BOARD, position, side, BOOK)} == led[side]
    assert rules.legal_orders(BOARD, position, "ITALY", BOOK) == ()
    assert rules.powers_with_choices(BOARD, position, BOOK) == SIDES


def test_a_game_is_written_and_read_again() -> None:
    phases = [
        {"phase": "S1901H", "orders": {"FIRST": ["LIST FRANCE"], "SECOND": ["LIST FRANCE"]}},
        {"phase": "S1901B", "orders": {"FIRST": ["BID ENGLAND 4"], "SECOND": ["BID GERMANY 9"]}},
        {"phase": "S1901M", "orders": {"FIRST": ["F LON - NTH"], "SECOND": ["A MUN - BUR"]}},
    ]
    given = {"variant": "intimate", "rulebook": "anjou_feu", "seed": "seven", "phases": phases}
    record = read_game_record(given)
    first = [one.answer() for one in replay(record)]
    again = [
        one.answer() for one in replay(read_game_record(json.loads(json.dumps(write_game_record(record)))))
    ]
    assert first == again
    assert [one["next"] for one in first] == ["S1901B", "S1901M", "F1901M"]


@pytest.mark.parametrize(
    ("phase", "order", "words"),
    [
        ("S1901H", "LIST FRANCE RUSSIA", {"fr": "liste France, Russie", "en": "list France, Russia"}),
        (
            "S1901B",
            "BID ITALY 8 / GERMANY 5",
            {"fr": "mise Italie 8, mise Allemagne 5", "en": "bid Italy 8, bid Germany 5"},
        ),
    ],
)
def test_what_is_written_in_words_is_read_back(phase: str, order: str, words: dict[str, str]) -> None:
    variant = load("intimate")
    homes = {"FIRST": "FRANCE", "SECOND": "RUSSIA"}
    politics = {} if phase.endswith("H") else {"homes": homes, "credits": dict.fromkeys(SIDES, 20)}
    for language, line in words.items():
        assert notation.write_order(notation.parse_order(order, variant), variant, language, "short") == line
        (told, *_) = asked(phase, {"FIRST": [line]}, politics=politics)["orders"]
        assert told["order"] == order
