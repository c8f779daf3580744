"""Winters, lots and disorder through questions: the fields they take and what their answers give."""

from __future__ import annotations

from typing import Any

import pytest

from talleyrand import rulebooks
from talleyrand.formats import adjudication
from talleyrand.formats.game_record import read_game_record, replay, with_seed, write_game_record
from talleyrand.formats.position_json import write_position

Value = dict[str, Any]


def _book(**options: str) -> Value:
    return {"extends": "datc", "options": options}


def _asked(question: Value) -> Value:
    given: Value = adjudication.adjudicate_question(question)
    assert "error" not in given, given
    return given


def _fates(given: Value) -> dict[str, str]:
    return {entry["unit"] or entry["line"]: " ".join(entry["results"]) for entry in given["orders"]}


def _kinds(given: Value) -> list[str]:
    return [note["kind"] for note in given["notes"]]


# lots

LOTS = {
    "rulebook": _book(missing_removals="random"),
    "phase": "W1901A",
    "units": {"FRANCE": ["A PAR", "A BUR", "F BRE"]},
    "centers": {"FRANCE": ["PAR", "MAR"]},
}


def test_a_lot_is_told_with_those_among_whom_it_was_drawn() -> None:
    given = _asked({**LOTS, "seed": "Lyon 2026"})
    (lot,) = given["chance"]
    assert lot == {
        "what": "removal",
        "drawn": lot["drawn"],
        "power": "FRANCE",
        "among": ["A BUR", "A PAR", "F BRE"],
    }
    assert _fates(given) == {lot["drawn"]: "removed"}
    (entry,) = given["orders"]
    assert entry["cause"]["option"] == "missing_removals"
    assert "sort" in entry["why"]["fr"]
    assert "random draw" in entry["why"]["en"]
    assert _kinds(given) == []
    assert _asked({**LOTS, "seed": "Lyon 2026"}) == given


def test_without_a_seed_the_lot_is_the_same_each_time_and_a_note_says_so() -> None:
    given = _asked(LOTS)
    assert _kinds(given) == ["lot_without_seed"]
    assert given == _asked(LOTS)
    assert len({_asked({**LOTS, "seed": str(n)})["chance"][0]["drawn"] for n in range(20)}) == 3


@pytest.mark.parametrize("seed", [7, ["x"], {"a": 1}, True])
def test_a_seed_is_a_text(seed: object) -> None:
    error = adjudication.adjudicate_question({**LOTS, "seed": seed})["error"]
    assert isinstance(error, dict)
    assert error["kind"] == "bad_question"


@pytest.mark.parametrize("seed", ["\ud800", "\x00", "é" * 5000, "🎲"])
def test_any_text_will_do(seed: str) -> None:
    assert _asked({**LOTS, "seed": seed})["chance"]


def _game(seed: str, rulebook: object = LOTS["rulebook"]) -> Value:
    start = {"phase": "W1901A", "units": LOTS["units"], "centers": LOTS["centers"]}
    return {"rulebook": rulebook, "seed": seed, "start": start, "phases": [{"phase": "W1901A", "orders": {}}]}


def test_a_game_whose_book_draws_lots_has_a_seed_of_its_own() -> None:
    record = with_seed(read_game_record(_game("")))
    assert record.seed
    assert with_seed(record) is record
    assert read_game_record(write_game_record(record)).seed == record.seed
    longer = _game("")
    longer["phases"].append({"phase": "S1902M", "orders": {"FRANCE": ["F BRE H"]}})
    assert with_seed(read_game_record(longer)).seed == record.seed
    other = _game("")
    other["phases"][0]["orders"] = {"FRANCE": ["WAIVE"]}
    assert with_seed(read_game_record(other)).seed != record.seed
    assert with_seed(read_game_record(_game("mine"))).seed == "mine"
    assert with_seed(read_game_record(_game("", "datc"))).seed == ""
    (played,) = replay(record)
    answer: Value = played.answer()
    assert answer["chance"]
    assert _kinds(answer) == []


# rights kept, gains and losses apart

AUTUMN = {
    "phase": "F1901M",
    "units": {"FRANCE": ["A SPA", "A BUR", "F MAO"], "ITALY": ["A MAR"]},
    "centers": {"FRANCE": ["BRE", "MAR", "PAR"], "ITALY": ["ROM"]},
}


def test_the_ownership_before_the_year_is_given_where_the_book_needs_it() -> None:
    gross = _asked({**AUTUMN, "rulebook": _book(adjust_balance="gross")})
    assert gross["centers_before"]["FRANCE"] == ["BRE", "MAR", "PAR"]
    assert gross["adjustments"]["FRANCE"] == {"balance": 0, "possible": 1, "removals": 1}
    net = _asked({**AUTUMN, "rulebook": "datc"})
    assert "centers_before" not in net
    assert net["adjustments"]["FRANCE"] == {"balance": 0, "possible": 0}


def _following(question: Value, given: Value, **more: object) -> Value:
    """The next question, as another program would make it of an answer."""
    kept = (
        "units",
        "dislodged",
        "contested",
        "centers",
        "centers_before",
        "kept_builds",
        "disorder",
        "passive",
    )
    fields = {name: given[name] for name in kept if name in given}
    return {"rulebook": question["rulebook"], "phase": given["next"], **fields, **more}


