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
from talleyrand.tournament.board_rules import scripted_powers, seat_players
from talleyrand.tournament.exports.played_seats import last_public_round
from talleyrand.tournament.model import Event, EventBoard, EventRound, RoundState
from talleyrand.tournament.public_view import SHOWN_STATES
from talleyrand.tournament.whole_numbers import parse_natural
from talleyrand.web.boards.score_texts import points_text
from talleyrand.web.common import absolute_urls, qr_codes
from talleyrand.web.tournaments import access_tokens, cached_standings, event_times, tournament_names
from talleyrand.web.tournaments.tournament_names import alphabetical
from talleyrand.web.tournaments.tournament_viewer import TournamentViewer

from . import projector_clocks
from .screen_rotation import ScreenRotation

ScreenContext = dict[str, Any]
LIVELY = (RoundState.PLAYING, RoundState.DRAFT, RoundState.OPEN)


def shown_round(event: Event, asked: str = "") -> int:
    """The round that is asked for, else the one that concerns the room now; 0 where there is none."""
    number = parse_natural(asked)
    if number is not None and number in event.rounds:
        return number
    found = [at for at, one in event.rounds.items() if one.state in LIVELY and not one.cancelled]
    over = [at for at, one in event.rounds.items() if one.state is RoundState.CLOSED]
    return next(iter(found), max(over, default=min(event.rounds, default=0)))


def clock_screen_context(
    sight: TournamentViewer, tour: ScreenRotation, _request: HttpRequest
) -> ScreenContext:
    """The one clock of a round, and those of boards that have their own."""
    if not tour.round:
        return {"faces": []}
    return {"faces": projector_clocks.projector_clocks(sight.visible_event, tour.round, timezone.now())}


def draw_context(sight: TournamentViewer, tour: ScreenRotation, _request: HttpRequest) -> ScreenContext:
    """Who plays what where, by name and by board."""
    one = _round(sight, tour)
    if one is None or one.state not in SHOWN_STATES:
        return {"boards": [], "people": []}
    boards = [_table(sight.visible_event, at, board) for at, board in sorted(one.boards.items())]
    resting = [sight.visible_event.people[who].name for who in alphabetical(sight.visible_event, one.resting)]
    return {"boards": boards, "people": list(_by_name(sight.visible_event, one)), "resting": resting}


def _table(event: Event, at: int, board: EventBoard) -> ScreenContext:
    seats = [
        {
            **_power_context(board, code),
            "people": [event.people[who].name for who in seat_players(seat)],
            "scripted": seat.person is None and code in scripted_powers(board.variant),
        }
        for code, seat in board.seats.items()
    ]
    return {"number": at, "place": board.place, "final": board.final, "seats": seats}


def _power_context(board: EventBoard, code: str) -> ScreenContext:
    return {
        "power": tournament_names.power_name(code, board.variant),
        "colour": tournament_names.power_colour(code, board.variant),
    }


def _by_name(event: Event, one: EventRound) -> Iterator[ScreenContext]:
    found: dict[int, list[ScreenContext]] = {}
    for at, board in sorted(one.boards.items()):
        for code, seat in board.seats.items():
            told = {"board": at, **_power_context(board, code)}
            for who in seat_players(seat):
                found.setdefault(who, []).append(told)
    for who in alphabetical(event, found):
        yield {"name": event.people[who].name, "seats": found[who]}


def arrivals_context(sight: TournamentViewer, tour: ScreenRotation, _request: HttpRequest) -> ScreenContext:
    """Who has signed up for a round and is not there yet."""
    one, event = _round(sight, tour), sight.visible_event
    if one is None:
        return {"missing": [], "present": 0, "expected": 0}
    signed = {at for at, known in event.people.items() if tour.round in known.rounds and not known.gone}
    missing = [event.people[who].name for who in alphabetical(event, signed - one.present.keys())]
    return {
        "missing": missing,
        "present": len(one.present),
        "expected": len(signed | one.present.keys()),
        "starts": event_times.hour_text(event, one.starts),
        "state": str(one.state),
    }


def standings_context(sight: TournamentViewer, _tour: ScreenRotation, _request: HttpRequest) -> ScreenContext:
    """The standings up to the first round whose points are hidden."""
    event = sight.event
    found = cached_standings.standings_of(
        sight.tournament, last_public_round(event), provisional=event.live
    ).standings
    if found is None:
        return {"lines": [], "rounds": []}
    rounds = sorted({game.round for game in found.games})
    lines = [_line(event, line, rounds) for line in found.lines]
    return {"lines": lines, "rounds": rounds, "provisional": found.provisional}


def _line(event: Event, line: standings.PersonStanding, rounds: list[int]) -> ScreenContext:
    by_round = {entry.round: points_text(entry.points) for entry in line.entries if entry.counted}
    return {
        "place": line.place,
        "name": event.people[line.person].name,
        "total": points_text(line.total),
        "rounds": [by_round.get(number, "") for number in rounds],
    }


def rulings_context(sight: TournamentViewer, _tour: ScreenRotation, _request: HttpRequest) -> ScreenContext:
    """What the director has ruled, and shows: the last first."""
    event = sight.visible_event
    found = sorted(event.rulings.items(), reverse=True)
    return {"rulings": [_ruling(event, one.at, one.text, one.round, one.board) for _at, one in found]}


def _ruling(event: Event, at: str, text: str, number: int, board: int) -> ScreenContext:
    told = {"hour": event_times.hour_text(event, at), "text": text, "round": number, "board": board}
    return told | {"where": _where(number, board)}


def _where(number: int, board: int) -> str:
    if board:
        return _("Round %(round)s, board %(board)s") % {"round": number, "board": board}
    return tournament_names.round_name(number) if number else ""


def check_in_context(sight: TournamentViewer, _tour: ScreenRotation, request: HttpRequest) -> ScreenContext:
    """The way in for phones: a square, an address to type, and the code of the room."""
    code = access_tokens.room_code(sight.tournament)
    path = reverse("tournaments:join", args=[sight.tournament.key])
    address = absolute_urls.absolute_url(request, path)
    return {
        "code": code,
        "address": address,
        "bare": address.partition("://")[2],
        "square": qr_codes.qr_svg(
            f"{address}?{urlencode({'code': code})}", _("QR code: check in on your phone")
        ),
    }


SCREEN_CONTENTS: dict[str, Callable[[TournamentViewer, ScreenRotation, HttpRequest], ScreenContext]] = {
    "clock": clock_screen_context,
    "draw": draw_context,
    "arrivals": arrivals_context,
    "standings": standings_context,
    "rulings": rulings_context,
    "door": check_in_context,
}


def _round(sight: TournamentViewer, tour: ScreenRotation) -> EventRound | None:
    return sight.visible_event.rounds.get(tour.round)
