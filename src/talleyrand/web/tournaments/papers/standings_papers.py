"""The ranking and every result on paper, with where each figure comes from."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import wraps
from itertools import groupby
from typing import Any, Protocol

from django.http import HttpRequest, HttpResponse
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from talleyrand.engine.errors import TalleyrandError
from talleyrand.tournament import board_rules
from talleyrand.tournament.exports import played_seats
from talleyrand.tournament.exports.event_tables import localised_decimal
from talleyrand.tournament.model import Event
from talleyrand.tournament.standings import PersonStanding, StandingEntry, Standings
from talleyrand.web.boards import display_names
from talleyrand.web.common import error_pages
from talleyrand.web.tournaments import points_breakdown, tournament_context
from talleyrand.web.tournaments.tournament_viewer import TournamentViewer

from . import paper_texts, visible_event
from .paper_pdf import paper_response

MOST_WITH_WORKING = 100  # people whose working is printed: with more, paper takes minutes and nobody reads it


class PaperView(Protocol):
    """A paper made from an event and its standings."""

    def __call__(
        self, request: HttpRequest, sight: TournamentViewer, event: Event, held: Standings, /
    ) -> HttpResponse:
        """The answer."""


def with_standings(paper: PaperView) -> Any:
    """The paper, or a page that says why there are no standings."""

    @never_cache
    @require_safe
    @wraps(paper)
    def view(request: HttpRequest, key: str) -> HttpResponse:
        sight = tournament_context.tournament_viewer_of_page(request, key)
        try:
            held = visible_event.visible_standings_of(sight)
        except TalleyrandError as problem:
            return error_pages.error_page(request, 409, _("No standings"), paper_texts.refusal_text(problem))
        return paper(request, sight, visible_event.visible_event(sight), held)

    return view


@with_standings
def standings_pdf(
    request: HttpRequest, sight: TournamentViewer, event: Event, held: Standings
) -> HttpResponse:
    """The ranking on a wall: a line for each person."""
    context = {**_shared(event, held), "wide": len(_rounds(held)) > 5}
    return paper_response(request, "standings", context, paper_name(sight, _("standings")))


@with_standings
def results_pdf(request: HttpRequest, sight: TournamentViewer, event: Event, held: Standings) -> HttpResponse:
    """Everything: ranking, boards of all rounds, and each person's working line by line."""
    context = {
        **_shared(event, held),
        "played": _played(event, held),
        "workings": [_working(event, line) for line in held.lines]
        if len(held.lines) <= MOST_WITH_WORKING
        else [],
        "many": len(held.lines) > MOST_WITH_WORKING,
    }
    return paper_response(request, "results", context, paper_name(sight, _("results")))


def paper_name(sight: TournamentViewer, what: str) -> str:
    """What a paper of the whole event is called."""
    return f"{slugify(sight.tournament.name) or 'tournament'}-{what}"


def _shared(event: Event, held: Standings) -> dict[str, Any]:
    rounds = _rounds(held)
    return {
        "event": event,
        "days": paper_texts.event_days_text(event),
        "place": event.announcement.place,
        "through": held.through,
        "of": len(event.rounds),
        "rounds": rounds,
        "lines": [_line(event, line, rounds) for line in held.lines],
        "faults": [(fault.round, fault.board) for fault in held.faults],
    }


def _rounds(held: Standings) -> list[int]:
    return sorted({entry.round for line in held.lines for entry in line.entries})


def _line(event: Event, line: PersonStanding, rounds: Iterable[int]) -> dict[str, Any]:
    known = event.people[line.person]
    return {
        "place": line.place,
        "name": known.name,
        "club": known.club,
        "points": [_points(line, number) for number in rounds],
        "total": _figure(line.total),
    }


def _points(line: PersonStanding, number: int) -> str:
    counted = [entry.points for entry in line.entries if entry.round == number and entry.counted]
    return _figure(sum(counted, Fraction(0))) if counted else ""


def _figure(value: Fraction) -> str:
    return localised_decimal(display_names.reader_language(), value)


def _played(event: Event, held: Standings) -> list[dict[str, Any]]:
    return [
        {"number": number, "pairs": _pairs(event, sat)}
        for number, sat in groupby(played_seats.played_seats(event, held), key=lambda one: one.round)
    ]


def _pairs(event: Event, seats: Iterable[played_seats.PlayedSeat]) -> list[list[dict[str, Any]]]:
    """The boards of a round, two beside each other: columns that balance take a printer minutes."""
    boards = [_board(event, list(sat)) for _at, sat in groupby(seats, key=lambda one: one.number)]
    return [boards[at : at + 2] for at in range(0, len(boards), 2)]


def _board(event: Event, seats: list[played_seats.PlayedSeat]) -> dict[str, Any]:
    first = seats[0]
    return {
        "name": paper_texts.board_name(first.number, first.board),
        "variant": paper_texts.variant_name(first.board),
        "seats": [_seat(event, sat) for sat in seats],
    }


def _seat(event: Event, sat: played_seats.PlayedSeat) -> dict[str, Any]:
    return {
        "power": paper_texts.power_name(sat.power),
        "colour": paper_texts.print_colour(sat.power),
        "player": paper_texts.name_of(event, sat.owner),
        "scripted": sat.seat.person is None and sat.power in board_rules.scripted_powers(sat.board.variant),
        "centres": sat.centres,
        "out": played_seats.elimination_year(event, sat),
        "raw": "" if sat.raw is None else _figure(sat.raw),
    }


def _working(event: Event, line: PersonStanding) -> dict[str, Any]:
    names = {str(number): known.name for number, known in event.people.items()}
    return {
        "place": line.place,
        "name": event.people[line.person].name,
        "total": _figure(line.total),
        "entries": [_entry(entry, names) for entry in line.entries],
        "steps": points_breakdown.step_lines(line.steps, names),
    }


def _entry(entry: StandingEntry, names: dict[str, str]) -> dict[str, Any]:
    return {
        "round": entry.round,
        "board": entry.board,
        "power": paper_texts.power_name(entry.power) if entry.power else "",
        "scored": " ".join(line.sentence for line in points_breakdown.game_lines(entry.working)),
        "steps": points_breakdown.step_lines(entry.steps, names),
        "points": _figure(entry.points) if entry.counted else "",
    }
