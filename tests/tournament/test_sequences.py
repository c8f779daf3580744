"""Whatever is done in whatever order: what is undone never was, and nothing ever contradicts itself."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

from hypothesis import given, note, settings
from hypothesis import strategies as st

from talleyrand.tournament import acts, boards, codec, formation, journal, soundness, standings
from talleyrand.tournament.acts.act import Act
from talleyrand.tournament.acts.ballots import CastBallot, RemoveBallot
from talleyrand.tournament.acts.clocks import MergeSeasons, PauseClock, SetLength, StartClock, TurnClock
from talleyrand.tournament.acts.drafts import Discard, Draw, LockSeat, Place, Publish, Swap, TakeBack
from talleyrand.tournament.acts.endings import AskEnd, CastEnd, OpenEnd, VetoEnd, WithdrawEnd
from talleyrand.tournament.acts.events import Regulate
from talleyrand.tournament.acts.merging import Merge, Remove
from talleyrand.tournament.acts.notebook import AddRuling, Adjust, RemoveAdjustment
from talleyrand.tournament.acts.people import AddPerson, Flag, SignUp, Withdraw
from talleyrand.tournament.acts.presence import Arrive, ArriveTogether, Leave, Recall, StandDown
from talleyrand.tournament.acts.results import (
    ConfirmResult,
    CorrectResult,
    CountNow,
    EnterResult,
    WithdrawResult,
    digest,
)
from talleyrand.tournament.acts.rounds import CancelRound, CloseRound, DecideFinal, OpenRound, ReopenRound
from talleyrand.tournament.acts.seats import ChangeBoard, CorrectSeat, DropBoard, NoShow, Relieve, SeatLate
from talleyrand.tournament.acts.teams import DissolveTeam, FormTeam, KeepApart
from talleyrand.tournament.boards import people_at
from talleyrand.tournament.errors import Refused
from talleyrand.tournament.model import (
    Adjustment,
    Ballot,
    Board,
    Drawn,
    Effect,
    Event,
    Hold,
    Office,
    Person,
    Relief,
    Rest,
    Rested,
    RoundState,
    Ruling,
    Seat,
    Team,
)

from .room import AT, LATER, closed, drafted, gathered, listed, playing, result

PEOPLE = 30
STEPS = 80
KINDS = ("course", "outcome", "seating", "seating", "people", "desk", "vote")
MOST = settings().max_examples  # 100, or 1000 with --full
EMPTY = Board(seats={power: Seat() for power in boards.powers_of("classic")})


class Chance:
    """Picks what acts are about, of what there is in an event."""

    def __init__(self, event: Event, chance: Random) -> None:
        self.event, self.chance = event, chance
        begun = [at for at, one in event.rounds.items() if one.boards]
        self.round = int(self.one_of([*event.rounds, *begun * 4]))
        self.table = self.one_of(event.rounds[self.round].boards or [1])

    def any_of(self, *makers: Callable[[], Act]) -> Act:
        made: Act = self.one_of(makers)()
        return made

    def one_of(self, things: Any) -> Any:
        return self.chance.choice(list(things))

    @property
    def board(self) -> Board:
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
        seated = {who for board in self.event.rounds[self.round].boards.values() for who in people_at(board)}
        return int(self.one_of(set(self.event.people) - seated or self.event.people))

    @property
    def sitting(self) -> int:
        return int(self.one_of(people_at(self.board) or [1]))

    def number(self, most: int) -> int:
        return self.chance.randint(0, most)

    def draw(self) -> Act:
        """Seats in a random order, as a draw keeps them."""
        here = list(formation.counted(self.event, self.round))
        self.chance.shuffle(here)
        count = len(here) // 7
        seats = {
            at: Board(seats={power: Seat(here.pop()) for power in boards.powers_of("classic")})
            for at in range(1, count + 1)
        }
        rest = dict.fromkeys(here, Rest(Rested.LOT))
        own = {
            who: kept for who, kept in self.event.rounds[self.round].resting.items() if kept.why is Rested.OWN
        }
        return Draw(self.round, seats, Drawn("by hand"), {**rest, **own})

    def vote(self) -> Act:
        table = dict.fromkeys(self.board.seats, Hold(4, 3, 4, 4))
        number = self.one_of(self.board.votes or [1])
        when = self.one_of(["S1903R", "F1903R", "W1903A", "S1904R"])

        def ballot() -> Act:
            return CastEnd(self.round, self.table, number, self.power, yes=bool(self.number(1)))

        return self.any_of(
            lambda: AskEnd(self.round, self.table, self.power, when, table),
            lambda: VetoEnd(self.round, self.table, number, self.power),
            lambda: OpenEnd(self.round, self.table, number),
            lambda: WithdrawEnd(self.round, self.table, number),
            *[ballot] * 4,
        )

    def outcome(self) -> Act:
        told = result(self.board, self.number(6))
        by = str(self.one_of(["desk", self.sitting]))
        held = self.board.result
        return self.any_of(
            lambda: EnterResult(self.round, self.table, told, by, digest(held) if held else ""),
            lambda: CorrectResult(self.round, self.table, told),
            lambda: ConfirmResult(self.round, self.table, by, digest(held) if held else ""),
            lambda: WithdrawResult(self.round, self.table),
            lambda: CountNow(self.round, self.table, told.centres),
        )

    def seating(self) -> Act:
        return self.any_of(
            lambda: LockSeat(self.round, self.table, self.power, locked=bool(self.number(1))),
            lambda: Swap(self.round, self.table, self.power, self.table, self.power),
            lambda: Place(self.round, self.table, self.power, self.one_of([None, self.idle])),
            lambda: SeatLate(self.round, self.table, self.power, self.idle, self.number(6), LATER),
            lambda: NoShow(self.round, self.table, self.power, LATER, self.one_of([None, self.idle])),
            lambda: Relieve(self.round, self.table, self.power, self.idle, self.number(6), LATER),
            lambda: CorrectSeat(self.round, self.table, self.power, 1, (Relief(self.who, 2),)),
            lambda: ChangeBoard(self.round, self.table, counts=bool(self.number(1))),
            lambda: DropBoard(self.round, self.table),
        )

    def people(self) -> Act:
        return self.any_of(
            lambda: AddPerson(Person(f"Invented {self.number(99)}", rounds=(self.round,))),
            lambda: Flag(self.who, office=self.one_of(Office), paid=str(self.number(20))),
            lambda: SignUp(self.who, (self.round,)),
            lambda: Withdraw(self.who, gone=bool(self.number(1))),
            lambda: Merge(self.who, self.who),
            lambda: Remove(self.who),
            lambda: FormTeam(Team("Invented", (self.who, self.who))),
            lambda: DissolveTeam(self.number(3)),
            lambda: KeepApart(self.who, self.who, apart=bool(self.number(1))),
            lambda: Arrive(self.round, self.who, AT),
            lambda: Leave(self.round, self.who),
            lambda: StandDown(self.round, self.who, self.one_of(Rested)),
            lambda: Recall(self.round, self.who),
        )

    def desk(self) -> Act:
        told = Adjustment(self.who, self.one_of([0, self.round]), self.one_of(Effect), "1/3", "A reason.")
        names = {"angers": self.sitting} if self.number(1) else {}
        return self.any_of(
            lambda: Adjust(told),
            lambda: RemoveAdjustment(self.number(3)),
            lambda: AddRuling(Ruling(AT, "A ruling.", self.round)),
            lambda: CastBallot(Ballot(self.round, self.table, self.sitting, names)),
            lambda: RemoveBallot(self.number(3)),
            lambda: StartClock(self.round, AT),
            lambda: PauseClock(self.round, LATER),
            lambda: TurnClock(self.round, LATER, self.one_of([-1, 1])),
            lambda: SetLength(self.round, self.number(11), LATER, 60 * self.number(30)),
            lambda: MergeSeasons(self.round, self.number(10), LATER),
            lambda: CancelRound(self.round, cancelled=bool(self.number(1))),
            lambda: DecideFinal(4, held=bool(self.number(1))),
            lambda: Regulate(self.one_of(["anjou_feu", {"extends": "anjou_feu", "system": "squares"}])),
        )

    def course(self) -> Act:
        """What brings a round further, or back."""
        steps: dict[RoundState, tuple[Callable[[], Act], ...]] = {
            RoundState.PLANNED: (lambda: OpenRound(self.round),),
            RoundState.OPEN: (self.draw, lambda: ArriveTogether(self.round, self.many(), AT)),
            RoundState.DRAFT: (lambda: Publish(self.round), lambda: Discard(self.round)),
            RoundState.PLAYING: (lambda: CloseRound(self.round), lambda: TakeBack(self.round), self.outcome),
            RoundState.CLOSED: (lambda: ReopenRound(self.round),),
        }
        return self.any_of(*steps[self.event.rounds[self.round].state])

    def many(self) -> tuple[int, ...]:
        return tuple(self.event.people)[: 7 * (1 + self.number(3))]

    def act(self) -> Act:
        kind = self.one_of(KINDS)
        made: Act = getattr(self, kind)()
        return made


def document(event: Event) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(json.dumps(codec.write(event)))
    return told


class Desk:
    """A desk at which things are done and undone by chance."""

    def __init__(self, seed: int) -> None:
        self.chance = Random(seed)
        self.start = self.event = self.chance.choice([listed, gathered, drafted, playing, playing, closed])(
            PEOPLE
        )
        self.done: list[dict[str, Any]] = []
        self.entries: list[list[journal.Change]] = []

    def do(self) -> None:
        """One act; a refusal leaves all as it was."""
        act = Chance(self.event, self.chance).act()
        try:
            after = acts.perform(self.event, act)
        except Refused:
            return
        note(str(acts.write(act)))
        self.entries.append(self.undone_is_as_before(after))
        self.done.append(acts.write(act))
        self.event = after

    def undone_is_as_before(self, after: Event) -> list[journal.Change]:
        """Taking an act back at once gives the document and the standings there were."""
        before = document(self.event)
        made = journal.changes(before, document(after))
        assert codec.write_on(after, before, self.event) == document(after)
        assert codec.read_on(Event, document(after), before, self.event) == codec.read(Event, document(after))
        back = journal.undone(document(after), made)
        assert back == before
        event = codec.read(Event, back)
        assert event == self.event
        assert standings.of(event) == standings.of(self.event)
        return made

    def undo(self) -> None:
        """Any act of long ago: refused, or done soundly, and done again by undoing that."""
        if not self.entries:
            return
        at = self.chance.randrange(len(self.entries))
        try:
            back = undone(self.event, self.entries[at])
        except Refused:
            return
        made = journal.changes(document(self.event), document(back))
        assert undone(back, made) == self.event
        standings.of(back)
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
                event = acts.perform(event, acts.read(json.loads(json.dumps(told))))
        return event


def undone(event: Event, made: list[journal.Change]) -> Event:
    """The event without what was changed, if it is sound."""
    back = codec.read(Event, journal.undone(document(event), made))
    soundness.check(back)
    return back


@settings(max_examples=MOST // 8)
@given(seed=st.integers(0, 2**32))
def test_any_sequence_can_be_undone_read_and_replayed(seed: int) -> None:
    desk = Desk(seed)
    for at in range(STEPS):
        desk.do()
        soundness.check(desk.event)
        if at % 3 == 0:
            desk.undo()
    assert codec.read(Event, document(desk.event)) == desk.event
    assert desk.replayed() == desk.event


def test_numbers_keep_their_order_however_they_came() -> None:
    event = listed(3)
    turned = replace(event, people=dict(sorted(event.people.items(), reverse=True)))
    assert list(codec.read(Event, document(turned)).people) == [1, 2, 3]