def test_an_answer_is_enough_for_the_next_question() -> None:
    autumn = {**AUTUMN, "rulebook": _book(adjust_balance="gross")}
    winter = _following(autumn, _asked(autumn), orders={"FRANCE": ["A BUR D", "A PAR B"]})
    given = _asked(winter)
    fates = _fates(given)
    assert (fates["A BUR"], fates["A PAR"]) == ("removed", "builds")
    assert "centers_before" not in given
    alone = {name: value for name, value in winter.items() if name != "centers_before"}
    without = _asked(alone)
    assert (_fates(without)["A BUR"], _kinds(without)[:1]) == ("removal_ignored", ["centres_before_unknown"])


def test_kept_rights_go_from_answer_to_question() -> None:
    winter = {
        "rulebook": _book(unused_builds="kept"),
        "phase": "W1901A",
        "units": {"FRANCE": ["A SPA"]},
        "centers": {"FRANCE": ["BRE", "MAR", "PAR"]},
        "orders": {"FRANCE": ["A PAR B", "WAIVE"]},
    }
    given = _asked(winter)
    assert given["kept_builds"] == {"FRANCE": 1}
    assert "garde" in given["orders"][1]["why"]["fr"]
    assert "saves" in given["orders"][1]["why"]["en"]
    spring = _asked(_following(winter, given))
    assert spring["kept_builds"] == {"FRANCE": 1}
    assert "kept_builds" not in _asked({**winter, "rulebook": "datc"})
    autumn = _following(winter, spring) | {"centers": {"FRANCE": ["BRE", "PAR"], "ITALY": ["MAR"]}}
    after = _asked(autumn)
    assert after["next"] == "W1902A"
    assert after["adjustments"]["FRANCE"] == {"balance": 1, "possible": 1}


@pytest.mark.parametrize(
    "fields",
    [
        {"kept_builds": {"FRANCE": -1}},
        {"kept_builds": {"FRANCE": 1.5}},
        {"kept_builds": {"FRANCE": True}},
        {"kept_builds": {"FRANCE": "1"}},
        {"kept_builds": {"FRANCE": 10**9}},
        {"kept_builds": {"SPAIN": 1}},
        {"kept_builds": ["FRANCE"]},
        {"centers_before": {"FRANCE": ["BUR"]}},
        {"centers_before": {"FRANCE": ["XXX"]}},
        {"centers_before": {"FRANCE": ["PAR"], "ITALY": ["PAR"]}},
        {"centers_before": ["PAR"]},
        {"disorder": ["SPAIN"]},
        {"disorder": "FRANCE"},
    ],
)
def test_fields_that_cannot_be_are_refused(fields: Value) -> None:
    error = adjudication.adjudicate_question({**LOTS, **fields})["error"]
    assert isinstance(error, dict)
    assert error["kind"] in ("bad_question", "bad_position")
    assert error["message"]["fr"] != error["message"]["en"]


def test_a_position_written_is_read_back() -> None:
    fields = {
        **LOTS,
        "centers_before": {"FRANCE": ["PAR"]},
        "kept_builds": {"FRANCE": 2},
        "passive": ["ITALY"],
        "disorder": ["FRANCE"],
    }
    read = read_game_record({"rulebook": "datc", "start": fields, "phases": []})
    again = read_game_record(write_game_record(read))
    written = write_position(read.start, read.variant.board)
    assert written == write_position(again.start, again.variant.board)
    assert written["centers_before"]["FRANCE"] == ["PAR"]  # type: ignore[index]
    assert {name: written[name] for name in ("kept_builds", "passive", "disorder")} == {
        name: fields[name] for name in ("kept_builds", "passive", "disorder")
    }


def test_builds_that_must_be_made_are_asked_for() -> None:
    given = _asked(
        {
            "rulebook": _book(unused_builds="must_build"),
            "phase": "W1901A",
            "units": {"FRANCE": ["A SPA"]},
            "centers": {"FRANCE": ["BRE", "MAR", "PAR"]},
            "orders": {"FRANCE": ["A PAR B", "WAIVE"]},
        }
    )
    assert [entry["error"] and entry["error"]["kind"] for entry in given["orders"]] == [None, "illegal"]
    assert _kinds(given)[:1] == ["builds_missing"]
    assert ": 1." in given["notes"][0]["fr"]


@pytest.mark.parametrize("line", ["F PAR B", "F Paris", "+ F Par"])
def test_a_fleet_inland_may_be_an_army(line: str) -> None:
    asked = {
        "phase": "W1901A",
        "units": {"FRANCE": ["A SPA"]},
        "centers": {"FRANCE": ["MAR", "PAR"]},
        "orders": {"FRANCE": [line]},
    }
    army = _asked({**asked, "rulebook": _book(build_fleet_inland="army")})["orders"][0]
    assert (army["order"], army["results"], army["cause"]["option"]) == (
        "A PAR B",
        ["builds"],
        "build_fleet_inland",
    )
    fails = _asked({**asked, "rulebook": _book(build_fleet_inland="fails")})["orders"][0]
    assert (fails["order"], fails["results"]) == ("F PAR B", ["build_void"])


