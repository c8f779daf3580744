"""A hundred points, shared to the last fraction."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from talleyrand import scoring

POWERS = ("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY")


def counts(*held: int) -> dict[str, int]:
    return dict(zip(POWERS, held, strict=True))


@pytest.mark.parametrize(
    ("system", "held", "winners", "expected"),
    [
        ("draw_size", (0, 18, 6, 5, 5, 0, 0), ("ENGLAND",), {"ENGLAND": "100"}),
        ("draw_size", (0, 12, 10, 12, 0, 0, 0), ("ENGLAND", "FRANCE", "GERMANY"), {"FRANCE": "100/3"}),
        ("squares", (0, 18, 16, 0, 0, 0, 0), ("ENGLAND",), {"ENGLAND": "100", "FRANCE": "0"}),
        (
            "squares",
            (4, 10, 8, 12, 0, 0, 0),
            ("ENGLAND", "FRANCE"),
            {"AUSTRIA": "400/81", "GERMANY": "400/9"},
        ),
        ("squares", (0, 0, 0, 0, 0, 0, 0), ("ITALY", "RUSSIA"), {"ITALY": "50", "TURKEY": "0"}),
    ],
)
def test_points(
    system: str, held: tuple[int, ...], winners: tuple[str, ...], expected: dict[str, str]
) -> None:
    found = scoring.points(system, counts(*held), winners)
    assert {power: found[power] for power in expected} == {p: Fraction(text) for p, text in expected.items()}


@given(
    st.sampled_from(sorted(scoring.SYSTEMS)),
    st.lists(st.integers(0, 17), min_size=7, max_size=7),
    st.sets(st.sampled_from(POWERS), min_size=1),
)
def test_a_hundred_points_and_no_more(system: str, held: list[int], winners: set[str]) -> None:
    assert sum(scoring.points(system, counts(*held), winners).values()) == 100


def test_an_unknown_system() -> None:
    with pytest.raises(KeyError):
        scoring.points("nothing", counts(*[0] * 7), ("ITALY",))
