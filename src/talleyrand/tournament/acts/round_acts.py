"""Rounds: planned, opened, closed, cancelled, shown; who is there for one, and who does not play it."""

from __future__ import annotations

from dataclasses import replace

from talleyrand.tournament import regulations
from talleyrand.tournament.event_errors import ActRefused
from talleyrand.tournament.model import Bye, ByeReason, Event, EventBoard, EventRound, PowerSeat, RoundState

from .act import (
    EventAct,
    check_round_state,
    check_time,
    event_act,
    find_person,
    find_round,
    next_number,
    with_round,
)

MAX_ROUNDS = 30


@event_act("round_added", assistants_may=False)
class AddRound(EventAct):
    """One more round than was planned. Under the next number."""

    starts: str = ""

    def apply(self, event: Event) -> Event:
        if len(event.rounds) >= MAX_ROUNDS:
            raise ActRefused("act_rounds_enough", most=str(MAX_ROUNDS))
        planned = EventRound(starts=check_time(self.starts) if self.starts else "")
        return replace(event, rounds={**event.rounds, next_number(event.rounds): planned})


@event_act("round_removed", assistants_may=False)
class RemoveRound(EventAct):
    """A round that will not be played after all, as long as nobody has come for it. Whoever had signed up for
    it has not."""

    round: int

    def apply(self, event: Event) -> Event:
        now = check_round_state(event, self.round, RoundState.PLANNED)
        if now.present:
            raise ActRefused("act_round_attended", round=str(self.round))
        people = {
            number: replace(one, rounds=tuple(at for at in one.rounds if at != self.round))
            for number, one in event.people.items()
        }
        left = {at: one for at, one in event.rounds.items() if at != self.round}
        return replace(event, people=people, rounds=left)


@event_act("round_timed")
class ScheduleRound(EventAct):
    """When a round begins. Nothing: not known yet."""

    round: int
    starts: str = ""

    def apply(self, event: Event) -> Event:
        return with_round(event, self.round, starts=check_time(self.starts) if self.starts else "")


@event_act("round_opened")
class OpenRound(EventAct):
    """People arrive. Twice is once."""

    round: int

    def apply(self, event: Event) -> Event:
        check_round_state(event, self.round, RoundState.PLANNED, RoundState.OPEN)
        return with_round(event, self.round, state=RoundState.OPEN)


@event_act("round_closed")
class CloseRound(EventAct):
    """All is in. Refused while a result of a board that counts is missing, or nobody has confirmed it."""

    round: int

    def apply(self, event: Event) -> Event:
        now = check_round_state(event, self.round, RoundState.PLAYING, RoundState.CLOSED)
        missing = [] if now.cancelled else boards_without_result(now)
        if missing:
            raise ActRefused(
                "act_results_missing", round=str(self.round), boards=", ".join(map(str, missing))
            )
        return with_round(event, self.round, state=RoundState.CLOSED)


def boards_without_result(one: EventRound) -> list[int]:
    """Boards that count and have no confirmed result."""
    return [
        at
        for at, board in one.boards.items()
        if board.counts and not (board.result and board.result.confirmed)
    ]


@event_act("round_reopened")
class ReopenRound(EventAct):
    """Something is missing after all. It is played again, as it stands."""

    round: int

    def apply(self, event: Event) -> Event:
        check_round_state(event, self.round, RoundState.PLAYING, RoundState.CLOSED)
        return with_round(event, self.round, state=RoundState.PLAYING)


@event_act("round_cancelled", assistants_may=False)
class CancelRound(EventAct):
    """The round gives no points; or it does again. What was played and entered is kept."""

    round: int
    cancelled: bool = True

    def apply(self, event: Event) -> Event:
        return with_round(event, self.round, cancelled=self.cancelled)


@event_act("round_revealed")
class RevealRound(EventAct):
    """Whether the standings of a round are shown to all. Twice is once."""

    round: int
    shown: bool = True

    def apply(self, event: Event) -> Event:
        return with_round(event, self.round, revealed=self.shown)