# disorder


@pytest.mark.parametrize("book", rulebooks.names())
def test_a_unit_of_an_absent_power_may_be_supported_by_others(book: str) -> None:
    """CD-1: every book at hand allows it."""
    given = _asked(
        {
            "rulebook": book,
            "phase": "S1901M",
            "units": {"ITALY": ["A VEN"], "AUSTRIA": ["A TYR"], "FRANCE": ["A PIE", "A TUS"]},
            "absent": ["ITALY"],
            "orders": {"AUSTRIA": ["A TYR S A VEN H"], "FRANCE": ["A PIE - VEN", "A TUS S A PIE - VEN"]},
        }
    )
    assert _fates(given)["A TYR"] == "support_given"
    assert _fates(given)["A PIE"] == "bounces"
    assert _fates(given)["A VEN"] == "holds"


def _torn(lines: list[str], trigger: str, *, absent: bool = False) -> str:
    given = _asked(
        {
            "rulebook": {
                "extends": "anjou_feu",
                "options": {"civil_disorder_support": "forbidden", "civil_disorder_trigger": trigger},
            },
            "phase": "S1901M",
            "units": {"GERMANY": ["A MUN", "A BER"], "FRANCE": ["A BUR"], "AUSTRIA": ["A BOH", "A SIL"]},
            "absent" if absent else "torn": ["GERMANY"],
            "orders": {
                "GERMANY": lines,
                "FRANCE": ["A Bourgogne - Munich"],
                "AUSTRIA": ["A Bohême S A Munich xxx", "A Silésie S A Berlin xxx"],
            },
        }
    )
    return f"{_fates(given)['A BOH']}, {_fates(given)['A SIL']}"


@pytest.mark.parametrize(
    ("lines", "unit", "power"),
    [
        (["A Ber H"], "support_void, support_given", "support_given, support_given"),
        (["A Ber -"], "support_void, support_void", "support_given, support_given"),
        (["gribouillis"], "support_void, support_void", "support_given, support_given"),
        ([], "support_void, support_void", "support_void, support_void"),
        (["", "   "], "support_void, support_void", "support_void, support_void"),
    ],
)
def test_a_torn_sheet(lines: list[str], unit: str, power: str) -> None:
    """RD-CD: each unit without a legal order is in disorder; or nobody is who wrote anything at all."""
    assert _torn(lines, "unit_without_legal_order") == unit
    assert _torn(lines, "no_orders_for_a_season") == power


def test_disorder_lasts_from_the_moves_to_the_winter() -> None:
    book = {
        "extends": "datc",
        "options": {"civil_disorder_trigger": "no_orders_for_a_season", "civil_disorder_builds": "none"},
    }
    autumn = {
        "rulebook": book,
        "phase": "F1901M",
        "units": {"FRANCE": ["A SPA"], "ITALY": ["A ROM"]},
        "centers": {"FRANCE": ["PAR"], "ITALY": ["ROM", "VEN"]},
        "absent": ["FRANCE"],
    }
    given = _asked(autumn)
    assert (given["next"], given["disorder"]) == ("W1901A", ["FRANCE"])
    winter = _following(autumn, given, orders={"FRANCE": ["A PAR B"], "ITALY": ["A VEN B"]})
    after = _asked(winter)
    assert (_fates(after)["A PAR"], _fates(after)["A VEN"]) == ("build_ignored", "builds")
    assert "disorder" not in after
    record = read_game_record(
        {
            "rulebook": book,
            "start": {name: autumn[name] for name in ("phase", "units", "centers")},
            "phases": [
                {"phase": "F1901M", "orders": {}, "absent": ["FRANCE"]},
                {"phase": "W1901A", "orders": winter["orders"]},
                {"phase": "S1902M", "orders": {"FRANCE": ["A SPA H"]}},
            ],
        }
    )
    answers: list[Value] = [played.answer() for played in replay(record)]
    assert _fates(answers[1])["A PAR"] == "build_ignored"
    assert "disorder" not in answers[2]


def test_eliminated_powers_take_no_orders_from_phase_to_phase() -> None:
    spring = {
        "rulebook": "datc",
        "phase": "S1901M",
        "units": {"ITALY": ["A VEN"], "FRANCE": ["A BUR"]},
        "passive": ["ITALY"],
        "orders": {"ITALY": ["A Ven - Tri"], "FRANCE": ["A Bur - Mun"]},
    }
    given = _asked(spring)
    refused = given["orders"][0]
    assert (refused["order"], refused["results"], refused["error"]["kind"]) == (
        "A VEN - TRI",
        ["illegal"],
        "illegal",
    )
    assert "Italie" in refused["error"]["message"]["fr"]
    assert "Italy" in refused["error"]["message"]["en"]
    assert given["passive"] == ["ITALY"]
    assert list(adjudication.legal_orders(_following(spring, given))) == ["FRANCE"]
