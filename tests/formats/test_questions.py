"""Questions and answers in the forms of the contract, field by field."""

import json
from typing import Any

import pytest

from talleyrand.formats.adjudication import adjudicate_question, legal_orders, read_question_orders

ANSWER = {"id", "phase", "next", "orders", "units", "dislodged", "contested", "chance", "notes"}
OWNERSHIP = {"centers", "adjustments", "eliminated", "winner"}
ENTRY = {
    "power",
    "line",
    "line_no",
    "sheet",
    "unit",
    "order",
    "results",
    "to",
    "by",
    "route",
    "error",
    "cause",
    "why",
    "notes",
}
CENTRES = {
    "AUSTRIA": ["BUD", "TRI", "VIE"],
    "ENGLAND": ["EDI", "LVP", "LON"],
    "FRANCE": ["BRE", "MAR", "PAR"],
}


def ask(**fields: Any) -> dict[str, Any]:
    return adjudicate_question({"phase": "S1901M"} | fields)


def menu(**fields: Any) -> Any:
    return legal_orders(fields)


def entry(given: dict[str, Any], unit: str, line: object = ...) -> dict[str, Any]:
    """The entry of a unit; of its line when one is given."""
    found = [e for e in given["orders"] if e["unit"] == unit and line in (..., e["line"])]
    assert len(found) == 1, found
    return dict(found[0])


def test_an_answer_has_the_fields_of_the_contract() -> None:
    given = ask(id=[1, "x"], units={"FRANCE": ["A PAR"]}, orders={"FRANCE": ["A Par - Bou"]})
    assert set(given) == ANSWER
    assert given["id"] == [1, "x"]
    assert given["next"] == "F1901M"
    assert [set(e) for e in given["orders"]] == [ENTRY]
    assert set(given["orders"][0]["cause"]) == {
        "code",
        "units",
        "any_of",
        "change",
        "concerns",
        "places",
        "option",
        "source",
    }
    assert set(given["orders"][0]["why"]) == {"fr", "en"}


def test_a_move_says_where_it_went_and_by_which_way() -> None:
    given = ask(units={"FRANCE": ["A PAR"]}, orders={"FRANCE": ["", "armée Paris vers Bourgogne"]})
    moved = entry(given, "A PAR")
    assert (moved["line_no"], moved["sheet"], moved["line"]) == (2, 1, "armée Paris vers Bourgogne")
    assert (moved["order"], moved["results"], moved["to"], moved["route"]) == (
        "A PAR - BUR",
        ["moves"],
        "BUR",
        "land",
    )
    assert given["units"] == {"FRANCE": ["A BUR"]}


def test_a_convoyed_army_goes_by_sea() -> None:
    units = {"ENGLAND": ["A LON", "F NTH"]}
    given = ask(units=units, orders={"ENGLAND": ["A Lon - Nwy", "F Nth C A Lon - Nwy"]})
    assert entry(given, "A LON")["route"] == "sea"
    assert entry(given, "F NTH")["results"] == ["convoys"]


def test_an_illegal_line_keeps_its_order_and_its_unit_holds() -> None:
    given = ask(units={"FRANCE": ["F ROM"]}, orders={"FRANCE": ["F Rom - Ven"]})
    refused = entry(given, "F ROM", "F Rom - Ven")
    assert refused["order"] == "F ROM - VEN"
    assert (refused["error"]["kind"], refused["results"]) == ("illegal", ["illegal"])
    held = entry(given, "F ROM", None)
    assert (held["order"], held["results"], held["cause"]["code"]) == (None, ["holds"], "refused")


def test_a_line_that_is_not_understood_is_an_entry_without_order() -> None:
    given = ask(units={"FRANCE": ["A PAR"]}, orders={"FRANCE": ["??"]})
    lost, held = given["orders"]
    assert (lost["line"], lost["order"], lost["error"]["kind"]) == ("??", None, "not_understood")
    assert (held["line"], held["unit"], held["results"]) == (None, "A PAR", ["holds"])


def test_a_missing_coast_is_an_error_of_its_own_kind() -> None:
    given = ask(units={"FRANCE": ["F MAO"]}, orders={"FRANCE": ["F AtM - Esp"]})
    assert entry(given, "F MAO", "F AtM - Esp")["error"]["kind"] == "coast_missing"


@pytest.mark.parametrize(
    ("line", "kind"),
    [("A Mun - Bur", "foreign_unit"), ("A Ber - Kie", "no_such_unit"), ("si A Par - Bou", "conditional")],
)
def test_kinds_of_errors(line: str, kind: str) -> None:
    given = ask(units={"FRANCE": ["A PAR"], "GERMANY": ["A MUN"]}, orders={"FRANCE": [line]})
    assert given["orders"][0]["error"]["kind"] == kind


