"""Which phase follows which, and when centres change hands."""

from __future__ import annotations

import pytest

from talleyrand.engine.errors import InvalidPosition
from talleyrand.engine.game import GameDefinition
from talleyrand.engine.position import Phase
from tests.engine.scenes import CLASSIC, TRIO


def _phases(texts: str) -> list[Phase]:
    return [Phase.parse(text) for text in texts.split()]


@pytest.mark.parametrize(
    ("setting", "phases"),
    [
        (CLASSIC, "S1901M S1901R F1901M F1901R W1901A S1902M S1902R"),
        (TRIO, "Y1D Y1M Y1R Y1A Y2M Y2R Y2A Y3M"),
    ],
    ids=["classic", "trio"],
)
def test_the_phases_in_turn(setting: GameDefinition, phases: str) -> None:
    expected = _phases(phases)
    assert setting.calendar.start == expected[0]
    assert [setting.calendar.next_phase(phase) for phase in expected[:-1]] == expected[1:]


@pytest.mark.parametrize("phase", ["S1901A", "W1901M", "Y1M", "S1901D", "X1901M"])
def test_a_phase_the_variant_lacks(phase: str) -> None:
    for ask in (CLASSIC.calendar.next_phase, CLASSIC.calendar.check_phase, CLASSIC.rules_for):
        with pytest.raises(InvalidPosition) as caught:
            ask(Phase.parse(phase))
        assert (caught.value.code, caught.value.facts) == ("unknown_phase", {"phase": phase})


@pytest.mark.parametrize(
    ("left", "entered", "captures"),
    [
        ("S1901M", "S1901R", False),
        ("S1901R", "F1901M", False),
        ("F1901M", "F1901R", False),
        ("F1901R", "W1901A", True),
        ("F1901M", "W1901A", True),
        ("W1901A", "S1902M", False),
    ],
)
def test_centres_change_hands_when_autumn_is_over(left: str, entered: str, *, captures: bool) -> None:
    assert CLASSIC.calendar.captures_between(Phase.parse(left), Phase.parse(entered)) is captures


def test_where_a_year_has_one_season_they_do_before_its_adjustments() -> None:
    left, entered = _phases("Y1R Y1A")
    assert TRIO.calendar.captures_between(left, entered)
    assert not TRIO.calendar.captures_between(*_phases("Y1M Y1R"))
    assert not TRIO.calendar.captures_between(*_phases("Y1A Y2M"))
    assert not TRIO.calendar.captures_between(*_phases("Y1D Y1M"))
