"""Ballots for the voted prizes: whom a player names once his game is over."""

from __future__ import annotations

from dataclasses import replace

from talleyrand.tournament import regulations
from talleyrand.tournament.board_rules import board_people
from talleyrand.tournament.event_errors import ActRefused
from talleyrand.tournament.model import Event, PrizeBallot

from .act import (
    EventAct,
    event_act,
    find_board,
    find_person,
    next_number,
)

VOTED_PRIZE_KIND = "vote"


@event_act("ballot_cast")
class CastBallot(EventAct):
    """At most one other player of the board for each voted prize; whom he names twice is named twice. In
    place of his ballot for that board, until the event is over."""

    ballot: PrizeBallot

    def apply(self, event: Event) -> Event:
        told = self.ballot
        _check(event, told)
        same = (told.round, told.board, told.voter)
        known = [at for at, one in event.ballots.items() if (one.round, one.board, one.voter) == same]
        number = known[0] if known else next_number(event.ballots)
        return replace(event, ballots={**event.ballots, number: told})


def _check(event: Event, told: PrizeBallot) -> None:
    held = find_board(event, told.round, told.board)
    find_person(event, told.voter)
    if event.over:
        raise ActRefused("act_event_over")
    if held.result is None:
        raise ActRefused("act_no_result", round=str(told.round), board=str(told.board))
    at_board = set(board_people(held))
    for who in (told.voter, *told.names.values()):
        if who not in at_board:
            raise ActRefused(
                "act_not_at_board", person=str(who), round=str(told.round), board=str(told.board)
            )
    if told.voter in told.names.values():
        raise ActRefused("act_names_himself", person=str(told.voter))
    _check_prizes(event, told)


def _check_prizes(event: Event, told: PrizeBallot) -> None:
    prizes = regulations.read_regulations(event.regulations).prizes
    for prize in told.names:
        if prize not in prizes or prizes[prize].kind != VOTED_PRIZE_KIND:
            raise ActRefused("act_no_prize", prize=prize[:40])


@event_act("ballot_removed")
class RemoveBallot(EventAct):
    """A ballot is taken away. The log keeps that there was one."""

    number: int

    def apply(self, event: Event) -> Event:
        if self.number not in event.ballots:
            raise ActRefused("act_no_entry", number=str(self.number))
        return replace(event, ballots={at: one for at, one in event.ballots.items() if at != self.number})
