"""Whom the rules remove: what distances are measured to, how, and the alphabet."""

from __future__ import annotations

from dataclasses import replace

import pytest

from talleyrand.engine.position import Position
from talleyrand.engine.removals import removal_order
from tests.engine.scenes import BOARD, DATC, TRIO, owning, position


def _ranked(before: Position, power: str, **options: str) -> str:
    return ", ".join(map(str, removal_order(BOARD, before, power, DATC.with_options(options))))


def _winter(power: str, units: str, centres: str) -> Position:
    return owning(position("W1901A", **{power: units}), **{power: centres})


@pytest.mark.parametrize(
    ("reference", "order"),
    [
        ("owned_centres", "F BEL, A FIN, F SWE"),
        ("home_centres", "A FIN, F BEL, F SWE"),
        ("country", "A FIN, F SWE, F BEL"),
    ],
)
def test_what_distances_are_measured_to(reference: str, order: str) -> None:
    before = _winter("GERMANY", "A FIN, F BEL, F SWE", "BER KIE MUN SWE")
    assert _ranked(before, "GERMANY", removal_reference=reference) == order


@pytest.mark.parametrize("reference", ["home_centres", "country"])
def test_homes_that_a_power_chose_are_its_country(reference: str) -> None:
    before = _winter("GERMANY", "A FIN, F BEL, F SWE", "BER")
    before = replace(before, homes={"GERMANY": ("SWE",)})
    assert _ranked(before, "GERMANY", removal_reference=reference) == "F BEL, A FIN, F SWE"


def test_where_the_variant_draws_no_country_the_homes_are_measured_to() -> None:
    board, book = TRIO.board, DATC.with_options({"removal_reference": "country"})
    assert not board.countries
    assert removal_order(board, TRIO.start, "BOREA", book) == []


@pytest.mark.parametrize(
    ("units", "centres", "found"),
    [
        # a fleet cannot reach an inland centre: it is farthest as soon as fleets go by water
        ("A TYR, F BAL", "WAR", ("A TYR, F BAL", "F BAL, A TYR", "F BAL, A TYR")),
        # an army beyond the sea is farthest only where armies walk
        ("A BEL, F NAO", "LON", ("F NAO, A BEL", "F NAO, A BEL", "A BEL, F NAO")),
        # the coast on which a fleet stands counts where it goes by water
        ("A UKR, F STP/NC", "KIE", ("A UKR, F STP/NC", "F STP/NC, A UKR", "F STP/NC, A UKR")),
        ("A UKR, F STP/SC", "KIE", ("A UKR, F STP/SC", "A UKR, F STP/SC", "A UKR, F STP/SC")),
        # any coast of a centre will do as goal (DATC 6.J.9, 6.J.10)
        ("A ALB, F BAL", "STP", ("A ALB, F BAL", "A ALB, F BAL", "A ALB, F BAL")),
        ("A ALB, F SKA", "STP", ("A ALB, F SKA", "A ALB, F SKA", "A ALB, F SKA")),
        # without any goal everybody is as far
        ("A ALB, F SKA", "", ("F SKA, A ALB", "F SKA, A ALB", "F SKA, A ALB")),
    ],
)
def test_how_distances_are_counted(units: str, centres: str, found: tuple[str, ...]) -> None:
    before = _winter("RUSSIA", units, centres)
    metrics = ("any_space_graph", "army_any_fleet_sea", "by_unit_moves")
    assert tuple(_ranked(before, "RUSSIA", removal_metric=metric) for metric in metrics) == found


@pytest.mark.parametrize(
    ("units", "found"),
    [
        # Gascony, Spain; Gascogne, Espagne; 25, 61
        ("A GAS, A SPA", ("A GAS, A SPA", "A SPA, A GAS", "A GAS, A SPA")),
        # Trieste, Tuscany; Toscane, Trieste; 66, 65
        ("A TRI, A TUS", ("A TRI, A TUS", "A TUS, A TRI", "A TUS, A TRI")),
        # Edinburgh, Finland; Édimbourg (its accent aside), Finlande; 21, 23
        ("A FIN, A EDI", ("A EDI, A FIN", "A EDI, A FIN", "A EDI, A FIN")),
        # Adriatic, Tyrrhenian; mer Adriatique, mer Tyrrhénienne: the word "mer" is not left out
        ("F ADR, F MAR", ("F ADR, F MAR", "F MAR, F ADR", "F ADR, F MAR")),
    ],
)
def test_the_alphabet(units: str, found: tuple[str, ...]) -> None:
    before = _winter("ITALY", units, "")
    alphabets = ("english", "french", "english_annex_number")
    assert tuple(_ranked(before, "ITALY", removal_alphabet=alphabet) for alphabet in alphabets) == found
