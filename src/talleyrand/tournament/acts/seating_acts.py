"""The draw of a round: drawn, changed by hand, shown to all, taken back; and its seats once it is played.

Who comes late, who does not come, who takes over.

A draw keeps its seats, so that nothing is searched or drawn by lot when acts are replayed; `seat_draw`
makes it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace

from talleyrand.tournament.board_rules import board_people, may_stay_empty, player_count, variant_powers
from talleyrand.tournament.event_errors import ActRefused
from talleyrand.tournament.model import (
    Bye,
    ByeReason,
    DrawRecord,
    Event,
    EventBoard,
    EventRound,
    Office,
    OnlineBoards,
    PowerSeat,
    RoundState,
    SeatReplacement,
)

from .act import (
    EventAct,
    check_round_state,
    check_time,
    event_act,
    find_board,
    find_person,
    find_round,
    find_seat,
    next_number,
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
        if self.person is not None and not (
            self.twice or find_person(event, self.person).office is Office.ORGANISER
        ):
            check_not_seated(now, self.round, self.person, but=self.board)
        resting = {who: rest for who, rest in now.resting.items() if who != self.person}
        given = with_seat(event, self.round, self.board, self.power, PowerSeat(self.person))
        return with_round(given, self.round, resting=resting)


def check_not_seated(now: EventRound, number: int, who: int, but: int = 0) -> None:
    """Raise ActRefused (`act_sits_already`) for one who sits at another board, whose game goes on."""
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
    """What was shown is a draft again. Refused once a board has a result, or its game on line has begun."""

    round: int

    def apply(self, event: Event) -> Event:
        now = check_round_state(event, self.round, *SEATED_STATES)
        for at, held in now.boards.items():
            if held.result is not None:
                raise ActRefused("act_result_entered", round=str(self.round), board=str(at))
            if held.game and event.online is not OnlineBoards.NONE:
                raise ActRefused("act_game_begun", round=str(self.round), board=str(at))
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


MAX_SEASONS = 60
STATES_WITH_SEATS = (RoundState.DRAFT, RoundState.PLAYING, RoundState.CLOSED)


@event_act("seated_late")
class SeatLatecomer(EventAct):
    """A latecomer takes a power that a script plays, or one of the two seats of somebody on two boards.

    `missed`: seasons that were over when he sat down. `at`: when he came. All other seats stay as they are.
    """

    round: int
    board: int
    power: str
    person: int
    missed: int
    at: str

    def apply(self, event: Event) -> Event:
        find_person(event, self.person)
        now = check_round_state(event, self.round, *SEATED_STATES)
        _check_seasons(self.missed)
        _check_unfinished(now, self.round, self.board)
        seat = find_seat(event, self.round, self.board, self.power)
        if self.power not in powers_for_latecomers(now, self.board):
            raise ActRefused("act_seat_taken", round=str(self.round), board=str(self.board), power=self.power)
        check_not_seated(now, self.round, self.person)
        late = replace(seat, person=self.person, missed=self.missed)
        taken = with_seat(event, self.round, self.board, self.power, late)
        return _here(taken, self.round, self.person, self.at)


def powers_for_latecomers(now: EventRound, at: int) -> tuple[str, ...]:
    """The powers of a board that a latecomer may take: nobody's, and those of somebody on two boards."""
    held = now.boards[at]
    twice = _twice(now)
    return tuple(
        power
        for power, seat in held.seats.items()
        if not seat.reliefs and (seat.person is None or seat.person in twice)
    )


def _twice(now: EventRound) -> set[int]:
    sat = [seat.person for held in now.boards.values() for seat in held.seats.values()]
    return {who for who in sat if who is not None and sat.count(who) > 1}


@event_act("no_show")
class ReplaceNoShow(EventAct):
    """Somebody who has a seat is not there: another has it from the first season, or `missed` some.

    Nobody: the seat stays free, for a latecomer or a new draw.
    Who did not come is no longer present; the game never was his.
    """

    round: int
    board: int
    power: str
    at: str
    person: int | None = None
    missed: int = 0

    def apply(self, event: Event) -> Event:
        now = check_round_state(event, self.round, *SEATED_STATES)
        seat = find_seat(event, self.round, self.board, self.power)
        _check_seasons(self.missed)
        _check_unfinished(now, self.round, self.board)
        if seat.person is None:
            raise ActRefused("act_seat_free", round=str(self.round), board=str(self.board), power=self.power)
        freed = _gone(event, self.round, self.board, self.power, seat.person)
        if self.person is None:
            return freed
        find_person(event, self.person)
        check_not_seated(freed.rounds[self.round], self.round, self.person)
        new = PowerSeat(self.person, self.missed, locked=seat.locked)
        return _here(
            with_seat(freed, self.round, self.board, self.power, new), self.round, self.person, self.at
        )


def _gone(event: Event, number: int, at: int, power: str, who: int) -> Event:
    left = with_seat(event, number, at, power, PowerSeat())
    now = find_round(left, number)
    if any(who in board_people(held) for held in now.boards.values()):
        return left  # he plays at another board
    return with_round(left, number, present={one: time for one, time in now.present.items() if one != who})


