"""Who is there for a round, and who of them does not play it."""

from __future__ import annotations

from dataclasses import replace

from talleyrand.tournament.event_errors import ActRefused
from talleyrand.tournament.model import (
    Bye,
    ByeReason,
    Event,
    EventBoard,
    EventRound,
    PowerSeat,
    RoundState,
)

from .act import (
    EventAct,
    check_time,
    event_act,
    find_person,
    find_round,
    with_round,
)

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
