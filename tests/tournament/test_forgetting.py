"""What is private is forgotten, and nothing that is public changes by it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from talleyrand.tournament import codec, invariants, private_data_removal, prizes, standings
from talleyrand.tournament.model import Event, EventTeam, PrivateFacts, RideOffer
from tests.tournament import invented

SECRETS = PrivateFacts("1999-05-02", "a@example.org", "+33 6", "noise", "25", "10", ("FRANCE",))


def private(number: int) -> Event:
    """A weekend of which the desk knows all there is to know."""
    event = invented.season()[number]
    people = {
        at: replace(one, private=replace(SECRETS, born=one.private.born)) for at, one in event.people.items()
    }
    return replace(event, people=people, apart=((1, 2),), rides={1: RideOffer(1, "06 00", 2)}, over=True)


@pytest.mark.long
@pytest.mark.parametrize("number", invented.season())
def test_nothing_private_is_left_and_prizes_stay(number: int) -> None:
    event = private(number)
    after = private_data_removal.remove_private_data(event)
    invariants.check_invariants(after)
    assert {one.private for one in after.people.values()} == {PrivateFacts()}
    assert (after.apart, after.rides, {one.voter for one in after.ballots.values()}) == ((), {}, {0})
    assert private_data_removal.have_same_prizes(event, after)
    assert standings.compute_standings(event).lines == standings.compute_standings(after).lines
    before, now = prizes.award_prizes(event), prizes.award_prizes(after)
    for key, one in before.items():
        if one.kind != "journey":
            assert (one.points, one.ranking) == (now[key].points, now[key].ranking), key
    winners = {who for one in before.values() if one.kind == "journey" for who in one.holders}
    assert {at for at, one in after.people.items() if one.minutes is not None} == winners
    assert codec.read_value(Event, codec.write_value(after)) == after


def test_what_a_team_chose_to_play_is_forgotten() -> None:
    teams = {1: EventTeam("Les Tours", (1, 2), powers=((1, "FRANCE"),))}
    assert private_data_removal.remove_private_data(replace(private(1), teams=teams)).teams == {
        1: EventTeam("Les Tours", (1, 2))
    }


@pytest.mark.parametrize("number", invented.season())
def test_forgotten_twice_is_forgotten_once(number: int) -> None:
    once = private_data_removal.remove_private_data(private(number))
    assert private_data_removal.remove_private_data(once) == once


def test_the_youngest_of_those_who_share_stays_the_youngest() -> None:
    event = private(1)
    three = {1: "2001", 2: "2003-02-01", 3: "1980"}
    people = {at: replace(event.people[at], private=PrivateFacts(born=born)) for at, born in three.items()}
    event = replace(event, people={**event.people, **people}, rounds={}, ballots={}, teams={})
    event = replace(event, people={at: replace(one, rounds=()) for at, one in event.people.items()})
    award = prizes.Award("1", "place", holders=(3, 1, 2), keepers=(2,))
    kept = private_data_removal.remembered_youngest(event, [award])
    after = replace(private_data_removal.remove_private_data(event), youngest=kept)
    assert prizes.youngest_on_record(after, (1, 2, 3), teams=False) == (2,)
    assert prizes.youngest_on_record(after, (1, 2), teams=False) == ()
    assert prizes.youngest_on_record(after, (1, 2, 3), teams=True) == ()
