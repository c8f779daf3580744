"""The ranking and every result on paper, with where each figure comes from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
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
from talleyrand.messages.scores import score_line
from talleyrand.messages.tournament import working
from talleyrand.tournament import boards
from talleyrand.tournament.exports import played
from talleyrand.tournament.exports.words import decimal
from talleyrand.tournament.model import Event
from talleyrand.tournament.standings import Entry, Standing, Standings, Step
from talleyrand.web import errors
from talleyrand.web.boards import wording
from talleyrand.web.tournaments import frame
from talleyrand.web.tournaments.sight import Sight

from . import looking, words
from .printing import answered

MOST = 100  # people whose working is printed: with more, paper takes minutes and nobody reads it


class Paper(Protocol):
    """A paper made from an event and its standings."""

    def __call__(self, request: HttpRequest, sight: Sight, event: Event, held: Standings, /) -> HttpResponse:
        """The answer."""


def reckoned(paper: Paper) -> Any:
    """The paper, or a page that says why there are no standings."""

    @never_cache
    @require_safe
    @wraps(paper)
    def view(request: HttpRequest, key: str) -> HttpResponse:
        sight = frame.entered(request, key)
        try:
            held = looking.standings_of(sight)
        except TalleyrandError as problem:
            return errors.page(request, 409, _("No standings"), words.refusal(problem))
        return paper(request, sight, looking.event_of(sight), held)

    return view


@reckoned
def standings(request: HttpRequest, sight: Sight, event: Event, held: Standings) -> HttpResponse:
    """The ranking on a wall: a line for each person."""
    context = {**_shared(event, held), "wide": len(_rounds(held)) > 5}
    return answered(request, "standings", context, name(sight, _("standings")))


@reckoned
def results(request: HttpRequest, sight: Sight, event: Event, held: Standings) -> HttpResponse:
    """Everything: ranking, boards of all rounds, and each person's working line by line."""
    context = {
        **_shared(event, held),
        "played": _played(event, held),
        "workings": [_working(event, line) for line in held.lines] if len(held.lines) <= MOST else [],
        "many": len(held.lines) > MOST,
    }
    return answered(request, "results", context, name(sight, _("results")))


def name(sight: Sight, what: str) -> str:
    """What a paper of the whole event is called."""
    return f"{slugify(sight.tournament.name) or 'tournament'}-{what}"


def _shared(event: Event, held: Standings) -> dict[str, Any]:
    rounds = _rounds(held)
    return {
        "event": event,
        "days": words.days(event),
        "place": event.announcement.place,
        "through": held.through,
        "of": len(event.rounds),
        "rounds": rounds,
        "lines": [_line(event, line, rounds) for line in held.lines],
        "faults": [(fault.round, fault.board) for fault in held.faults],
    }


def _rounds(held: Standings) -> list[int]:
    return sorted({entry.round for line in held.lines for entry in line.entries})


def _line(event: Event, line: Standing, rounds: Iterable[int]) -> dict[str, Any]:
    known = event.people[line.person]
    return {
        "place": line.place,
        "name": known.name,
        "club": known.club,
        "points": [_points(line, number) for number in rounds],
        "total": _figure(line.total),
    }


def _points(line: Standing, number: int) -> str:
    counted = [entry.points for entry in line.entries if entry.round == number and entry.counted]
    return _figure(sum(counted, Fraction(0))) if counted else ""


def _figure(value: Fraction) -> str:
    return decimal(wording.language(), value)


def _played(event: Event, held: Standings) -> list[dict[str, Any]]:
    return [
        {"number": number, "pairs": _pairs(event, sat)}
        for number, sat in groupby(played.seats(event, held), key=lambda one: one.round)
    ]


def _pairs(event: Event, seats: Iterable[played.Sat]) -> list[list[dict[str, Any]]]:
    """The boards of a round, two beside each other: columns that balance take a printer minutes."""
    boards = [_board(event, list(sat)) for _at, sat in groupby(seats, key=lambda one: one.number)]
    return [boards[at : at + 2] for at in range(0, len(boards), 2)]


def _board(event: Event, seats: list[played.Sat]) -> dict[str, Any]:
    first = seats[0]
    return {
        "name": words.board_name(first.number, first.board),
        "variant": words.variant_name(first.board),
        "seats": [_seat(event, sat) for sat in seats],
    }


def _seat(event: Event, sat: played.Sat) -> dict[str, Any]:
    return {
        "power": words.power(sat.power),
        "colour": words.colour(sat.power),
        "player": words.name_of(event, sat.owner),
        "scripted": sat.seat.person is None and sat.power in boards.scripted_of(sat.board.variant),
        "centres": sat.centres,
        "out": played.year_of_elimination(event, sat),
        "raw": "" if sat.raw is None else _figure(sat.raw),
    }


def _working(event: Event, line: Standing) -> dict[str, Any]:
    names = {str(number): known.name for number, known in event.people.items()}
    return {
        "place": line.place,
        "name": event.people[line.person].name,
        "total": _figure(line.total),
        "entries": [_entry(entry, names) for entry in line.entries],
        "steps": _steps(line.steps, names),
    }


def _entry(entry: Entry, names: dict[str, str]) -> dict[str, Any]:
    scored = [score_line(one.kind, _named(one.facts))[wording.language()] for one in entry.working]
    return {
        "round": entry.round,
        "board": entry.board,
        "power": words.power(entry.power) if entry.power else "",
        "scored": " ".join(scored),
        "steps": _steps(entry.steps, names),
        "points": _figure(entry.points) if entry.counted else "",
    }


def _named(facts: Mapping[str, str | Fraction]) -> dict[str, str | Fraction]:
    """Facts of a score with powers by their names."""
    return {key: words.power(told) if isinstance(told, str) else told for key, told in facts.items()}


def _steps(steps: Iterable[Step], names: dict[str, str]) -> list[dict[str, str]]:
    return [
        {"said": working(step, names)[wording.language()], "points": _figure(step.points)} for step in steps
    ]
