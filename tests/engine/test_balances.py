"""What a winter owes: builds not used, centres gained and lost in one year, fleets inland."""

from __future__ import annotations

from dataclasses import replace

import pytest

from talleyrand.engine import adjustments, game
from talleyrand.engine.adjustments import AdjustmentCount
from talleyrand.engine.outcome import PhaseOutcome
from talleyrand.engine.position import Position
from tests.engine.scenes import BOARD, CLASSIC, DATC, causes, fates, judged, orders, owning, position, reasons

KEPT = DATC.with_options({"unused_builds": "kept"})
MUST = DATC.with_options({"unused_builds": "must_build"})
GROSS = DATC.with_options({"adjust_balance": "gross"})


def _france(units: str, centres: str, before: str | None = None) -> Position:
    had = None if before is None else {"FRANCE": tuple(before.split())}
    return replace(owning(position("W1901A", FRANCE=units), FRANCE=centres), centres_before=had)


def _said(outcome: PhaseOutcome) -> list[str]:
    return [f"{verdict.order or verdict.unit} {' '.join(verdict.results)}" for verdict in outcome.verdicts]


# builds not used

TWO = _france("A SPA, F MAO", "BRE MAR PAR SPA")


@pytest.mark.parametrize("lines", ["A PAR B", "A PAR B, WAIVE", "A PAR B, A SPA B"])
def test_builds_not_used_are_lost_or_kept(lines: str) -> None:
    given = orders(FRANCE=lines)
    assert judged(TWO, given).position_after.kept_builds == {}
    assert judged(TWO, given, KEPT).position_after.kept_builds == {"FRANCE": 1}
    assert judged(TWO, orders(FRANCE="A PAR B, F BRE B"), KEPT).position_after.kept_builds == {}


def test_a_build_that_no_free_home_allows_is_kept() -> None:
    before = _france("A PAR, F BRE, A MAR", "BRE MAR PAR SPA")
    assert adjustments.adjustment_count(BOARD, before, "FRANCE", KEPT) == AdjustmentCount(1, 0)
    assert judged(before, {}, KEPT).position_after.kept_builds == {"FRANCE": 1}


def test_a_waiver_says_what_becomes_of_the_right() -> None:
    for book, option in ((DATC, None), (KEPT, "unused_builds")):
        (verdict,) = judged(TWO, orders(FRANCE="WAIVE"), book).verdicts
        assert (verdict.results, verdict.cause.option) == (("waived",), option)


@pytest.mark.parametrize(
    ("units", "centres", "due", "after"),
    [
        ("A SPA, F MAO, A BUR", "BRE MAR SPA", AdjustmentCount(2, 2), {"FRANCE": 2}),  # level, rights kept
        (
            "A SPA, F MAO",
            "BRE MAR SPA",
            AdjustmentCount(2, 2),
            {"FRANCE": 2},
        ),  # rights are more than the difference
        (
            "A SPA",
            "BRE MAR PAR SPA",
            AdjustmentCount(3, 3),
            {"FRANCE": 3},
        ),  # and here less: they do not add up
        ("A SPA, F MAO, A BUR", "BRE SPA", AdjustmentCount(-1, 0, 1), {}),  # they lapse when units must go
    ],
)
def test_rights_to_build_kept_from_earlier_winters(
    units: str, centres: str, due: AdjustmentCount, after: dict[str, int]
) -> None:
    before = replace(_france(units, centres), kept_builds={"FRANCE": 2})
    assert adjustments.adjustment_count(BOARD, before, "FRANCE", KEPT) == due
    assert judged(before, {}, KEPT).position_after.kept_builds == after
    plain = adjustments.adjustment_count(BOARD, before, "FRANCE", DATC)
    assert plain == adjustments.adjustment_count(BOARD, replace(before, kept_builds={}), "FRANCE", DATC)


def test_a_kept_right_is_used_the_year_after() -> None:
    built = game.play_phase(CLASSIC, TWO, orders(FRANCE="A PAR B"), KEPT).next_position
    assert built is not None
    assert (str(built.phase), built.kept_builds) == ("S1902M", {"FRANCE": 1})
    autumn = replace(built, phase=built.phase._replace(season="F"), centres={"FRANCE": ("BRE", "PAR", "SPA")})
    winter = game.play_phase(CLASSIC, autumn, {}, KEPT)
    assert winter.adjustment_counts is not None
    assert winter.adjustment_counts["FRANCE"] == AdjustmentCount(1, 1)
    assert winter.next_position is not None
    assert str(winter.next_position.phase) == "W1902A"
    above = judged(winter.next_position, orders(FRANCE="F BRE B"), KEPT)
    assert (len(above.units), above.position_after.kept_builds) == (4, {})
    assert adjustments.adjustment_count(BOARD, above.position_after, "FRANCE", KEPT) == AdjustmentCount(
        -1, 0, 1
    )


