"""Powers, places and units named by themselves."""

import pytest

from talleyrand import notation
from talleyrand.variants import load

CLASSIC = load("classic")


@pytest.mark.parametrize("text", ["France", "la FRANCE", "Français"])
def test_a_power_by_any_of_its_names(text: str) -> None:
    assert notation.find_power(text.removeprefix("la "), CLASSIC) == "FRANCE"


@pytest.mark.parametrize("text", ["", "France et Turquie", "A Par", "F" * 1000])
def test_what_is_not_one_power(text: str) -> None:
    assert notation.find_power(text, CLASSIC) is None


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Bourgogne", ("BUR",)),
        ("St-Pétersbourg (côte sud)", ("STP/SC",)),
        ("Nulle part", ()),
        ("A Par", ()),
        ("", ()),
    ],
)
def test_places(text: str, found: tuple[str, ...]) -> None:
    assert notation.find_places(text, CLASSIC) == found


def test_a_form_may_mean_several_places() -> None:
    assert len(notation.find_places("nor", CLASSIC)) > 1


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("A Par", ["A PAR"]),
        ("F STP/SC", ["F STP/SC"]),
        ("flotte Saint-Pétersbourg", ["F STP"]),
        ("F Par", ["F PAR"]),
        ("Par", None),
        ("A Nulle part", None),
        ("A Par - Bou", None),
    ],
)
def test_units(text: str, found: list[str] | None) -> None:
    units = notation.find_units(text, CLASSIC)
    assert (units and list(map(str, units))) == found


@pytest.mark.parametrize("line", ["A Par - Bou", "A Par retraite en Gas", "Par-Bou"])
def test_journeys(line: str) -> None:
    assert notation.names_destination(line, CLASSIC)


@pytest.mark.parametrize("line", ["A Par", "+ A Par", "A Par D", "", "A Par - " + "x" * 1000])
def test_no_journeys(line: str) -> None:
    assert not notation.names_destination(line, CLASSIC)
