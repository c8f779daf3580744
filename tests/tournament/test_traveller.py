"""The traveller: the printed examples, the farthest of each power, positions of a game."""

from __future__ import annotations

from dataclasses import replace

import pytest

from talleyrand import variants
from talleyrand.engine.position import DislodgedUnit, Unit
from talleyrand.tournament import traveller


@pytest.mark.parametrize(
    ("power", "reached", "points"),
    [
        ("TURKEY", "PIC", 6),  # printed
        ("TURKEY", "BUL", 0),  # printed
        ("TURKEY", "CON", 0),
        ("TURKEY", "", 0),
        ("TURKEY", "SER", 1),
        ("FRANCE", "SEV", 5),
        ("ENGLAND", "ANK", 6),
        ("RUSSIA", "POR", 4),
        ("ITALY", "BAR", 5),
    ],
)
def test_territories_between(power: str, reached: str, points: int) -> None:
    """Neither the home nor the territory itself."""
    assert traveller.travel_points("classic", power, reached) == points


def test_the_most_of_each_power() -> None:
    """A 6, E 6, F 5, G 5, I 5, R 4, T 6."""
    board = variants.load("classic").board

    def farthest(power: str) -> int:
        return max(traveller.territories_between(board, power, province) for province in board.provinces)

    assert {power[0]: farthest(power) for power in board.powers} == {
        "A": 6,
        "E": 6,
        "F": 5,
        "G": 5,
        "I": 5,
        "R": 4,
        "T": 6,
    }


@pytest.mark.parametrize(
    ("variant", "reached", "may"),
    [
        ("classic", "PIC", True),
        ("sandad", "PIC", True),
        ("classic", "STP/SC", False),
        ("classic", "pic", False),
        ("classic", "4", False),  # the judge counts
        ("escalation", "4", True),  # homes are named at the table
        ("escalation", "PIC", False),
        ("escalation", "100", False),
        ("escalation", "-4", False),
        ("escalation", "²", False),
        ("escalation", "", False),
    ],
)
def test_what_may_be_typed(variant: str, reached: str, may: bool) -> None:
    """A province, or a number where the homes are not known."""
    assert traveller.is_reachable(variant, reached) is may


def test_territories_counted_at_the_table() -> None:
    """Stand as they are."""
    assert traveller.travel_points("escalation", "TURKEY", "4") == 4


@pytest.mark.parametrize(
    ("variant", "reached"), [("classic", "4"), ("classic", "XYZ"), ("escalation", "PIC"), ("nowhere", "PIC")]
)
def test_what_no_unit_reaches_counts_nothing(variant: str, reached: str) -> None:
    """A file may say anything."""
    assert traveller.travel_points(variant, "TURKEY", reached) == 0


def test_the_farthest_of_a_game() -> None:
    """In any position of it, dislodged units too; somebody else's do not count."""
    setting = variants.load("classic").definition
    start = setting.start
    middle = replace(start, units=(Unit("F", "AEG", "TURKEY"), Unit("A", "PIC", "FRANCE")))
    fallen = DislodgedUnit(Unit("F", "ION", "TURKEY"), by="TUN")
    last = replace(start, units=(Unit("A", "CON", "TURKEY"),), dislodged=(fallen,))
    board = setting.board
    assert traveller.farthest_province(board, "TURKEY", [start]) in board.homes["TURKEY"]
    assert traveller.farthest_province(board, "TURKEY", [start, middle]) == "AEG"
    assert traveller.farthest_province(board, "TURKEY", [start, middle, last]) == "ION"
    assert traveller.farthest_province(board, "TURKEY", []) == ""


def test_homes_that_were_named_in_the_game() -> None:
    """Are home from then on."""
    setting = variants.load("classic").definition
    board = setting.board
    position = replace(
        setting.start,
        units=(Unit("A", "PAR", "TURKEY"), Unit("A", "RUM", "TURKEY")),
        homes={"TURKEY": ("BRE",)},
    )
    assert traveller.farthest_province(board, "TURKEY", [position]) == "RUM"
    assert traveller.territories_between(board, "TURKEY", "RUM", ("BRE",)) > traveller.territories_between(
        board, "TURKEY", "RUM"
    )
