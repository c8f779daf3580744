"""Whole games from their sheets to their last phase.

The demonstration game of the classic rules, and one on Trio with a draft, patrols, retreats, adjustments
and a victory by majority.
"""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any, NamedTuple

import pytest

from talleyrand.formats import adjudication
from talleyrand.formats.game_record import read_game_record, write_game_record
from tests.cases.files import cases
from tests.playthroughs.replays import FOLDER, GAMES, answers, record, results, told


@pytest.mark.parametrize("game", GAMES)
def test_every_order_comes_to_what_it_is_known_to(game: str) -> None:
    assert results(answers(record(game))) == told(game)


@pytest.mark.parametrize("game", GAMES)
def test_a_record_of_the_game_replays_to_the_same_bytes(game: str) -> None:
    first = record(game)
    written = json.dumps(write_game_record(first))
    again = read_game_record(json.loads(written))
    assert json.dumps(answers(again)) == json.dumps(answers(first))
    assert json.dumps(write_game_record(again)) == written


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_the_command_line_prints_the_same_bytes_each_time(game: str) -> None:
    command = [sys.executable, "-m", "talleyrand", "play", str(FOLDER / game), "--json"]
    printed = {
        subprocess.run(
            command, env={"PYTHONHASHSEED": seed}, capture_output=True, check=True, cwd=FOLDER
        ).stdout
        for seed in ("1", "2")
    }
    assert len(printed) == 1
    lines = printed.pop().decode().splitlines()
    assert [json.loads(line) for line in lines] == json.loads(json.dumps(answers(record(game))))


@pytest.mark.parametrize("game", GAMES)
def test_each_answer_asks_the_next_question(game: str) -> None:
    """A program that has nothing but the answers goes through the same game."""
    played = record(game)
    asked: dict[str, Any] = {}
    waiting = {str(inputs.phase): inputs for inputs in played.phases}
    for answer in answers(played):
        sheets = waiting[answer["phase"]].sheets
        orders = {power: list(lines) for power, (lines,) in sheets.items()}
        if asked:
            question = asked | {"phase": answer["phase"], "orders": orders, "variant": played.variant.name}
            again = adjudication.adjudicate_question(question)
            assert {name: value for name, value in again.items() if name != "id"} == {
                name: value for name, value in answer.items() if name != "id"
            }
        asked = {name: answer[name] for name in ("units", "dislodged", "contested", "centers")}


# the demonstration game ------------------------------------------------------------------------------

DEMONSTRATION = answers(record("demonstration"))
BY_PHASE = {answer["phase"]: answer for answer in DEMONSTRATION}


@pytest.mark.parametrize(
    ("case", "phase"),
    [
        ("DEMO-S1901", "S1901M"),
        ("DEMO-A1901", "F1901M"),
        ("DEMO-S1902", "S1902M"),
        ("DEMO-A1902", "F1902M"),
    ],
)
def test_the_positions_are_those_of_the_cases(case: str, phase: str) -> None:
    after = next(one for one in cases() if one.id == case).expected["after"]
    answer = BY_PHASE[phase]
    assert {power: sorted(units) for power, units in answer["units"].items()} == {
        power: sorted(units) for power, units in after["units"].items()
    }
    assert answer["contested"] == sorted(after["contested"])


@pytest.mark.parametrize(("case", "phase"), [("DEMO-W1901", "W1901A"), ("DEMO-W1902", "W1902A")])
def test_the_winters_are_those_of_the_cases(case: str, phase: str) -> None:
    expected = next(one for one in cases() if one.id == case)
    answer = BY_PHASE[phase]
    balances = {power: due["balance"] for power, due in answer["adjustments"].items()}
    assert balances == expected.expected["balance"]
    owned = {power: sorted(codes) for power, codes in expected.position["centers"].items()}
    assert {power: sorted(codes) for power, codes in answer["centers"].items()} == owned


def test_the_game_is_not_over_and_nobody_is_out() -> None:
    last = DEMONSTRATION[-1]
    assert (last["next"], last["winner"], last["eliminated"]) == ("S1903M", [], [])
    assert not [entry for answer in DEMONSTRATION for entry in answer["orders"] if entry["error"]]


class Misprint(NamedTuple):
    """A line as printed, and what the reader makes of it: an order, a refusal, a note."""

    phase: str
    power: str
    line: str
    order: str | None
    error: str | None = None
    note: str | None = None
    results: tuple[str, ...] = ()


