"""Whatever is done in whatever order: what is undone never was, and nothing ever contradicts itself."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given, note, settings
from hypothesis import strategies as st

from talleyrand.tournament import (
    acts,
    board_formation,
    board_rules,
    codec,
    event_changes,
    invariants,
    standings,
)
from talleyrand.tournament.acts.act import EventAct
from talleyrand.tournament.acts.clock_acts import (
    MergeSeasons,
    PauseClock,
    SetSeasonLength,
    SkipSeason,
    StartClock,
)
from talleyrand.tournament.acts.end_vote_acts import (
    CastEndBallot,
    OpenEndVote,
    ProposeEnd,
    VetoEnd,
    WithdrawEndVote,
)
from talleyrand.tournament.acts.event_acts import SetRegulations
from talleyrand.tournament.acts.merge_people import MergePeople, RemovePerson
from talleyrand.tournament.acts.people_acts import AddPerson, SetPersonFlags, SignUpForRounds, WithdrawPerson
from talleyrand.tournament.acts.result_acts import (
    CastBallot,
    ConfirmResult,
    CorrectResult,
    CountCentres,
    EnterResult,
    RemoveBallot,
    WithdrawResult,
    result_digest,
)
from talleyrand.tournament.acts.round_acts import (
    CancelBye,
    CancelRound,
    CheckIn,
    CheckInPeople,
    CloseRound,
    DecideFinalTable,
    GiveBye,
    OpenRound,
    ReopenRound,
    UndoCheckIn,
)
from talleyrand.tournament.acts.ruling_acts import AddAdjustment, AddRuling, RemoveAdjustment
from talleyrand.tournament.acts.seating_acts import (
    ChangeBoard,
    CorrectSeat,
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
from talleyrand.tournament.acts.team_acts import DissolveTeam, FormTeam, KeepApart
from talleyrand.tournament.board_rules import board_people
from talleyrand.tournament.event_errors import ActRefused
from talleyrand.tournament.model import (
    AdjustmentEffect,
    Bye,
    ByeReason,
    DirectorRuling,
    DrawRecord,
    Event,
    EventBoard,
    EventPerson,
    EventTeam,
    Office,
    PowerHoldings,
    PowerSeat,
    PrizeBallot,
    RoundState,
    ScoreAdjustment,
    SeatReplacement,
)

from .room import AT, LATER, closed, drafted, gathered, listed, playing, result

PEOPLE = 30
STEPS = 80
KINDS = ("course", "outcome", "seating", "seating", "people", "desk", "vote")
MOST = settings().max_examples  # 100, or 1000 with --full
EMPTY = EventBoard(seats={power: PowerSeat() for power in board_rules.variant_powers("classic")})


class Chance:
    """Picks what acts are about, of what there is in an event."""

    def __init__(self, event: Event, chance: Random) -> None:
        self.event, self.chance = event, chance
        begun = [at for at, one in event.rounds.items() if one.boards]
        self.round = int(self.one_of([*event.rounds, *begun * 4]))
        self.table = self.one_of(event.rounds[self.round].boards or [1])

    def any_of(self, *makers: Callable[[], EventAct]) -> EventAct:
        made: EventAct = self.one_of(makers)()
        return made

    def one_of(self, things: Any) -> Any:
        return self.chance.choice(list(things))

    @property
    def board(self) -> EventBoard:
        return self.event.rounds[self.round].boards.get(self.table, EMPTY)

    @property
    def power(self) -> str:
        return str(self.one_of(self.board.seats or ["FRANCE"]))

    @property
    def who(self) -> int:
        return int(self.one_of(self.event.people))

    @property
    def idle(self) -> int:
        """Somebody without a seat in the round, where there is one."""
        seated = {
            who for board in self.event.rounds[self.round].boards.values() for who in board_people(board)
        }
        return int(self.one_of(set(self.event.people) - seated or self.event.people))

    @property
    def sitting(self) -> int:
        return int(self.one_of(board_people(self.board) or [1]))

    def number(self, most: int) -> int:
        return self.chance.randint(0, most)

    def draw(self) -> EventAct:
        """Seats in a random order, as a draw keeps them."""
        here = list(board_formation.people_counted(self.event, self.round))
        self.chance.shuffle(here)
        count = len(here) // 7
        seats = {
            at: EventBoard(
                seats={power: PowerSeat(here.pop()) for power in board_rules.variant_powers("classic")}
            )
            for at in range(1, count + 1)
        }
        rest = dict.fromkeys(here, Bye(ByeReason.LOT))
        own = {
            who: kept
            for who, kept in self.event.rounds[self.round].resting.items()
            if kept.why is ByeReason.OWN
        }
        return DrawRound(self.round, seats, DrawRecord("by hand"), {**rest, **own})

    def vote(self) -> EventAct:
        table = dict.fromkeys(self.board.seats, PowerHoldings(4, 3, 4, 4))
        number = self.one_of(self.board.votes or [1])
        when = self.one_of(["S1903R", "F1903R", "W1903A", "S1904R"])

        def ballot() -> EventAct:
            return CastEndBallot(self.round, self.table, number, self.power, yes=bool(self.number(1)))

        return self.any_of(
            lambda: ProposeEnd(self.round, self.table, self.power, when, table),
            lambda: VetoEnd(self.round, self.table, number, self.power),
            lambda: OpenEndVote(self.round, self.table, number),
            lambda: WithdrawEndVote(self.round, self.table, number),
            *[ballot] * 4,
        )

    def outcome(self) -> EventAct:
        told = result(self.board, self.number(6))
        by = str(self.one_of(["desk", self.sitting]))
        held = self.board.result
        return self.any_of(
            lambda: EnterResult(self.round, self.table, told, by, result_digest(held) if held else ""),
            lambda: CorrectResult(self.round, self.table, told),
            lambda: ConfirmResult(self.round, self.table, by, result_digest(held) if held else ""),
            lambda: WithdrawResult(self.round, self.table),
            lambda: CountCentres(self.round, self.table, told.centres),
        )

    def seating(self) -> EventAct:
        return self.any_of(
            lambda: LockSeat(self.round, self.table, self.power, locked=bool(self.number(1))),
            lambda: SwapSeats(self.round, self.table, self.power, self.table, self.power),
            lambda: PlacePerson(self.round, self.table, self.power, self.one_of([None, self.idle])),
            lambda: SeatLatecomer(self.round, self.table, self.power, self.idle, self.number(6), LATER),
            lambda: ReplaceNoShow(self.round, self.table, self.power, LATER, self.one_of([None, self.idle])),
            lambda: ReplacePlayer(self.round, self.table, self.power, self.idle, self.number(6), LATER),
            lambda: CorrectSeat(self.round, self.table, self.power, 1, (SeatReplacement(self.who, 2),)),
            lambda: ChangeBoard(self.round, self.table, counts=bool(self.number(1))),
            lambda: RemoveBoard(self.round, self.table),
        )

    def people(self) -> EventAct:
        return self.any_of(
            lambda: AddPerson(EventPerson(f"Invented {self.number(99)}", rounds=(self.round,))),
            lambda: SetPersonFlags(self.who, office=self.one_of(Office), paid=str(self.number(20))),
            lambda: SignUpForRounds(self.who, (self.round,)),
            lambda: WithdrawPerson(self.who, gone=bool(self.number(1))),
            lambda: MergePeople(self.who, self.who),
            lambda: RemovePerson(self.who),
            lambda: FormTeam(EventTeam("Invented", (self.who, self.who))),
            lambda: DissolveTeam(self.number(3)),
            lambda: KeepApart(self.who, self.who, apart=bool(self.number(1))),
            lambda: CheckIn(self.round, self.who, AT),
            lambda: UndoCheckIn(self.round, self.who),
            lambda: GiveBye(self.round, self.who, self.one_of(ByeReason)),
            lambda: CancelBye(self.round, self.who),
        )

    def desk(self) -> EventAct:
        told = ScoreAdjustment(
            self.who, self.one_of([0, self.round]), self.one_of(AdjustmentEffect), "1/3", "A reason."
        )
        names = {"angers": self.sitting} if self.number(1) else {}
        return self.any_of(
            lambda: AddAdjustment(told),
            lambda: RemoveAdjustment(self.number(3)),
            lambda: AddRuling(DirectorRuling(AT, "A ruling.", self.round)),
            lambda: CastBallot(PrizeBallot(self.round, self.table, self.sitting, names)),
            lambda: RemoveBallot(self.number(3)),
            lambda: StartClock(self.round, AT),
            lambda: PauseClock(self.round, LATER),
            lambda: SkipSeason(self.round, LATER, self.one_of([-1, 1])),
            lambda: SetSeasonLength(self.round, self.number(11), LATER, 60 * self.number(30)),
            lambda: MergeSeasons(self.round, self.number(10), LATER),
            lambda: CancelRound(self.round, cancelled=bool(self.number(1))),
            lambda: DecideFinalTable(4, held=bool(self.number(1))),
            lambda: SetRegulations(self.one_of(["anjou_feu", {"extends": "anjou_feu", "system": "squares"}])),
        )

    def course(self) -> EventAct:
        """What brings a round further, or back."""
        steps: dict[RoundState, tuple[Callable[[], EventAct], ...]] = {
            RoundState.PLANNED: (lambda: OpenRound(self.round),),
            RoundState.OPEN: (self.draw, lambda: CheckInPeople(self.round, self.many(), AT)),
            RoundState.DRAFT: (lambda: PublishDraft(self.round), lambda: DiscardDraft(self.round)),
            RoundState.PLAYING: (
                lambda: CloseRound(self.round),
                lambda: UnpublishDraft(self.round),
                self.outcome,
            ),
            RoundState.CLOSED: (lambda: ReopenRound(self.round),),
        }
        return self.any_of(*steps[self.event.rounds[self.round].state])

    def many(self) -> tuple[int, ...]:
        return tuple(self.event.people)[: 7 * (1 + self.number(3))]

    def act(self) -> EventAct:
        kind = self.one_of(KINDS)
        made: EventAct = getattr(self, kind)()
        return made


def document(event: Event) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(json.dumps(codec.write_value(event)))
    return told


class Desk:
    """A desk at which things are done and undone by chance."""

    def __init__(self, seed: int) -> None:
        self.chance = Random(seed)
        self.start = self.event = self.chance.choice([listed, gathered, drafted, playing, playing, closed])(
            PEOPLE
        )
        self.done: list[dict[str, Any]] = []
        self.entries: list[list[event_changes.EventChange]] = []

    def do(self) -> None:
        """One act; a refusal leaves all as it was."""
        act = Chance(self.event, self.chance).act()
        try:
            after = acts.perform_act(self.event, act)
        except ActRefused:
            return
        note(str(acts.write_act(act)))
        self.entries.append(self.undone_is_as_before(after))
        self.done.append(acts.write_act(act))
        self.event = after

    def undone_is_as_before(self, after: Event) -> list[event_changes.EventChange]:
        """Taking an act back at once gives the document and the standings there were."""
        before = document(self.event)
        made = event_changes.diff_documents(before, document(after))
        assert codec.write_changed(after, before, self.event) == document(after)
        assert codec.read_changed(Event, document(after), before, self.event) == codec.read_value(
            Event, document(after)
        )
        back = event_changes.undo_changes(document(after), made)
        assert back == before
        event = codec.read_value(Event, back)
        assert event == self.event
        assert standings.compute_standings(event) == standings.compute_standings(self.event)
        return made

    def undo(self) -> None:
        """Any act of long ago: refused, or done soundly, and done again by undoing that."""
        if not self.entries:
            return
        at = self.chance.randrange(len(self.entries))
        try:
            back = undone(self.event, self.entries[at])
        except ActRefused:
            return
        made = event_changes.diff_documents(document(self.event), document(back))
        assert undone(back, made) == self.event
        standings.compute_standings(back)
        self.entries.append(made)
        self.done.append({"undone": at})
        self.event = back

    def replayed(self) -> Event:
        """The same from the beginning, as a journal keeps it."""
        event = self.start
        for told in self.done:
            if "undone" in told:
                event = undone(event, self.entries[told["undone"]])
            else:
                event = acts.perform_act(event, acts.read_act(json.loads(json.dumps(told))))
        return event


def undone(event: Event, made: list[event_changes.EventChange]) -> Event:
    """The event without what was changed, if it is sound."""
    back = codec.read_value(Event, event_changes.undo_changes(document(event), made))
    invariants.check_invariants(back)
    return back


@pytest.mark.long
@settings(max_examples=MOST // 8)
@given(seed=st.integers(0, 2**32))
def test_any_sequence_can_be_undone_read_and_replayed(seed: int) -> None:
    desk = Desk(seed)
    for at in range(STEPS):
        desk.do()
        invariants.check_invariants(desk.event)
        if at % 3 == 0:
            desk.undo()
    assert codec.read_value(Event, document(desk.event)) == desk.event
    assert desk.replayed() == desk.event


def test_numbers_keep_their_order_however_they_came() -> None:
    event = listed(3)
    turned = replace(event, people=dict(sorted(event.people.items(), reverse=True)))
    assert list(codec.read_value(Event, document(turned)).people) == [1, 2, 3]
