"""What acts do to an event, case by case."""

from __future__ import annotations

from dataclasses import replace

import pytest

from talleyrand.engine.errors import TalleyrandError
from talleyrand.tournament import acts, board_formation, public_view
from talleyrand.tournament.acts.merge_people import MergePeople, RemovePerson
from talleyrand.tournament.acts.people_acts import OfferRide, SetPersonFlags, SignUpForRounds
from talleyrand.tournament.acts.result_acts import (
    CastBallot,
    ConfirmResult,
    CorrectResult,
    EnterResult,
    SetFarthestProvince,
    result_digest,
)
from talleyrand.tournament.acts.round_acts import GiveBye
from talleyrand.tournament.acts.ruling_acts import AddAdjustment
from talleyrand.tournament.acts.seating_acts import PlacePerson, ReplaceNoShow, ReplacePlayer, SeatLatecomer
from talleyrand.tournament.acts.team_acts import (
    AnswerTeamRequest,
    AskToJoinTeam,
    ChangeTeam,
    FormTeam,
    KeepApart,
    SetTeams,
)
from talleyrand.tournament.event_errors import ActRefused
from talleyrand.tournament.model import ByeReason, EventTeam, GameEnd, PowerSeat, SeatReplacement

from .moments import (
    CHOSEN,
    SANCTION,
    double,
    entered,
    fallen,
    named,
    player,
    second_draw,
    six,
    stranger,
    twofold,
)
from .room import AT, CENTRES, LATER, closed, done, drafted, gathered, listed, playing, sits

WON = {**dict.fromkeys(CENTRES, 0), "FRANCE": 18, "ITALY": 16}


def test_who_wins_alone_is_said_whatever_was_ticked() -> None:
    told = replace(CHOSEN, centres=WON, ended=GameEnd.VOTE, draw=("FRANCE", "ITALY"))
    kept = done(playing(), EnterResult(1, 1, told, "desk")).rounds[1].boards[1].result
    assert kept is not None
    assert (kept.ended, kept.winner, kept.draw) == (GameEnd.SOLO, "FRANCE", ())


def test_who_types_the_same_confirms_it() -> None:
    other = str(player(power="ITALY"))
    kept = done(entered(), EnterResult(1, 1, CHOSEN, other)).rounds[1].boards[1].result
    assert kept is not None
    assert (kept.by, kept.confirmed) == (str(player()), other)
    own = done(entered(), EnterResult(1, 1, CHOSEN, str(player()))).rounds[1].boards[1].result
    assert own is not None
    assert not own.confirmed


def test_what_was_seen_may_be_typed_again() -> None:
    better = replace(CHOSEN, year=1905)
    act = EnterResult(1, 1, better, str(player(power="ITALY")), seen=result_digest(CHOSEN))
    kept = done(entered(), act).rounds[1].boards[1].result
    assert kept is not None
    assert (kept.year, kept.by) == (1905, str(player(power="ITALY")))


def test_how_far_units_went_is_no_part_of_what_is_confirmed() -> None:
    far = done(entered(), SetFarthestProvince(1, 1, "FRANCE", "MOS"))
    both = done(far, ConfirmResult(1, 1, str(player(power="ITALY")), result_digest(CHOSEN)))
    right = done(both, CorrectResult(1, 1, replace(CHOSEN, year=1905))).rounds[1].boards[1].result
    assert right is not None
    assert (right.year, right.reached) == (1905, {"FRANCE": "MOS"})


def test_two_who_are_one_keep_all_their_seats_and_facts() -> None:
    seated = player(start=closed())
    event = done(stranger(closed()), CastBallot(named()), AddAdjustment(replace(SANCTION, person=seated)))
    event = done(event, KeepApart(15, 3), FormTeam(EventTeam("A", (seated,))), SignUpForRounds(15, (2,)))
    one = done(event, MergePeople(15, seated))
    assert seated not in one.people
    assert sits(one, 1, 1, "FRANCE") == 15
    assert one.adjustments[1].person == one.ballots[1].voter == 15
    assert one.teams[1].members == (15,)
    assert one.people[15].rounds == (2,)
    assert one.rounds[1].present[15] == AT


def test_removing_somebody_leaves_nothing_of_him() -> None:
    event = done(gathered(), FormTeam(EventTeam("A", (3, 4))), KeepApart(3, 4), OfferRide(3, "From Nantes"))
    gone = done(event, RemovePerson(3))
    assert 3 not in gone.people
    assert gone.teams[1].members == (4,)
    assert gone.apart == ()
    assert not gone.rides
    assert 3 not in gone.rounds[1].present


def test_who_asks_is_of_a_team_once_somebody_of_it_agrees() -> None:
    event = done(
        listed(),
        FormTeam(EventTeam("A", (3,))),
        FormTeam(EventTeam("B", (4,))),
        AskToJoinTeam(5, 1),
        AskToJoinTeam(4, 1),
    )
    assert event.teams == {1: EventTeam("A", (3,), asking=(5, 4)), 2: EventTeam("B", (4,))}
    assert done(event, AskToJoinTeam(5, 2)).teams[1].asking == (4,)
    taken = done(event, AnswerTeamRequest(1, 4, 3), AnswerTeamRequest(1, 5, 4, yes=False))
    assert taken.teams == {1: EventTeam("A", (3, 4))}  # nobody was left in the other
    told = {who: public_view.visible_event(event, who).teams[1].asking for who in (3, 4, 5, 6, 0)}
    assert told == {3: (5, 4), 4: (4,), 5: (5,), 6: (), 0: ()}