REFUSED = ("illegal",)
MISPRINTS = [
    Misprint("S1901M", "ENGLAND", "F Edi-Nrv", "F EDI - NWG", note="read_as", results=("moves",)),
    Misprint(
        "F1901M", "FRANCE", "F Pie-Bel", "A PIE - BEL", "foreign_unit", "letter_corrected", ("illegal",)
    ),
    Misprint(
        "S1902M", "RUSSIA", "A Seb-Nge", "A SEV - NWY", "illegal", results=("illegal", "convoy_disrupted")
    ),
    Misprint(
        "F1902M",
        "GERMANY",
        "A Hol S A Bel",
        "F HOL S A BEL",
        note="letter_corrected",
        results=("support_given",),
    ),
    Misprint(
        "F1902M",
        "FRANCE",
        "F Pie S A Bou-Bel",
        "A PIE S A BUR - BEL",
        "foreign_unit",
        "letter_corrected",
        ("illegal",),
    ),
    Misprint("F1902M", "ENGLAND", "F Bar S A Nge", "F BAR S A NWY", results=("support_void",)),
]


@pytest.mark.parametrize("misprint", MISPRINTS, ids=lambda misprint: misprint.line)
def test_a_line_as_printed(misprint: Misprint) -> None:
    """Never repaired in silence: followed with a note, or refused, or followed to the letter."""
    place = [answer["phase"] for answer in DEMONSTRATION].index(misprint.phase)
    position = _before(place)
    answer: dict[str, Any] = adjudication.adjudicate_question(
        position | {"phase": misprint.phase, "orders": {misprint.power: [misprint.line]}}
    )
    entry = answer["orders"][0]
    assert (entry["line"], entry["order"]) == (misprint.line, misprint.order)
    assert (entry["error"] or {"kind": None})["kind"] == misprint.error
    assert (misprint.note in [note["kind"] for note in entry["notes"]]) or misprint.note is None
    if misprint.error:
        assert entry["results"] == list(misprint.results)
        assert all(entry["error"]["message"][tongue] for tongue in ("fr", "en"))


def _before(place: int) -> dict[str, Any]:
    """The position a phase of the demonstration game is played from."""
    if not place:
        start = record("demonstration").start
        units: dict[str, list[str]] = {}
        for unit in start.units:
            units.setdefault(unit.power, []).append(str(unit))
        return {"units": units}
    return {name: DEMONSTRATION[place - 1][name] for name in ("units", "dislodged", "centers")}


def test_a_unit_that_the_print_forgets_holds() -> None:
    """S1901: no order for A CON, and so A Smy-Con bounces."""
    lines = {"TURKEY": ["A Smy-Con", "F Ank-Noi"]}
    answer: dict[str, Any] = adjudication.adjudicate_question(
        _before(0) | {"phase": "S1901M", "orders": lines}
    )
    fates = {entry["unit"]: entry["results"] for entry in answer["orders"] if entry["power"] == "TURKEY"}
    assert fates == {"A SMY": ["bounces"], "F ANK": ["moves"], "A CON": ["holds"]}


# trio ------------------------------------------------------------------------------------------------

TRIO = {answer["phase"]: answer for answer in answers(record("trio"))}


def test_the_draft_allows_one_patrol_a_power() -> None:
    refused = [entry for entry in TRIO["Y1D"]["orders"] if entry["results"] == ["build_void"]]
    assert [(entry["order"], entry["cause"]["code"]) for entry in refused] == [("P LAG B", "one_of_kind")]


def test_patrols_go_anywhere_convoy_nobody_and_take_no_centre() -> None:
    convoy = next(entry for entry in TRIO["Y2M"]["orders"] if entry["error"])
    assert (convoy["order"], convoy["cause"]["code"]) == ("P EVE C A LAG - HEA", "cannot_convoy")
    assert "P NEE" in TRIO["Y2A"]["units"]["VESPERA"]
    assert "NEE" in TRIO["Y2A"]["centers"]["BOREA"]


def test_retreats_and_adjustments_of_a_year_with_one_season() -> None:
    assert TRIO["Y2M"]["dislodged"] == {
        "SOLANA": [{"unit": "A SAF", "by": "LAG", "convoyed": False, "retreats": ["BEA"]}]
    }
    assert {power: due["balance"] for power, due in TRIO["Y2R"]["adjustments"].items()} == {
        "BOREA": 0,
        "SOLANA": -1,
        "VESPERA": 1,
    }


def test_more_than_half_of_the_centres_win() -> None:
    last = TRIO["Y3M"]
    assert (last["next"], last["winner"], last["eliminated"]) == (None, ["BOREA"], ["SOLANA"])
    assert last["centers"]["BOREA"] == ["BEA", "FRO", "NEE", "PEA"]
