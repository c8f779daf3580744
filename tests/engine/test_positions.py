"""Names of units and phases, and positions that cannot stand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from talleyrand.engine.errors import InvalidPosition
from talleyrand.engine.position import Phase, Position, Unit, UnitName, check_position
from tests.engine.scenes import BOARD, fallen, owning, position


@pytest.mark.parametrize("text", ["", "A", "AB PAR", "A  PAR", "A PAR X", "PAR", "A "])
def test_what_is_no_unit(text: str) -> None:
    with pytest.raises(InvalidPosition) as caught:
        UnitName.parse(text)
    assert caught.value.code == "unknown_unit"


@pytest.mark.parametrize(
    "text", ["", "S1901", "1901M", "s1901M", "S190\u0661M", "S123456M", "S1901M ", "SP1901M"]
)
def test_what_is_no_phase(text: str) -> None:
    with pytest.raises(InvalidPosition) as caught:
        Phase.parse(text)
    assert caught.value.code == "unknown_phase"


@pytest.mark.parametrize("text", ["S1901M", "W1A", "F99999R"])
def test_a_phase_is_written_as_it_is_read(text: str) -> None:
    assert str(Phase.parse(text)) == text


def test_a_unit_is_written_as_it_is_read() -> None:
    assert str(UnitName.parse("F STP/SC")) == "F STP/SC"
    assert UnitName.parse("F STP/SC").province == "STP"
    assert str(Unit("A", "PAR", "FRANCE")) == "A PAR"


GOOD = position(FRANCE="A PAR, F SPA/NC", ITALY="F TYS")


@pytest.mark.parametrize(
    ("bad", "code"),
    [
        (position(FRANCE="A XXX"), "unknown_place"),
        (position(FRANCE="A SPA/EC"), "unknown_place"),
        (position(FRANCE="A NTH"), "unit_cannot_stand"),
        (position(FRANCE="F SPA"), "unit_cannot_stand"),
        (position(FRANCE="F PAR"), "unit_cannot_stand"),
        (position(FRANCE="Z PAR"), "unknown_unit"),
        (position(GAUL="A PAR"), "unknown_power"),
        (position(FRANCE="A PAR", ITALY="A PAR"), "two_units"),
        (position(FRANCE="F SPA/NC, A SPA"), "two_units"),
        (owning(GOOD, FRANCE="XXX"), "unknown_place"),
        (owning(GOOD, FRANCE="GAS"), "not_a_centre"),
        (owning(GOOD, FRANCE="STP/NC"), "not_a_centre"),
        (owning(GOOD, GAUL="PAR"), "unknown_power"),
        (owning(GOOD, FRANCE="PAR", ITALY="PAR"), "two_owners"),
        (replace(GOOD, contested=frozenset({"XXX"})), "unknown_place"),
        (replace(GOOD, dislodged=(fallen("FRANCE", "A XXX", "PIC"),)), "unknown_place"),
        (
            replace(GOOD, dislodged=(fallen("FRANCE", "A BUR", "PIC"), fallen("ITALY", "A BUR", "MUN"))),
            "two_units",
        ),
    ],
)
def test_a_position_that_cannot_stand(bad: Position, code: str) -> None:
    with pytest.raises(InvalidPosition) as caught:
        check_position(BOARD, bad)
    assert caught.value.code == code


def test_a_position_that_can() -> None:
    check_position(BOARD, owning(GOOD, FRANCE="PAR MAR", ITALY="ROM"))
    check_position(
        BOARD, replace(GOOD, dislodged=(fallen("FRANCE", "F TYS", "NAP"),), contested=frozenset({"GAS"}))
    )
    assert GOOD.units_by_province["SPA"] == Unit("F", "SPA/NC", "FRANCE")
