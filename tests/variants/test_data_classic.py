"""The classic board against the rules: counts, and the adjacency of a peer's standard map."""

import warnings
from collections import Counter
from itertools import combinations
from typing import Any

import pytest

from talleyrand.variants import load
from talleyrand.variants.variant_loader import french_sort_key
from tests.variants.board_files import locations, table

START = {
    "AUSTRIA": {"A BUD", "A VIE", "F TRI"},
    "ENGLAND": {"F EDI", "F LON", "A LVP"},
    "FRANCE": {"F BRE", "A MAR", "A PAR"},
    "GERMANY": {"A BER", "A MUN", "F KIE"},
    "ITALY": {"F NAP", "A ROM", "A VEN"},
    "RUSSIA": {"A MOS", "F SEV", "F STP/SC", "A WAR"},
    "TURKEY": {"F ANK", "A CON", "A SMY"},
}


def test_75_provinces() -> None:
    kinds = Counter(facts["kind"] for facts in table("classic")["provinces"].values())
    assert kinds == {"sea": 19, "coastal": 42, "inland": 14}


def test_34_centres_22_of_them_homes() -> None:
    data = table("classic")
    assert sum(facts.get("centre", False) for facts in data["provinces"].values()) == 34
    assert sum(len(power["homes"]) for power in data["powers"].values()) == 22
    assert data["victory"] == {"centres": 18}


def test_111_army_pairs_141_fleet_pairs() -> None:
    adjacency = table("classic")["adjacency"]
    assert (len(adjacency["land"]), len(adjacency["sea"])) == (111, 141)


def test_three_provinces_have_two_coasts() -> None:
    coasts = {code: facts.get("coasts") for code, facts in table("classic")["provinces"].items()}
    assert {code: found for code, found in coasts.items() if found} == {
        "BUL": ["EC", "SC"],
        "SPA": ["NC", "SC"],
        "STP": ["NC", "SC"],
    }


def test_first_position() -> None:
    assert {code: set(power["units"]) for code, power in table("classic")["powers"].items()} == START


@pytest.fixture(scope="module")
def peer() -> Any:
    """The standard map of the package `diplomacy`, read as facts."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from diplomacy import Map

        return Map("standard")


@pytest.mark.peers
@pytest.mark.parametrize(("letter", "borders"), [("A", "land"), ("F", "sea")])
def test_adjacency_equals_the_peer(peer: Any, letter: str, borders: str) -> None:
    lands = {code for code, facts in table("classic")["provinces"].items() if facts["kind"] != "sea"}
    places = sorted(lands if letter == "A" else locations("classic"))
    theirs = [[a, b] for a, b in combinations(places, 2) if peer.abuts(letter, a, "-", b)]
    assert table("classic")["adjacency"][borders] == theirs


@pytest.mark.peers
def test_centres_and_homes_equal_the_peer(peer: Any) -> None:
    data = table("classic")
    assert {code for code, facts in data["provinces"].items() if facts.get("centre")} == set(peer.scs)
    homes = {code: set(power["homes"]) for code, power in data["powers"].items()}
    assert homes == {code: set(found) for code, found in peer.homes.items() if code in homes}


COUNTRIES = {
    "AUSTRIA": "BOH BUD GAL TRI TYR VIE",
    "ENGLAND": "CLY EDI LON LVP WAL YOR",
    "FRANCE": "BRE BUR GAS MAR PAR PIC",
    "GERMANY": "BER KIE MUN PRU RUH SIL",
    "ITALY": "APU NAP PIE ROM TUS VEN",
    "RUSSIA": "FIN LVN MOS SEV STP UKR WAR",
    "TURKEY": "ANK ARM CON SMY SYR",
}


@pytest.mark.parametrize("name", ["classic", "sandad"])
def test_the_provinces_of_each_home_country(name: str) -> None:
    board = load(name).board
    assert {code: " ".join(sorted(found)) for code, found in board.countries.items()} == {
        code: found for code, found in COUNTRIES.items() if code in board.homes
    }


def test_the_french_alphabet() -> None:
    board = load("classic").board
    keys = {code: province.french_sort_key for code, province in board.provinces.items()}
    assert len(set(keys.values())) == 75
    assert [keys[code] for code in ("EDI", "STP", "IRI", "AEG", "WAL")] == [
        "edimbourg",
        "saint petersbourg",
        "mer d irlande",
        "mer egee",
        "pays de galles",
    ]
    ranked = sorted(keys, key=lambda code: keys[code])
    assert ranked[:6] == ["NAF", "ALB", "ANK", "APU", "ARM", "MAO"]
    assert ranked[-6:] == ["TYR", "UKR", "WAR", "VEN", "VIE", "YOR"]


@pytest.mark.parametrize(
    ("one", "other"), [("Œuvre", "oeuvre"), ("ÉDIMBOURG", "Edimbourg"), ("Val-d’Or", "val d or"), ("Ñ", "n")]
)
def test_accents_case_and_signs_do_not_matter_in_the_alphabet(one: str, other: str) -> None:
    assert french_sort_key(one) == french_sort_key(other)
