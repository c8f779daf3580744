"""What is not a visitor's business is not in the event that he is shown."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from talleyrand.tournament import codec, public
from talleyrand.tournament.model import (
    Adjustment,
    Ballot,
    Board,
    Drawn,
    Effect,
    EndVote,
    Event,
    Offer,
    Person,
    Private,
    Relief,
    Rest,
    Rested,
    Result,
    Round,
    RoundState,
    Ruling,
    Seat,
    Team,
    VoteState,
)

SEATS = {"FRANCE": Seat(1), "ITALY": Seat(2), "TURKEY": Seat(None)}
VOTE = EndVote(
    "FRANCE", "F1904R", state=VoteState.VOTING, powers=("FRANCE", "ITALY"), voted=("FRANCE",), yes=("FRANCE",)
)
RESULT = Result({"FRANCE": 20, "ITALY": 14, "TURKEY": 0}, by="1")


def event(**board: Any) -> Event:
    """Two who sit at a board, and one who does not."""
    secrets = Private(
        "1989-12-31", "flora@example.org", "0600000000", "owes us a pen", "35", "10", ("FRANCE",)
    )
    held = replace(Board(seats=SEATS, result=RESULT, votes={1: VOTE}), **board)
    return Event(
        "Angers",
        seed="a seed",
        people={1: Person("Flora", minutes=777, private=secrets), 2: Person("Irène"), 3: Person("Oscar")},
        apart=((1, 3),),
        rides={1: Offer(1, "from Nantes", 2)},
        rounds={
            1: Round(RoundState.PLAYING, boards={1: held}, resting={3: Rest(Rested.LOT)}, drawn=Drawn("s"))
        },
        adjustments={1: Adjustment(1, 1, Effect.ADD, "-1/2", "late")},
        ballots={1: Ballot(1, 1, 1, {"agreeable": 2})},
        rulings={1: Ruling("", "said aloud", shown=True), 2: Ruling("", "among ourselves")},
    )


def test_what_a_team_will_play_is_told_by_the_draw_alone() -> None:
    teams = {1: Team("Les Tours", (1, 2), powers=((1, "FRANCE"),))}
    for viewer in (0, 1, 3):
        assert public.seen(replace(event(), teams=teams), viewer).teams[1].powers == ()


def test_who_can_keep_a_record_is_told_to_himself_and_the_desk() -> None:
    told = replace(event(), people={1: Person("Flora", recorder=True), 2: Person("Irène")})
    assert [public.seen(told, viewer).people[1].recorder for viewer in (0, 1, 2)] == [False, True, False]


def test_nothing_private_is_there_for_all() -> None:
    told = json.dumps(codec.write(public.seen(event())), ensure_ascii=False)
    secrets = ("1989", "flora@", "0600", "a pen", '"35"', "777", "a seed", "Nantes", "agreeable", "ourselves")
    assert [one for one in secrets if one in told] == []
    assert "said aloud" in told


def test_one_sees_what_is_ones_own_but_the_desks_note() -> None:
    mine, others = public.seen(event(), 1), public.seen(event(), 2)
    assert mine.people[1].private == replace(event().people[1].private, note="")
    assert mine.ballots
    assert mine.rides
    assert not others.ballots
    assert others.people[1].private == Private()


def test_a_table_sees_its_result_before_it_is_confirmed() -> None:
    for viewer, there in ((0, False), (1, True), (2, True), (3, False)):
        assert (public.seen(event(), viewer).rounds[1].boards[1].result is not None) is there, viewer


def test_a_confirmed_result_is_for_all_unless_its_round_is_hidden() -> None:
    confirmed = event(result=replace(RESULT, confirmed="2"))
    assert public.seen(confirmed).rounds[1].boards[1].result is not None
    hidden = replace(confirmed, rounds={1: replace(confirmed.rounds[1], revealed=False)})
    assert public.seen(hidden).rounds[1].boards[1].result is None
    assert public.seen(hidden).adjustments == {}
    assert public.seen(hidden, 2).rounds[1].boards[1].result is not None


def test_how_a_board_stands_is_its_tables_unless_the_desk_says_otherwise() -> None:
    going = event(now={"FRANCE": 5})
    live = replace(going, live=True)
    told = {who: bool(public.seen(going, who).rounds[1].boards[1].now) for who in (0, 1, 3)}
    assert told == {0: False, 1: True, 3: False}
    assert public.seen(live).rounds[1].boards[1].now


def test_a_draft_is_nobodys() -> None:
    draft = replace(event(), rounds={1: replace(event().rounds[1], state=RoundState.DRAFT)})
    shown = public.seen(draft, 1).rounds[1]
    assert (shown.boards, shown.resting, shown.drawn) == ({}, {}, None)


def test_a_vote_is_its_tables_and_a_ballot_its_voters() -> None:
    assert public.seen(event(), 3).rounds[1].boards[1].votes == {}
    assert public.seen(event(), 2).rounds[1].boards[1].votes[1].yes == ()
    assert public.seen(event(), 1).rounds[1].boards[1].votes[1].yes == ("FRANCE",)


def test_a_vote_is_counted_once_all_are_in() -> None:
    assert public.yeses(VOTE) is None
    assert public.yeses(replace(VOTE, state=VoteState.LOST)) == 1


def test_whoever_took_over_sits_there_too() -> None:
    relieved = event(seats={**SEATS, "ITALY": Seat(2, reliefs=(Relief(3, 4),))})
    assert public.seen(relieved, 3).rounds[1].boards[1].result is not None
    assert public.powers_of(relieved.rounds[1].boards[1], 3) == ("ITALY",)
    assert public.powers_of(relieved.rounds[1].boards[1], 0) == ()
