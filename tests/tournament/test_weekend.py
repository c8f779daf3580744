"""A weekend of nineteen people from the first arrival to the last ballot, and back again to its beginning."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from talleyrand.tournament import (
    acts,
    board_formation,
    byes,
    codec,
    event_changes,
    invariants,
    round_timing,
    standings,
)
from talleyrand.tournament.acts.act import EventAct
from talleyrand.tournament.acts.clock_acts import PauseClock, StartClock
from talleyrand.tournament.acts.end_vote_acts import CastEndBallot, OpenEndVote, ProposeEnd
from talleyrand.tournament.acts.event_acts import FinishEvent
from talleyrand.tournament.acts.people_acts import AddPerson
from talleyrand.tournament.acts.result_acts import (
    CastBallot,
    ConfirmResult,
    CorrectResult,
    EnterResult,
    result_digest,
)
from talleyrand.tournament.acts.round_acts import (
    CheckInPeople,
    CloseRound,
    DecideFinalTable,
    OpenRound,
    UndoCheckIn,
)
from talleyrand.tournament.acts.ruling_acts import AddAdjustment, AddRuling
from talleyrand.tournament.acts.seating_acts import PublishDraft, ReplaceNoShow, ReplacePlayer, SeatLatecomer
from talleyrand.tournament.acts.team_acts import FormTeam
from talleyrand.tournament.board_formation import SURVIVOR
from talleyrand.tournament.board_rules import board_people
from talleyrand.tournament.event_errors import ActRefused
from talleyrand.tournament.model import (
    AdjustmentEffect,
    ByeReason,
    DirectorRuling,
    EndVoteState,
    Event,
    EventPerson,
    EventTeam,
    GameEnd,
    PowerHoldings,
    PowerSeat,
    PrizeBallot,
    RoundState,
    ScoreAdjustment,
)

from .room import AT, LATER, by_rule, listed, result, sits

Document = dict[str, Any]


class Weekend:
    """The desk of one weekend: every act goes into its journal."""

    def __init__(self) -> None:
        self.event = listed(19)
        self.first: Document = codec.write_value(self.event)
        self.kept: list[list[event_changes.EventChange]] = []
        self.acts: list[Document] = []

    def do(self, *wanted: EventAct) -> None:
        for act in wanted:
            after = acts.perform_act(self.event, act)
            self.kept.append(
                event_changes.diff_documents(codec.write_value(self.event), codec.write_value(after))
            )
            self.acts.append(json.loads(json.dumps(acts.write_act(act))))
            self.event = after

    def begin(self, number: int, people: range, *, final: bool = False) -> None:
        self.do(OpenRound(number), CheckInPeople(number, tuple(people), AT))
        table = byes.choose_finalists(self.event, number, "weekend") if final else None
        choice = board_formation.round_formations(self.event, number, table.people if table else ())[0]
        self.do(by_rule(self.event, number, choice, "weekend", final=table), PublishDraft(number))
        self.do(StartClock(number, AT))

    def results(self, number: int) -> None:
        """One of each board types what it ended with, and another confirms it."""
        for at, board in self.event.rounds[number].boards.items():
            if board.result is None:
                one, other = board_people(board)[:2]
                told = result(board, number + at)
                self.do(EnterResult(number, at, told, str(one)))
                entered = self.event.rounds[number].boards[at].result
                assert entered is not None
                self.do(ConfirmResult(number, at, str(other), result_digest(entered)))
        self.do(PauseClock(number, LATER), CloseRound(number))


def played() -> Weekend:
    weekend = Weekend()
    for part in (first, second, third, last):
        part(weekend)
    return weekend


def first(weekend: Weekend) -> None:
    """Three boards of six; one does not come and the organiser sits in; one comes late and takes a Turkey."""
    weekend.begin(1, range(1, 20))
    weekend.do(ReplaceNoShow(1, 1, "FRANCE", LATER, person=1))
    weekend.do(AddPerson(EventPerson("Late Arrival")), SeatLatecomer(1, 2, "TURKEY", 20, 2, LATER))
    weekend.do(AddRuling(DirectorRuling(LATER, "A sheet in pencil is a sheet.", round=1, board=2)))
    weekend.results(1)


def second(weekend: Weekend) -> None:
    """Twenty: the organiser on two boards; two teams; somebody takes over in the middle of a game."""
    weekend.do(FormTeam(EventTeam("Les Maines", (3, 4, 5))), FormTeam(EventTeam("La Loire", (6, 7, 8))))
    weekend.begin(2, range(1, 21))
    weekend.do(AddPerson(EventPerson("Newcomer")), ReplacePlayer(2, 2, "ITALY", 21, 5, LATER))
    weekend.do(DecideFinalTable(4, held=board_formation.is_final_due(weekend.event)))
    weekend.results(2)


def third(weekend: Weekend) -> None:
    """Fourteen; a game is ended by vote."""
    weekend.begin(3, range(3, 17))
    table = dict.fromkeys(weekend.event.rounds[3].boards[1].seats, PowerHoldings(4, 3, 4, 4))
    weekend.do(ProposeEnd(3, 1, "FRANCE", "F1905R", table), OpenEndVote(3, 1, 1))
    for power in table:
        if power != "FRANCE":
            weekend.do(CastEndBallot(3, 1, 1, power, yes=True))
    weekend.results(3)


def last(weekend: Weekend) -> None:
    """The final beside two boards of six, ballots, a sanction, and a result of Saturday put right."""
    weekend.begin(4, range(1, 20), final=True)
    weekend.results(4)
    voter, named = (sits(weekend.event, 4, 1, power) for power in ("FRANCE", "ITALY"))
    weekend.do(CastBallot(PrizeBallot(4, 1, voter, {"angers": named, "phylloxera": named})))
    weekend.do(
        AddAdjustment(ScoreAdjustment(5, 2, AdjustmentEffect.TIMES, "1/2", "Left the board without a word."))
    )
    board = weekend.event.rounds[1].boards[3]
    weekend.do(CorrectResult(1, 3, result(board, 6)), FinishEvent())


@pytest.fixture(scope="module")
def weekend() -> Weekend:
    return played()


def test_each_round_is_as_the_regulations_want_it(weekend: Weekend) -> None:
    rounds = weekend.event.rounds
    assert [board.variant for board in rounds[1].boards.values()] == [SURVIVOR] * 3
    assert sits(weekend.event, 1, 1, "FRANCE") == 1
    assert rounds[1].boards[2].seats["TURKEY"] == PowerSeat(20, missed=2)
    assert board_formation.people_on_two_boards(weekend.event, 2) == (1,)
    assert rounds[2].boards[2].seats["ITALY"].reliefs[0].person == 21
    assert rounds[3].boards[1].votes[1].state is EndVoteState.CARRIED
    assert [board.final for board in rounds[4].boards.values()] == [True, False, False]
    assert [board.variant for board in rounds[4].boards.values()] == ["classic", SURVIVOR, SURVIVOR]
    assert all(one.state is RoundState.CLOSED for one in rounds.values())


def test_team_mates_never_share_a_board(weekend: Weekend) -> None:
    for board in weekend.event.rounds[2].boards.values():
        for team in weekend.event.teams.values():
            assert len(set(board_people(board)) & set(team.members)) <= 1


def test_the_final_is_longer_than_the_boards_beside_it(weekend: Weekend) -> None:
    boards = weekend.event.rounds[4].boards
    assert [round_timing.last_year(weekend.event, 4, board) for board in boards.values()] == [
        1909,
        1907,
        1907,
    ]


def test_everybody_who_played_is_ranked_and_nothing_is_left_unscored(weekend: Weekend) -> None:
    found = standings.compute_standings(weekend.event)
    assert found.final
    assert not found.faults
    sat = {
        who
        for one in weekend.event.rounds.values()
        for board in one.boards.values()
        for who in board_people(board)
    }
    assert {line.person for line in found.lines} == sat
    assert standings.compute_standings(weekend.event, provisional=True).lines == found.lines


def test_the_journal_gives_the_event_again(weekend: Weekend) -> None:
    event = codec.read_value(Event, weekend.first)
    for told in weekend.acts:
        event = acts.perform_act(event, acts.read_act(told))
    assert event == weekend.event


def test_everything_can_be_taken_back_one_by_one(weekend: Weekend) -> None:
    document: Document = codec.write_value(weekend.event)
    for made in reversed(weekend.kept):
        document = event_changes.undo_changes(document, made)
        invariants.check_invariants(codec.read_value(Event, document))
    assert document == weekend.first


Mistake = Callable[[Weekend], EventAct]

# What a tired director tries on Monday, and what he is told.
MISTAKES: list[tuple[str, Mistake]] = [
    ("act_round_closed", lambda _: UndoCheckIn(1, 3)),
    ("act_round_closed", lambda _: OpenRound(1)),
    ("act_round_closed", lambda _: ReplaceNoShow(2, 1, "FRANCE", LATER)),
    (
        "act_event_over",
        lambda weekend: CastBallot(PrizeBallot(4, 1, sits(weekend.event, 4, 1, "FRANCE"), {})),
    ),
    ("act_round_closed", lambda _: StartClock(4, LATER)),
]


@pytest.mark.parametrize(("code", "act"), MISTAKES)
def test_what_is_over_stays_over(weekend: Weekend, code: str, act: Mistake) -> None:
    with pytest.raises(ActRefused, match=code):
        acts.perform_act(weekend.event, act(weekend))


def test_a_correction_of_saturday_is_counted_and_can_be_taken_back(weekend: Weekend) -> None:
    board = weekend.event.rounds[1].boards[1]
    after = acts.perform_act(weekend.event, CorrectResult(1, 1, result(board, 5)))
    moves = standings.standings_difference(
        standings.compute_standings(weekend.event), standings.compute_standings(after)
    )
    assert moves
    made = event_changes.diff_documents(codec.write_value(weekend.event), codec.write_value(after))
    back = codec.read_value(Event, event_changes.undo_changes(codec.write_value(after), made))
    assert standings.compute_standings(back) == standings.compute_standings(weekend.event)


def test_how_games_ended_and_who_stood_down_is_kept(weekend: Weekend) -> None:
    reasons = {rest.why for one in weekend.event.rounds.values() for rest in one.resting.values()}
    assert reasons <= {ByeReason.ORGANISATION, ByeReason.LOT}
    boards = [board for one in weekend.event.rounds.values() for board in one.boards.values()]
    assert all(board.result and board.result.ended is GameEnd.TIME for board in boards)
