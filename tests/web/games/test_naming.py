"""The abbreviations agreed on are those that orders are read by."""

from __future__ import annotations

import pytest

from talleyrand.web.games import order_submission, phase_adjudication
from tests.web.cast import BEGUN, table

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(("naming", "sea"), [("judge", "TYR"), ("descartes", "TYS")])
def test_abbreviations(naming: str, sea: str) -> None:
    """“Tyr” is Tyrolia in one list and the Tyrrhenian Sea in another."""
    game = table(naming=naming)
    order_submission.submit_orders(
        game, "ITALY", ["F Nap-Tyr"], number=1, key="a-sheet-of-mine-0001", origin="text", at=BEGUN
    )
    published = phase_adjudication.adjudicate_phase(game, 1, BEGUN)
    assert published.answer is not None
    (read,) = [one["order"] for one in published.answer["orders"] if one["line"] == "F Nap-Tyr"]
    assert read == f"F NAP - {sea}"
    assert published.situation is not None
    assert "naming" not in published.situation
