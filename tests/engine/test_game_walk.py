"""From one phase to the next choice: what is skipped, what the rules do on the way, how a game ends."""

from __future__ import annotations

from dataclasses import replace

import pytest

from talleyrand.engine import game
from talleyrand.engine.adjustments import AdjustmentCount
from talleyrand.engine.board import Board
from talleyrand.engine.errors import InvalidPosition
from talleyrand.engine.game import ResolvedPhase, VictoryCondition
from talleyrand.engine.position import Position, Unit
from tests.engine.scenes import BOARD, CLASSIC, DATC, TRIO, fallen, orders, owning, position


def _play(before: Position, options: dict[str, str] | None = None, **lines: str) -> ResolvedPhase:
    return game.play_phase(CLASSIC, before, orders(**lines), DATC.with_options(options or {}))


def _next(turn: ResolvedPhase) -> str:
    assert turn.next_position is not None
    return str(turn.next_position.phase)


LEVEL = owning(position("F1901M", FRANCE="A PAR", ITALY="A ROM"), FRANCE="PAR", ITALY="ROM")


def test_phases_without_a_choice_are_skipped() -> None:
    assert _next(_play(replace(LEVEL, phase=LEVEL.phase._replace(season="S")))) == "F1901M"
    turn = _play(LEVEL)
    assert _next(turn) == "S1902M"
    assert turn.adjustment_counts is not None
    assert turn.adjustment_counts["FRANCE"] == AdjustmentCount(0, 0)


def test_a_power_that_may_build_has_a_choice() -> None:
    turn = _play(owning(LEVEL, FRANCE="PAR BRE", ITALY="ROM"))
    assert _next(turn) == "W1901A"
    assert turn.adjustment_counts is not None
    assert turn.adjustment_counts["FRANCE"] == AdjustmentCount(1, 1)


def test_a_power_that_could_build_nowhere_has_none() -> None:
    turn = _play(owning(LEVEL, FRANCE="PAR SPA", ITALY="ROM"))
    assert _next(turn) == "S1902M"
    assert turn.adjustment_counts is not None
    assert turn.adjustment_counts["FRANCE"] == AdjustmentCount(1, 0)


def test_a_dislodged_unit_with_a_way_out_has_a_choice() -> None:
    before = position(FRANCE="A PAR", GERMANY="A BUR, A PIC")
    turn = _play(before, GERMANY="A BUR - PAR, A PIC S A BUR - PAR")
    assert _next(turn) == "S1901R"
    assert turn.next_position is not None
    assert [str(one.unit) for one in turn.next_position.dislodged] == ["A PAR"]
    assert turn.next_position.dislodged[0].retreats == ("BRE", "GAS")


def test_a_dislodged_unit_without_one_is_lost_on_the_way() -> None:
    before = position(FRANCE="A BRE, A GAS", GERMANY="A PAR, A PIC", ENGLAND="A BUR")
    lines = "A PAR - BRE, A PIC S A PAR - BRE"
    turn = _play(before, FRANCE="A GAS H", GERMANY=lines, ENGLAND="A BUR - PAR")
    assert _next(turn) == "F1901M"
    assert turn.next_position is not None
    assert Unit("A", "BRE", "FRANCE") not in turn.next_position.units
    assert [str(one.unit) for one in turn.outcome.dislodged] == ["A BRE"]
    fate = next(verdict for verdict in turn.outcome.verdicts if str(verdict.unit) == "A BRE")
    assert fate.results == ("holds", "dislodged", "destroyed")


def test_a_stand_off_is_told_though_the_next_phase_has_forgotten_it() -> None:
    turn = _play(position(FRANCE="A PAR", GERMANY="A MUN"), FRANCE="A PAR - BUR", GERMANY="A MUN - BUR")
    assert turn.outcome.position_after.contested == {"BUR"}
    assert turn.next_position is not None
    assert not turn.next_position.contested


def test_centres_are_taken_after_autumn_alone() -> None:
    before = owning(position("S1901M", FRANCE="A MAR", GERMANY="F KIE"), FRANCE="MAR BRE", GERMANY="KIE")
    spring = _play(before, FRANCE="A MAR - SPA", GERMANY="F KIE - HOL")
    assert (spring.outcome.position_after.centres, spring.adjustment_counts) == (before.centres, None)
    assert spring.next_position is not None
    autumn = _play(spring.next_position, FRANCE="A SPA - POR")
    after = autumn.outcome.position_after
    assert (after.owned_by("FRANCE"), after.owned_by("GERMANY")) == (("BRE", "MAR", "POR"), ("HOL", "KIE"))