def test_a_badly_written_order_is_a_hold_by_mail() -> None:
    asked: dict[str, Any] = {"units": {"FRANCE": ["A PAR"]}, "orders": {"FRANCE": ["A Paris - Bourgo"]}}
    strict = ask(rulebook="play_by_mail_001", **asked)
    assert (strict["units"], strict["orders"][0]["error"]["kind"]) == ({"FRANCE": ["A PAR"]}, "illegal")
    assert "A Paris - Bourgogne" in strict["orders"][0]["error"]["message"]["fr"]
    assert ask(rulebook="classic_1976", **asked)["units"] == {"FRANCE": ["A BUR"]}


def test_two_orders_for_a_unit() -> None:
    lines = ["A Par - Bou", "A Par - Pic"]
    given = ask(units={"FRANCE": ["A PAR"]}, orders={"FRANCE": lines})
    assert [entry(given, "A PAR", line)["error"]["kind"] for line in lines] == ["multiple_orders"] * 2
    assert entry(given, "A PAR", None)["results"] == ["holds"]
    first = ask(rulebook="datc", units={"FRANCE": ["A PAR"]}, orders={"FRANCE": lines})
    assert entry(first, "A PAR", lines[0])["results"] == ["moves"]
    assert entry(first, "A PAR", lines[1])["error"]["kind"] == "multiple_orders"


def test_the_same_order_twice_is_one_order() -> None:
    given = ask(units={"FRANCE": ["A PAR"]}, orders={"FRANCE": ["A Par - Bou", "A PAR - BUR"]})
    assert [e["results"] for e in given["orders"]] == [["moves"], ["moves"]]


def test_an_impossible_order_counts_among_several() -> None:
    book = {"extends": "anjou_feu", "options": {"multiple_one_legal": "none_holds"}}
    orders = {"FRANCE": ["A Par - Lon", "A Par - Bou"]}
    given = ask(rulebook=book, units={"FRANCE": ["A PAR"]}, orders=orders)
    assert given["units"] == {"FRANCE": ["A PAR"]}
    assert ask(units={"FRANCE": ["A PAR"]}, orders=orders)["units"] == {"FRANCE": ["A BUR"]}


@pytest.mark.parametrize("book", ["datc", "anjou_feu", "renegade_2023"])
def test_an_impossible_order_leaves_a_bare_support_standing(book: str) -> None:
    lines = ["A Séb - Norvège", "A Séb S F Roumanie", "F Roumanie H"]
    given = ask(rulebook=book, units={"RUSSIA": ["A SEV", "F RUM"]}, orders={"RUSSIA": lines})
    assert entry(given, "A SEV", lines[0])["error"]["kind"] == "illegal"
    assert entry(given, "A SEV", lines[1])["results"] == ["support_given"]


def test_the_last_sheet_supersedes_the_others() -> None:
    sheets = {"FRANCE": [["A Par - Bou", "F Bre - Man"], ["A Par - Pic"]]}
    given = ask(units={"FRANCE": ["A PAR", "F BRE"]}, sheets=sheets)
    old = entry(given, "F BRE", "F Bre - Man")
    assert (old["sheet"], old["line_no"], old["order"]) == (1, 2, "F BRE - ENG")
    assert old["error"]["kind"] == "superseded"
    assert entry(given, "A PAR", "A Par - Pic")["sheet"] == 2
    assert given["units"] == {"FRANCE": ["F BRE", "A PIC"]}
    assert [note["kind"] for note in given["notes"]] == ["earlier_sheets"]


def test_sheets_are_merged_where_the_book_says_so() -> None:
    book = {"extends": "anjou_feu", "options": {"order_sheets": "merge"}}
    sheets = {"FRANCE": [["F Bre - Man"], ["A Par - Pic"]]}
    given = ask(rulebook=book, units={"FRANCE": ["A PAR", "F BRE"]}, sheets=sheets)
    assert given["units"] == {"FRANCE": ["F ENG", "A PIC"]}
    assert [(e["sheet"], e["line_no"]) for e in given["orders"]] == [(1, 1), (2, 1)]


def test_dislodged_units_come_with_their_retreats() -> None:
    units = {"FRANCE": ["A BUR"], "GERMANY": ["A MUN", "A RUH"]}
    orders = {"GERMANY": ["A Mun - Bur", "A Ruh S A Mun - Bur"], "FRANCE": ["A Bur H"]}
    given = ask(units=units, orders=orders)
    places = ["BEL", "GAS", "MAR", "PAR", "PIC"]
    assert given["dislodged"] == {
        "FRANCE": [{"unit": "A BUR", "by": "MUN", "convoyed": False, "retreats": places}]
    }
    assert entry(given, "A BUR")["results"] == ["holds", "dislodged"]
    assert entry(given, "A BUR")["by"] == ["A MUN"]
    assert given["next"] == "S1901R"


