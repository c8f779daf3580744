"""What the text of a rulebook leaves open and no option settles is told as a ruling."""

from __future__ import annotations

from typing import Any

from talleyrand.formats import adjudication

UNITS = {"ITALY": ["A ROM", "F TYS", "F ION"], "TURKEY": ["F ADR"]}
CONVOYS = ["F TYS C A ROM - VEN", "F ION C A ROM - VEN"]


def notes(*italian: str, turkish: str = "F ADR C A ROM - VEN", book: str = "anjou_feu") -> list[str]:
    asked = {"rulebook": book, "phase": "S1901M", "units": UNITS}
    orders = {"ITALY": list(italian), "TURKEY": [turkish]}
    answer: Any = adjudication.adjudicate_question({**asked, "orders": orders})
    return [one["kind"] for one in answer["notes"] if one["kind"] == "own_fleet_missing"]


def test_a_convoy_asked_for_of_which_an_own_fleet_is_missing() -> None:
    assert notes("A ROM - VEN VIA", CONVOYS[0], "F ION H") == ["own_fleet_missing"]
    assert notes("A ROM - VEN VIA", "F TYS H", "F ION H") == ["own_fleet_missing"]


def test_what_the_text_settles_has_no_note() -> None:
    assert notes("A ROM - VEN VIA", *CONVOYS) == []
    assert notes("A ROM - VEN VIA", *CONVOYS, turkish="F ADR H") == []  # the foreign one: it fails, IV ex. 1
    assert notes("A ROM - VEN", CONVOYS[0], "F ION H") == []  # nobody asked: by land, IV ex. 1
    assert notes("A ROM - VEN VIA", CONVOYS[0], "F ION H", book="conspiracy") == []


def test_one_of_two_chains_is_enough() -> None:
    units = {"ENGLAND": ["A YOR", "F NTH", "F ENG", "F WAL"]}
    orders = {"ENGLAND": ["A YOR - LON VIA", "F NTH C A YOR - LON", "F ENG H", "F WAL H"]}
    asked = {"rulebook": "anjou_feu", "phase": "S1901M", "units": units, "orders": orders}
    assert adjudication.adjudicate_question(asked)["notes"] == []