@event_act("final_decided", assistants_may=False)
class DecideFinalTable(EventAct):
    """Whether the first board of a round is the final table; `board_formation` says when it should be. Only
    in the round that the regulations name, before its seats are drawn."""

    round: int
    held: bool

    def apply(self, event: Event) -> Event:
        rule = regulations.read_regulations(event.regulations).final
        if rule is None or rule.round != self.round:
            raise ActRefused("act_no_final", round=str(self.round))
        now = find_round(event, self.round)
        if now.boards and now.final is not self.held:
            raise ActRefused("act_round_draft", round=str(self.round))
        return with_round(event, self.round, final=self.held)


UNCLOSED_STATES = (RoundState.PLANNED, RoundState.OPEN, RoundState.DRAFT, RoundState.PLAYING)


@event_act("arrived")
class CheckIn(EventAct):
    """Somebody is there for a round, at a time. Twice is once: the first hour stands. Whoever had withdrawn
    is back."""

    round: int
    person: int
    at: str

    def apply(self, event: Event) -> Event:
        known = find_person(event, self.person)
        present = _open(event, self.round).present
        check_time(self.at)
        back = replace(event, people={**event.people, self.person: replace(known, gone=False)})
        return with_round(
            back, self.round, present={**present, self.person: present.get(self.person, self.at)}
        )


@event_act("arrived_together")
class CheckInPeople(EventAct):
    """Several are there: those seen in the room, or all who had signed up. Each as if alone; all of them, or
    none."""

    round: int
    people: tuple[int, ...]
    at: str

    def apply(self, event: Event) -> Event:
        if not self.people:
            raise ActRefused("act_nobody")
        for who in self.people:
            event = CheckIn(self.round, who, self.at).apply(event)
        return event


@event_act("left")
class UndoCheckIn(EventAct):
    """Somebody is not there after all. A seat of the draft is free again; one of a game under way has to be
    taken over first."""

    round: int
    person: int

    def apply(self, event: Event) -> Event:
        find_person(event, self.person)
        now = _open(event, self.round)
        present = {one: at for one, at in now.present.items() if one != self.person}
        resting = {one: rest for one, rest in now.resting.items() if one != self.person}
        boards = dict(now.boards)
        if now.state is RoundState.DRAFT:
            boards = {at: _freed(board, self.person) for at, board in boards.items()}
        return with_round(event, self.round, present=present, resting=resting, boards=boards)


def _freed(board: EventBoard, who: int) -> EventBoard:
    seats = {power: PowerSeat() if seat.person == who else seat for power, seat in board.seats.items()}
    return replace(board, seats=seats)


@event_act("stood_down")
class GiveBye(EventAct):
    """Somebody who is present does not play. `asked`: at the organisation's request.

    Nobody asked it of one who wished it, or who came when the boards were full.
    Refused for one who sits at a board (`sound_seated_resting`) or is not there.
    """

    round: int
    person: int
    why: ByeReason
    asked: bool = True

    def apply(self, event: Event) -> Event:
        find_person(event, self.person)
        now = _open(event, self.round)
        if self.person not in now.present:
            raise ActRefused("act_not_present", person=str(self.person), round=str(self.round))
        rest = Bye(self.why, self.asked and self.why not in (ByeReason.OWN, ByeReason.LATE))
        return with_round(event, self.round, resting={**now.resting, self.person: rest})


@event_act("recalled")
class CancelBye(EventAct):
    """Somebody who stood down plays after all, as soon as he is seated. Twice is once."""

    round: int
    person: int

    def apply(self, event: Event) -> Event:
        find_person(event, self.person)
        now = _open(event, self.round)
        resting = {one: rest for one, rest in now.resting.items() if one != self.person}
        return with_round(event, self.round, resting=resting)


def _open(event: Event, number: int) -> EventRound:
    now = find_round(event, number)
    if now.state not in UNCLOSED_STATES:
        raise ActRefused("act_round_closed", round=str(number))
    return now
