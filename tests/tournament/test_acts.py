"""Every act: what it does, what it refuses, done twice, about nobody."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from talleyrand.tournament import acts
from talleyrand.tournament.acts.act import Act
from talleyrand.tournament.acts.ballots import CastBallot, RemoveBallot
from talleyrand.tournament.acts.clocks import (
    MergeSeasons,
    OffsetBoard,
    PauseClock,
    SetLength,
    StartClock,
    StopClock,
    TurnClock,
)
from talleyrand.tournament.acts.drafts import Discard, LockSeat, Place, Publish, Swap, TakeBack
from talleyrand.tournament.acts.endings import CastEnd, OpenEnd, VetoEnd, WithdrawEnd
from talleyrand.tournament.acts.events import Announce, Finish, OpenSignups, Regulate, Rename, SetUp, ShowLive
from talleyrand.tournament.acts.journeys import TellFarthest
from talleyrand.tournament.acts.merging import Merge, Remove
from talleyrand.tournament.acts.notebook import (
    AddRuling,
    Adjust,
    ChangeAdjustment,
    ChangeRuling,
    RemoveAdjustment,
    RemoveRuling,
)
from talleyrand.tournament.acts.people import (
    AddPeople,
    AddPerson,
    ChangePerson,
    Flag,
    Prefer,
    SignUp,
    TakeRide,
    Withdraw,
)
from talleyrand.tournament.acts.presence import Arrive, ArriveTogether, Leave, Recall, StandDown
from talleyrand.tournament.acts.results import (
    ConfirmResult,
    CorrectResult,
    CountNow,
    EnterResult,
    WithdrawResult,
    digest,
)
from talleyrand.tournament.acts.rounds import (
    AddRound,
    CancelRound,
    CloseRound,
    DecideFinal,
    OpenRound,
    PlanRound,
    RemoveRound,
    ReopenRound,
    RevealRound,
)
from talleyrand.tournament.acts.seats import (
    AddBoard,
    ChangeBoard,
    CorrectSeat,
    DropBoard,
    NoShow,
    Relieve,
    SeatLate,
)
from talleyrand.tournament.acts.teams import (
    AnswerTeam,
    AskTeam,
    ChangeTeam,
    ChoosePowers,
    DissolveTeam,
    FormTeam,
    KeepApart,
    SetTeams,
)
from talleyrand.tournament.acts.years import CountYears
from talleyrand.tournament.errors import Refused
from talleyrand.tournament.model import (
    Announcement,
    Event,
    Office,
    Person,
    Relief,
    Rested,
    Team,
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

Row = tuple[Callable[[], Event], Callable[[Event], Act]]

# What can be done: the moment, and the act.
DONE: list[Row] = [
    (listed, lambda _: Rename("Another name")),
    (listed, lambda _: Announce(Announcement(place="Angers"))),
    (listed, lambda _: Regulate({"extends": "anjou_feu", "system": "squares"})),
    (lambda: Event("New"), lambda _: SetUp((AT, LATER))),
    (listed, lambda _: OpenSignups(open=False)),
    (listed, lambda _: Finish()),
    (listed, lambda _: ShowLive(shown=True)),
    (listed, lambda _: AddPerson(Person("  Late   Arrival "))),
    (listed, lambda _: AddPeople((Person("One"), Person("Two", rounds=(1, 3))))),
    (listed, lambda _: ChangePerson(3, Person("Another", town="Angers"))),
    (listed, lambda _: Flag(3, office=Office.VOLUNTEER, beginner=True, minutes=20, paid="15")),
    (listed, lambda _: SignUp(3, (4, 1))),
    (listed, lambda _: Withdraw(3)),
    (listed, lambda _: Prefer(3, ("FRANCE", "ITALY", "FRANCE"))),
    (listed, lambda _: TakeRide(3, "From Nantes on Friday", 2)),
    (lambda: stranger(closed()), lambda _: Merge(15, 3)),
    (listed, lambda _: Remove(3)),
    (listed, lambda _: AddRound(AT)),
    (listed, lambda _: RemoveRound(4)),
    (listed, lambda _: PlanRound(2, AT)),
    (listed, lambda _: OpenRound(1)),
    (ended, lambda _: CloseRound(1)),
    (closed, lambda _: ReopenRound(1)),
    (playing, lambda _: CancelRound(1)),
    (closed, lambda _: RevealRound(1, shown=False)),
    (listed, lambda _: DecideFinal(4, held=True)),
    (listed, lambda _: Arrive(1, 3, AT)),
    (listed, lambda _: ArriveTogether(1, (3, 4, 5), AT)),
    (gathered, lambda _: Leave(1, 3)),
    (drafted, lambda _: Leave(1, 3)),
    (gathered, lambda _: StandDown(1, 3, Rested.DIRECTOR)),
    (lambda: drafted(15), lambda _: Recall(1, 1)),
    (fallen, lambda _: second_draw()),
    (drafted, lambda _: LockSeat(1, 1, "FRANCE")),
    (drafted, lambda _: LockSeat(1, 1)),
    (drafted, lambda _: Swap(1, 1, "FRANCE", 2, "ITALY")),
    (lambda: drafted(15), lambda _: Place(1, 1, "FRANCE", 1)),
    (drafted, lambda _: Publish(1)),
    (playing, lambda _: TakeBack(1)),
    (drafted, lambda _: Discard(1)),
    (lambda: stranger(six()), lambda _: SeatLate(1, 1, "TURKEY", 7, 1, LATER)),
    (lambda: stranger(double()), late_twice),
    (lambda: stranger(playing()), lambda _: NoShow(1, 1, "FRANCE", LATER, 15)),
    (playing, lambda _: NoShow(1, 1, "FRANCE", LATER)),
    (lambda: stranger(playing()), lambda _: Relieve(1, 1, "FRANCE", 15, 4, LATER)),
    (closed, lambda _: CorrectSeat(1, 1, "FRANCE", 3, (Relief(player(2), 2),))),
    (playing, lambda _: ChangeBoard(1, 1, place="By the window", last_year=1905, counts=False)),
    (playing, lambda _: AddBoard(1, "classic")),
    (playing, lambda _: DropBoard(1, 2)),
    (playing, lambda _: StartClock(1, AT)),
    (lambda: done(playing(), StartClock(1, AT)), lambda _: PauseClock(1, LATER)),
    (playing, lambda _: TurnClock(1, AT)),
    (playing, lambda _: SetLength(1, 3, AT, 1200)),
    (playing, lambda _: MergeSeasons(1, 2, AT)),
    (playing, lambda _: StopClock(1, AT)),
    (playing, lambda _: OffsetBoard(1, 2, -90)),
    (playing, lambda _: ASKED),
    (vote, lambda _: VetoEnd(1, 1, 1, "ITALY")),
    (vote, lambda _: OpenEnd(1, 1, 1)),
    (lambda: vote(OpenEnd(1, 1, 1)), lambda _: CastEnd(1, 1, 1, "ITALY", yes=True)),
    (vote, lambda _: WithdrawEnd(1, 1, 1)),
    (playing, lambda _: EnterResult(1, 1, CHOSEN, str(player()))),
    (entered, lambda _: ConfirmResult(1, 1, str(player(power="ITALY")), digest(CHOSEN))),
    (closed, lambda _: CorrectResult(1, 1, CHOSEN)),
    (entered, lambda _: WithdrawResult(1, 1, str(player()))),
    (closed, lambda _: CastBallot(named())),
    (lambda: done(closed(), CastBallot(named())), lambda _: RemoveBallot(1)),
    (playing, lambda _: CountNow(1, 1, CENTRES)),
    (playing, lambda _: CountYears(1, 1, {1901: CENTRES, 1902: CENTRES})),
    (ended, lambda _: TellFarthest(1, 1, "FRANCE", "MOS")),
    (playing, lambda _: AddRuling(RULING)),
    (lambda: done(playing(), AddRuling(RULING)), lambda _: ChangeRuling(1, replace(RULING, shown=True))),
    (lambda: done(playing(), AddRuling(RULING)), lambda _: RemoveRuling(1)),
    (playing, lambda _: Adjust(SANCTION)),
    (lambda: done(playing(), Adjust(SANCTION)), lambda _: ChangeAdjustment(1, replace(SANCTION, value="0"))),
    (lambda: done(playing(), Adjust(SANCTION)), lambda _: RemoveAdjustment(1)),
    (listed, lambda _: FormTeam(Team("Les Maines", (3, 4)))),
    (lambda: done(listed(), FormTeam(Team("A", (3,)))), lambda _: ChangeTeam(1, Team("B", (3, 5)))),
    (lambda: done(listed(), FormTeam(Team("A", (3,)))), lambda _: DissolveTeam(1)),
    (listed, lambda _: SetTeams({1: Team("A", (3, 4)), 2: Team("B", (5, 6))})),
    (lambda: done(listed(), FormTeam(Team("A", (3,)))), lambda _: AskTeam(5, 1)),
    (lambda: done(listed(), FormTeam(Team("A", (3,))), AskTeam(5, 1)), lambda _: AskTeam(5, 0)),
    (lambda: done(listed(), FormTeam(Team("A", (3,))), AskTeam(5, 1)), lambda _: AnswerTeam(1, 5, 3)),
    (lambda: done(listed(), FormTeam(Team("A", (3,))), AskTeam(5, 1)), lambda _: AnswerTeam(1, 5, yes=False)),
    (
        lambda: done(listed(), FormTeam(Team("A", (3, 4)))),
        lambda _: ChoosePowers(1, {4: "ITALY", 3: "RUSSIA"}),
    ),
    (listed, lambda _: KeepApart(4, 3)),
]


@pytest.mark.parametrize("row", DONE, ids=[row[1](row[0]()).kind for row in DONE])
def test_is_done_and_read_again(row: Row) -> None:
    before = row[0]()
    act = row[1](before)
    after = acts.perform(before, act)
    assert after != before
    told = json.loads(json.dumps(acts.write(act)))
    assert acts.read(told) == act


def test_every_act_is_in_the_table() -> None:
    assert {row[1](row[0]()).kind for row in DONE} == set(acts.KINDS)


ONCE = [
    *(OpenSignups(open=False), Finish(), OpenRound(1), SignUp(3, (1,)), KeepApart(3, 4), KeepApart(4, 3)),
    *(Withdraw(3), Arrive(1, 3, AT), TakeRide(3, "From Nantes"), DecideFinal(4, held=True), SetUp()),
]


@pytest.mark.parametrize("act", ONCE, ids=[act.kind for act in ONCE])
def test_twice_is_once(act: Act) -> None:
    once = done(listed(), act)
    assert done(once, act) == once


def test_the_first_hour_stands() -> None:
    assert done(listed(), Arrive(1, 3, AT), Arrive(1, 3, LATER)).rounds[1].present[3] == AT
    running = done(playing(), StartClock(1, AT), StartClock(1, LATER))
    assert running.rounds[1].clock.started == AT


ABOUT: dict[str, Any] = {"round": 99, "board": 99, "person": 99, "number": 99, "power": "NARNIA"}
ABOUT |= {"other": 99, "first": 99, "people": (99,), "vote": 99, "other_board": 99, "season": 999}


def _wrong(act: Act) -> list[Act]:
    """The act about each thing that there is not."""
    return [replace(act, **{name: other}) for name, other in ABOUT.items() if _named(act, name, other)]  # type: ignore[type-var]


def _named(act: Act, name: str, other: object) -> bool:
    said = getattr(act, name, None)
    return bool(said) and type(said) is type(other) and not isinstance(act, AddPeople)


NOBODY = [(row, wrong) for row in DONE for wrong in _wrong(row[1](row[0]()))]


@pytest.mark.parametrize(
    ("row", "wrong"), NOBODY, ids=[f"{at}-{row[1].kind}" for at, row in enumerate(NOBODY)]
)
def test_nothing_is_done_to_what_there_is_not(row: Row, wrong: Act) -> None:
    with pytest.raises(Refused) as refused:
        acts.perform(row[0](), wrong)
    assert_said(refused.value)