def test_retreats_are_computed_where_they_are_left_out() -> None:
    fallen: dict[str, Any] = {"unit": "A BUL", "by": "RUM"}
    asked: dict[str, Any] = {"phase": "S1901R", "units": {"RUSSIA": ["A BUL"]}}
    asked["dislodged"] = {"TURKEY": [fallen]}
    listed = menu(**asked, contested=["SER"])
    assert listed == {"TURKEY": {"A BUL": ["A BUL R CON", "A BUL R GRE", "A BUL D"]}}
    fallen["retreats"] = ["GRE"]
    assert menu(**asked) == {"TURKEY": {"A BUL": ["A BUL R GRE", "A BUL D"]}}


@pytest.mark.parametrize("convoyed", [True, False])
def test_retreat_to_the_origin_of_a_convoyed_attacker(convoyed: bool) -> None:
    fallen = {"TURKEY": [{"unit": "A BUL", "by": "CON", "convoyed": convoyed}]}
    listed = menu(phase="S1901R", units={"RUSSIA": ["A BUL"]}, dislodged=fallen)
    assert ("A BUL R CON" in listed["TURKEY"]["A BUL"]) is convoyed


def test_an_answer_can_be_asked_again() -> None:
    units = {"FRANCE": ["A BUR"], "GERMANY": ["A MUN", "A RUH"]}
    given = ask(units=units, orders={"GERMANY": ["A Mun - Bur", "A Ruh S A Mun - Bur"]})
    again = {name: given[name] for name in ("units", "dislodged", "contested")}
    after = ask(phase=given["next"], orders={"FRANCE": ["A Bur - Gas"]}, **again)
    assert after["orders"][0]["results"] == ["retreats"]
    assert after["units"] == {"FRANCE": ["A GAS"], "GERMANY": ["A BUR", "A RUH"]}


def test_stand_offs_leave_contested_places() -> None:
    units = {"AUSTRIA": ["A VIE"], "ITALY": ["A VEN"]}
    given = ask(units=units, orders={"AUSTRIA": ["A Vie - Tyr"], "ITALY": ["A Ven - Tyr"]})
    assert given["contested"] == ["TYR"]


def test_without_centres_nothing_is_said_of_them() -> None:
    given = ask(phase="F1901M", units={"FRANCE": ["A SPA"]})
    assert not set(given) & OWNERSHIP


def test_autumn_gives_centres_and_adjustments() -> None:
    units = {"FRANCE": ["A SPA"], "ENGLAND": ["F LON"], "AUSTRIA": ["A VIE"]}
    given = ask(phase="F1901R", units=units, centers=CENTRES)
    assert given["centers"]["FRANCE"] == ["BRE", "MAR", "PAR", "SPA"]
    assert given["adjustments"]["FRANCE"] == {"balance": 3, "possible": 3}
    assert given["next"] == "W1901A"
    assert given["winner"] == []
    assert set(given["eliminated"]) == {"GERMANY", "ITALY", "RUSSIA", "TURKEY"}


def test_victory_is_asked_in_winter() -> None:
    many = ["BEL", "BER", "BRE", "DEN", "EDI", "HOL", "KIE", "LON", "LVP", "MAR", "MUN", "NWY", "PAR"]
    many += ["POR", "SPA", "SWE", "TUN"]
    given = ask(phase="W1901A", centers={"FRANCE": many})
    assert (given["winner"], given["next"]) == ([], "S1902M")
    given = ask(phase="W1901A", centers={"FRANCE": [*many, "VEN"]})
    assert (given["winner"], given["next"]) == (["FRANCE"], None)


def test_builds_and_the_removals_of_the_rules() -> None:
    units = {"FRANCE": ["A SPA", "A BUR"], "ITALY": ["A NAP", "F ADR"]}
    centers = {"FRANCE": ["BRE", "PAR", "SPA"], "ITALY": ["NAP"]}
    orders = {"FRANCE": ["F Bre", "A Par"]}
    given = ask(phase="W1901A", units=units, centers=centers, orders=orders)
    assert entry(given, "F BRE")["results"] == ["builds"]
    assert entry(given, "A PAR")["results"] == ["build_ignored"]
    removed = entry(given, "F ADR")
    assert (removed["line"], removed["results"]) == (None, ["removed"])
    assert removed["cause"]["option"] == "removal_reference"
    assert removed["cause"]["source"]
    assert given["units"] == {"FRANCE": ["F BRE", "A BUR", "A SPA"], "ITALY": ["A NAP"]}


