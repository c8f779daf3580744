"""What each person of an event should know now and has not been told: worked out from the event alone.

What was taken back and done again the same tells nobody anything: only where things stand counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from talleyrand import variants
from talleyrand.tournament.acts import result_acts
from talleyrand.tournament.board_rules import CLASSIC, board_people, seat_players
from talleyrand.tournament.model import (
    EndVote,
    EndVoteState,
    Event,
    EventBoard,
    EventRound,
    PowerSeat,
    RoundState,
)

SEATS, WANTED, RESULTS, VOTES, PRIZES = "seats", "wanted", "results", "votes", "prizes"
NOTIFICATION_TOPICS = (SEATS, WANTED, RESULTS, VOTES, PRIZES)
RESTS, LOST, GIVEN = "rests", "lost", "given"


@dataclass(frozen=True)
class PendingNotification:
    """Something to tell `person_number`, once: under `subject` he knows `state` from then on.

    No `kind`: nobody is told, only that it is so is noted.
    """

    subject: str
    state: str
    person_number: int = 0
    topic: str = ""
    kind: str = ""
    facts: Mapping[str, Any] = field(default_factory=dict)


def pending_notifications(event: Event, told: Mapping[str, str]) -> Iterator[PendingNotification]:
    """What is not told yet, in an order that stays the same while some of it is told."""
    for number, one in sorted(event.rounds.items()):
        if one.state is RoundState.PLAYING and not one.cancelled:
            for news in (*_seats(number, one, told), *_boards(number, one)):
                if told.get(news.subject) != news.state:
                    yield news
    if event.over and all(one.revealed for one in event.rounds.values()):
        for who, known in sorted(event.people.items()):
            if not known.gone and told.get(f"prizes {who}") is None:
                yield PendingNotification(f"prizes {who}", "shown", who, PRIZES, "prizes_shown")


def current_player(seat: PowerSeat) -> int | None:
    """Who plays a seat now: the last who took it over, or who sat down first."""
    return next(iter(seat_players(seat)[::-1]), None)


def _seats(number: int, one: EventRound, told: Mapping[str, str]) -> Iterator[PendingNotification]:
    mark = f"draw {number}"
    known, seats = mark in told, _playing(one)
    for who in sorted({*seats, *one.resting, *_lost(number, one, told)}):
        about = f"seat {number} {who}"
        before = told.get(about)
        if who in seats:
            yield _seated(number, who, about, before, seats[who], known=known)
        elif who in one.resting:
            kind = "" if known and before is None else "seat_none"  # he came after the draw
            yield PendingNotification(about, RESTS, who, SEATS, kind, {"round": number})
        else:
            yield PendingNotification(about, LOST, who, SEATS, "seat_lost", {"round": number})
    yield PendingNotification(mark, GIVEN)


def _seated(
    number: int, who: int, about: str, before: str | None, seats: list[dict[str, Any]], *, known: bool
) -> PendingNotification:
    state = ", ".join(f"{one['board']} {one['power']}" for one in seats)
    facts = {"round": number, "seats": seats}
    if not known and before is None:
        return PendingNotification(about, state, who, SEATS, "seat_shown", facts)
    if before in (None, RESTS, LOST):
        return PendingNotification(about, state, who, WANTED, "board_wanted", facts)
    return PendingNotification(about, state, who, SEATS, "seat_changed", facts)


def _playing(one: EventRound) -> dict[int, list[dict[str, Any]]]:
    """The seats of everybody who plays."""
    found: dict[int, list[dict[str, Any]]] = {}
    for at, board in sorted(one.boards.items()):
        variant = board.variant if board.variant in variants.all_names() else CLASSIC
        for power, seat in board.seats.items():
            who = current_player(seat)
            if who is not None:
                found.setdefault(who, []).append({"board": at, "power": power, "variant": variant})
    return found


def _lost(number: int, one: EventRound, told: Mapping[str, str]) -> set[int]:
    """Those who are there and were told of a seat, and whom no board knows any more."""
    ever = {who for board in one.boards.values() for who in board_people(board)}
    return {
        who
        for who in one.present
        if who not in ever and who not in one.resting and told.get(f"seat {number} {who}", RESTS) != RESTS
    }


def _boards(number: int, one: EventRound) -> Iterator[PendingNotification]:
    for at, board in sorted(one.boards.items()):
        facts = {"round": number, "board": at}
        yield from _result(board, f"{number} {at}", facts)
        for vote, asked in sorted(board.votes.items()):
            yield from _vote(board, asked, f"{number} {at} {vote}", facts)


def _result(board: EventBoard, place: str, facts: Mapping[str, Any]) -> Iterator[PendingNotification]:
    """Whoever sits at a board whose result nobody has confirmed, but for who entered it."""
    entered = board.result
    if entered is None or entered.confirmed:
        return
    for who in sorted({who for seat in board.seats.values() if (who := current_player(seat)) is not None}):
        if str(who) != entered.by:
            about = f"result {place} {who}"
            yield PendingNotification(
                about, result_acts.result_digest(entered), who, RESULTS, "result_waits", facts
            )


def _vote(
    board: EventBoard, asked: EndVote, place: str, facts: Mapping[str, Any]
) -> Iterator[PendingNotification]:
    """The others, who may forbid it; then those who have not voted yet."""
    if asked.state is EndVoteState.ASKED:
        powers, kind = {*board.seats} - {asked.by}, "end_asked"
    elif asked.state is EndVoteState.VOTING:
        powers, kind = {*asked.powers} - {*asked.voted}, "end_voting"
    else:
        return
    proposer = current_player(board.seats[asked.by]) if asked.by in board.seats else None
    for who in sorted(
        {who for power in powers if (who := current_player(board.seats[power])) is not None} - {proposer}
    ):
        yield PendingNotification(f"vote {place} {who}", asked.state.value, who, VOTES, kind, facts)
