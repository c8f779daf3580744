"""The program against a second reading of the regulations, on events drawn at random: every fraction."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from random import Random

import pytest

from talleyrand.tournament import codec, invariants, prizes, standings
from talleyrand.tournament.model import Event
from talleyrand.tournament.prizes import Award
from talleyrand.tournament.standings import Standings
from tests.tournament import chance_events, second_prizes
from tests.tournament.second_reading import Reading

IN_CI, IN_FULL, USUAL = 60, 2000, 1901  # a few events, in which there is something of everything
THROUGH = (2, 3, 4, 4, 4)


@dataclass(frozen=True)
class Both:
    """An event by the program, and by the second reading."""

    seed: str
    event: Event
    held: Standings
    awards: Mapping[str, Award]
    reading: Reading


@pytest.fixture(scope="module")
def drawn(full: bool, seed: int) -> list[Both]:
    return list(_drawn(IN_FULL, seed) if full else _drawn(IN_CI, USUAL))


def _drawn(count: int, seed: int) -> Iterator[Both]:
    for number in range(count):
        told = chance_events.event(f"{seed} {number}")
        event = codec.read_value(Event, told)
        invariants.check_invariants(event)
        through = Random(number).choice(THROUGH)
        held = standings.compute_standings(event, through)
        yield Both(f"{seed} {number}", event, held, prizes.award_prizes(event, held), Reading(told, through))


def test_totals_and_places(drawn: list[Both]) -> None:
    for one in drawn:
        lines, totals = one.held.by_person, one.reading.totals
        assert not one.held.faults
        assert set(lines) == set(totals), one.seed
        for who, total in totals.items():
            assert lines[who].total == total, (one.seed, who, lines[who].working)


def test_totals_rest_on_their_basis_alone(drawn: list[Both]) -> None:
    for one in drawn:
        found = standings.compute_standings(standings.ranking_basis(one.event), one.reading.through)
        assert found.lines == one.held.lines, one.seed


def test_nothing_breaks_a_tie(drawn: list[Both]) -> None:
    for one in drawn:
        totals = [line.total for line in one.held.lines]
        assert totals == sorted(totals, reverse=True), one.seed
        assert [line.place for line in one.held.lines] == [
            1 + sum(other > mine for other in totals) for mine in totals
        ], one.seed


def test_prizes_of_powers(drawn: list[Both]) -> None:
    for one in drawn:
        for award in one.awards.values():
            if award.kind == "power":
                due = second_prizes.best_of_power(one.reading, award.power)
                given = (set(award.holders), award.points) if award.holders else None
                assert given == due, (one.seed, award.power)


@pytest.mark.parametrize("key", ["le_gouz", *chance_events.VOTED])
def test_what_is_counted_like_points(drawn: list[Both], key: str) -> None:
    for one in drawn:
        award = one.awards[key]
        travel = key == "le_gouz"
        due = second_prizes.travelled(one.reading) if travel else second_prizes.voted(one.reading, key)
        given = {rank.who: rank.points for rank in award.ranking}
        assert _something(given) == _something(due), one.seed
        best = max(due.values(), default=Fraction(0))
        assert set(award.holders) == {who for who, points in due.items() if points == best and best}, one.seed


def _something(points: Mapping[int, Fraction]) -> dict[int, Fraction]:
    return {who: count for who, count in points.items() if count}


def test_youth(drawn: list[Both]) -> None:
    for one in drawn:
        assert set(one.awards["horticole"].holders) == second_prizes.best_young(one.reading), one.seed


def test_the_youngest_takes_the_paper(drawn: list[Both]) -> None:
    for one in drawn:
        for award in one.awards.values():
            if award.kind != "team" and len(award.holders) > 1:
                assert set(award.keepers) == second_prizes.youngest(one.reading, award.holders), one.seed


def test_teams(drawn: list[Both]) -> None:
    for one in drawn:
        award, due = one.awards["boule_de_fort"], second_prizes.teams(one.reading)
        before = [sum(map(len, due[:at])) for at in range(len(due))]
        places = {team: 1 + count for count, shared in zip(before, due, strict=True) for team in shared}
        assert {rank.who: rank.place for rank in award.ranking} == places, one.seed
        assert award.holders == tuple(sorted(due[0]) if due else ()), one.seed


def test_there_is_something_of_everything(drawn: list[Both]) -> None:
    """Lest the drawing of events lose what makes it worth while."""
    kinds = {step.kind for one in drawn for line in one.held.lines for step in line.working}
    assert kinds >= {
        "aside", "finalist", "intimate_level", "intimate_lost", "intimate_won", "late", "parallel", "raw",
        "relief", "replaced", "replaced_lost", "round", "ruling_add", "ruling_set", "ruling_times", "size",
        "two_boards_waiting", "two_boards_worse", "two_powers", "weight", "weight_apart", "weight_rested",
    }  # fmt: skip
    shared = [award.kind for one in drawn for award in one.awards.values() if len(award.holders) > 1]
    assert {"power", "vote", "travel"} <= set(shared)