def test_who_is_placed_in_a_team_asks_no_other_any_more() -> None:
    event = done(
        listed(),
        FormTeam(EventTeam("A", (3,))),
        FormTeam(EventTeam("B", (4,))),
        AskToJoinTeam(5, 1),
        AskToJoinTeam(6, 1),
    )
    drawn = done(event, SetTeams({1: EventTeam("A", (3, 7)), 2: EventTeam("B", (4, 5))}))
    assert drawn.teams == {1: EventTeam("A", (3, 7), asking=(6,)), 2: EventTeam("B", (4, 5))}
    assert done(event, ChangeTeam(2, EventTeam("B", (4, 5)))).teams[1].asking == (6,)
    assert done(event, RemovePerson(6)).teams[1].asking == (5,)
    assert done(event, MergePeople(5, 6)).teams[1].asking == (5,)
    assert done(event, MergePeople(3, 6)).teams[1].asking == (5,)


def test_a_latecomer_takes_the_automatic_turkey_and_nothing_else_moves() -> None:
    before = stranger(six())
    after = done(before, SeatLatecomer(1, 1, "TURKEY", 7, 3, LATER))
    assert after.rounds[1].boards[1].seats["TURKEY"] == PowerSeat(7, missed=3)
    assert after.rounds[1].present[7] == LATER
    others = {power: seat for power, seat in before.rounds[1].boards[1].seats.items() if power != "TURKEY"}
    assert others.items() <= after.rounds[1].boards[1].seats.items()


def test_a_latecomer_takes_a_seat_of_the_organiser_on_two_boards() -> None:
    before = stranger(double())
    at, power = twofold(before)
    after = done(before, SeatLatecomer(1, at, power, 14, 2, LATER))
    assert after.rounds[1].boards[at].seats[power] == PowerSeat(14, missed=2)
    left = [seat for board in after.rounds[1].boards.values() for seat in board.seats.values()]
    assert [seat.person for seat in left].count(1) == 1
    with pytest.raises(ActRefused, match="act_seat_taken"):
        acts.perform_act(stranger(after), SeatLatecomer(1, *twofold(after), 15, 2, LATER))


def test_who_does_not_come_is_no_longer_there() -> None:
    gone = player()
    after = done(stranger(playing()), ReplaceNoShow(1, 1, "FRANCE", LATER, 15))
    assert gone not in after.rounds[1].present
    assert sits(after, 1, 1, "FRANCE") == 15


def test_one_who_stood_down_may_take_over() -> None:
    before = playing(15)
    after = done(before, ReplacePlayer(1, 1, "FRANCE", 1, 5, LATER))
    assert after.rounds[1].boards[1].seats["FRANCE"].reliefs == (SeatReplacement(1, 5, rested=True),)
    assert 1 not in after.rounds[1].resting


def test_a_board_that_fell_is_drawn_again_while_the_others_play() -> None:
    before = done(fallen(), EnterResult(1, 1, CHOSEN, "desk"))
    after = done(before, second_draw())
    assert after.rounds[1].boards[1] == before.rounds[1].boards[1]
    assert len(after.rounds[1].boards[2].seats) == 7
    assert after.rounds[1].state == before.rounds[1].state


def test_somebody_may_be_given_two_boards_by_hand() -> None:
    who = sits(drafted(), 1, 2, "ITALY")
    event = done(drafted(), PlacePerson(1, 1, "FRANCE", who, twice=True))
    assert board_formation.people_on_two_boards(event, 1) == (who,)
    host = done(drafted(15), PlacePerson(1, 1, "FRANCE", 1), PlacePerson(1, 2, "ITALY", 1))
    assert board_formation.people_on_two_boards(host, 1) == (1,)


@pytest.mark.parametrize(
    ("why", "asked"), [(ByeReason.DIRECTOR, True), (ByeReason.LATE, False), (ByeReason.OWN, False)]
)
def test_only_what_was_asked_is_made_good(why: ByeReason, asked: bool) -> None:
    assert done(gathered(), GiveBye(1, 3, why)).rounds[1].resting[3].asked is asked


def test_an_amount_is_kept_with_a_point() -> None:
    assert done(listed(), SetPersonFlags(3, paid=" 12,50 €")).people[3].private.paid == "12.50"
    assert done(listed(), SetPersonFlags(3, due="")).people[3].private.due == "0"


def test_a_ballot_replaces_the_one_before() -> None:
    other = replace(named(), names={"cholet": player(power="RUSSIA")})
    event = done(closed(), CastBallot(named()), CastBallot(other))
    assert dict(event.ballots) == {1: other}


def test_reading_says_what_is_wrong_with_an_act() -> None:
    for told, code in (
        ({}, "event_not_a_word"),
        ({"kind": "bribed"}, "event_not_a_word"),
        ({"kind": "arrived", "round": "1", "person": 3, "at": AT}, "event_not_a_number"),
        ({"kind": "arrived", "round": 1, "person": 3}, "event_missing"),
        ({"kind": "arrived", "round": 1, "person": 3, "at": AT, "tip": 5}, "event_unknown_key"),
    ):
        with pytest.raises(TalleyrandError) as refused:
            acts.read_act(told)
        assert refused.value.code == code
