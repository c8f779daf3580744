"""Who may stand where and go where, on the classic board and on one where kinds of units differ."""

from __future__ import annotations

import pytest

from talleyrand.engine.board import province_of
from tests.engine.scenes import BOARD, TRIO


@pytest.mark.parametrize(
    ("place", "province"), [("STP/SC", "STP"), ("PAR", "PAR"), ("BUL/EC", "BUL"), ("", "")]
)
def test_province_of(place: str, province: str) -> None:
    assert province_of(place) == province


@pytest.mark.parametrize(
    ("letter", "place", "may"),
    [
        ("A", "PAR", True),
        ("A", "STP", True),
        ("A", "STP/SC", False),
        ("A", "NTH", False),
        ("F", "PAR", False),
        ("F", "BRE", True),
        ("F", "NTH", True),
        ("F", "STP", False),
        ("F", "STP/NC", True),
        ("F", "STP/EC", False),
        ("F", "XXX", False),
        ("P", "PAR", False),
    ],
)
def test_who_stands_where(letter: str, place: str, *, may: bool) -> None:
    assert BOARD.can_stand(letter, place) is may


@pytest.mark.parametrize("place", ["PEA", "NEE", "MOR"])
def test_a_patrol_stands_anywhere_but_on_no_coast(place: str) -> None:
    assert TRIO.board.can_stand("P", place)
    assert TRIO.board.standable_locations("P", place) == (place,)
    assert not TRIO.board.can_stand("P", "NEE/EC")


@pytest.mark.parametrize(
    ("letter", "place", "goals"),
    [
        ("A", "POR", {"SPA"}),
        ("F", "POR", {"MAO", "SPA/NC", "SPA/SC"}),
        ("F", "STP/NC", {"BAR", "NWY"}),
        ("F", "STP/SC", {"BOT", "FIN", "LVN"}),
        ("A", "STP", {"FIN", "LVN", "MOS", "NWY"}),
        ("F", "CON", {"AEG", "ANK", "BLA", "BUL/EC", "BUL/SC", "SMY"}),
        ("F", "BUL/EC", {"BLA", "CON", "RUM"}),
        ("F", "ROM", {"NAP", "TUS", "TYS"}),
    ],
)
def test_steps(letter: str, place: str, goals: set[str]) -> None:
    assert BOARD.adjacent_locations[letter][place] == goals
    assert BOARD.adjacent_provinces[letter][place] == set(map(province_of, goals))


def test_a_patrol_goes_by_land_and_by_sea_and_has_no_coasts() -> None:
    assert TRIO.board.adjacent_locations["P"]["NEE"] == {"EVE", "FRO", "HEA", "MOR", "PEA"}
    assert TRIO.board.adjacent_locations["P"]["EVE"] == {"HEA", "LAG", "NEE", "NOO"}


@pytest.mark.parametrize(
    ("origin", "code", "arrivals"),
    [
        ("MAO", "SPA", ("SPA/NC", "SPA/SC")),
        ("GAS", "SPA", ("SPA/NC",)),
        ("MAR", "SPA", ("SPA/SC",)),
        ("SPA/NC", "MAR", ()),
        ("BRE", "SPA", ()),
        ("NWY", "STP", ("STP/NC",)),
    ],
)
def test_arrivals_of_a_fleet(origin: str, code: str, arrivals: tuple[str, ...]) -> None:
    assert BOARD.landing_locations("F", origin, code) == arrivals


@pytest.mark.parametrize(
    ("code", "goals", "spaces"),
    [
        ("PAR", ["PAR"], 0),
        ("FIN", ["BER", "KIE", "MUN"], 3),
        ("BEL", ["BER", "KIE", "SWE"], 2),
        ("ALB", ["SEV", "STP"], 3),
        ("NAO", ["STP"], 3),
        ("PAR", [], -1),
    ],
)
def test_distance_over_any_ground(code: str, goals: list[str], spaces: int) -> None:
    assert BOARD.spaces_to_nearest(code, goals) == spaces


def test_waters_of_a_province_with_two_coasts_are_those_of_both() -> None:
    assert BOARD.adjacent_seas["STP"] == {"BAR", "BOT"}
    assert BOARD.adjacent_seas["CON"] == {"AEG", "BLA"}
    assert "PAR" not in BOARD.adjacent_seas


def test_borders_go_both_ways() -> None:
    for links in (
        *BOARD.adjacent_locations.values(),
        *TRIO.board.adjacent_locations.values(),
        BOARD.neighbours,
    ):
        assert all(place in links[other] for place, near in links.items() for other in near)
