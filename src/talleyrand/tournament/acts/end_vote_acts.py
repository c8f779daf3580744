"""Votes to end a game, by the rules of `end_vote_rules`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from talleyrand.tournament import end_vote_rules, regulations, round_timing
from talleyrand.tournament.event_errors import ActRefused
from talleyrand.tournament.model import (
    EndVote,
    EndVoteState,
    Event,
    EventBoard,
    OnlineBoards,
    PowerHoldings,
    RoundState,
)

from .act import EventAct, check_round_state, event_act, find_board, find_seat, next_number, with_board


@event_act("vote_asked")
class ProposeEnd(EventAct):
    """Somebody asks for the end of his game after a phase. `table`: what every power has then. Under the next
    number of the board; refused with the code of `end_vote_rules.proposal_refusal`."""

    round: int
    board: int
    power: str
    when: str
    table: Mapping[str, PowerHoldings]
    autumn: bool = False

    def apply(self, event: Event) -> Event:
        held = _voting(event, self.round, self.board)
        if event.online is not OnlineBoards.NONE:
            raise ActRefused("act_result_online")
        if not regulations.read_regulations(event.regulations).votes:
            raise ActRefused("act_no_votes")
        find_seat(event, self.round, self.board, self.power)
        last = round_timing.last_year(event, self.round, held)
        code = end_vote_rules.proposal_refusal(
            held, self.power, self.when, self.table, autumn=self.autumn, last_year=last
        )
        _allow(code, self.power)
        vote = EndVote(self.power, self.when, self.autumn, table=self.table)
        return with_board(event, self.round, self.board, votes={**held.votes, next_number(held.votes): vote})


@event_act("vote_vetoed")
class VetoEnd(EventAct):
    """Somebody forbids it, openly: the game goes on. Refused with the code of
    `end_vote_rules.veto_refusal`.
    """

    round: int
    board: int
    vote: int
    power: str

    def apply(self, event: Event) -> Event:
        held = _voting(event, self.round, self.board)
        vote = _vote(held, self.vote)
        _allow(end_vote_rules.veto_refusal(held, vote, self.power, vote.table), self.power)
        changed = replace(vote, state=EndVoteState.VETOED, vetoed=self.power)
        return _with_vote(event, self.round, self.board, self.vote, changed)


@event_act("vote_opened")
class OpenEndVote(EventAct):
    """Nobody has forbidden it: ballots are cast. Twice is once."""

    round: int
    board: int
    vote: int

    def apply(self, event: Event) -> Event:
        held = _voting(event, self.round, self.board)
        vote = _vote(held, self.vote)
        if vote.state is EndVoteState.VOTING:
            return event
        if vote.state is not EndVoteState.ASKED:
            raise ActRefused("act_vote_closed")
        opened = end_vote_rules.open_ballots(held, vote, vote.table)
        return _with_vote(event, self.round, self.board, self.vote, opened)


@event_act("vote_cast")
class CastEndBallot(EventAct):
    """A ballot, secret. Refused with the code of `end_vote_rules.ballot_refusal`; counted when all are in."""

    round: int
    board: int
    vote: int
    power: str
    yes: bool

    def apply(self, event: Event) -> Event:
        vote = _vote(_voting(event, self.round, self.board), self.vote)
        _allow(end_vote_rules.ballot_refusal(vote, self.power), self.power)
        cast = end_vote_rules.cast_ballot(vote, self.power, self.yes)
        return _with_vote(event, self.round, self.board, self.vote, cast)


@event_act("vote_withdrawn")
class WithdrawEndVote(EventAct):
    """It is asked no longer, or was asked by mistake. Refused once it is decided."""

    round: int
    board: int
    vote: int

    def apply(self, event: Event) -> Event:
        vote = _vote(_voting(event, self.round, self.board), self.vote)
        if vote.state is EndVoteState.WITHDRAWN:
            return event
        if vote.state not in end_vote_rules.OPEN_STATES:
            raise ActRefused("act_vote_closed")
        changed = replace(vote, state=EndVoteState.WITHDRAWN)
        return _with_vote(event, self.round, self.board, self.vote, changed)


def _allow(code: str | None, power: str) -> None:
    if code is not None:
        raise ActRefused(code, power=power[:40])


def _voting(event: Event, number: int, at: int) -> EventBoard:
    check_round_state(event, number, RoundState.PLAYING)
    return find_board(event, number, at)


def _vote(held: EventBoard, number: int) -> EndVote:
    if number not in held.votes:
        raise ActRefused("act_no_vote", number=str(number))
    return held.votes[number]


def _with_vote(event: Event, number: int, at: int, which: int, vote: EndVote) -> Event:
    votes = find_board(event, number, at).votes
    return with_board(event, number, at, votes={**votes, which: vote})