def test_homes_of_ones_own() -> None:
    listed = menu(phase="W1901A", units={}, centers={"FRANCE": ["SPA"]}, homes={"FRANCE": ["SPA"]})
    assert listed["FRANCE"]["A SPA"] == ["A SPA B"]


def test_a_ruling_the_book_leaves_open_is_noted() -> None:
    units = {"GERMANY": ["F SWE"], "RUSSIA": ["F FIN"]}
    book = "renegade_2023"
    lines = {"GERMANY": ["F Swe - Den", "F Swe - Nwy"], "RUSSIA": ["F Fin - Swe"]}
    given = ask(rulebook=book, units=units, orders=lines)
    notes = [note for note in given["notes"] if note["kind"] == "not_settled_by_book"]
    assert all(note["en"].startswith("Our reading: ") for note in notes)
    assert all(note["fr"].startswith("Notre lecture\u00a0: ") for note in notes)
    assert notes
    assert set(notes[0]) == {"kind", "fr", "en"}


def test_an_unknown_field_is_noted_and_the_rest_answered() -> None:
    given = ask(unit={"FRANCE": ["A PAR"]}, units={"FRANCE": ["A PAR"]})
    assert [note["kind"] for note in given["notes"]] == ["field_unknown"]
    assert given["units"] == {"FRANCE": ["A PAR"]}


@pytest.mark.parametrize(("absent", "cause"), [(["TURKEY"], "no_retreat"), ([], "retreat_missing")])
def test_a_book_may_destroy_the_dislodged_units_of_absent_powers(absent: list[str], cause: str) -> None:
    book = {"extends": "anjou_feu", "options": {"civil_disorder_retreat": "destroyed"}}
    fallen = {"TURKEY": [{"unit": "A BUL", "by": "RUM"}]}
    units = {"RUSSIA": ["A BUL"]}
    given = ask(phase="S1901R", rulebook=book, units=units, dislodged=fallen, absent=absent)
    assert given["orders"][0]["cause"]["code"] == cause


@pytest.mark.parametrize(("naming", "read_as"), [("descartes", "F NAF H"), ("classic_fr", "F MAR H")])
def test_abbreviations_in_use(naming: str, read_as: str) -> None:
    units = {"FRANCE": ["F MAR"], "ITALY": ["F NAF"]}
    given = ask(naming=naming, units=units, orders={"ITALY": ["F MAR H"]})
    assert given["orders"][0]["order"] == read_as


def test_read_stops_before_adjudication() -> None:
    question = {
        "id": 7,
        "phase": "S1901M",
        "units": {"FRANCE": ["A PAR", "A MAR"]},
        "orders": {"FRANCE": ["A Par - Bou", "A Par - Pic", "A Mar - Esp"]},
    }
    given = read_question_orders(question)
    assert set(given) == {"id", "orders", "notes"}
    entries: Any = given["orders"]
    assert [e["order"] for e in entries] == ["A PAR - BUR", "A PAR - PIC", "A MAR - SPA"]
    assert [e["error"] and e["error"]["kind"] for e in entries] == [
        "multiple_orders",
        "multiple_orders",
        None,
    ]
    assert all("results" not in e for e in entries)


def test_options_list_what_may_be_ordered() -> None:
    listed = menu(phase="S1901M", units={"FRANCE": ["A PAR"]})
    assert listed == {"FRANCE": {"A PAR": [f"A PAR {o}" for o in ("H", "- BRE", "- BUR", "- GAS", "- PIC")]}}


def test_order_of_powers_and_lines_changes_no_position() -> None:
    units = {"FRANCE": ["A PAR", "A MAR"], "GERMANY": ["A MUN"]}
    orders = {"FRANCE": ["A Par - Bou", "A Mar S A Par - Bou"], "GERMANY": ["A Mun - Bur"]}
    turned = {power: lines[::-1] for power, lines in reversed(orders.items())}
    one, other = ask(units=units, orders=orders), ask(units=units, orders=turned)
    for given in (one, other):
        given["orders"].sort(key=lambda e: e["unit"])
        for e in given["orders"]:
            del e["line_no"]
    assert json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def test_another_variant_with_its_own_phases_and_kinds() -> None:
    given = adjudicate_question({"variant": "trio", "phase": "Y1M", "units": {"BOREA": ["P NEE", "F FRO"]}})
    assert given["units"] == {"BOREA": ["F FRO", "P NEE"]}
    assert menu(variant="trio", phase="Y1D", centers={"BOREA": ["FRO", "NEE"]})["BOREA"]