@event_act("relieved")
class ReplacePlayer(EventAct):
    """Somebody takes a seat over in the middle of a game, and plays it for so many seasons.

    The seasons may be said now, as they will be at the end of the planned game, and put right later.
    Refused for one who plays at another board, or has had this seat.
    """

    round: int
    board: int
    power: str
    person: int
    seasons: int
    at: str

    def apply(self, event: Event) -> Event:
        find_person(event, self.person)
        now = check_round_state(event, self.round, RoundState.PLAYING)
        seat = find_seat(event, self.round, self.board, self.power)
        _check_seasons(self.seasons)
        _check_unfinished(now, self.round, self.board)
        if seat.person is None:
            raise ActRefused("act_seat_free", round=str(self.round), board=str(self.board), power=self.power)
        check_not_seated(now, self.round, self.person)
        rest = now.resting.get(self.person)
        newcomer = SeatReplacement(self.person, self.seasons, rested=rest is not None and rest.asked)
        reliefs = (*seat.reliefs, newcomer)
        taken = with_seat(event, self.round, self.board, self.power, replace(seat, reliefs=reliefs))
        return _here(taken, self.round, self.person, self.at)


@event_act("seat_corrected")
class CorrectSeat(EventAct):
    """What is written of a seat, put right: seasons missed, who took over and for how long. Whenever it is
    noticed, after the round too."""

    round: int
    board: int
    power: str
    missed: int = 0
    reliefs: tuple[SeatReplacement, ...] = ()

    def apply(self, event: Event) -> Event:
        check_round_state(event, self.round, *STATES_WITH_SEATS)
        seat = find_seat(event, self.round, self.board, self.power)
        _check_seasons(self.missed, *(one.seasons for one in self.reliefs))
        for one in self.reliefs:
            find_person(event, one.person)
        rested = {one.person for one in seat.reliefs if one.rested}
        reliefs = tuple(replace(one, rested=one.person in rested) for one in self.reliefs)
        new = replace(seat, missed=self.missed, reliefs=reliefs)
        return with_seat(event, self.round, self.board, self.power, new)


def _check_seasons(*counts: int) -> None:
    for count in counts:
        if not 0 <= count <= MAX_SEASONS:
            raise ActRefused("act_seasons", count=str(count), most=str(MAX_SEASONS))


def _check_unfinished(now: EventRound, number: int, at: int) -> None:
    if at in now.boards and now.boards[at].result is not None:
        raise ActRefused("act_result_entered", round=str(number), board=str(at))


def _here(event: Event, number: int, who: int, at: str) -> Event:
    """Present from then on, unless he was before; no longer standing down."""
    now = find_round(event, number)
    present = {**now.present, who: now.present.get(who, check_time(at))}
    resting = {one: rest for one, rest in now.resting.items() if one != who}
    return with_round(event, number, present=present, resting=resting)


@event_act("board_changed")
class ChangeBoard(EventAct):
    """What is said of a board: where it stands, its game on the site, whether it counts, its last year. What
    is not said stays as it is; a last year of 0 is the round's again."""

    round: int
    board: int
    place: str | None = None
    game: str | None = None
    counts: bool | None = None
    last_year: int | None = None

    def apply(self, event: Event) -> Event:
        held = find_board(event, self.round, self.board)
        said = {
            name: value for name in ("place", "game", "counts") if (value := getattr(self, name)) is not None
        }
        if self.last_year is not None:
            said["last_year"] = _year(self.last_year)
        return with_board(event, self.round, self.board, **{"counts": held.counts, **said})


def _year(year: int) -> int | None:
    if year and not 1901 <= year <= 1950:
        raise ActRefused("act_year", year=str(year))
    return year or None


@event_act("board_added")
class AddBoard(EventAct):
    """One more board, empty: its seats are given by hand, or drawn. The powers of the variant, where none are
    said."""

    round: int
    variant: str = "classic"
    powers: tuple[str, ...] = ()

    def apply(self, event: Event) -> Event:
        now = check_round_state(event, self.round, *SEATED_STATES)
        for power in self.powers:
            if power not in variant_powers(self.variant):
                raise ActRefused("act_no_power", power=power, powers=", ".join(variant_powers(self.variant)))
        seats = {power: PowerSeat() for power in self.powers or variant_powers(self.variant)}
        boards = {**now.boards, next_number(now.boards): EventBoard(self.variant, seats)}
        return with_round(event, self.round, boards=boards)


@event_act("board_dropped")
class RemoveBoard(EventAct):
    """A board falls: its people have no seat, and are drawn again or stand down. Refused once it has a
    result, which is taken back first."""

    round: int
    board: int

    def apply(self, event: Event) -> Event:
        now = check_round_state(event, self.round, *SEATED_STATES)
        find_board(event, self.round, self.board)
        _check_unfinished(now, self.round, self.board)
        return with_round(
            event, self.round, boards={at: one for at, one in now.boards.items() if at != self.board}
        )
