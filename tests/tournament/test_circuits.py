"""Seasons: what an event gives, how many count, who leads."""

from __future__ import annotations

from fractions import Fraction

import pytest

from talleyrand.tournament import season_ranking
from talleyrand.tournament.event_errors import ActRefused, InvalidEvent
from talleyrand.tournament.season_entrants import EventEntry, SeasonEntrant
from talleyrand.tournament.season_ranking import Circuit, EventPlace, EventPoints, SeasonEvent, SeasonRule

STAGES = {number: SeasonEvent(f"event{number}") for number in (1, 2, 3)}
FIRST = {1: EventPlace(1, Fraction(90)), 2: EventPlace(2, Fraction(60)), 3: EventPlace(2, Fraction(60))}
SECOND = {1: EventPlace(3, Fraction(30)), 2: EventPlace(1, Fraction(80)), 4: EventPlace(2, Fraction(50))}
THIRD = {1: EventPlace(2, Fraction(40)), 3: EventPlace(1, Fraction(70))}
OUTCOMES = {1: FIRST, 2: SECOND, 3: THIRD}


def _entrant(name: str, *entries: tuple[int, int]) -> SeasonEntrant:
    return SeasonEntrant(name, tuple(EventEntry(*one) for one in entries))


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
        (SeasonRule(), [160, 140, 130, 50], [1, 2, 3, 4]),
        (SeasonRule(best=2), [130, 140, 130, 50], [2, 1, 2, 4]),  # a shared second place
        (SeasonRule(best=1), [90, 80, 70, 50], [1, 2, 3, 4]),
        (SeasonRule(best=9), [160, 140, 130, 50], [1, 2, 3, 4]),
        (SeasonRule(least=2), [160, 140, 130, 50], [1, 2, 3, 0]),
        (SeasonRule(best=2, least=3), [130, 140, 130, 50], [1, 0, 0, 0]),
        # 20 + 12 + 15; a shared second place: (15 + 12) / 2 = 27/2
        (
            SeasonRule(EventPoints.PLACES, places=CUP),
            [47, Fraction(67, 2), Fraction(67, 2), 15],
            [1, 2, 2, 4],
        ),
        (SeasonRule(EventPoints.PLACES, places=CUP, ties="best"), [47, 35, 35, 15], [1, 2, 2, 4]),
        (SeasonRule(EventPoints.PLACES, places=CUP, ties="lower"), [47, 32, 32, 15], [1, 2, 2, 4]),
        (SeasonRule(EventPoints.PLACES, places=("10",), beyond="1"), [12, 11, 11, 1], [1, 2, 2, 4]),
        (SeasonRule(EventPoints.PLACES, places=("10",)), [10, 10, 10, 0], [1, 1, 1, 4]),
    ],
)
def test_rankings(rule: SeasonRule, totals: list[Fraction], places: list[int]) -> None:
    """By hand, rule by rule."""
    lines = season_ranking.rank_season(Circuit("Tour", rule, STAGES), EVERYBODY, OUTCOMES)
    by_name = {line.entrant.name: line for line in lines}
    assert [by_name[one.name].total for one in EVERYBODY] == totals
    assert [by_name[one.name].place for one in EVERYBODY] == places


def test_what_an_event_counts() -> None:
    """A coefficient for each."""
    stages = {**STAGES, 1: SeasonEvent("event1", "1/2"), 2: SeasonEvent("event2", "1.5")}
    (first, *_) = season_ranking.rank_season(Circuit("Tour", SeasonRule(best=2), stages), [AGATHE], OUTCOMES)
    assert [share.points for share in first.shares] == [45, 45, 40]
    assert [share.counted for share in first.shares] == [True, True, False]
    assert first.total == 90
    assert first.shares[0].line.facts == {"place": 1, "points": 90, "coefficient": Fraction(1, 2)}
    assert first.line.kind == "season_sum"
    assert first.line.facts == {"count": 2, "events": 3}


def test_what_is_said() -> None:
    """Each figure has its line."""
    places = Circuit("Tour", SeasonRule(EventPoints.PLACES, places=CUP, least=2), STAGES)
    lines = {one.entrant.name: one for one in season_ranking.rank_season(places, EVERYBODY, OUTCOMES)}
    assert [share.line.kind for share in lines["Edmond"].shares] == ["season_places_shared", "season_places"]
    assert lines["Edmond"].shares[0].line.facts["shared"] == 2
    assert lines["Gaspard"].line.kind == "season_too_few"
    assert lines["Gaspard"].place == 0
    assert [one.entrant.name for one in season_ranking.rank_season(places, EVERYBODY, OUTCOMES)][
        -1
    ] == "Gaspard"