def test_builds_that_must_be_made() -> None:
    outcome = judged(TWO, orders(FRANCE="WAIVE, A PAR B"), MUST)
    assert reasons(outcome) == {"WAIVE": "waiver_forbidden"}
    assert _said(outcome) == ["A PAR B builds"]
    assert [(note.kind, dict(note.facts)) for note in outcome.notes] == [
        ("builds_missing", {"power": "FRANCE", "count": "1"})
    ]
    assert not judged(TWO, orders(FRANCE="F BRE B, A PAR B"), MUST).notes
    offered = CLASSIC.rules_for(TWO.phase).legal_orders(BOARD, TWO, "FRANCE", MUST)
    assert "WAIVE" not in map(str, offered)
    assert "A PAR B" in map(str, offered)


def test_builds_for_which_there_is_no_room_are_not_missed() -> None:
    assert not judged(_france("A PAR, F BRE, A MAR", "BRE MAR PAR SPA"), {}, MUST).notes


# centres gained and lost in one year

SWAPPED = _france("A SPA, A BUR, F MAO", "BRE PAR SPA", before="BRE MAR PAR")


def test_gains_and_losses_apart() -> None:
    lines = orders(FRANCE="A BUR D, A PAR B")
    assert _said(judged(SWAPPED, lines)) == ["A BUR D removal_ignored", "A PAR B build_ignored"]
    gross = judged(SWAPPED, lines, GROSS)
    assert _said(gross) == ["A BUR D removed", "A PAR B builds"]
    assert adjustments.adjustment_count(BOARD, SWAPPED, "FRANCE", GROSS) == AdjustmentCount(0, 2 - 1, 1)
    assert gross.position_after.centres_before is None


def test_a_loss_costs_a_unit_though_nobody_wrote_it() -> None:
    assert _said(judged(SWAPPED, orders(FRANCE="A PAR B"), GROSS)) == ["A PAR B builds", "F MAO removed"]
    assert _said(judged(SWAPPED, {}, GROSS)) == ["F MAO removed"]


@pytest.mark.parametrize(
    ("units", "centres", "before", "due"),
    [
        ("A SPA, A BUR, F MAO", "BRE MAR PAR", "BRE MAR PAR", AdjustmentCount(0, 0)),
        ("A SPA, A BUR, F MAO", "BRE MAR PAR SPA", "BRE MAR PAR", AdjustmentCount(1, 1)),
        ("A SPA, A BUR, F MAO", "BRE MAR", "BRE MAR PAR", AdjustmentCount(-1, 0, 1)),
        # a unit lost in the year: the balance was open before the captures
        ("A SPA, A BUR", "BRE PAR SPA", "BRE MAR PAR", AdjustmentCount(1, 2, 1)),
        # more losses than units
        ("A SPA", "SPA", "BRE MAR PAR", AdjustmentCount(0, 0, 1)),
        ("", "BRE", "MAR PAR", AdjustmentCount(1, 1)),
        # units beyond the centres of before
        ("A SPA, A BUR, F MAO", "BRE PAR SPA", "BRE PAR", AdjustmentCount(0, 1, 1)),
    ],
)
def test_the_gross_balance(units: str, centres: str, before: str, due: AdjustmentCount) -> None:
    found = adjustments.adjustment_count(BOARD, _france(units, centres, before), "FRANCE", GROSS)
    assert found == due
    assert found.builds <= len(centres.split()) - len(units.split(",") if units else []) + found.removals


def test_without_the_ownership_before_the_year_the_difference_counts() -> None:
    unknown = replace(SWAPPED, centres_before=None)
    assert adjustments.adjustment_count(BOARD, unknown, "FRANCE", GROSS) == AdjustmentCount(0, 0)
    assert [note.kind for note in judged(unknown, {}, GROSS).notes] == ["centres_before_unknown"]
    assert not judged(unknown, {}).notes


def test_a_power_that_must_remove_and_may_build_is_offered_both() -> None:
    rules = CLASSIC.rules_for(SWAPPED.phase)
    assert rules.powers_with_choices(BOARD, SWAPPED, GROSS) == ("FRANCE",)
    assert rules.powers_with_choices(BOARD, SWAPPED, DATC) == ()
    offered = list(map(str, rules.legal_orders(BOARD, SWAPPED, "FRANCE", GROSS)))
    assert offered == ["A SPA D", "A BUR D", "F MAO D", "A BRE B", "F BRE B", "A PAR B", "WAIVE"]


