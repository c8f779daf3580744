"""An event as all may see it, or one of its people: what is nobody else's business is not in it.

Pages, screens and files that leave the desk show this event and no other, so that nothing private can be
forgotten on them.
"""

from __future__ import annotations

from dataclasses import replace

from .model import Board, EndVote, Event, Person, Private, Round, RoundState, Team, VoteState

SHOWN = (RoundState.PLAYING, RoundState.CLOSED)
COUNTED = (VoteState.CARRIED, VoteState.LOST)


def seen(event: Event, viewer: int = 0) -> Event:
    """The event for somebody of it; `viewer` 0: for all.

    A draft has no boards. A result is there once it is confirmed and its round is shown; whoever sat at the
    board sees it before; how it stands while it is played is for all where the desk says so. A ballot is its
    voter's, a vote to end a game is its table's; `yeses` counts it, asked of the whole event.
    """
    people = {number: _person(one, own=number == viewer) for number, one in event.people.items()}
    hidden = {number for number, one in event.rounds.items() if not one.revealed}
    return replace(
        event,
        seed="",
        people=people,
        teams={number: _team(one, viewer) for number, one in event.teams.items()},
        apart=(),
        rides=event.rides if viewer in event.people else {},
        rounds={number: _round(one, viewer, live=event.live) for number, one in event.rounds.items()},
        adjustments={number: one for number, one in event.adjustments.items() if one.round not in hidden},
        ballots={number: one for number, one in event.ballots.items() if one.voter == viewer != 0},
        rulings={number: one for number, one in event.rulings.items() if one.shown},
    )


def _person(known: Person, *, own: bool) -> Person:
    """The desk's note is nobody's but the desk's."""
    if own:
        return replace(known, private=replace(known.private, note=""))
    return replace(known, recorder=False, minutes=None, private=Private())


def _team(one: Team, viewer: int) -> Team:
    """Who asks to join is its members' business, and his own."""
    asking = one.asking if viewer in one.members else tuple(who for who in one.asking if who == viewer)
    return replace(one, powers=(), asking=asking)


def _round(one: Round, viewer: int, *, live: bool) -> Round:
    if one.state not in SHOWN:
        return replace(one, boards={}, resting={}, drawn=None)
    boards = {
        number: _board(held, viewer, shown=one.revealed, live=live) for number, held in one.boards.items()
    }
    drawn = replace(one.drawn, seed="") if one.drawn else None
    return replace(one, boards=boards, drawn=drawn)


def _board(held: Board, viewer: int, *, shown: bool, live: bool) -> Board:
    powers = powers_of(held, viewer)
    told = held.result if powers or (shown and held.result and held.result.confirmed) else None
    votes = {number: _vote(vote, powers) for number, vote in held.votes.items()} if powers else {}
    open_ = bool(powers) or (shown and live)
    now, years = (held.now, held.years) if open_ else ({}, held.years if told else {})
    return replace(held, now=now, years=years, result=told, votes=votes)


def powers_of(held: Board, who: int) -> tuple[str, ...]:
    """The powers that somebody plays, or played, at a board; none for nobody."""
    return tuple(
        power
        for power, seat in held.seats.items()
        if who and (seat.person == who or any(relief.person == who for relief in seat.reliefs))
    )


def _vote(vote: EndVote, powers: tuple[str, ...]) -> EndVote:
    """Who has voted, and one's own ballot."""
    return replace(vote, yes=tuple(power for power in vote.yes if power in powers))


def yeses(vote: EndVote) -> int | None:
    """How many were in favour; None before all have voted."""
    return len(vote.yes) if vote.state in COUNTED else None
