"""What standings rest on, and nothing else: two events with the same basis have the same standings."""

from __future__ import annotations

from dataclasses import replace

from talleyrand.tournament.board_rules import board_people
from talleyrand.tournament.model import (
    Announcement,
    ClockState,
    Event,
    EventBoard,
    EventPerson,
    EventRound,
)


def ranking_basis(event: Event) -> Event:
    """The event without what moves nobody in the ranking: names, arrivals, clocks, votes, what is told.

    Of its people those remain who sit or sat somewhere, or on whom there is a ruling: no other has a place.
    """
    return replace(
        event,
        name="",
        seed="",
        announcement=Announcement(),
        people={
            number: EventPerson("", office=event.people[number].office) for number in sorted(_ranked(event))
        },
        teams={},
        apart=(),
        rides={},
        rounds={number: _round(one) for number, one in event.rounds.items()},
        ballots={},
        rulings={},
        youngest=(),
    )


def _ranked(event: Event) -> set[int]:
    boards = [board for one in event.rounds.values() for board in one.boards.values()]
    ruled = {one.person for one in event.adjustments.values()}
    return ruled.union(*map(board_people, boards)) & event.people.keys()


def _round(one: EventRound) -> EventRound:
    boards = {number: _board(board) for number, board in one.boards.items()}
    return replace(one, starts="", present={}, boards=boards, drawn=None, clock=ClockState())


def _board(board: EventBoard) -> EventBoard:
    return replace(board, place="", game="", offset=0, votes={})
