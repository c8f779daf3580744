"""What a season remembers of its events."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from talleyrand.tournament import codec, season_entrants, season_ranking, season_records
from talleyrand.tournament.model import Event, EventPerson, PowerSeat, PrivateFacts
from talleyrand.tournament.season_entrants import EventEntry, IdentityDecisions, SeasonEntrant
from talleyrand.tournament.season_ranking import Circuit, SeasonEvent, SeasonRule
from talleyrand.tournament.season_records import EventResults
from tests.tournament import invented

SEASON = Path(__file__).parent / "season"


@pytest.fixture(scope="module")
def events() -> dict[int, Event]:
    return {
        number: codec.read_value(Event, json.loads((SEASON / f"event{number}.json").read_text("utf-8")))
        for number in (1, 2, 3)
    }


@pytest.fixture(scope="module")
def held(events: dict[int, Event]) -> dict[int, EventResults]:
    return {number: season_records.event_results(event) for number, event in events.items()}


@pytest.fixture(scope="module")
def entrants(events: dict[int, Event]) -> list[SeasonEntrant]:
    return season_entrants.group_entrants(events, IdentityDecisions())


def test_the_season_is_made_from_its_seed(events: dict[int, Event]) -> None:
    """The files are what the script writes."""
    assert invented.season() == events
    for number, event in events.items():
        assert invented.text(event) == (SEASON / f"event{number}.json").read_text("utf-8")


def test_its_people_come_again(events: dict[int, Event], entrants: list[SeasonEntrant]) -> None:
    """Whoever has a date of birth is known again; of the others somebody is asked."""
    known = {one.name: one for one in invented.circle("1901", 27)}
    for one in entrants:
        names = {events[entry.stage].people[entry.person].name for entry in one.entries}
        assert names == {one.name}
    twice = [one for one in entrants if len(one.entries) > 1]
    assert len(twice) > 10
    assert all(known[one.name].private.born for one in twice)
    asked = [one for one in season_entrants.identity_questions(events, IdentityDecisions()) if not one.taken]
    assert asked
    assert all(not known[events[one.one.stage].people[one.one.person].name].private.born for one in asked)


def test_medals_add_up(held: dict[int, EventResults], entrants: list[SeasonEntrant]) -> None:
    """As many as were given, each to whom it was given."""
    found = season_records.count_medals(held, entrants)
    given = [award for one in held.values() for award in one.podium]
    for at in range(3):
        assert sum(one.places[at] for one in found) == sum(
            len(award.holders) for award in given if award.key == str(at + 1)
        )
    powers = [award for one in held.values() for award in one.awards.values() if award.kind == "power"]
    assert sum(len(one.powers) for one in found) == sum(len(award.holders) for award in powers)
    first = found[0]
    assert first.rank == max(one.rank for one in found)
    names = {held[entry.stage].event.people[entry.person].name for entry in first.entrant.entries}
    assert names == {first.entrant.name}
    winners = [
        held[stage].event.people[person].name
        for stage in held
        for award in held[stage].podium[:1]
        for person in award.holders
    ]
    assert first.entrant.name in winners


def test_prize_by_prize(held: dict[int, EventResults]) -> None:
    """Each prize with the events that gave it."""
    found = season_records.prize_winners(held)
    assert [stage for stage, _ in found["le_gouz"]] == [1, 2, 3]
    assert 1 not in [stage for stage, _ in found["turkey"]]  # played by its script alone
    assert all(award.holders for given in found.values() for _, award in given)


def test_a_team_trophy_is_its_members(held: dict[int, EventResults], entrants: list[SeasonEntrant]) -> None:
    """Those of the best team who played the round."""
    award = held[1].awards["boule_de_fort"]
    people = set(held[1].event.teams[award.holders[0]].members)
    with_it = {
        entry.person
        for one in season_records.count_medals({1: held[1]}, entrants)
        if (1, "boule_de_fort") in one.prizes
        for entry in one.entrant.entries
        if entry.stage == 1
    }
    assert with_it == people


def test_games_are_all_there(held: dict[int, EventResults], entrants: list[SeasonEntrant]) -> None:
    """A game of everybody at every board, and its figures."""
    sat = season_records.season_games(held, entrants)
    seats = [
        seat
        for one in held.values()
        for played in one.event.rounds.values()
        for board in played.boards.values()
        for seat in board.seats.values()
    ]
    assert len(sat) == sum(seat.person is not None for seat in seats)
    whole = season_records.game_figures(sat)
    assert whole.games == len(sat)
    assert whole.points == sum(one.raw for one in sat)
    assert whole.mean == whole.points / len(sat)
    assert all(one.raw == max(other.raw for other in sat) for one in whole.best)
    powers = season_records.figures_by_power(sat)
    assert sum(one.games for one in powers.values()) == len(sat)
    assert sum(one.solos for one in powers.values()) == whole.solos > 0
    assert sum(one.out for one in powers.values()) == whole.out > 0
    assert season_records.game_figures([]).mean == 0


def test_a_board_has_a_first(held: dict[int, EventResults], entrants: list[SeasonEntrant]) -> None:
    """One or several who share it, unless a script was first."""
    sat = season_records.season_games({2: held[2]}, entrants)  # boards of seven alone
    for place in {(one.round, one.board) for one in sat}:
        at = [one for one in sat if (one.round, one.board) == place]
        best = max(one.raw for one in at)
        assert {one.power for one in at if one.first} == {one.power for one in at if one.raw == best}


def test_careers(held: dict[int, EventResults], entrants: list[SeasonEntrant]) -> None:
    """Everybody who has played, most events first."""
    sat = season_records.season_games(held, entrants)
    found = season_records.figures_by_person(sat)
    assert sum(one.tally.games for one in found) == len(sat)
    assert [one.events for one in found] == sorted((one.events for one in found), reverse=True)
    assert found[0].events == 3


def test_editions(held: dict[int, EventResults], entrants: list[SeasonEntrant]) -> None:
    """Who is new depends on the order."""
    first, second, third = season_records.figures_by_event([1, 2, 3], held, entrants)
    assert (first.people, first.new, first.rounds, first.countries) == (19, 19, 4, 1)
    assert first.boards == 12
    assert second.new < second.people == 14
    back = season_records.figures_by_event([3, 2, 1], held, entrants)
    assert back[0].new == back[0].people == third.people
    assert back[2].new < 19


def test_the_ranking_of_the_season(held: dict[int, EventResults], entrants: list[SeasonEntrant]) -> None:
    """From the totals of its events."""
    circuit = Circuit("Tour", SeasonRule(best=2), {number: SeasonEvent(str(number)) for number in held})
    lines = season_ranking.rank_season(
        circuit, entrants, {number: one.outcome for number, one in held.items()}
    )
    totals = {
        one.key: sorted(
            (held[entry.stage].outcome[entry.person].total for entry in one.entries), reverse=True
        )
        for one in entrants
    }
    assert lines[0].total == max(sum(best[:2], Fraction(0)) for best in totals.values())
    assert all(line.total == sum(totals[line.entrant.key][:2], Fraction(0)) for line in lines)


def test_somebody_who_never_played() -> None:
    """Has an entry and no result: he is in no table."""
    event = invented.season()[2]
    people = {**event.people, 99: EventPerson("Nobody", private=PrivateFacts(born="2000-01-01"))}
    one = season_records.event_results(replace(event, people=people))
    entrants = season_entrants.group_entrants({1: one.event}, IdentityDecisions())
    sat = season_records.season_games({1: one}, entrants)
    assert all(EventEntry(1, 99) not in each.entrant.entries for each in sat)
    assert 99 not in one.outcome


def test_a_game_left_alone() -> None:
    """By whoever sat there nothing is counted for the script."""
    event = invented.season()[1]
    scripted = [
        board
        for played in event.rounds.values()
        for board in played.boards.values()
        if board.seats["TURKEY"] == PowerSeat()
    ]
    assert scripted
    held = {1: season_records.event_results(event)}
    sat = season_records.season_games(held, season_entrants.group_entrants({1: event}, IdentityDecisions()))
    assert "TURKEY" not in season_records.figures_by_power(sat)
