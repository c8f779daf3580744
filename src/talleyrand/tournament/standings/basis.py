"""What standings rest on, and nothing else: two events with the same basis have the same standings."""

from __future__ import annotations

from dataclasses import replace

from talleyrand.tournament.boards import people_at
from talleyrand.tournament.model import Announcement, Board, Clock, Event, Person, Round


def basis(event: Event) -> Event:
    """The event without what moves nobody in the ranking: names, arrivals, clocks, votes, what is told.

    Of its people those remain who sit or sat somewhere, or on whom there is a ruling: no other has a place.
    """
    return replace(
        event,
        name="",
        seed="",
        announcement=Announcement(),
        people={number: Person("", office=event.people[number].office) for number in sorted(_ranked(event))},
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
    return ruled.union(*map(people_at, boards)) & event.people.keys()


def _round(one: Round) -> Round:
    boards = {number: _board(board) for number, board in one.boards.items()}
    return replace(one, starts="", present={}, boards=boards, drawn=None, clock=Clock())


def _board(board: Board) -> Board:
    return replace(board, place="", game="", offset=0, votes={})
