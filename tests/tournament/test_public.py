"""What is not a visitor's business is not in the event that he is shown."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from talleyrand.tournament import codec, public_view
from talleyrand.tournament.model import (
    AdjustmentEffect,
    BoardResult,
    Bye,
    ByeReason,
    DirectorRuling,
    DrawRecord,
    EndVote,
    EndVoteState,
    Event,
    EventBoard,
    EventPerson,
    EventRound,
    EventTeam,
    PowerSeat,
    PrivateFacts,
    PrizeBallot,
    RideOffer,
    RoundState,
    ScoreAdjustment,
    SeatReplacement,
)

SEATS = {"FRANCE": PowerSeat(1), "ITALY": PowerSeat(2), "TURKEY": PowerSeat(None)}
VOTE = EndVote(
    "FRANCE",
    "F1904R",
    state=EndVoteState.VOTING,
    powers=("FRANCE", "ITALY"),
    voted=("FRANCE",),
    yes=("FRANCE",),
)
RESULT = BoardResult({"FRANCE": 20, "ITALY": 14, "TURKEY": 0}, by="1")


def event(**board: Any) -> Event:
    """Two who sit at a board, and one who does not."""
    secrets = PrivateFacts(
        "1989-12-31", "flora@example.org", "0600000000", "owes us a pen", "35", "10", ("FRANCE",)
    )
    held = replace(EventBoard(seats=SEATS, result=RESULT, votes={1: VOTE}), **board)
    return Event(
        "Angers",
        seed="a seed",
        people={
            1: EventPerson("Flora", minutes=777, private=secrets),
            2: EventPerson("Irène"),
            3: EventPerson("Oscar"),
        },
        apart=((1, 3),),
        rides={1: RideOffer(1, "from Nantes", 2)},
        rounds={
            1: EventRound(
                RoundState.PLAYING, boards={1: held}, resting={3: Bye(ByeReason.LOT)}, drawn=DrawRecord("s")
            )
        },
        adjustments={1: ScoreAdjustment(1, 1, AdjustmentEffect.ADD, "-1/2", "late")},
        ballots={1: PrizeBallot(1, 1, 1, {"agreeable": 2})},
        rulings={1: DirectorRuling("", "said aloud", shown=True), 2: DirectorRuling("", "among ourselves")},
    )


def test_what_a_team_will_play_is_told_by_the_draw_alone() -> None:
    teams = {1: EventTeam("Les Tours", (1, 2), powers=((1, "FRANCE"),))}
    for viewer in (0, 1, 3):
        assert public_view.visible_event(replace(event(), teams=teams), viewer).teams[1].powers == ()


def test_who_can_keep_a_record_is_told_to_himself_and_the_desk() -> None:
    told = replace(event(), people={1: EventPerson("Flora", recorder=True), 2: EventPerson("Irène")})
    assert [public_view.visible_event(told, viewer).people[1].recorder for viewer in (0, 1, 2)] == [
        False,
        True,
        False,
    ]


def test_nothing_private_is_there_for_all() -> None:
    told = json.dumps(codec.write_value(public_view.visible_event(event())), ensure_ascii=False)
    secrets = ("1989", "flora@", "0600", "a pen", '"35"', "777", "a seed", "Nantes", "agreeable", "ourselves")
    assert [one for one in secrets if one in told] == []
    assert "said aloud" in told


def test_one_sees_what_is_ones_own_but_the_desks_note() -> None:
    mine, others = public_view.visible_event(event(), 1), public_view.visible_event(event(), 2)
    assert mine.people[1].private == replace(event().people[1].private, note="")
    assert mine.ballots
    assert mine.rides
    assert not others.ballots
    assert others.people[1].private == PrivateFacts()


def test_a_table_sees_its_result_before_it_is_confirmed() -> None:
    for viewer, there in ((0, False), (1, True), (2, True), (3, False)):
        assert (public_view.visible_event(event(), viewer).rounds[1].boards[1].result is not None) is there, (
            viewer
        )


def test_a_confirmed_result_is_for_all_unless_its_round_is_hidden() -> None:
    confirmed = event(result=replace(RESULT, confirmed="2"))
    assert public_view.visible_event(confirmed).rounds[1].boards[1].result is not None
    hidden = replace(confirmed, rounds={1: replace(confirmed.rounds[1], revealed=False)})
    assert public_view.visible_event(hidden).rounds[1].boards[1].result is None
    assert public_view.visible_event(hidden).adjustments == {}
    assert public_view.visible_event(hidden, 2).rounds[1].boards[1].result is not None


def test_how_a_board_stands_is_its_tables_unless_the_desk_says_otherwise() -> None:
    going = event(now={"FRANCE": 5})
    live = replace(going, live=True)
    told = {who: bool(public_view.visible_event(going, who).rounds[1].boards[1].now) for who in (0, 1, 3)}
    assert told == {0: False, 1: True, 3: False}
    assert public_view.visible_event(live).rounds[1].boards[1].now


def test_a_draft_is_nobodys() -> None:
    draft = replace(event(), rounds={1: replace(event().rounds[1], state=RoundState.DRAFT)})
    shown = public_view.visible_event(draft, 1).rounds[1]
    assert (shown.boards, shown.resting, shown.drawn) == ({}, {}, None)


def test_a_vote_is_its_tables_and_a_ballot_its_voters() -> None:
    assert public_view.visible_event(event(), 3).rounds[1].boards[1].votes == {}
    assert public_view.visible_event(event(), 2).rounds[1].boards[1].votes[1].yes == ()
    assert public_view.visible_event(event(), 1).rounds[1].boards[1].votes[1].yes == ("FRANCE",)


def test_a_vote_is_counted_once_all_are_in() -> None:
    assert public_view.yes_count(VOTE) is None
    assert public_view.yes_count(replace(VOTE, state=EndVoteState.LOST)) == 1


def test_whoever_took_over_sits_there_too() -> None:
    relieved = event(seats={**SEATS, "ITALY": PowerSeat(2, reliefs=(SeatReplacement(3, 4),))})
    assert public_view.visible_event(relieved, 3).rounds[1].boards[1].result is not None
    assert public_view.powers_played_by(relieved.rounds[1].boards[1], 3) == ("ITALY",)
    assert public_view.powers_played_by(relieved.rounds[1].boards[1], 0) == ()
