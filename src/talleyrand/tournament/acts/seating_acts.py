"""The draw of a round: drawn, changed by hand, shown to all, taken back.

A draw keeps its seats, so that nothing is searched or drawn by lot when acts are replayed; `drawing` makes
it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace

from talleyrand.tournament.board_rules import board_people, may_stay_empty, player_count
from talleyrand.tournament.event_errors import ActRefused
from talleyrand.tournament.model import (
    Bye,
    ByeReason,
    DrawRecord,
    Event,
    EventBoard,
    EventRound,
    Office,
    PowerSeat,
    RoundState,
)

from .act import (
    EventAct,
    check_round_state,
    event_act,
    find_board,
    find_person,
    find_seat,
    with_board,
    with_round,
    with_seat,
)

DRAWABLE_STATES = (RoundState.OPEN, RoundState.DRAFT, RoundState.PLAYING)
SEATED_STATES = (RoundState.DRAFT, RoundState.PLAYING)


@event_act("drawn")
class DrawRound(EventAct):
    """Boards and seats of a round, and who stands down. `kept`: boards that stay as they are.

    While a round is played, a draw is for whoever has no seat, since his board fell: all others are kept.
    In place of the draft before; refused where a locked seat would change.
    """

    round: int
    boards: Mapping[int, EventBoard]
    drawn: DrawRecord
    resting: Mapping[int, Bye] = field(default_factory=dict)
    kept: tuple[int, ...] = ()

    def apply(self, event: Event) -> Event:
        now = check_round_state(event, self.round, *DRAWABLE_STATES)
        kept = {at: find_board(event, self.round, at) for at in self.kept}
        self._check_kept(now)
        boards = dict(sorted({**self.boards, **kept}.items()))
        if not boards:
            raise ActRefused("act_no_boards", round=str(self.round))
        state = RoundState.PLAYING if now.state is RoundState.PLAYING else RoundState.DRAFT
        drawn = replace(now, state=state, boards=boards, resting=self.resting, drawn=self.drawn)
        _check_placed(drawn, self.round)
        return replace(event, rounds={**event.rounds, self.round: drawn})

    def _check_kept(self, now: EventRound) -> None:
        for at, held in now.boards.items():
            if at in self.kept:
                continue
            if now.state is RoundState.PLAYING:
                raise ActRefused("act_round_playing", round=str(self.round))
            for power, seat in held.seats.items():
                if seat.locked and not self._seats(at, power, seat.person):
                    raise ActRefused("act_seat_locked", round=str(self.round), board=str(at), power=power)

    def _seats(self, at: int, power: str, who: int | None) -> bool:
        new = self.boards.get(at)
        return new is not None and power in new.seats and new.seats[power].person == who


def _check_placed(one: EventRound, number: int) -> None:
    left = people_unplaced(one)
    if left:
        raise ActRefused("act_unplaced", round=str(number), people=", ".join(map(str, left)))


def people_unplaced(one: EventRound) -> list[int]:
    """Who is there and has neither a seat nor stands down."""
    placed = {who for table in one.boards.values() for who in board_people(table)} | set(one.resting)
    return sorted(set(one.present) - placed)


@event_act("seat_locked")
class LockSeat(EventAct):
    """A new draw leaves a seat alone, or no longer does. No power: every seat of the board. Twice is once."""

    round: int
    board: int
    power: str = ""
    locked: bool = True

    def apply(self, event: Event) -> Event:
        check_round_state(event, self.round, *SEATED_STATES)
        held = find_board(event, self.round, self.board)
        if self.power:
            seat = find_seat(event, self.round, self.board, self.power)
            return with_seat(event, self.round, self.board, self.power, replace(seat, locked=self.locked))
        seats = {power: replace(seat, locked=self.locked) for power, seat in held.seats.items()}
        return with_board(event, self.round, self.board, seats=seats)


@event_act("seats_swapped")
class SwapSeats(EventAct):
    """Two seats of a round change their people. Refused for a locked seat of a draft, and for a board that
    has a result."""

    round: int
    board: int
    power: str
    other_board: int
    other_power: str

    def apply(self, event: Event) -> Event:
        now = check_round_state(event, self.round, *SEATED_STATES)
        first = self._free(event, now, self.board, self.power)
        second = self._free(event, now, self.other_board, self.other_power)
        swapped = with_seat(event, self.round, self.board, self.power, second)
        return with_seat(swapped, self.round, self.other_board, self.other_power, first)

    def _free(self, event: Event, now: EventRound, at: int, power: str) -> PowerSeat:
        seat = find_seat(event, self.round, at, power)
        if seat.locked and now.state is RoundState.DRAFT:
            raise ActRefused("act_seat_locked", round=str(self.round), board=str(at), power=power)
        if find_board(event, self.round, at).result is not None:
            raise ActRefused("act_result_entered", round=str(self.round), board=str(at))
        return replace(seat, locked=False)


@event_act("seat_given")
class PlacePerson(EventAct):
    """A seat of the draft is given by hand, or left free (nobody); once games began, one that is free.

    `twice`: he sits at another board too, and plays both, as the organiser may in any case.
    Whoever sat there has no seat then; whoever gets it no longer stands down.
    """

    round: int
    board: int
    power: str
    person: int | None = None
    twice: bool = False

    def apply(self, event: Event) -> Event:
        now = check_round_state(event, self.round, *SEATED_STATES)
        seat = find_seat(event, self.round, self.board, self.power)
        if seat.locked and now.state is RoundState.DRAFT:
            raise ActRefused(
                "act_seat_locked", round=str(self.round), board=str(self.board), power=self.power
            )
        if seat.person is not None and now.state is RoundState.PLAYING:
            raise ActRefused("act_seat_taken", round=str(self.round), board=str(self.board), power=self.power)
        if find_board(event, self.round, self.board).result is not None:
            raise ActRefused("act_result_entered", round=str(self.round), board=str(self.board))
        if self.person is not None and not (self.twice or _organises(event, self.person)):
            check_not_seated(now, self.round, self.person, but=self.board)
        resting = {who: rest for who, rest in now.resting.items() if who != self.person}
        given = with_seat(event, self.round, self.board, self.power, PowerSeat(self.person))
        return with_round(given, self.round, resting=resting)


def _organises(event: Event, who: int) -> bool:
    return find_person(event, who).office is Office.ORGANISER


def check_not_seated(now: EventRound, number: int, who: int, but: int = 0) -> None:
    """Raise Refused (`act_sits_already`) for one who sits at another board, whose game goes on."""
    for at, held in now.boards.items():
        if at != but and held.result is None and who in board_people(held):
            raise ActRefused("act_sits_already", person=str(who), round=str(number), board=str(at))


@event_act("published")
class PublishDraft(EventAct):
    """The draft is shown to all, and the games begin. Refused while somebody present has no place, or a power
    nobody, though it needs somebody."""

    round: int

    def apply(self, event: Event) -> Event:
        now = check_round_state(event, self.round, *SEATED_STATES)
        _check_placed(now, self.round)
        for at, held in now.boards.items():
            if not may_stay_empty(held) or not player_count(held):
                raise ActRefused("act_seat_empty", round=str(self.round), board=str(at))
        return with_round(event, self.round, state=RoundState.PLAYING)


@event_act("taken_back")
class UnpublishDraft(EventAct):
    """What was shown is a draft again. Refused once a board has a result."""

    round: int

    def apply(self, event: Event) -> Event:
        now = check_round_state(event, self.round, *SEATED_STATES)
        for at, held in now.boards.items():
            if held.result is not None:
                raise ActRefused("act_result_entered", round=str(self.round), board=str(at))
        return with_round(event, self.round, state=RoundState.DRAFT)


@event_act("draft_discarded")
class DiscardDraft(EventAct):
    """The draft is thrown away: people arrive again. Who stands down by his own wish still does."""

    round: int

    def apply(self, event: Event) -> Event:
        now = check_round_state(event, self.round, RoundState.DRAFT, RoundState.OPEN)
        resting = {who: rest for who, rest in now.resting.items() if rest.why is ByeReason.OWN}
        cleared = replace(now, state=RoundState.OPEN, boards={}, resting=resting, drawn=None)
        return replace(event, rounds={**event.rounds, self.round: cleared})
