"""Every act: what it does, what it refuses, done twice, about nobody."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from talleyrand.tournament import acts
from talleyrand.tournament.acts.act import EventAct
from talleyrand.tournament.acts.clock_acts import (
    MergeSeasons,
    PauseClock,
    SetBoardOffset,
    SetSeasonLength,
    SkipSeason,
    StartClock,
    StopClock,
)
from talleyrand.tournament.acts.end_vote_acts import CastEndBallot, OpenEndVote, VetoEnd, WithdrawEndVote
from talleyrand.tournament.acts.event_acts import (
    FinishEvent,
    PlanRounds,
    RenameEvent,
    SetAnnouncement,
    SetLiveStandings,
    SetOnlineBoards,
    SetRegulations,
    SetSignups,
)
from talleyrand.tournament.acts.merge_people import MergePeople, RemovePerson
from talleyrand.tournament.acts.people_acts import (
    AddPeople,
    AddPerson,
    ChangePerson,
    OfferRide,
    SetPersonFlags,
    SetPowerPreferences,
    SignUpForRounds,
    WithdrawPerson,
)
from talleyrand.tournament.acts.result_acts import (
    CastBallot,
    ConfirmResult,
    CorrectResult,
    CountCentres,
    CountCentresByYear,
    EnterResult,
    RemoveBallot,
    SetFarthestProvince,
    WithdrawResult,
    result_digest,
)
from talleyrand.tournament.acts.round_acts import (
    AddRound,
    CancelBye,
    CancelRound,
    CheckIn,
    CheckInPeople,
    CloseRound,
    DecideFinalTable,
    GiveBye,
    OpenRound,
    RemoveRound,
    ReopenRound,
    RevealRound,
    ScheduleRound,
    UndoCheckIn,
)
from talleyrand.tournament.acts.ruling_acts import (
    AddAdjustment,
    AddRuling,
    ChangeAdjustment,
    ChangeRuling,
    RemoveAdjustment,
    RemoveRuling,
)
from talleyrand.tournament.acts.seating_acts import (
    AddBoard,
    ChangeBoard,
    CorrectSeat,
    DiscardDraft,
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
    ChangeTeam,
    ChooseTeamPowers,
    DissolveTeam,
    FormTeam,
    KeepApart,
    SetTeams,
)
from talleyrand.tournament.event_errors import ActRefused
from talleyrand.tournament.model import (
    Announcement,
    ByeReason,
    Event,
    EventPerson,
    EventTeam,
    Office,
    OnlineBoards,
    SeatReplacement,
)

from .moments import (
    ASKED,
    CHOSEN,
    RULING,
    SANCTION,
    assert_said,
    double,
    entered,
    fallen,
    late_twice,
    named,
    player,
    second_draw,
    six,
    stranger,
    vote,
)
from .room import AT, CENTRES, LATER, closed, done, drafted, ended, gathered, listed, playing

Row = tuple[Callable[[], Event], Callable[[Event], EventAct]]

# What can be done: the moment, and the act.
DONE: list[Row] = [
    (listed, lambda _: RenameEvent("Another name")),
    (listed, lambda _: SetAnnouncement(Announcement(place="Angers"))),
    (listed, lambda _: SetRegulations({"extends": "anjou_feu", "system": "squares"})),
    (lambda: Event("New"), lambda _: PlanRounds((AT, LATER))),
    (listed, lambda _: SetSignups(open=False)),
    (listed, lambda _: FinishEvent()),
    (listed, lambda _: SetLiveStandings(shown=True)),
    (listed, lambda _: SetOnlineBoards(OnlineBoards.HIDDEN, {"pace": "daily"})),
    (listed, lambda _: AddPerson(EventPerson("  Late   Arrival "))),
    (listed, lambda _: AddPeople((EventPerson("One"), EventPerson("Two", rounds=(1, 3))))),
    (listed, lambda _: ChangePerson(3, EventPerson("Another", town="Angers"))),
    (listed, lambda _: SetPersonFlags(3, office=Office.VOLUNTEER, beginner=True, minutes=20, paid="15")),
    (listed, lambda _: SignUpForRounds(3, (4, 1))),
    (listed, lambda _: WithdrawPerson(3)),
    (listed, lambda _: SetPowerPreferences(3, ("FRANCE", "ITALY", "FRANCE"))),
    (listed, lambda _: OfferRide(3, "From Nantes on Friday", 2)),
    (lambda: stranger(closed()), lambda _: MergePeople(15, 3)),
    (listed, lambda _: RemovePerson(3)),
    (listed, lambda _: AddRound(AT)),
    (listed, lambda _: RemoveRound(4)),
    (listed, lambda _: ScheduleRound(2, AT)),
    (listed, lambda _: OpenRound(1)),
    (ended, lambda _: CloseRound(1)),
    (closed, lambda _: ReopenRound(1)),
    (playing, lambda _: CancelRound(1)),
    (closed, lambda _: RevealRound(1, shown=False)),
    (listed, lambda _: DecideFinalTable(4, held=True)),
    (listed, lambda _: CheckIn(1, 3, AT)),
    (listed, lambda _: CheckInPeople(1, (3, 4, 5), AT)),
    (gathered, lambda _: UndoCheckIn(1, 3)),
    (drafted, lambda _: UndoCheckIn(1, 3)),
    (gathered, lambda _: GiveBye(1, 3, ByeReason.DIRECTOR)),
    (lambda: drafted(15), lambda _: CancelBye(1, 1)),
    (fallen, lambda _: second_draw()),
    (drafted, lambda _: LockSeat(1, 1, "FRANCE")),
    (drafted, lambda _: LockSeat(1, 1)),
    (drafted, lambda _: SwapSeats(1, 1, "FRANCE", 2, "ITALY")),
    (lambda: drafted(15), lambda _: PlacePerson(1, 1, "FRANCE", 1)),
    (drafted, lambda _: PublishDraft(1)),
    (playing, lambda _: UnpublishDraft(1)),
    (drafted, lambda _: DiscardDraft(1)),
    (lambda: stranger(six()), lambda _: SeatLatecomer(1, 1, "TURKEY", 7, 1, LATER)),
    (lambda: stranger(double()), late_twice),
    (lambda: stranger(playing()), lambda _: ReplaceNoShow(1, 1, "FRANCE", LATER, 15)),
    (playing, lambda _: ReplaceNoShow(1, 1, "FRANCE", LATER)),
    (lambda: stranger(playing()), lambda _: ReplacePlayer(1, 1, "FRANCE", 15, 4, LATER)),
    (closed, lambda _: CorrectSeat(1, 1, "FRANCE", 3, (SeatReplacement(player(2), 2),))),
    (playing, lambda _: ChangeBoard(1, 1, place="By the window", last_year=1905, counts=False)),
    (playing, lambda _: AddBoard(1, "classic")),
    (playing, lambda _: RemoveBoard(1, 2)),
    (playing, lambda _: StartClock(1, AT)),
    (lambda: done(playing(), StartClock(1, AT)), lambda _: PauseClock(1, LATER)),
    (playing, lambda _: SkipSeason(1, AT)),
    (playing, lambda _: SetSeasonLength(1, 3, AT, 1200)),
    (playing, lambda _: MergeSeasons(1, 2, AT)),
    (playing, lambda _: StopClock(1, AT)),
    (playing, lambda _: SetBoardOffset(1, 2, -90)),
    (playing, lambda _: ASKED),
    (vote, lambda _: VetoEnd(1, 1, 1, "ITALY")),
    (vote, lambda _: OpenEndVote(1, 1, 1)),
    (lambda: vote(OpenEndVote(1, 1, 1)), lambda _: CastEndBallot(1, 1, 1, "ITALY", yes=True)),
    (vote, lambda _: WithdrawEndVote(1, 1, 1)),
    (playing, lambda _: EnterResult(1, 1, CHOSEN, str(player()))),
    (entered, lambda _: ConfirmResult(1, 1, str(player(power="ITALY")), result_digest(CHOSEN))),
    (closed, lambda _: CorrectResult(1, 1, CHOSEN)),
    (entered, lambda _: WithdrawResult(1, 1, str(player()))),
    (closed, lambda _: CastBallot(named())),
    (lambda: done(closed(), CastBallot(named())), lambda _: RemoveBallot(1)),
    (playing, lambda _: CountCentres(1, 1, CENTRES)),
    (playing, lambda _: CountCentresByYear(1, 1, {1901: CENTRES, 1902: CENTRES})),
    (ended, lambda _: SetFarthestProvince(1, 1, "FRANCE", "MOS")),
    (playing, lambda _: AddRuling(RULING)),
    (lambda: done(playing(), AddRuling(RULING)), lambda _: ChangeRuling(1, replace(RULING, shown=True))),
    (lambda: done(playing(), AddRuling(RULING)), lambda _: RemoveRuling(1)),
    (playing, lambda _: AddAdjustment(SANCTION)),
    (
        lambda: done(playing(), AddAdjustment(SANCTION)),
        lambda _: ChangeAdjustment(1, replace(SANCTION, value="0")),
    ),
    (lambda: done(playing(), AddAdjustment(SANCTION)), lambda _: RemoveAdjustment(1)),
    (listed, lambda _: FormTeam(EventTeam("Les Maines", (3, 4)))),
    (lambda: done(listed(), FormTeam(EventTeam("A", (3,)))), lambda _: ChangeTeam(1, EventTeam("B", (3, 5)))),
    (lambda: done(listed(), FormTeam(EventTeam("A", (3,)))), lambda _: DissolveTeam(1)),
    (listed, lambda _: SetTeams({1: EventTeam("A", (3, 4)), 2: EventTeam("B", (5, 6))})),
    (lambda: done(listed(), FormTeam(EventTeam("A", (3,)))), lambda _: AskToJoinTeam(5, 1)),
    (
        lambda: done(listed(), FormTeam(EventTeam("A", (3,))), AskToJoinTeam(5, 1)),
        lambda _: AskToJoinTeam(5, 0),
    ),
    (
        lambda: done(listed(), FormTeam(EventTeam("A", (3,))), AskToJoinTeam(5, 1)),
        lambda _: AnswerTeamRequest(1, 5, 3),
    ),
    (
        lambda: done(listed(), FormTeam(EventTeam("A", (3,))), AskToJoinTeam(5, 1)),
        lambda _: AnswerTeamRequest(1, 5, yes=False),
    ),
    (
        lambda: done(listed(), FormTeam(EventTeam("A", (3, 4)))),
        lambda _: ChooseTeamPowers(1, {4: "ITALY", 3: "RUSSIA"}),
    ),
    (listed, lambda _: KeepApart(4, 3)),
]


@pytest.mark.parametrize("row", DONE, ids=[row[1](row[0]()).kind for row in DONE])
def test_is_done_and_read_again(row: Row) -> None:
    before = row[0]()
    act = row[1](before)
    after = acts.perform_act(before, act)
    assert after != before
    told = json.loads(json.dumps(acts.write_act(act)))
    assert acts.read_act(told) == act


def test_every_act_is_in_the_table() -> None:
    assert {row[1](row[0]()).kind for row in DONE} == set(acts.ACTS_BY_KIND)


ONCE = [
    *(
        SetSignups(open=False),
        FinishEvent(),
        OpenRound(1),
        SignUpForRounds(3, (1,)),
        KeepApart(3, 4),
        KeepApart(4, 3),
    ),
    *(
        WithdrawPerson(3),
        CheckIn(1, 3, AT),
        OfferRide(3, "From Nantes"),
        DecideFinalTable(4, held=True),
        PlanRounds(),
    ),
]


@pytest.mark.parametrize("act", ONCE, ids=[act.kind for act in ONCE])
def test_twice_is_once(act: EventAct) -> None:
    once = done(listed(), act)
    assert done(once, act) == once


def test_the_first_hour_stands() -> None:
    assert done(listed(), CheckIn(1, 3, AT), CheckIn(1, 3, LATER)).rounds[1].present[3] == AT
    running = done(playing(), StartClock(1, AT), StartClock(1, LATER))
    assert running.rounds[1].clock.started == AT


ABOUT: dict[str, Any] = {"round": 99, "board": 99, "person": 99, "number": 99, "power": "NARNIA"}
ABOUT |= {"other": 99, "first": 99, "people": (99,), "vote": 99, "other_board": 99, "season": 999}


def _wrong(act: EventAct) -> list[EventAct]:
    """The act about each thing that there is not."""
    return [replace(act, **{name: other}) for name, other in ABOUT.items() if _named(act, name, other)]  # type: ignore[type-var]


def _named(act: EventAct, name: str, other: object) -> bool:
    said = getattr(act, name, None)
    return bool(said) and type(said) is type(other) and not isinstance(act, AddPeople)


NOBODY = [(row, wrong) for row in DONE for wrong in _wrong(row[1](row[0]()))]


@pytest.mark.parametrize(
    ("row", "wrong"), NOBODY, ids=[f"{at}-{row[1].kind}" for at, row in enumerate(NOBODY)]
)
def test_nothing_is_done_to_what_there_is_not(row: Row, wrong: EventAct) -> None:
    with pytest.raises(ActRefused) as refused:
        acts.perform_act(row[0](), wrong)
    assert_said(refused.value)
