"""An event as all may see it, or one of its people: what is nobody else's business is not in it.

Pages, screens and files that leave the desk show this event and no other, so that nothing private can be
forgotten on them.
"""

from __future__ import annotations

from dataclasses import replace

from .model import (
    EndVote,
    EndVoteState,
    Event,
    EventBoard,
    EventPerson,
    EventRound,
    EventTeam,
    OnlineBoards,
    PowerSeat,
    PrivateFacts,
    RoundState,
)

SHOWN_STATES = (RoundState.PLAYING, RoundState.CLOSED)
COUNTED_VOTE_STATES = (EndVoteState.CARRIED, EndVoteState.LOST)


def visible_event(event: Event, viewer: int = 0) -> Event:
    """The event for somebody of it; `viewer` 0: for all.

    A draft has no boards; who plays what may be secret before a board's result (`OnlineBoards`). A result is
    there once it is confirmed and its round is shown; whoever sat at the board sees it before; how it stands
    while it is played is for all where the desk says so. A ballot is its voter's, a vote to end a game is its
    table's; `yes_count` counts it, asked of the whole event.
    """
    return add_own_facts(event, _for_all(event), viewer)


def add_own_facts(event: Event, shown: Event, viewer: int) -> Event:
    """What `visible_event` gives, made from what it gives for all: where many ask, that is made once for
    them.
    """
    if not viewer:
        return shown
    people = shown.people
    if viewer in event.people:
        people = {**people, viewer: _own(event.people[viewer])}
    return replace(
        shown,
        people=people,
        teams={number: _team(one, viewer) for number, one in event.teams.items()},
        rides=event.rides if viewer in event.people else {},
        rounds={
            number: _round_of(one, shown.rounds[number], viewer, secret=event.online is OnlineBoards.HIDDEN)
            for number, one in event.rounds.items()
        },
        ballots={number: one for number, one in event.ballots.items() if one.voter == viewer},
    )


def _for_all(event: Event) -> Event:
    hidden = {number for number, one in event.rounds.items() if not one.revealed}
    return replace(
        event,
        seed="",
        people={
            number: replace(one, recorder=False, minutes=None, private=PrivateFacts())
            for number, one in event.people.items()
        },
        teams={number: _team(one, 0) for number, one in event.teams.items()},
        apart=(),
        rides={},
        rounds={number: _round(event, one) for number, one in event.rounds.items()},
        adjustments={number: one for number, one in event.adjustments.items() if one.round not in hidden},
        ballots={},
        rulings={number: one for number, one in event.rulings.items() if one.shown},
    )


def _own(known: EventPerson) -> EventPerson:
    """The desk's note is nobody's but the desk's."""
    return replace(known, private=replace(known.private, note=""))


def _team(one: EventTeam, viewer: int) -> EventTeam:
    """Who asks to join is its members' business, and his own."""
    asking = one.asking if viewer in one.members else tuple(who for who in one.asking if who == viewer)
    return replace(one, powers=(), asking=asking)


def _round(event: Event, one: EventRound) -> EventRound:
    """What tells who meets whom again tells who plays what: it is not there where that is secret."""
    if one.state not in SHOWN_STATES:
        return replace(one, boards={}, resting={}, drawn=None)
    secret = event.online is OnlineBoards.HIDDEN
    boards = {
        number: _board(_masked(held) if secret else held, shown=one.revealed, live=event.live)
        for number, held in one.boards.items()
    }
    drawn = replace(one.drawn, seed="", wish=None) if one.drawn else None
    return replace(one, boards=boards, drawn=replace(drawn, repeats=()) if drawn and secret else drawn)


def _masked(held: EventBoard, viewer: int = 0) -> EventBoard:
    """A board without who plays what, but for the powers of `viewer`, until its result is confirmed."""
    if held.result is not None and held.result.confirmed:
        return held
    own = powers_played_by(held, viewer)
    seats = {power: seat if power in own else PowerSeat() for power, seat in held.seats.items()}
    return replace(held, seats=seats)


def _round_of(one: EventRound, shown: EventRound, viewer: int, *, secret: bool) -> EventRound:
    """The round as all see it, with all of the boards at which somebody sits or sat."""
    held = {number: one.boards[number] for number in shown.boards}
    his = {
        number: _own_board(_masked(board, viewer) if secret else board, viewer)
        for number, board in held.items()
    }
    own = {number: board for number, board in his.items() if board is not None}
    return replace(shown, boards={**shown.boards, **own}) if own else shown


def _board(held: EventBoard, *, shown: bool, live: bool) -> EventBoard:
    told = held.result if shown and held.result and held.result.confirmed else None
    now = held.now if shown and live else {}
    years = held.years if told or (shown and live) else {}
    return replace(held, now=now, years=years, result=told, votes={})


def _own_board(held: EventBoard, viewer: int) -> EventBoard | None:
    """A board for whoever sits or sat there; None for anybody else."""
    powers = powers_played_by(held, viewer)
    if not powers:
        return None
    return replace(
        held,
        votes={
            number: replace(vote, yes=tuple(power for power in vote.yes if power in powers))
            for number, vote in held.votes.items()
        },
    )


def powers_played_by(held: EventBoard, who: int) -> tuple[str, ...]:
    """The powers that somebody plays, or played, at a board; none for nobody."""
    return tuple(
        power
        for power, seat in held.seats.items()
        if who and (seat.person == who or any(relief.person == who for relief in seat.reliefs))
    )


def yes_count(vote: EndVote) -> int | None:
    """How many were in favour; None before all have voted."""
    return len(vote.yes) if vote.state in COUNTED_VOTE_STATES else None
