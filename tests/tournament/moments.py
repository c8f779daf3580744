"""Moments of a tournament that several tests start from, and things to do then."""

from __future__ import annotations

from talleyrand.engine.errors import TalleyrandError
from talleyrand.messages import tournament_sentences
from talleyrand.tournament.acts.act import EventAct
from talleyrand.tournament.acts.end_vote_acts import ProposeEnd
from talleyrand.tournament.acts.people_acts import AddPerson
from talleyrand.tournament.acts.result_acts import EnterResult
from talleyrand.tournament.acts.seating_acts import DrawRound, RemoveBoard, SeatLatecomer
from talleyrand.tournament.model import (
    AdjustmentEffect,
    BoardResult,
    DirectorRuling,
    DrawRecord,
    Event,
    EventPerson,
    PowerHoldings,
    PrizeBallot,
    ScoreAdjustment,
)

from .room import AT, CENTRES, LATER, done, playing, sits

LIVING = PowerHoldings(centres=4, homes=3, units=4, free=4)
TABLE = dict.fromkeys(CENTRES, LIVING)
ASKED = ProposeEnd(1, 1, "FRANCE", "S1904R", TABLE)
RULING = DirectorRuling(AT, "Orders in pencil are orders.", round=1)
SANCTION = ScoreAdjustment(3, 1, AdjustmentEffect.TIMES, "1/2", "Late by half a round.")
CHOSEN = BoardResult(CENTRES, year=1906)


def player(table: int = 1, power: str = "FRANCE", start: Event | None = None) -> int:
    return sits(start or playing(), 1, table, power)


def entered(by: str = "", told: BoardResult = CHOSEN) -> Event:
    """A result of the first board, entered by its France."""
    return done(playing(), EnterResult(1, 1, told, by or str(player())))


def named() -> PrizeBallot:
    return PrizeBallot(1, 1, player(), {"angers": player(power="ITALY")})


def six() -> Event:
    """One board of six, with an automatic Turkey."""
    return playing(6)


def double() -> Event:
    """Two boards of seven for thirteen: the organiser plays twice."""
    return playing(13)


def twofold(event: Event) -> tuple[int, str]:
    """A seat of the organiser, where he plays twice."""
    boards = event.rounds[1].boards.items()
    return next(
        (at, power) for at, board in boards for power, seat in board.seats.items() if seat.person == 1
    )


def late_twice(event: Event) -> EventAct:
    at, power = twofold(event)
    return SeatLatecomer(1, at, power, 14, 2, LATER)


def stranger(event: Event) -> Event:
    """With one more person, who is not there."""
    return done(event, AddPerson(EventPerson("Late Arrival")))


def fallen() -> Event:
    return done(playing(), RemoveBoard(1, 2))


def second_draw() -> EventAct:
    board = playing().rounds[1].boards[2]
    return DrawRound(1, {2: board}, DrawRecord("again"), kept=(1,))


def vote(*then: EventAct) -> Event:
    return done(playing(), ASKED, *then)


def assert_said(error: TalleyrandError) -> None:
    for sentence in tournament_sentences.tournament_refusal(error).values():
        assert sentence.endswith(".")
        assert error.code not in sentence, "no sentence of its own"
        assert "{" not in sentence
