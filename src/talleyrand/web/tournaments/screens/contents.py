"""What each screen shows: made from the event as all may see it, for a room looks at it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from talleyrand.tournament import standings
from talleyrand.tournament.boards import sat, scripted_of
from talleyrand.tournament.model import Board, Event, Round, RoundState
from talleyrand.tournament.numbers import natural
from talleyrand.tournament.public import SHOWN
from talleyrand.web import addresses, qr
from talleyrand.web.tournaments import hours, naming, passes, ranked
from talleyrand.web.tournaments.naming import in_order, points
from talleyrand.web.tournaments.sight import Sight

from . import clocks
from .tours import Tour

Shown = dict[str, Any]
LIVELY = (RoundState.PLAYING, RoundState.DRAFT, RoundState.OPEN)


def round_of(event: Event, asked: str = "") -> int:
    """The round that is asked for, else the one that concerns the room now; 0 where there is none."""
    number = natural(asked)
    if number is not None and number in event.rounds:
        return number
    found = [at for at, one in event.rounds.items() if one.state in LIVELY and not one.cancelled]
    over = [at for at, one in event.rounds.items() if one.state is RoundState.CLOSED]
    return next(iter(found), max(over, default=min(event.rounds, default=0)))


def clock(sight: Sight, tour: Tour, _request: HttpRequest) -> Shown:
    """The one clock of a round, and those of boards that have their own."""
    if not tour.round:
        return {"faces": []}
    return {"faces": clocks.faces(sight.shown, tour.round, timezone.now())}


def draw(sight: Sight, tour: Tour, _request: HttpRequest) -> Shown:
    """Who plays what where, by name and by board."""
    one = _round(sight, tour)
    if one is None or one.state not in SHOWN:
        return {"boards": [], "people": []}
    boards = [_table(sight.shown, at, board) for at, board in sorted(one.boards.items())]
    resting = [sight.shown.people[who].name for who in in_order(sight.shown, one.resting)]
    return {"boards": boards, "people": list(_by_name(sight.shown, one)), "resting": resting}


def _table(event: Event, at: int, board: Board) -> Shown:
    seats = [
        {
            **_named(board, code),
            "people": [event.people[who].name for who in sat(seat)],
            "scripted": seat.person is None and code in scripted_of(board.variant),
        }
        for code, seat in board.seats.items()
    ]
    return {"number": at, "place": board.place, "final": board.final, "seats": seats}


def _named(board: Board, code: str) -> Shown:
    return {"power": naming.power(code, board.variant), "colour": naming.colour(code, board.variant)}


def _by_name(event: Event, one: Round) -> Iterator[Shown]:
    found: dict[int, list[Shown]] = {}
    for at, board in sorted(one.boards.items()):
        for code, seat in board.seats.items():
            told = {"board": at, **_named(board, code)}
            for who in sat(seat):
                found.setdefault(who, []).append(told)
    for who in in_order(event, found):
        yield {"name": event.people[who].name, "seats": found[who]}


def arrivals(sight: Sight, tour: Tour, _request: HttpRequest) -> Shown:
    """Who has signed up for a round and is not there yet."""
    one, event = _round(sight, tour), sight.shown
    if one is None:
        return {"missing": [], "present": 0, "expected": 0}
    signed = {at for at, known in event.people.items() if tour.round in known.rounds and not known.gone}
    missing = [event.people[who].name for who in in_order(event, signed - one.present.keys())]
    return {
        "missing": missing,
        "present": len(one.present),
        "expected": len(signed | one.present.keys()),
        "starts": hours.hour(event, one.starts),
        "state": str(one.state),
    }


def ranking(sight: Sight, _tour: Tour, _request: HttpRequest) -> Shown:
    """The standings up to the first round whose points are hidden."""
    event = sight.event
    found = ranked.of(sight.tournament, ranked.latest(event), provisional=event.live).standings
    if found is None:
        return {"lines": [], "rounds": []}
    rounds = sorted({game.round for game in found.games})
    lines = [_line(event, line, rounds) for line in found.lines]
    return {"lines": lines, "rounds": rounds, "provisional": found.provisional}


def _line(event: Event, line: standings.Standing, rounds: list[int]) -> Shown:
    by_round = {entry.round: points(entry.points) for entry in line.entries if entry.counted}
    return {
        "place": line.place,
        "name": event.people[line.person].name,
        "total": points(line.total),
        "rounds": [by_round.get(number, "") for number in rounds],
    }


def rulings(sight: Sight, _tour: Tour, _request: HttpRequest) -> Shown:
    """What the director has ruled, and shows: the last first."""
    event = sight.shown
    found = sorted(event.rulings.items(), reverse=True)
    return {"rulings": [_ruling(event, one.at, one.text, one.round, one.board) for _at, one in found]}


def _ruling(event: Event, at: str, text: str, number: int, board: int) -> Shown:
    told = {"hour": hours.hour(event, at), "text": text, "round": number, "board": board}
    return told | {"where": _where(number, board)}


def _where(number: int, board: int) -> str:
    if board:
        return _("Round %(round)s, board %(board)s") % {"round": number, "board": board}
    return naming.round_name(number) if number else ""


def door(sight: Sight, _tour: Tour, request: HttpRequest) -> Shown:
    """The way in for phones: a square, an address to type, and the code of the room."""
    code = passes.room_code(sight.tournament)
    path = reverse("tournaments:join", args=[sight.tournament.key])
    address = addresses.absolute(request, path)
    return {
        "code": code,
        "address": address,
        "bare": address.partition("://")[2],
        "square": qr.svg(f"{address}?{urlencode({'code': code})}", _("QR code: check in on your phone")),
    }


CONTENTS: dict[str, Callable[[Sight, Tour, HttpRequest], Shown]] = {
    "clock": clock,
    "draw": draw,
    "arrivals": arrivals,
    "standings": ranking,
    "rulings": rulings,
    "door": door,
}


def _round(sight: Sight, tour: Tour) -> Round | None:
    return sight.shown.rounds.get(tour.round)
