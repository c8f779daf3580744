"""What standings rest on, and nothing else: two events with the same basis have the same standings."""

from __future__ import annotations

from dataclasses import replace

from talleyrand.tournament.model import Announcement, Board, Clock, Event, Person, Round


def basis(event: Event) -> Event:
    """The event without what moves nobody in the ranking: names, arrivals, clocks, votes, what is told."""
    return replace(
        event,
        name="",
        seed="",
        announcement=Announcement(),
        people={number: Person("", office=one.office) for number, one in event.people.items()},
        teams={},
        apart=(),
        rides={},
        rounds={number: _round(one) for number, one in event.rounds.items()},
        ballots={},
        rulings={},
        youngest=(),
    )


def _round(one: Round) -> Round:
    boards = {number: _board(board) for number, board in one.boards.items()}
    return replace(one, starts="", present={}, boards=boards, drawn=None, clock=Clock())


def _board(board: Board) -> Board:
    return replace(board, place="", game="", offset=0, votes={})
