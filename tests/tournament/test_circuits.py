"""Seasons: what an event gives, how many count, who leads."""

from __future__ import annotations

from fractions import Fraction

import pytest

from talleyrand.tournament import circuits
from talleyrand.tournament.circuits import Circuit, Gives, Placed, Rule, Stage
from talleyrand.tournament.errors import BadEvent, Refused
from talleyrand.tournament.matching import Entrant, Entry

STAGES = {number: Stage(f"event{number}") for number in (1, 2, 3)}
FIRST = {1: Placed(1, Fraction(90)), 2: Placed(2, Fraction(60)), 3: Placed(2, Fraction(60))}
SECOND = {1: Placed(3, Fraction(30)), 2: Placed(1, Fraction(80)), 4: Placed(2, Fraction(50))}
THIRD = {1: Placed(2, Fraction(40)), 3: Placed(1, Fraction(70))}
OUTCOMES = {1: FIRST, 2: SECOND, 3: THIRD}


def _entrant(name: str, *entries: tuple[int, int]) -> Entrant:
    return Entrant(name, tuple(Entry(*one) for one in entries))


AGATHE = _entrant("Agathe", (1, 1), (2, 1), (3, 1))
EDMOND = _entrant("Edmond", (1, 2), (2, 2))
FLORA = _entrant("Flora", (1, 3), (3, 3))
GASPARD = _entrant("Gaspard", (2, 4))
EVERYBODY = [AGATHE, EDMOND, FLORA, GASPARD]
ABSENT = _entrant("Oscar", (1, 9))

CUP = ("20", "15", "12")


@pytest.mark.parametrize(
    ("rule", "totals", "places"),
    [
        (Rule(), [160, 140, 130, 50], [1, 2, 3, 4]),
        (Rule(best=2), [130, 140, 130, 50], [2, 1, 2, 4]),  # a shared second place
        (Rule(best=1), [90, 80, 70, 50], [1, 2, 3, 4]),
        (Rule(best=9), [160, 140, 130, 50], [1, 2, 3, 4]),
        (Rule(least=2), [160, 140, 130, 50], [1, 2, 3, 0]),
        (Rule(best=2, least=3), [130, 140, 130, 50], [1, 0, 0, 0]),
        # 20 + 12 + 15; a shared second place: (15 + 12) / 2 = 27/2
        (Rule(Gives.PLACES, places=CUP), [47, Fraction(67, 2), Fraction(67, 2), 15], [1, 2, 2, 4]),
        (Rule(Gives.PLACES, places=CUP, ties="best"), [47, 35, 35, 15], [1, 2, 2, 4]),
        (Rule(Gives.PLACES, places=CUP, ties="lower"), [47, 32, 32, 15], [1, 2, 2, 4]),
        (Rule(Gives.PLACES, places=("10",), beyond="1"), [12, 11, 11, 1], [1, 2, 2, 4]),
        (Rule(Gives.PLACES, places=("10",)), [10, 10, 10, 0], [1, 1, 1, 4]),
    ],
)
def test_rankings(rule: Rule, totals: list[Fraction], places: list[int]) -> None:
    """By hand, rule by rule."""
    lines = circuits.ranking(Circuit("Tour", rule, STAGES), EVERYBODY, OUTCOMES)
    by_name = {line.entrant.name: line for line in lines}
    assert [by_name[one.name].total for one in EVERYBODY] == totals
    assert [by_name[one.name].place for one in EVERYBODY] == places


def test_what_an_event_counts() -> None:
    """A coefficient for each."""
    stages = {**STAGES, 1: Stage("event1", "1/2"), 2: Stage("event2", "1.5")}
    (first, *_) = circuits.ranking(Circuit("Tour", Rule(best=2), stages), [AGATHE], OUTCOMES)
    assert [share.points for share in first.shares] == [45, 45, 40]
    assert [share.counted for share in first.shares] == [True, True, False]
    assert first.total == 90
    assert first.shares[0].line.facts == {"place": 1, "points": 90, "coefficient": Fraction(1, 2)}
    assert first.line.kind == "season_sum"
    assert first.line.facts == {"events": 3, "counted": 2, "least": 1}


def test_what_is_said() -> None:
    """Each figure has its line."""
    places = Circuit("Tour", Rule(Gives.PLACES, places=CUP, least=2), STAGES)
    lines = {one.entrant.name: one for one in circuits.ranking(places, EVERYBODY, OUTCOMES)}
    assert [share.line.kind for share in lines["Edmond"].shares] == ["season_places_shared", "season_places"]
    assert lines["Edmond"].shares[0].line.facts["shared"] == 2
    assert lines["Gaspard"].line.kind == "season_too_few"
    assert lines["Gaspard"].place == 0
    assert [one.entrant.name for one in circuits.ranking(places, EVERYBODY, OUTCOMES)][-1] == "Gaspard"


def test_nobody_and_nothing() -> None:
    """Who has no result is in no ranking; an event without result gives nothing."""
    assert circuits.ranking(Circuit("Tour", stages=STAGES), [ABSENT], OUTCOMES) == []
    assert circuits.ranking(Circuit("Tour", stages=STAGES), EVERYBODY, {}) == []
    assert circuits.ranking(Circuit("Tour"), [], OUTCOMES) == []


@pytest.mark.parametrize(
    ("told", "code"),
    [
        ({}, "event_missing"),
        ({"name": ""}, "season_no_name"),
        ({"name": "  "}, "season_no_name"),
        ({"name": "T", "rule": {"best": -1}}, "season_count"),
        ({"name": "T", "rule": {"gives": "places"}}, "season_no_places"),
        ({"name": "T", "rule": {"gives": "cups"}}, "event_not_a_word"),
        ({"name": "T", "rule": {"ties": "lot"}}, "season_places"),
        ({"name": "T", "rule": {"places": ["1"] * 201}}, "season_places"),
        ({"name": "T", "rule": {"places": ["1e9"]}}, "season_points"),
        ({"name": "T", "rule": {"places": ["-1"]}}, "season_points"),
        ({"name": "T", "rule": {"places": ["1/0"]}}, "season_points"),
        ({"name": "T", "rule": {"beyond": ""}}, "season_points"),
        ({"name": "T", "stages": {"1": {"key": "a"}, "2": {"key": "a"}}}, "season_twice"),
        ({"name": "T", "stages": {"1": {"key": "a", "coefficient": "half"}}}, "season_points"),
        ({"name": "T", "same": [["1.1", "2"]]}, "season_entry"),
        ({"name": "T", "apart": [["1.1", "2.²"]]}, "season_entry"),
        ([], "event_not_a_table"),
    ],
)
def test_what_is_no_season(told: object, code: str) -> None:
    """Is refused with its reason."""
    with pytest.raises((BadEvent, Refused)) as refused:
        circuits.read(told)
    assert refused.value.code == code


def test_points_as_people_write_them() -> None:
    """With a point, a comma, as a fraction."""
    assert [circuits.figure(told) for told in ("0,5", " 1/2", "0.5", "12")] == [
        Fraction(1, 2),
        Fraction(1, 2),
        Fraction(1, 2),
        12,
    ]