def test_nobody_and_nothing() -> None:
    """Who has no result is in no ranking; an event without result gives nothing."""
    assert season_ranking.rank_season(Circuit("Tour", stages=STAGES), [ABSENT], OUTCOMES) == []
    assert season_ranking.rank_season(Circuit("Tour", stages=STAGES), EVERYBODY, {}) == []
    assert season_ranking.rank_season(Circuit("Tour"), [], OUTCOMES) == []


@pytest.mark.parametrize(
    ("told", "code"),
    [
        ({}, "event_missing"),
        ({"name": ""}, "circuit_no_name"),
        ({"name": "  "}, "circuit_no_name"),
        ({"name": "T", "rule": {"best": -1}}, "circuit_count"),
        ({"name": "T", "rule": {"gives": "places"}}, "circuit_no_places"),
        ({"name": "T", "rule": {"gives": "cups"}}, "event_not_a_word"),
        ({"name": "T", "rule": {"ties": "lot"}}, "circuit_places"),
        ({"name": "T", "rule": {"places": ["1"] * 201}}, "circuit_places"),
        ({"name": "T", "rule": {"places": ["1e9"]}}, "circuit_points"),
        ({"name": "T", "rule": {"places": ["-1"]}}, "circuit_points"),
        ({"name": "T", "rule": {"places": ["1/0"]}}, "circuit_points"),
        ({"name": "T", "rule": {"beyond": ""}}, "circuit_points"),
        ({"name": "T", "stages": {"1": {"key": "a"}, "2": {"key": "a"}}}, "circuit_twice"),
        ({"name": "T", "stages": {"1": {"key": "a", "coefficient": "half"}}}, "circuit_points"),
        ({"name": "T", "stages": {str(at): {"key": str(at)} for at in range(61)}}, "circuit_many"),
        ({"name": "T", "same": [["1.1", "2"]]}, "circuit_entry"),
        ({"name": "T", "apart": [["1.1", "2.²"]]}, "circuit_entry"),
        ([], "event_not_a_table"),
    ],
)
def test_what_is_no_season(told: object, code: str) -> None:
    """Is refused with its reason."""
    with pytest.raises((InvalidEvent, ActRefused)) as refused:
        season_ranking.read_circuit(told)
    assert refused.value.code == code


def test_events_come_and_go() -> None:
    """With what was settled about their people; the same event once."""
    circuit = season_ranking.add_event(season_ranking.add_event(Circuit("Tour"), "angers"), "saumur", "1/2")
    assert circuit.stages == {1: SeasonEvent("angers"), 2: SeasonEvent("saumur", "1/2")}
    with pytest.raises(ActRefused, match="circuit_twice"):
        season_ranking.add_event(circuit, "angers")
    with pytest.raises(ActRefused, match="circuit_points"):
        season_ranking.add_event(circuit, "cholet", "much")
    known = season_ranking.settle_identity(circuit, EventEntry(2, 4), EventEntry(1, 3), same=True)
    assert known.same == (("1.3", "2.4"),)
    assert season_ranking.remove_event(known, 1) == Circuit("Tour", stages={2: SeasonEvent("saumur", "1/2")})
    assert season_ranking.remove_event(known, 7) == known


def test_people_are_settled_and_unsettled() -> None:
    """The last word counts."""
    circuit = Circuit("Tour", stages=STAGES)
    one, two = EventEntry(1, 3), EventEntry(2, 4)
    same = season_ranking.settle_identity(circuit, one, two, same=True)
    apart = season_ranking.settle_identity(same, two, one, same=False)
    assert (apart.same, apart.apart) == ((), (("1.3", "2.4"),))
    assert season_ranking.settle_identity(apart, one, two, same=None) == circuit
    assert season_ranking.settle_identity(same, one, two, same=True) == same
    assert season_ranking.read_circuit(season_ranking.write_circuit(same)) == same
    for wrong in (EventEntry(1, 9), EventEntry(9, 1)):
        with pytest.raises(ActRefused, match="circuit_entry"):
            season_ranking.settle_identity(circuit, one, wrong, same=True)


def test_points_as_people_write_them() -> None:
    """With a point, a comma, as a fraction."""
    assert [season_ranking.exact_points(told) for told in ("0,5", " 1/2", "0.5", "12")] == [
        Fraction(1, 2),
        Fraction(1, 2),
        Fraction(1, 2),
        12,
    ]
