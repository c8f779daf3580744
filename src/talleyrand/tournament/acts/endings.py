"""Votes to end a game, by the rules of `endvotes`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

from talleyrand.tournament import endvotes, regulations, timing
from talleyrand.tournament.errors import Refused
from talleyrand.tournament.model import Board, EndVote, Event, Hold, RoundState, VoteState

from .act import Act, board, check_state, next_number, seat_of, with_board


@dataclass(frozen=True)
class AskEnd(Act):
    """Somebody asks for the end of his game after a phase. `table`: what every power has then."""

    kind: ClassVar[str] = "vote_asked"
    round: int
    board: int
    power: str
    when: str
    table: Mapping[str, Hold]
    autumn: bool = False

    def on(self, event: Event) -> Event:
        """Under the next number of the board; refused with the code of `endvotes.may_ask`."""
        held = _voting(event, self.round, self.board)
        if not regulations.read(event.regulations).votes:
            raise Refused("act_no_votes")
        seat_of(event, self.round, self.board, self.power)
        last = timing.last_year(event, self.round, held)
        code = endvotes.may_ask(held, self.power, self.when, self.table, autumn=self.autumn, last_year=last)
        _allow(code, self.power)
        vote = EndVote(self.power, self.when, self.autumn, table=self.table)
        return with_board(event, self.round, self.board, votes={**held.votes, next_number(held.votes): vote})


@dataclass(frozen=True)
class VetoEnd(Act):
    """Somebody forbids it, openly: the game goes on."""

    kind: ClassVar[str] = "vote_vetoed"
    round: int
    board: int
    vote: int
    power: str

    def on(self, event: Event) -> Event:
        """Refused with the code of `endvotes.may_veto`."""
        held = _voting(event, self.round, self.board)
        vote = _vote(held, self.vote)
        _allow(endvotes.may_veto(held, vote, self.power, vote.table), self.power)
        changed = replace(vote, state=VoteState.VETOED, vetoed=self.power)
        return _with_vote(event, self.round, self.board, self.vote, changed)


@dataclass(frozen=True)
class OpenEnd(Act):
    """Nobody has forbidden it: ballots are cast."""

    kind: ClassVar[str] = "vote_opened"
    round: int
    board: int
    vote: int

    def on(self, event: Event) -> Event:
        """Twice is once."""
        held = _voting(event, self.round, self.board)
        vote = _vote(held, self.vote)
        if vote.state is VoteState.VOTING:
            return event
        if vote.state is not VoteState.ASKED:
            raise Refused("act_vote_closed")
        opened = endvotes.opened(held, vote, vote.table)
        return _with_vote(event, self.round, self.board, self.vote, opened)


@dataclass(frozen=True)
class CastEnd(Act):
    """A ballot, secret."""

    kind: ClassVar[str] = "vote_cast"
    round: int
    board: int
    vote: int
    power: str
    yes: bool

    def on(self, event: Event) -> Event:
        """Refused with the code of `endvotes.may_vote`; counted when all are in."""
        vote = _vote(_voting(event, self.round, self.board), self.vote)
        _allow(endvotes.may_vote(vote, self.power), self.power)
        cast = endvotes.cast(vote, self.power, self.yes)
        return _with_vote(event, self.round, self.board, self.vote, cast)


@dataclass(frozen=True)
class WithdrawEnd(Act):
    """It is asked no longer, or was asked by mistake."""

    kind: ClassVar[str] = "vote_withdrawn"
    round: int
    board: int
    vote: int

    def on(self, event: Event) -> Event:
        """Refused once it is decided."""
        vote = _vote(_voting(event, self.round, self.board), self.vote)
        if vote.state is VoteState.WITHDRAWN:
            return event
        if vote.state not in endvotes.OPEN:
            raise Refused("act_vote_closed")
        changed = replace(vote, state=VoteState.WITHDRAWN)
        return _with_vote(event, self.round, self.board, self.vote, changed)


def _allow(code: str | None, power: str) -> None:
    if code is not None:
        raise Refused(code, power=power[:40])


def _voting(event: Event, number: int, at: int) -> Board:
    check_state(event, number, RoundState.PLAYING)
    return board(event, number, at)


def _vote(held: Board, number: int) -> EndVote:
    if number not in held.votes:
        raise Refused("act_no_vote", number=str(number))
    return held.votes[number]


def _with_vote(event: Event, number: int, at: int, which: int, vote: EndVote) -> Event:
    votes = board(event, number, at).votes
    return with_board(event, number, at, votes={**votes, which: vote})


ACTS: tuple[type[Act], ...] = (AskEnd, VetoEnd, OpenEnd, CastEnd, WithdrawEnd)
