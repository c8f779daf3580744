"""The papers of a round: a card for each board, slips, sheets for results, who plays where."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from talleyrand.printing import order_sheets
from talleyrand.printing.order_sheets import OrderSheet
from talleyrand.tournament import board_rules, regulations, round_timing, script_card, seat_draw
from talleyrand.tournament.model import FIRST_YEAR, ByeReason, Event, EventBoard
from talleyrand.web.boards import display_names
from talleyrand.web.boards.paper_downloads import paper_pdf_response
from talleyrand.web.tournaments import tournament_context
from talleyrand.web.tournaments.tournament_viewer import TournamentViewer

from . import paper_texts, visible_event
from .paper_pdf import paper_response

LONG = 42  # letters of a name and a club that stand on a line of a card
ALONE = 30  # names that stand below each other
LEAF = 74  # names of a page in two columns


@never_cache
@require_safe
def board_cards_pdf(request: HttpRequest, key: str, number: int) -> HttpResponse:
    """A card that stands on each board: its powers and who plays them, its last year, its clock."""
    sight = _desk(request, key, number)
    return paper_response(
        request, "cards", _round(sight.event, number), _name(sight, _("board-cards"), number)
    )


@never_cache
@require_safe
def order_slips_pdf(request: HttpRequest, key: str, number: int) -> HttpResponse:
    """Slips for orders, four a page, a page for each seat that somebody plays."""
    sight = _desk(request, key, number)
    event, boards = sight.event, _round(sight.event, number)["boards"]
    played = [(board, seat) for board in boards for seat in board["seats"] if seat["player"]]
    title = _("%(event)s: order sheets of round %(number)s") % {"event": event.name, "number": number}
    html = order_sheets.order_slips_html(
        (_slip(board, seat, number) for board, seat in played), title, display_names.reader_language()
    )
    return paper_pdf_response(request, html, _name(sight, _("order-slips"), number), filled_forms=True)


def _slip(board: dict[str, Any], seat: dict[str, Any], number: int) -> OrderSheet:
    at, told = _("Board %(number)s") % board, _("round %(number)s") % {"number": number}
    return OrderSheet(seat["power"], seat["colour"], f"{at} · {seat['player']} · {told}")


@never_cache
@require_safe
def result_sheets_pdf(request: HttpRequest, key: str, number: int) -> HttpResponse:
    """A sheet for each board on which its result is written and signed."""
    sight = _desk(request, key, number)
    return paper_response(
        request, "sheets", _round(sight.event, number), _name(sight, _("result-sheets"), number)
    )


@never_cache
@require_safe
def draw_pdf(request: HttpRequest, key: str, number: int) -> HttpResponse:
    """Who plays where: by name, then by board; public once the draw is."""
    sight = tournament_context.tournament_viewer_of_page(request, key)
    event = visible_event.visible_event(sight)
    if number not in event.rounds or not event.rounds[number].boards:
        raise Http404
    context = {**_round(event, number), **_lists(event, number)}
    return paper_response(request, "draw", context, _name(sight, _("draw"), number))


@never_cache
@require_safe
def script_card_pdf(request: HttpRequest, key: str, number: int) -> HttpResponse:
    """The card of what plays by its script, for the boards of a round."""
    sight = _desk(request, key, number)
    tables = sight.event.rounds[number].boards.values()
    variants = sorted({board.variant for board in tables if _scripted(board)})
    if not variants:
        raise Http404
    context = {"event": sight.event, "cards": [_card(variant) for variant in variants]}
    return paper_response(request, "script", context, _name(sight, _("script"), number))


def _card(variant: str) -> dict[str, Any]:
    code = board_rules.scripted_powers(variant)[0]
    parts = script_card.script_card(variant, display_names.reader_language())
    return {
        "power": paper_texts.power_name(code),
        "colour": paper_texts.print_colour(code),
        "seasons": [part for part in parts if part.title],
        "remarks": [line for part in parts if not part.title for line in part.lines],
    }


def _desk(request: HttpRequest, key: str, number: int) -> TournamentViewer:
    """The desk, where the round has boards."""
    sight = tournament_context.tournament_viewer_at_desk(request, key)
    if number not in sight.event.rounds or not sight.event.rounds[number].boards:
        raise Http404
    return sight


def _name(sight: TournamentViewer, what: str, number: int) -> str:
    return f"{slugify(sight.event.name) or 'tournament'}-{what}-{number}"


def _round(event: Event, number: int) -> dict[str, Any]:
    one = event.rounds[number]
    rule = round_timing.round_rule(regulations.read_regulations(event.regulations), number)
    return {
        "event": event,
        "number": number,
        "days": paper_texts.event_days_text(event),
        "starts": paper_texts.dated_time(event, one.starts),
        "hours": {
            "spring": paper_texts.minutes_text(rule.hours.spring),
            "autumn": paper_texts.minutes_text(rule.hours.autumn),
            "writing": paper_texts.minutes_text(rule.hours.writing),
        },
        "boards": [_board(event, number, at, board) for at, board in sorted(one.boards.items())],
    }


def _board(event: Event, number: int, at: int, board: EventBoard) -> dict[str, Any]:
    last = round_timing.last_year(event, number, board)
    return {
        "number": at,
        "name": paper_texts.board_name(at, board),
        "final": board.final,
        "variant": paper_texts.variant_name(board),
        "place": board.place,
        "last_year": last,
        "years": range(FIRST_YEAR, last + 1),
        "centres": board_rules.centre_count(board.variant),
        "solo": board_rules.solo_centres(board.variant),
        "seats": [_seat(event, board, power) for power in board.seats],
        "recorders": [
            paper_texts.name_of(event, who)
            for who in paper_texts.alphabetical(
                event, seat_draw.recorders(event).intersection(board_rules.first_players(board))
            )
        ],
        "scripted": [paper_texts.power_name(code) for code in _scripted(board)],
    }


def _scripted(board: EventBoard) -> list[str]:
    return [
        code for code in board_rules.scripted_powers(board.variant) if code in board_rules.empty_powers(board)
    ]


def _seat(event: Event, board: EventBoard, power: str) -> dict[str, Any]:
    seat = board.seats[power]
    known = event.people.get(seat.person) if seat.person is not None else None
    return {
        "power": paper_texts.power_name(power),
        "colour": paper_texts.print_colour(power),
        "player": known.name if known else "",
        "club": known.club if known else "",
        "long": known is not None and len(known.name) + len(known.club) > LONG,
        "reliefs": [paper_texts.name_of(event, relief.person) for relief in seat.reliefs],
        "nobody": _nobody(board, power) if known is None else "",
    }


def _nobody(board: EventBoard, power: str) -> str:
    return _("follows its script") if power in _scripted(board) else _("in civil disorder")


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
    order = {
        who: rank for rank, who in enumerate(paper_texts.alphabetical(event, {who for who, *_ in seats}))
    }
    return [
        {
            "name": paper_texts.name_of(event, who),
            "board": at,
            "final": board.final,
            "place": board.place,
            "power": paper_texts.power_name(power),
            "colour": paper_texts.print_colour(power),
        }
        for who, at, board, power in sorted(seats, key=lambda seat: (order[seat[0]], seat[1]))
    ]


def _resting(event: Event, number: int) -> list[dict[str, str]]:
    resting = event.rounds[number].resting
    return [
        {"name": paper_texts.name_of(event, who), "why": _why(resting[who].why)}
        for who in paper_texts.alphabetical(event, resting)
    ]


def _why(why: ByeReason) -> str:
    told = {
        ByeReason.ORGANISATION: _("sits out to help the organisers"),
        ByeReason.LOT: _("sits out (drawn at random)"),
        ByeReason.DIRECTOR: _("sits out at the director’s request"),
        ByeReason.OWN: _("asked to sit out"),
        ByeReason.LATE: _("arrived when the boards were full"),
    }
    return told[why]