def test_a_retreat_takes_a_centre() -> None:
    before = owning(position("F1901R", RUSSIA="A BUD"), RUSSIA="RUM SEV", AUSTRIA="BUD")
    before = replace(before, dislodged=(fallen("AUSTRIA", "A BUD", "GAL", "RUM SER"),))
    after = _play(before, AUSTRIA="A BUD R RUM").outcome.position_after
    assert (after.owned_by("AUSTRIA"), after.owned_by("RUSSIA")) == (("RUM",), ("BUD", "SEV"))


def test_automatic_removals_are_told_with_the_phase_before() -> None:
    before = owning(position("F1901M", AUSTRIA="A GAL, F ADR", ITALY="A TRI"), AUSTRIA="TRI", ITALY="")
    turn = _play(before)
    assert _next(turn) == "S1902M"
    told = [(str(verdict.unit), *verdict.results) for verdict in turn.outcome.verdicts]
    assert told[-2:] == [("F ADR", "removed"), ("A GAL", "removed")]
    assert turn.outcome.units == (Unit("A", "TRI", "ITALY"),)


def test_without_known_owners_a_year_ends_in_its_winter() -> None:
    turn = _play(position("F1901M", FRANCE="A PAR"))
    assert _next(turn) == "W1901A"
    assert (turn.adjustment_counts, turn.winner, turn.eliminated) == (None, (), ())


def _france_with(count: int, phase: str = "F1905M") -> ResolvedPhase:
    """France owns so many centres, Turkey and Italy halve the others."""
    centres, others = BOARD.centres[:count], BOARD.centres[count:]
    before = owning(
        position(phase, FRANCE="A GAS"),
        FRANCE=" ".join(centres),
        TURKEY=" ".join(others[::2]),
        ITALY=" ".join(others[1::2]),
    )
    return _play(before)


def test_eighteen_centres_win_and_end_the_game() -> None:
    turn = _france_with(18)
    assert (turn.winner, turn.next_position) == (("FRANCE",), None)


def test_seventeen_do_not() -> None:
    turn = _france_with(17)
    assert (turn.winner, _next(turn)) == ((), "W1905A")


def test_nobody_wins_in_spring() -> None:
    turn = _france_with(18, "S1905M")
    assert (turn.winner, _next(turn)) == ((), "F1905M")


@pytest.mark.parametrize(
    ("centres", "board", "needed"), [(0, BOARD, 18), (24, BOARD, 24), (0, TRIO.board, 4)]
)
def test_how_many_centres_win(centres: int, board: Board, needed: int) -> None:
    assert VictoryCondition(centres).centres_needed(board) == needed


@pytest.mark.parametrize(
    ("units", "centres", "strict", "out"),
    [
        ("", "", False, True),
        ("A GAL", "", False, True),
        ("", "GRE", False, False),
        ("", "GRE", True, True),
        ("A GAL", "GRE", True, False),
        ("", "VIE", True, False),
    ],
)
def test_who_is_out(units: str, centres: str, *, strict: bool, out: bool) -> None:
    values = {True: "zero_centres_or_no_unit_and_no_home_centre", False: "zero_centres"}
    before = owning(position("W1901A", AUSTRIA=units), AUSTRIA=centres)
    book = DATC.with_options({"elimination": values[strict]})
    assert ("AUSTRIA" in game.eliminated(CLASSIC, before, book, year_over=True)) is out


def test_before_the_years_captures_only_a_power_without_anything_is_out() -> None:
    before = owning(position("S1901M", AUSTRIA="A GAL"), AUSTRIA="", ITALY="ROM")
    gone = game.eliminated(CLASSIC, before, DATC, year_over=False)
    assert "AUSTRIA" not in gone
    assert {"FRANCE", "TURKEY"} <= set(gone)
    assert "ITALY" not in gone


def test_a_position_that_cannot_stand_is_not_played() -> None:
    with pytest.raises(InvalidPosition) as caught:
        _play(position(FRANCE="A PAR", ITALY="A PAR"))
    assert caught.value.code == "two_units"
    with pytest.raises(InvalidPosition):
        _play(position("Y1M", FRANCE="A PAR"))


def test_trio_starts_with_its_draft() -> None:
    lines = orders(BOREA="A FRO B, P NEE B", SOLANA="F BEA B, A SAF B", VESPERA="A HEA B, A LAG B")
    turn = game.play_phase(TRIO, TRIO.start, lines, DATC)
    assert turn.next_position is not None
    assert (str(turn.next_position.phase), len(turn.next_position.units)) == ("Y1M", 6)
    assert (turn.winner, turn.eliminated) == ((), ())
