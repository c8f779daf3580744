"""The papers of a round: a card for each board, slips, sheets for results, who plays where."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from talleyrand.tournament import boards, drawing, regulations, script_card, timing
from talleyrand.tournament.model import FIRST_YEAR, Board, Event, Rested
from talleyrand.web.boards import wording
from talleyrand.web.tournaments import frame
from talleyrand.web.tournaments.sight import Sight

from . import looking, words
from .printing import answered

LONG = 42  # letters of a name and a club that stand on a line of a card
ALONE = 30  # names that stand below each other
LEAF = 74  # names of a page in two columns
LINES = 11  # of a slip, for orders


@never_cache
@require_safe
def cards(request: HttpRequest, key: str, number: int) -> HttpResponse:
    """A card that stands on each board: its powers and who plays them, its last year, its clock."""
    sight = _desk(request, key, number)
    return answered(request, "cards", _round(sight.event, number), _name(sight, _("board-cards"), number))


@never_cache
@require_safe
def slips(request: HttpRequest, key: str, number: int) -> HttpResponse:
    """Slips for orders, four a page, a page for each seat that somebody plays."""
    sight = _desk(request, key, number)
    context = {**_round(sight.event, number), "lines": range(LINES), "four": range(4)}
    return answered(request, "slips", context, _name(sight, _("order-slips"), number))


@never_cache
@require_safe
def sheets(request: HttpRequest, key: str, number: int) -> HttpResponse:
    """A sheet for each board on which its result is written and signed."""
    sight = _desk(request, key, number)
    return answered(request, "sheets", _round(sight.event, number), _name(sight, _("result-sheets"), number))


@never_cache
@require_safe
def draw(request: HttpRequest, key: str, number: int) -> HttpResponse:
    """Who plays where: by name, then by board; public once the draw is."""
    sight = frame.entered(request, key)
    event = looking.event_of(sight)
    if number not in event.rounds or not event.rounds[number].boards:
        raise Http404
    context = {**_round(event, number), **_lists(event, number)}
    return answered(request, "draw", context, _name(sight, _("draw"), number))


@never_cache
@require_safe
def script(request: HttpRequest, key: str, number: int) -> HttpResponse:
    """The card of what plays by its script, for the boards of a round."""
    sight = _desk(request, key, number)
    tables = sight.event.rounds[number].boards.values()
    variants = sorted({board.variant for board in tables if _scripted(board)})
    if not variants:
        raise Http404
    context = {"event": sight.event, "cards": [_card(variant) for variant in variants]}
    return answered(request, "script", context, _name(sight, _("script"), number))


def _card(variant: str) -> dict[str, Any]:
    code = boards.scripted_of(variant)[0]
    parts = script_card.card(variant, wording.language())
    return {
        "power": words.power(code),
        "colour": words.colour(code),
        "seasons": [part for part in parts if part.title],
        "remarks": [line for part in parts if not part.title for line in part.lines],
    }


def _desk(request: HttpRequest, key: str, number: int) -> Sight:
    """The desk, where the round has boards."""
    sight = frame.desk(request, key)
    if number not in sight.event.rounds or not sight.event.rounds[number].boards:
        raise Http404
    return sight


def _name(sight: Sight, what: str, number: int) -> str:
    return f"{slugify(sight.event.name) or 'tournament'}-{what}-{number}"


def _round(event: Event, number: int) -> dict[str, Any]:
    one = event.rounds[number]
    rule = timing.rule_of(regulations.read(event.regulations), number)
    return {
        "event": event,
        "number": number,
        "days": words.days(event),
        "starts": words.hour(event, one.starts),
        "hours": {
            "spring": words.minutes(rule.hours.spring),
            "autumn": words.minutes(rule.hours.autumn),
            "writing": words.minutes(rule.hours.writing),
        },
        "boards": [_board(event, number, at, board) for at, board in sorted(one.boards.items())],
    }


def _board(event: Event, number: int, at: int, board: Board) -> dict[str, Any]:
    last = timing.last_year(event, number, board)
    return {
        "number": at,
        "name": words.board_name(at, board),
        "final": board.final,
        "variant": words.variant_name(board),
        "place": board.place,
        "last_year": last,
        "years": range(FIRST_YEAR, last + 1),
        "centres": boards.centres_of(board.variant),
        "solo": boards.solo_of(board.variant),
        "seats": [_seat(event, board, power) for power in board.seats],
        "recorders": [
            words.name_of(event, who)
            for who in words.in_order(event, drawing.recorders(event).intersection(boards.seated(board)))
        ],
        "scripted": [words.power(code) for code in _scripted(board)],
    }


def _scripted(board: Board) -> list[str]:
    return [code for code in boards.scripted_of(board.variant) if code in boards.empty(board)]


def _seat(event: Event, board: Board, power: str) -> dict[str, Any]:
    seat = board.seats[power]
    known = event.people.get(seat.person) if seat.person is not None else None
    return {
        "power": words.power(power),
        "colour": words.colour(power),
        "player": known.name if known else "",
        "club": known.club if known else "",
        "long": known is not None and len(known.name) + len(known.club) > LONG,
        "reliefs": [words.name_of(event, relief.person) for relief in seat.reliefs],
        "nobody": _nobody(board, power) if known is None else "",
    }


def _nobody(board: Board, power: str) -> str:
    return _("plays by its script") if power in _scripted(board) else _("in civil disorder")


def _lists(event: Event, number: int) -> dict[str, Any]:
    """Who plays where: pages of names in one column or two; boards by twos."""
    people = _by_name(event, number)
    columns = 1 if len(people) <= ALONE else 2
    tables = _round(event, number)["boards"]
    return {
        "leaves": [_leaf(people[at : at + LEAF], columns) for at in range(0, len(people), LEAF)],
        "pairs": [tables[at : at + 2] for at in range(0, len(tables), 2)],
        "many": columns > 1,
        "resting": _resting(event, number),
    }


def _leaf(people: list[dict[str, Any]], columns: int) -> list[list[dict[str, Any]]]:
    """The rows of a page on which names go down one column, then down the next."""
    rows = -(-len(people) // columns)
    return [people[row::rows] for row in range(rows)]


def _by_name(event: Event, number: int) -> list[dict[str, Any]]:
    """Everybody who plays, each of his seats a line."""
    seats = [
        (seat.person, at, board, power)
        for at, board in event.rounds[number].boards.items()
        for power, seat in board.seats.items()
        if seat.person is not None
    ]
    order = {who: rank for rank, who in enumerate(words.in_order(event, {who for who, *_ in seats}))}
    return [
        {
            "name": words.name_of(event, who),
            "board": at,
            "final": board.final,
            "place": board.place,
            "power": words.power(power),
            "colour": words.colour(power),
        }
        for who, at, board, power in sorted(seats, key=lambda seat: (order[seat[0]], seat[1]))
    ]


def _resting(event: Event, number: int) -> list[dict[str, str]]:
    resting = event.rounds[number].resting
    return [
        {"name": words.name_of(event, who), "why": _why(resting[who].why)}
        for who in words.in_order(event, resting)
    ]


def _why(why: Rested) -> str:
    told = {
        Rested.ORGANISATION: _("stands down for the organisation"),
        Rested.LOT: _("drawn by lot to stand down"),
        Rested.DIRECTOR: _("stands down at the director’s request"),
        Rested.OWN: _("wished to stand down"),
        Rested.LATE: _("came when the boards were full"),
    }
    return told[why]
