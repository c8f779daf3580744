"""Names and figures are the same on every page, screen and paper."""

from __future__ import annotations

from fractions import Fraction

import pytest
from django.utils import translation

from talleyrand.web.tournaments import naming


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (Fraction(58143, 1000), "58,143"),
        (Fraction(-1, 4), "−0,250"),
        (Fraction(0), "0,000"),
        (Fraction(7, 1000), "0,007"),
        (Fraction(1, 2000), "0,001"),  # halves away from nought, as files and the command have them
        (Fraction(-1, 3000), "0,000"),
    ],
)
def test_points(value: Fraction, shown: str) -> None:
    with translation.override("fr"):
        assert naming.points(value) == shown
    with translation.override("en"):
        assert naming.points(value) == shown.replace(",", ".")