def test_the_ownership_before_the_year_is_that_before_its_captures() -> None:
    units = position("F1901M", FRANCE="A SPA, A BUR, F MAO", ITALY="A MAR")
    autumn = owning(units, FRANCE="BRE MAR PAR", ITALY="ROM")
    turn = game.play_phase(CLASSIC, autumn, {}, GROSS)
    assert turn.next_position is not None
    assert turn.next_position.centres_before == autumn.centres
    assert turn.adjustment_counts is not None
    assert turn.adjustment_counts["FRANCE"] == AdjustmentCount(0, 2 - 1, 1)
    after = game.play_phase(CLASSIC, turn.next_position, orders(FRANCE="F MAO D, A PAR B"), GROSS)
    assert fates(after.outcome) == {"F MAO": "removed", "A PAR": "builds"}
    assert after.next_position is not None
    assert after.next_position.centres_before is None
    net = game.play_phase(CLASSIC, autumn, {}, DATC)
    assert net.next_position is not None
    assert net.next_position.centres_before is None


# too many and twice the same, where a power removes and builds

LOSING = _france("A SPA, A BUR, F MAO, A GAS", "BRE PAR SPA POR", before="BRE MAR PAR LON")


@pytest.mark.parametrize(
    ("option", "said"),
    [
        (
            {},
            [
                "A PAR B builds",
                "A BUR D removed",
                "F BRE B builds",
                "A GAS D removed",
                "A SPA D removal_ignored",
            ],
        ),
        (
            {"too_many_removals": "last_legal"},
            [
                "A PAR B builds",
                "A BUR D removal_ignored",
                "F BRE B builds",
                "A GAS D removed",
                "A SPA D removed",
            ],
        ),
        (
            {"too_many_removals": "civil_disorder"},
            [
                "A PAR B builds",
                "A BUR D removal_ignored",
                "F BRE B builds",
                "A GAS D removal_ignored",
                "A SPA D removal_ignored",
                "F MAO removed",
                "A BUR removed",
            ],
        ),
    ],
)
def test_too_many_removals_beside_builds(option: dict[str, str], said: list[str]) -> None:
    lines = orders(FRANCE="A PAR B, A BUR D, F BRE B, A GAS D, A SPA D")
    assert _said(judged(LOSING, lines, GROSS.with_options(option))) == said


@pytest.mark.parametrize(
    ("option", "said"),
    [
        ({}, ["A BRE B builds", "A BRE B build_void", "F BRE B build_void"]),
        ({"two_builds_one_centre": "last"}, ["A BRE B build_void", "A BRE B build_void", "F BRE B builds"]),
        (
            {"two_builds_one_centre": "none"},
            ["A BRE B build_void", "A BRE B build_void", "F BRE B build_void"],
        ),
        ({"too_many_builds": "none"}, ["A BRE B builds", "A BRE B build_void", "F BRE B build_void"]),
    ],
)
def test_the_same_build_twice(option: dict[str, str], said: list[str]) -> None:
    lines = orders(FRANCE="A BRE B, A BRE B, F BRE B")
    assert _said(judged(TWO, lines, DATC.with_options(option))) == said


@pytest.mark.parametrize("option", ["first_legal", "last_legal", "none"])
def test_fewer_builds_than_allowed(option: str) -> None:
    outcome = judged(TWO, orders(FRANCE="A PAR B"), DATC.with_options({"too_many_builds": option}))
    assert _said(outcome) == ["A PAR B builds"]
    assert len(outcome.units) == 3


@pytest.mark.parametrize("option", ["first_legal", "last_legal", "civil_disorder"])
def test_fewer_removals_than_due(option: str) -> None:
    before = _france("A SPA, A BUR, F MAO", "PAR")
    outcome = judged(before, orders(FRANCE="A BUR D"), DATC.with_options({"too_many_removals": option}))
    assert _said(outcome) == ["A BUR D removed", "F MAO removed"]


# fleets inland


@pytest.mark.parametrize("line", ["F PAR B", "F PAR/NC B"])
def test_a_fleet_inland(line: str) -> None:
    fails = judged(TWO, orders(FRANCE=line))
    assert (fates(fails), causes(fails)) == ({"F PAR": "build_void"}, {"F PAR": "unit_cannot_stand"})
    army = judged(TWO, orders(FRANCE=line), DATC.with_options({"build_fleet_inland": "army"}))
    assert [(str(one.unit), one.results[0], one.cause.option) for one in army.verdicts] == [
        ("A PAR", "builds", "build_fleet_inland")
    ]
    assert str(army.units[-1]) == "A PAR"


@pytest.mark.parametrize("line", ["F BRE B", "F SPA B", "F MAO B", "A NTH B"])
def test_other_builds_are_not_turned(line: str) -> None:
    plain, turned = (
        judged(TWO, orders(FRANCE=line), DATC.with_options({"build_fleet_inland": value}))
        for value in ("fails", "army")
    )
    assert plain.verdicts == turned.verdicts


def test_a_build_given_up_is_no_build_too_many() -> None:
    book = DATC.with_options({"too_many_builds": "none"})
    assert _said(judged(TWO, orders(FRANCE="WAIVE, A PAR B, F BRE B"), book)) == [
        "WAIVE waived",
        "A PAR B builds",
        "F BRE B build_ignored",
    ]
