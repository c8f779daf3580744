"""`talleyrand seat`: the contract's JSON, tables for people, and what is refused."""

import json
from collections import Counter
from itertools import combinations
from math import comb

import pytest

from tests.cli.run import Run

POWERS = {"AUS", "ENG", "FRA", "GER", "ITA", "RUS", "TUR"}


def test_the_contract(run: Run) -> None:
    ran = run("seat", "--players", "28", "--rounds", "4", "--seed", "1", "--json")
    answer = json.loads(ran.out)
    assert ran.status == 0
    assert answer["bound"] == answer["repeats"] == 72
    assert answer["power_repeats"] == 0
    assert [[table["board"] for table in one] for one in answer["rounds"]] == [[1, 2, 3, 4]] * 4
    tables = [table["seats"] for one in answer["rounds"] for table in one]
    assert all(seats.keys() == POWERS for seats in tables)
    met = Counter(two for seats in tables for two in combinations(sorted(seats.values()), 2))
    assert sum(comb(times, 2) for times in met.values()) == 72
    again = {tuple(entry["players"]): len(entry["rounds"]) for entry in answer["again"]}
    assert again == {two: times for two, times in met.items() if times > 1}


@pytest.mark.long
def test_the_same_seed_the_same_seats(run: Run) -> None:
    first, second = (run("seat", "--players", "23", "--seed", "x", "--json").out for _ in range(2))
    assert first == second


def test_a_seed_is_made_and_told(run: Run) -> None:
    answer = json.loads(run("seat", "--players", "14", "--json").out)
    again = json.loads(run("seat", "--players", "14", "--seed", answer["seed"], "--json").out)
    assert again == answer


@pytest.mark.parametrize(
    ("language", "words"),
    [
        (
            "fr",
            (
                "Ronde 1",
                "Autriche",
                "Table 2",
                "Ne jouent pas",
                "Rencontres répétées",
                "Graine\u00a0: a",
            ),
        ),
        ("en", ("Round 1", "Austria", "Board 2", "Sit out", "the fewest possible", "Seed: a")),
    ],
)
def test_for_people(run: Run, language: str, words: tuple[str, ...]) -> None:
    ran = run("--lang", language, "seat", "--players", "22", "--rounds", "2", "--seed", "a")
    assert ran.status == 0
    for word in words:
        assert word in ran.out


def test_boards_of_six_leave_turkey_out(run: Run) -> None:
    ran = run("seat", "--lang", "en", "--players", "13", "--boards", "7,6", "--rounds", "1", "--seed", "a")
    board = next(line for line in ran.out.splitlines() if line.startswith("Board 2"))
    assert board.split()[-1] == "-"
    assert "No two players meet twice." in ran.out


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        ((), 2, "--players"),
        (("--players", "many"), 2, "many"),
        (("--players", "-7"), 2, "négatif"),
        (("--players", "0"), 1, "7 places"),
        (("--players", "6"), 1, "7 places"),
        (("--players", "10000000"), 1, "420"),
        (("--players", "9" * 30), 1, "420"),
        (("--players", "14", "--rounds", "0"), 1, "de 1 à 20"),
        (("--players", "14", "--rounds", "-1"), 1, "de 1 à 20"),
        (("--players", "14", "--rounds", "99"), 1, "de 1 à 20"),
        (("--players", "14", "--boards", "7,5"), 2, "7,5"),
        (("--players", "14", "--boards", ""), 2, "tailles"),
        (("--players", "14", "--boards", "7,7,7"), 1, "21 places"),
        (("--players", "14", "--seed"), 2, "--seed"),
    ],
)
def test_what_is_refused(run: Run, arguments: tuple[str, ...], status: int, words: str) -> None:
    ran = run("--lang", "fr", "seat", *arguments)
    assert ran.status == status
    assert ran.out == ""
    assert words in ran.err
    assert "Traceback" not in ran.err
