"""Rounds: who plays where, by board and by name; and one board with all that its players do there."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone

from talleyrand.tournament import timing
from talleyrand.tournament.acts.results import digest
from talleyrand.tournament.boards import sat
from talleyrand.tournament.model import Board, Ended, Event, RoundState
from talleyrand.tournament.numbers import natural
from talleyrand.tournament.public import powers_of
from talleyrand.web.tournaments import gamed, photos, yearly
from talleyrand.web.tournaments.models import secret
from talleyrand.web.tournaments.sight import Sight

from . import ballots, ranking, regulating, result_form, showing, visiting, votes, words
from .clocks import ticking
from .fragments import fragment


@visiting.page
def rounds(request: HttpRequest, sight: Sight) -> HttpResponse:
    """Every round: when, and where it is."""
    event = sight.shown
    context = visiting.context(
        sight,
        "rounds",
        lines=[(line, event.rounds[line.number]) for line in regulating.round_lines(event)],
    )
    return render(request, "tournaments/hall/rounds.html", context)


@visiting.page
def round_(request: HttpRequest, sight: Sight, number: int) -> HttpResponse:
    """The seats of a round once they are published; before, who is there."""
    event = sight.shown
    if number not in event.rounds:
        raise Http404
    one = event.rounds[number]
    context = visiting.context(
        sight,
        "rounds",
        number=number,
        one=one,
        line=next(line for line in regulating.round_lines(event) if line.number == number),
        shown=showing.is_shown(one),
        mine=[table for table in showing.tables(event, number, sight.number) if table.mine],
        seats=fragment(sight, "seats.html", lambda all_: _seats(all_, number), number),
        present=[event.people[who].name for who in words.in_order(event, one.present)],
        expected=_expected(event, number),
        resting=[event.people[who].name for who in words.in_order(event, one.resting)],
        clock=ticking(event, number, timezone.now()),
    )
    return render(request, "tournaments/hall/round.html", context)


def _seats(event: Event, number: int) -> dict[str, Any]:
    return {
        "number": number,
        "tables": showing.tables(event, number),
        "by_name": _by_name(event, number),
    }


def _by_name(event: Event, number: int) -> list[dict[str, Any]]:
    found: dict[int, list[tuple[int, str, str]]] = {}
    for at, held in event.rounds[number].boards.items():
        for power, seat in held.seats.items():
            for who in sat(seat):
                told = (at, words.power(power, held.variant), words.colour(power, held.variant))
                found.setdefault(who, []).append(told)
    return [
        {"number": who, "name": event.people[who].name, "seats": found[who]}
        for who in words.in_order(event, found)
    ]


def _expected(event: Event, number: int) -> list[str]:
    """Who signed up and is not there yet."""
    one = event.rounds[number]
    waited = [
        who
        for who, known in event.people.items()
        if number in known.rounds and not known.gone and who not in one.present
    ]
    return [event.people[who].name for who in words.in_order(event, waited)]


@visiting.page
def board(request: HttpRequest, sight: Sight, number: int, board: int) -> HttpResponse:
    """One board."""
    return show(request, sight, number, board)


def held_of(sight: Sight, number: int, at: int) -> Board:
    """A board as its visitor may see it; one of a draft, or none, does not exist."""
    if number not in sight.shown.rounds or at not in sight.shown.rounds[number].boards:
        raise Http404
    return sight.shown.rounds[number].boards[at]


def way(sight: Sight, number: int, at: int) -> str:
    """The path of a board's page."""
    return reverse("tournaments:board", args=[sight.tournament.key, number, at])


def show(
    request: HttpRequest, sight: Sight, number: int, at: int, refusal: str = "", part: str = ""
) -> HttpResponse:
    """A board's page; what was refused comes back as it was typed, in the `part` of the page where it was."""
    event, held = sight.shown, held_of(sight, number, at)
    mine = powers_of(held, sight.number)
    playing = event.rounds[number].state is RoundState.PLAYING
    typed = request.POST if request.method == "POST" and part == "result" else None
    context = visiting.context(
        sight,
        "rounds",
        number=number,
        at=at,
        table=showing.table(event, number, at, sight.number),
        result=held.result,
        ended=_ended(held),
        refusal=refusal,
        part=part,
        submission=secret(),
        mine=mine,
        playing=playing,
        clock=ticking(event, number, timezone.now(), held),
        last_year=timing.last_year(event, number, held),
        sheet=result_form.sheet(event, number, at, typed) if mine and playing else None,
        sheet_open=part == "result",
        endings=ways_to_end(),
        digest=digest(held.result) if held.result else "",
        may_confirm=_may_confirm(held, sight.number),
        by=_by(event, held),
        game_over=bool(mine) and playing and held.result is None and gamed.is_over(held),
        voting=_voting(sight, number, at) if mine and playing else None,
        ballot=ballots.panel(sight, number, at, request.POST if part == "ballot" else None) if mine else None,
        scores=ranking.scores_of(sight, number, at),
        farthest=_farthest(held, mine, event) if playing else [],
        **photos.panel(sight, number, at),
        years=yearly.table(event, number, held),
        year_sheet=_year_sheet(request, held, part) if mine and playing and _open(held) else None,
    )
    return render(request, "tournaments/hall/board.html", context)


def _open(held: Board) -> bool:
    """Whether its players may still say how it went."""
    return held.result is None or not held.result.confirmed


def _year_sheet(request: HttpRequest, held: Board, part: str) -> yearly.Sheet:
    typed = request.POST if request.method == "POST" and part == "years" else None
    said = (lambda name: typed.get(name, "")) if typed is not None else None
    return yearly.sheet(held, said, request.GET.get("year", ""))


def _voting(sight: Sight, number: int, at: int) -> votes.Panel | None:
    """The votes of a board, where the regulations have any and there is something to see or to do."""
    if not regulating.rules_of(sight.event).votes:
        return None
    found = votes.panel(sight, number, at)
    return found if found.votes or found.may_ask else None


def _may_confirm(held: Board, me: int) -> bool:
    """Another of the board may: not who entered it."""
    result = held.result
    return result is not None and not result.confirmed and result.by != str(me) and bool(powers_of(held, me))


def _by(event: Event, held: Board) -> str:
    """Who entered the result; "" for the desk."""
    known = event.people.get(natural(held.result.by if held.result else "") or 0)
    return known.name if known else ""


def _ended(held: Board) -> str:
    return words.ended(held.result.ended) if held.result else ""


def _farthest(held: Board, mine: tuple[str, ...], event: Event) -> list[dict[str, str]]:
    """How far each of my powers went, once there is a result: told by its own player."""
    if held.result is None or not regulating.prizes_of(event, regulating.TRAVEL):
        return []
    reached = held.result.reached
    return [
        {
            "code": code,
            "power": words.power(code, held.variant),
            "place": words.province(reached[code], held.variant) if code in reached else "",
        }
        for code in mine
    ]


def ways_to_end() -> list[tuple[str, str]]:
    """How a game may have ended, for a form."""
    return [(one.value, words.ended(one)) for one in Ended]
