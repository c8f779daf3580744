"""What acts refuse, each with its sentence."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from talleyrand.engine.errors import TalleyrandError
from talleyrand.tournament import acts
from talleyrand.tournament.acts.act import EventAct
from talleyrand.tournament.acts.clock_acts import (
    MergeSeasons,
    SetBoardOffset,
    SetSeasonLength,
    SkipSeason,
    StartClock,
)
from talleyrand.tournament.acts.end_vote_acts import CastEndBallot, OpenEndVote, VetoEnd, WithdrawEndVote
from talleyrand.tournament.acts.event_acts import (
    FinishEvent,
    PlanRounds,
    RenameEvent,
    SetOnlineBoards,
    SetRegulations,
)
from talleyrand.tournament.acts.merge_people import MergePeople, RemovePerson
from talleyrand.tournament.acts.people_acts import (
    AddPeople,
    AddPerson,
    SetPersonFlags,
    SetPowerPreferences,
    SignUpForRounds,
)
from talleyrand.tournament.acts.result_acts import (
    CastBallot,
    ConfirmResult,
    CountCentres,
    EnterResult,
    WithdrawResult,
    result_digest,
)
from talleyrand.tournament.acts.round_acts import (
    AddRound,
    CheckIn,
    CheckInPeople,
    CloseRound,
    DecideFinalTable,
    GiveBye,
    OpenRound,
    RemoveRound,
    ReopenRound,
    UndoCheckIn,
)
from talleyrand.tournament.acts.ruling_acts import AddAdjustment, AddRuling
from talleyrand.tournament.acts.seating_acts import (
    AddBoard,
    ChangeBoard,
    DiscardDraft,
    DrawRound,
    LockSeat,
    PlacePerson,
    PublishDraft,
    RemoveBoard,
    ReplaceNoShow,
    ReplacePlayer,
    SeatLatecomer,
    SwapSeats,
    UnpublishDraft,
)
from talleyrand.tournament.acts.team_acts import (
    AnswerTeamRequest,
    AskToJoinTeam,
    ChooseTeamPowers,
    FormTeam,
    KeepApart,
)
from talleyrand.tournament.model import (
    BoardResult,
    Bye,
    ByeReason,
    DrawRecord,
    Event,
    EventBoard,
    EventPerson,
    EventTeam,
    GameEnd,
    OnlineBoards,
    PowerSeat,
    PrivateFacts,
)

from .moments import ASKED, CHOSEN, RULING, SANCTION, assert_said, entered, named, player, six, stranger, vote
from .room import AT, CENTRES, LATER, closed, done, drafted, ended, gathered, listed, playing, sits

LOCKED = SwapSeats(1, 1, "FRANCE", 2, "ITALY")
SMALL = BoardResult({"FRANCE": 34}, year=1906)
NO_TURKEY = {**CENTRES, "TURKEY": 1}


def enter(**facts: Any) -> Callable[[Event], EventAct]:
    return lambda _: EnterResult(1, 1, replace(CHOSEN, **facts), "desk")


NARNIA = EventBoard(seats={"FRANCE": PowerSeat(), "NARNIA": PowerSeat()})


def online() -> Event:
    """Its boards are games on line."""
    return replace(playing(), online=OnlineBoards.HIDDEN)


def no_votes() -> Event:
    return done(playing(), SetRegulations({"extends": "anjou_feu", "votes": False}))


def by_years() -> Event:
    """By a scoring that asks for years of elimination."""
    return done(playing(), SetRegulations({"extends": "anjou_feu", "system": "carnage"}))


def team_of_one() -> Event:
    return done(listed(), FormTeam(EventTeam("A", (3,))))


REFUSED: list[tuple[str, Callable[[], Event], Callable[[Event], EventAct]]] = [
    ("act_no_name", listed, lambda _: RenameEvent("  ")),
    ("act_name_long", listed, lambda _: RenameEvent("x" * 121)),
    ("event_unknown_regulations", listed, lambda _: SetRegulations("house_rules")),
    ("unknown_system", listed, lambda _: SetRegulations({"extends": "anjou_feu", "system": "none"})),
    ("act_bad_time", lambda: Event("New"), lambda _: PlanRounds(("tomorrow",))),
    ("act_no_name", listed, lambda _: AddPerson(EventPerson("\u00a0 "))),
    (
        "act_bad_birth",
        listed,
        lambda _: AddPerson(EventPerson("Zoé", private=PrivateFacts(born="30/5/2001"))),
    ),
    ("act_no_round", listed, lambda _: AddPerson(EventPerson("One", rounds=(9,)))),
    ("act_nobody", listed, lambda _: AddPeople(())),
    ("act_too_many_people", listed, lambda _: AddPeople((EventPerson("Copy"),) * 1990)),
    ("act_round_begun", playing, lambda _: SignUpForRounds(3, (1,))),
    ("act_name_long", listed, lambda _: AddPerson(EventPerson("A" * 101))),
    ("act_minutes", listed, lambda _: AddPerson(EventPerson("A", minutes=-1))),
    ("act_minutes", listed, lambda _: SetPersonFlags(3, minutes=20_000)),
    ("act_bad_amount", listed, lambda _: SetPersonFlags(3, paid="a little")),
    ("act_bad_amount", listed, lambda _: AddPerson(EventPerson("A", private=PrivateFacts(due="-5")))),
    (
        "act_no_power",
        listed,
        lambda _: AddPerson(EventPerson("A", private=PrivateFacts(prefers=("NARNIA",)))),
    ),
    ("act_no_power", listed, lambda _: SetPowerPreferences(3, ("NARNIA",))),
    ("act_same_person", listed, lambda _: MergePeople(3, 3)),
    ("sound_twice", playing, lambda _: MergePeople(player(), player(power="ITALY"))),
    ("act_person_played", closed, lambda _: RemovePerson(player())),
    ("act_round_attended", lambda: done(listed(), CheckIn(4, 3, AT)), lambda _: RemoveRound(4)),
    ("act_round_playing", playing, lambda _: RemoveRound(1)),
    ("act_rounds_enough", lambda: done(listed(), *[AddRound()] * 26), lambda _: AddRound()),
    ("act_round_playing", playing, lambda _: OpenRound(1)),
    ("act_results_missing", playing, lambda _: CloseRound(1)),
    ("act_results_missing", entered, lambda _: CloseRound(1)),
    ("act_round_planned", listed, lambda _: CloseRound(1)),
    ("act_round_open", gathered, lambda _: ReopenRound(1)),
    ("act_no_final", listed, lambda _: DecideFinalTable(3, held=True)),
    ("act_bad_time", listed, lambda _: CheckIn(1, 3, "half past six")),
    ("act_bad_time", listed, lambda _: CheckIn(1, 3, "2026-11-21T18:30:00")),
    ("act_round_closed", closed, lambda _: CheckIn(1, 3, AT)),
    ("act_nobody", listed, lambda _: CheckInPeople(1, (), AT)),
    ("sound_seated_absent", playing, lambda _: UndoCheckIn(1, player())),
    ("act_not_present", listed, lambda _: GiveBye(1, 3, ByeReason.OWN)),
    ("sound_seated_resting", drafted, lambda _: GiveBye(1, 3, ByeReason.OWN)),
    ("act_no_boards", gathered, lambda _: DrawRound(1, {}, DrawRecord("s"))),
    ("act_unplaced", gathered, lambda _: DrawRound(1, {1: drafted().rounds[1].boards[1]}, DrawRecord("s"))),
    ("act_round_planned", listed, lambda _: DrawRound(1, {1: EventBoard()}, DrawRecord("s"))),
    ("act_round_playing", entered, lambda _: DrawRound(1, dict(playing().rounds[1].boards), DrawRecord("s"))),
    (
        "sound_power",
        gathered,
        lambda _: DrawRound(1, {1: NARNIA}, DrawRecord("s"), resting_all()),
    ),
    ("sound_few_powers", gathered, lambda _: DrawRound(1, {1: EventBoard()}, DrawRecord("s"), resting_all())),
    ("act_seat_locked", lambda: done(drafted(), LockSeat(1, 1, "FRANCE")), lambda _: LOCKED),
    (
        "act_seat_locked",
        lambda: done(drafted(), LockSeat(1, 1, "FRANCE")),
        lambda _: PlacePerson(1, 1, "FRANCE"),
    ),
    ("act_seat_taken", playing, lambda _: PlacePerson(1, 1, "FRANCE", 3)),
    ("act_result_entered", entered, lambda _: SwapSeats(1, 1, "FRANCE", 2, "ITALY")),
    ("sound_twice", drafted, lambda event: PlacePerson(1, 1, "FRANCE", sits(event, 1, 1, "ITALY"))),
    ("act_sits_already", drafted, lambda event: PlacePerson(1, 1, "FRANCE", sits(event, 1, 2, "ITALY"))),
    ("act_unplaced", lambda: done(drafted(), PlacePerson(1, 1, "FRANCE")), lambda _: PublishDraft(1)),
    ("act_seat_empty", lambda: done(drafted(), UndoCheckIn(1, 3)), lambda _: PublishDraft(1)),
    ("act_result_entered", entered, lambda _: UnpublishDraft(1)),
    ("act_game_begun", lambda: done(online(), ChangeBoard(1, 1, game="abc")), lambda _: UnpublishDraft(1)),
    ("act_result_online", online, lambda event: EnterResult(1, 1, CHOSEN, str(sits(event, 1, 1, "FRANCE")))),
    ("act_result_online", online, lambda _: ASKED),
    ("act_round_playing", online, lambda _: SetOnlineBoards(OnlineBoards.NONE)),
    ("act_round_playing", playing, lambda _: DiscardDraft(1)),
    ("act_seat_taken", lambda: stranger(playing()), lambda _: SeatLatecomer(1, 1, "FRANCE", 15, 1, LATER)),
    ("act_seasons", lambda: stranger(six()), lambda _: SeatLatecomer(1, 1, "TURKEY", 7, -1, LATER)),
    (
        "act_sits_already",
        six,
        lambda event: SeatLatecomer(1, 1, "TURKEY", sits(event, 1, 1, "ITALY"), 1, LATER),
    ),
    ("act_seat_free", six, lambda _: ReplaceNoShow(1, 1, "TURKEY", LATER)),
    ("act_sits_already", playing, lambda _: ReplaceNoShow(1, 1, "FRANCE", LATER, player(2))),
    ("act_sits_already", playing, lambda _: ReplacePlayer(1, 1, "FRANCE", player(2), 4, LATER)),
    ("act_seat_free", lambda: stranger(six()), lambda _: ReplacePlayer(1, 1, "TURKEY", 7, 4, LATER)),
    ("act_seasons", lambda: stranger(playing()), lambda _: ReplacePlayer(1, 1, "FRANCE", 15, 99, LATER)),
    ("act_result_entered", lambda: stranger(ended()), lambda _: ReplacePlayer(1, 1, "FRANCE", 15, 4, LATER)),
    ("act_year", playing, lambda _: ChangeBoard(1, 1, last_year=1800)),
    ("act_no_power", playing, lambda _: AddBoard(1, "classic", ("NARNIA",))),
    ("act_result_entered", entered, lambda _: RemoveBoard(1, 1)),
    ("act_round_open", gathered, lambda _: StartClock(1, AT)),
    ("act_bad_time", playing, lambda _: StartClock(1, "")),
    ("act_clock_turn", playing, lambda _: SkipSeason(1, AT, 5)),
    ("act_clock_length", playing, lambda _: SetSeasonLength(1, 3, AT, 0)),
    ("act_clock_merged", lambda: done(playing(), MergeSeasons(1, 2, AT)), lambda _: MergeSeasons(1, 2, AT)),
    ("act_clock_merged", lambda: done(playing(), StartClock(1, AT)), lambda _: MergeSeasons(1, 0, LATER)),
    ("act_clock_offset", playing, lambda _: SetBoardOffset(1, 1, 10**6)),
    ("act_round_closed", closed, lambda _: StartClock(1, AT)),
    ("act_vote_when", playing, lambda _: replace(ASKED, when="winter")),
    ("act_vote_open", vote, lambda _: ASKED),
    ("act_vote_own", vote, lambda _: VetoEnd(1, 1, 1, "FRANCE")),
    ("act_vote_closed", lambda: vote(VetoEnd(1, 1, 1, "ITALY")), lambda _: OpenEndVote(1, 1, 1)),
    ("act_vote_closed", vote, lambda _: CastEndBallot(1, 1, 1, "ITALY", yes=True)),
    (
        "act_vote_cast",
        lambda: vote(OpenEndVote(1, 1, 1)),
        lambda _: CastEndBallot(1, 1, 1, "FRANCE", yes=True),
    ),
    ("act_vote_closed", lambda: vote(VetoEnd(1, 1, 1, "ITALY")), lambda _: WithdrawEndVote(1, 1, 1)),
    (
        "act_no_votes",
        lambda: done(playing(), SetRegulations({"extends": "anjou_feu", "votes": False})),
        lambda _: ASKED,
    ),
    ("act_not_at_board", playing, lambda _: EnterResult(1, 1, CHOSEN, str(player(2)))),
    ("act_not_at_board", playing, lambda _: EnterResult(1, 1, CHOSEN, "somebody")),
    ("act_round_draft", drafted, lambda _: EnterResult(1, 1, CHOSEN, "desk")),
    ("act_result_changed", entered, lambda _: EnterResult(1, 1, replace(CHOSEN, year=1905), "desk")),
    ("act_result_changed", ended, lambda _: EnterResult(1, 1, CHOSEN, "desk")),
    ("act_centres_missing", playing, lambda _: EnterResult(1, 1, SMALL, "desk")),
    ("act_centres_total", playing, enter(centres=NO_TURKEY)),
    ("act_centres_total", playing, enter(neutral=1)),
    ("act_centres_count", playing, enter(centres={**CENTRES, "TURKEY": -1, "ITALY": 4})),
    ("act_no_power", playing, enter(centres={**CENTRES, "NARNIA": 0})),
    ("act_no_power", playing, enter(draw=("NARNIA",))),
    ("act_eliminated_wins", playing, enter(draw=("TURKEY",), ended=GameEnd.VOTE)),
    ("act_eliminated_wins", playing, enter(winner="TURKEY", ended=GameEnd.CONCEDED)),
    ("act_alive_eliminated", playing, enter(eliminated_in={"FRANCE": 1904})),
    ("act_year", playing, enter(eliminated_in={"TURKEY": 1907})),
    ("act_year", playing, enter(year=3000)),
    ("act_no_solo", playing, enter(ended=GameEnd.SOLO)),
    ("act_confirm_own", entered, lambda _: ConfirmResult(1, 1, str(player()), result_digest(CHOSEN))),
    ("act_result_changed", entered, lambda _: ConfirmResult(1, 1, str(player(power="ITALY")), "0" * 12)),
    ("act_no_result", playing, lambda _: ConfirmResult(1, 1, "desk", result_digest(CHOSEN))),
    ("act_no_result", playing, lambda _: WithdrawResult(1, 1)),
    ("act_result_entered", entered, lambda _: WithdrawResult(1, 1, str(player(power="ITALY")))),
    ("act_round_closed", closed, lambda _: WithdrawResult(1, 1)),
    ("act_no_elimination_year", by_years, enter()),
    ("act_result_entered", entered, lambda _: CountCentres(1, 1, CENTRES)),
    ("act_centres_total", playing, lambda _: CountCentres(1, 1, {**CENTRES, "ITALY": 20})),
    ("act_no_result", playing, lambda _: CastBallot(named())),
    ("act_names_himself", closed, lambda _: CastBallot(replace(named(), names={"angers": player()}))),
    ("act_not_at_board", closed, lambda _: CastBallot(replace(named(), names={"angers": player(2)}))),
    ("act_not_at_board", closed, lambda _: CastBallot(replace(named(), voter=player(2)))),
    ("act_no_prize", closed, lambda _: CastBallot(replace(named(), names={"nobel": player(power="ITALY")}))),
    ("act_event_over", lambda: done(closed(), FinishEvent()), lambda _: CastBallot(named())),
    ("act_no_text", playing, lambda _: AddRuling(replace(RULING, text=" "))),
    ("act_bad_time", playing, lambda _: AddRuling(replace(RULING, at="now"))),
    ("act_bad_value", playing, lambda _: AddAdjustment(replace(SANCTION, value="half"))),
    ("act_bad_value", playing, lambda _: AddAdjustment(replace(SANCTION, value="1/0"))),
    ("act_no_text", playing, lambda _: AddAdjustment(replace(SANCTION, why=""))),
    ("act_no_text", listed, lambda _: FormTeam(EventTeam(" ", (3,)))),
    ("act_team_large", listed, lambda _: FormTeam(EventTeam("A", tuple(range(1, 9))))),
    (
        "sound_two_teams",
        lambda: done(listed(), FormTeam(EventTeam("A", (3,)))),
        lambda _: FormTeam(EventTeam("B", (3,))),
    ),
    ("act_no_person", team_of_one, lambda _: AskToJoinTeam(99, 1)),
    ("act_no_team", team_of_one, lambda _: AskToJoinTeam(4, 2)),
    ("act_in_team", team_of_one, lambda _: AskToJoinTeam(3, 1)),
    ("act_no_team", team_of_one, lambda _: AnswerTeamRequest(2, 4)),
    ("act_not_asking", team_of_one, lambda _: AnswerTeamRequest(1, 4)),
    (
        "act_not_in_team",
        lambda: done(team_of_one(), AskToJoinTeam(4, 1)),
        lambda _: AnswerTeamRequest(1, 4, 4),
    ),
    ("act_same_person", listed, lambda _: KeepApart(3, 3)),
    ("act_no_team", listed, lambda _: ChooseTeamPowers(1, {})),
    ("act_not_in_team", team_of_one, lambda _: ChooseTeamPowers(1, {4: "ITALY"})),
    ("act_no_person", team_of_one, lambda _: ChooseTeamPowers(1, {99: "ITALY"})),
    ("act_no_power", team_of_one, lambda _: ChooseTeamPowers(1, {3: "NARNIA"})),
    (
        "act_power_twice",
        lambda: done(listed(), FormTeam(EventTeam("A", (3, 4)))),
        lambda _: ChooseTeamPowers(1, {3: "ITALY", 4: "ITALY"}),
    ),
]


def resting_all() -> dict[int, Bye]:
    return {who: Bye(ByeReason.DIRECTOR) for who in gathered().people}


@pytest.mark.parametrize(
    ("code", "start", "act"), REFUSED, ids=[f"{row[0]}-{at}" for at, row in enumerate(REFUSED)]
)
def test_is_refused_with_a_sentence(
    code: str, start: Callable[[], Event], act: Callable[[Event], EventAct]
) -> None:
    before = start()
    with pytest.raises(TalleyrandError) as refused:
        acts.perform_act(before, act(before))
    assert refused.value.code == code
    if not code.startswith("unknown_"):
        assert_said(refused.value)
