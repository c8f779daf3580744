"""The world's winters under the choices of a rulebook, and what an outside oracle found in its years."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from talleyrand.formats.position_json import write_position
from talleyrand.variants import load
from tests.variants.test_diplomatie_2000 import judged, play

WORLD = load("diplomatie_2000")
Answer = dict[str, Any]


def winter(units: Mapping[str, Sequence[str]], orders: Mapping[str, Sequence[str]], **choices: str) -> Answer:
    """A winter with the centres of the start, under a book with these choices."""
    question = {
        "variant": "diplomatie_2000",
        "phase": "W2002A",
        "rulebook": {"extends": "datc", "options": choices},
        "units": {power: list(some) for power, some in units.items()},
        "centers": write_position(WORLD.definition.start, WORLD.board)["centers"],
        "orders": {power: list(lines) for power, lines in orders.items()},
    }
    answer = judged(question)
    assert "error" not in answer, answer
    return answer


def told(answer: Answer, power: str) -> list[str]:
    """The results of the lines of a power."""
    return [one["results"][0] for one in answer["orders"] if one["power"] == power and one["line"]]


@pytest.mark.parametrize(
    ("choice", "expected"),
    [
        ("first_legal", ["builds", "build_ignored"]),
        ("last_legal", ["build_ignored", "builds"]),
        ("none", ["build_ignored", "build_ignored"]),
    ],
)
def test_more_builds_than_there_is_room_for(choice: str, expected: list[str]) -> None:
    lines = {"UMAR": ["+ A ALG", "+ A RAB"]}
    assert told(winter({"UMAR": ["A TRI", "A TUN"]}, lines, too_many_builds=choice), "UMAR") == expected


@pytest.mark.parametrize(
    ("choice", "expected"),
    [
        ("first", ["builds", "build_void"]),
        ("last", ["build_void", "builds"]),
        ("none", ["build_void", "build_void"]),
    ],
)
def test_two_builds_on_one_centre(choice: str, expected: list[str]) -> None:
    lines = {"UMAR": ["+ A ALG", "+ M ALG"]}
    assert told(winter({"UMAR": ["A TRI"]}, lines, two_builds_one_centre=choice), "UMAR") == expected


@pytest.mark.parametrize(
    ("choice", "expected"),
    [
        ("first_legal", ["removed", "removal_ignored"]),
        ("last_legal", ["removal_ignored", "removed"]),
        ("civil_disorder", ["removal_ignored", "removal_ignored"]),
    ],
)
def test_more_removals_than_are_due(choice: str, expected: list[str]) -> None:
    """One unit leaves under each choice."""
    units = {"UMAR": ["A ALG", "A RAB", "A TRI", "A TUN"]}
    answer = winter(units, {"UMAR": ["- A ALG", "- A RAB"]}, too_many_removals=choice)
    assert told(answer, "UMAR") == expected
    assert len(answer["units"]["UMAR"]) == 3


def test_a_build_given_up_is_given_up() -> None:
    units, lines = {"UMAR": ["A TRI", "A TUN"]}, {"UMAR": ["Waive", "+ A ALG"]}
    assert told(winter(units, lines), "UMAR") == ["waived", "build_ignored"]
    answer = winter(units, lines, unused_builds="must_build")
    assert told(answer, "UMAR") == ["illegal", "builds"]
    notes = [note["kind"] for note in winter(units, {}, unused_builds="must_build")["notes"]]
    assert "builds_missing" in notes


def test_a_fleet_inland_is_an_army_if_the_book_says_so() -> None:
    units, lines = {"MCSU": ["A BEL"]}, {"MCSU": ["+ F BRA"]}
    assert told(winter(units, lines), "MCSU") == ["build_void"]
    answer = winter(units, lines, build_fleet_inland="army")
    assert answer["units"]["MCSU"] == ["A BEL", "A BRA"]


def test_removals_by_lot_are_told_as_lots() -> None:
    units = {"UMAR": ["A ALG", "A RAB", "A TUN", "A SAH", "M TRI"]}
    answer = winter(units, {}, missing_removals="random")
    assert "M TRI" not in answer["units"]["UMAR"]
    assert [(lot["what"], len(lot["among"])) for lot in answer["chance"]] == [("removal", 4)]
    assert "lot_without_seed" in [note["kind"] for note in answer["notes"]]


@pytest.mark.parametrize("choice", ["home_centres", "country", "owned_centres"])
def test_the_farthest_leave_by_the_measure_of_the_book(choice: str) -> None:
    """Mandates first whatever the book says; then the farthest, which is the same army for each measure."""
    units = {"UMAR": ["A ALG", "A RAB", "A TRI", "A PRE", "M ALN", "M TUN"]}
    answer = winter(units, {}, removal_reference=choice)
    assert answer["units"]["UMAR"] == ["A ALG", "A RAB", "A TRI"]
    assert {one["unit"] for one in answer["orders"] if one["results"] == ["removed"]} == {
        "M ALN",
        "M TUN",
        "A PRE",
    }


HOST: Mapping[str, Sequence[str]] = {"CAOR": ["A LIM", "A PAZ", "F STG"]}


def test_who_is_not_invited_hinders_nobody() -> None:
    answer = winter(HOST, {"CAOR": ["M (MCSU) BOG"], "MCSU": ["M BOG"], "MEXI": ["M BOG"]})
    assert answer["units"]["MCSU"] == ["M BOG"]
    assert [told(answer, power) for power in ("CAOR", "MEXI")] == [["hosts"], ["build_void"]]


def test_who_has_no_room_hinders_nobody() -> None:
    units = {**HOST, "UMAR": ["A ALG", "A RAB", "A TRI"]}
    answer = winter(units, {"CAOR": ["M (tous)"], "MCSU": ["M BOG"], "UMAR": ["M BOG"]})
    assert answer["units"]["MCSU"] == ["M BOG"]
    assert told(answer, "UMAR") == ["build_ignored"]


def test_a_guest_who_writes_twice_is_one_guest() -> None:
    answer = winter(HOST, {"CAOR": ["M (tous)"], "MCSU": ["M BOG", "+ M BOG"]})
    assert answer["units"]["MCSU"] == ["M BOG"]


def test_a_host_of_whom_nobody_could_make_use_hosts_nothing() -> None:
    units = {**HOST, "UMAR": ["A ALG", "A RAB", "A TRI"]}
    answer = winter(units, {"CAOR": ["M (UMAR)"], "UMAR": ["M BOG"]})
    assert [told(answer, power) for power in ("CAOR", "UMAR")] == [["host_unused"], ["build_ignored"]]


# beside winters


def test_of_two_amounts_and_of_two_rankings_the_last_stands() -> None:
    answer = play(
        "S2002P",
        {},
        {"UMAR": ["1A : RUSS"], "ONU": ["UMAR 1A : 10 pV pour RUSS", "UMAR 1A : 7 pV pour RUSS"]},
    )
    assert [(one["error"] or {}).get("kind") for one in answer["orders"]] == [None, "superseded", None]
    assert answer["politics"]["proposals"] == {"UMAR": ["1A RUSS 7"]}
    made = {state: ["1A RUSS 20"] for state in ("UMAR", "CHIN")}
    lines = {"ONU": ["Classement 1 : UMAR", "Classement 1 : CHIN"], "INDE": ["1) UMAR"], "UCEN": ["1) CHIN"]}
    answer = play("S2002M", {}, lines, proposals=made)
    assert answer["politics"]["ballots"]["1"]["adopted"] == ["CHIN"]
    assert next(one["error"]["kind"] for one in answer["orders"] if one["power"] == "ONU") == "superseded"


def test_a_place_of_aid_for_a_state_that_is_out_leaves_the_others() -> None:
    answer = play(
        "S2002M", {}, {"CHIN": ["Aide : 1 : UMAR / 2 : INDE", "Aide : 3 : UMAR"]}, eliminated=["UMAR"]
    )
    first, second = (one for one in answer["orders"] if one["power"] == "CHIN")
    assert (first["order"], [note["kind"] for note in first["notes"]]) == ("AID 2 INDE", ["part_ignored"])
    assert second["error"]["kind"] == "illegal"
    assert answer["politics"]["aid"] == {"CHIN": [None, "INDE", None]}


def test_a_mandate_that_stays_through_the_winter_retreats_in_autumn() -> None:
    units = {"UEUR": ["M ABE"], "CMWL": ["F ATE", "F AEQ"]}
    lines = {"CMWL": ["F ATE - ABE", "F AEQ S F ATE - ABE"]}
    asked = {"grace": {"UEUR": "F2003"}, "options": {"disgraced_mandates": "after_winter"}}
    assert play("F2002M", units, lines, **asked)["next"] == "F2002R"
    assert play("S2002M", units, lines, **asked)["next"] == "F2002P"


def test_proposals_that_a_ranking_chose_take_effect_by_code() -> None:
    five = {state: ["1A RUSS 20"] for state in ("ASEA", "CAOR", "CASO", "CHIN", "INDE")}
    lines = {"UMAR": ["1) CASO, CHIN"], "UEUR": ["1) INDE"], "ONU": ["Classement 1 : INDE, CASO"]}
    answer = play("S2002M", {}, lines, proposals=five, options={"type1_adopted": "as_ballots"})
    assert answer["politics"]["ballots"]["1"]["adopted"] == ["CASO", "INDE"]


@pytest.mark.long
def test_every_sector_is_read_as_the_text_writes_it() -> None:
    """Holds and moves of each kind of unit: no code of a sector is another word (`CAS`, "en cas de")."""
    board = WORLD.board
    wrong: list[str] = []
    for kind in "AFV":
        for code in board.provinces:
            for place in board.standable_locations(kind, code)[:1]:
                unit = f"{kind} {place}"
                lines = [
                    f"{unit} ×××",
                    *(f"{unit} – {goal}" for goal in sorted(board.adjacent_locations[kind].get(place, ()))),
                ]
                asked = {"phase": "S2002M", "units": {"UMAR": [unit]}, "orders": {"UMAR": lines}}
                answer = judged({"variant": "diplomatie_2000", **asked})
                read = {one["line"]: one["order"] for one in answer["orders"]}
                wanted = {line: line.replace("×××", "H").replace("–", "-") for line in lines}
                wrong += [line for line in lines if read.get(line) != wanted[line]]
    assert wrong == []


@pytest.mark.parametrize("line", ["V BAK - GEO en cas d’attaque", "V BAK - CAS au cas où", "F CAS H in case"])
def test_a_condition_is_one_on_the_caspian_too(line: str) -> None:
    answer = play("S2002M", {"CASO": ["V BAK", "F CAS"]}, {"CASO": [line]})
    assert next(one["error"]["kind"] for one in answer["orders"] if one["line"] == line) == "conditional"
