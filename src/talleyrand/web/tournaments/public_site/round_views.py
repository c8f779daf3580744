"""Rounds: who plays where, by board and by name; and one board with all that its players do there."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone

from talleyrand.tournament import round_timing, traveller
from talleyrand.tournament.acts.result_acts import result_digest
from talleyrand.tournament.board_rules import seat_players
from talleyrand.tournament.model import Event, EventBoard, OnlineBoards, RoundState
from talleyrand.tournament.public_view import powers_played_by
from talleyrand.tournament.whole_numbers import parse_natural
from talleyrand.web.tournaments import (
    board_photos,
    board_tables,
    linked_game,
    result_form,
    supply_centre_chart,
    tournament_names,
)
from talleyrand.web.tournaments.models import random_token
from talleyrand.web.tournaments.tournament_viewer import TournamentViewer

from . import (
    end_vote_panels,
    player_actions,
    prize_ballots,
    public_boards,
    public_standings,
    public_texts,
    regulations_texts,
)
from .cached_fragments import cached_fragment
from .round_clocks import round_clock


@player_actions.public_page
def rounds_page(request: HttpRequest, sight: TournamentViewer) -> HttpResponse:
    """Every round: when, and where it is."""
    event = sight.visible_event
    context = player_actions.public_page_context(
        sight,
        "rounds",
        lines=[(line, event.rounds[line.number]) for line in regulations_texts.round_summaries(event)],
    )
    return render(request, "tournaments/public_site/rounds.html", context)


@player_actions.public_page
def round_page(request: HttpRequest, sight: TournamentViewer, number: int) -> HttpResponse:
    """The seats of a round once they are published; before, who is there."""
    event = sight.visible_event
    if number not in event.rounds:
        raise Http404
    one = event.rounds[number]
    context = player_actions.public_page_context(
        sight,
        "rounds",
        number=number,
        one=one,
        line=next(line for line in regulations_texts.round_summaries(event) if line.number == number),
        shown=public_boards.is_draw_public(one),
        mine=[
            table for table in public_boards.public_boards(event, number, sight.person_number) if table.mine
        ],
        seats=cached_fragment(sight, "seats.html", lambda all_: _seats(all_, number), number),
        present=[event.people[who].name for who in public_texts.alphabetical(event, one.present)],
        expected=_expected(event, number),
        resting=[event.people[who].name for who in public_texts.alphabetical(event, one.resting)],
        clock=round_clock(event, number, timezone.now()),
    )
    return render(request, "tournaments/public_site/round.html", context)


def _seats(event: Event, number: int) -> dict[str, Any]:
    return {
        "number": number,
        "tables": public_boards.public_boards(event, number),
        "by_name": _by_name(event, number),
    }


def _by_name(event: Event, number: int) -> list[dict[str, Any]]:
    found: dict[int, list[tuple[int, str, str]]] = {}
    for at, held in event.rounds[number].boards.items():
        for power, seat in held.seats.items():
            for who in seat_players(seat):
                told = (
                    at,
                    public_texts.power_name(power, held.variant),
                    public_texts.power_colour(power, held.variant),
                )
                found.setdefault(who, []).append(told)
    return [
        {"number": who, "name": event.people[who].name, "seats": found[who]}
        for who in public_texts.alphabetical(event, found)
    ]


def _expected(event: Event, number: int) -> list[str]:
    """Who signed up and is not there yet."""
    one = event.rounds[number]
    waited = [
        who
        for who, known in event.people.items()
        if number in known.rounds and not known.gone and who not in one.present
    ]
    return [event.people[who].name for who in public_texts.alphabetical(event, waited)]


@player_actions.public_page
def public_board_page(request: HttpRequest, sight: TournamentViewer, number: int, board: int) -> HttpResponse:
    """One board."""
    return render_board_page(request, sight, number, board)


def public_board_or_404(sight: TournamentViewer, number: int, at: int) -> EventBoard:
    """A board as its visitor may see it; one of a draft, or none, does not exist."""
    if number not in sight.visible_event.rounds or at not in sight.visible_event.rounds[number].boards:
        raise Http404
    return sight.visible_event.rounds[number].boards[at]


def board_url(sight: TournamentViewer, number: int, at: int) -> str:
    """The path of a board's page."""
    return reverse("tournaments:board", args=[sight.tournament.key, number, at])


def render_board_page(
    request: HttpRequest, sight: TournamentViewer, number: int, at: int, refusal: str = "", part: str = ""
) -> HttpResponse:
    """A board's page; what was refused comes back as it was typed, in the `part` of the page where it was."""
    event, held = sight.visible_event, public_board_or_404(sight, number, at)
    mine = powers_played_by(held, sight.person_number)
    playing = event.rounds[number].state is RoundState.PLAYING and event.online is OnlineBoards.NONE
    typed = request.POST if request.method == "POST" and part == "result" else None
    digest = result_digest(held.result) if held.result else ""
    context = player_actions.public_page_context(
        sight,
        "rounds",
        number=number,
        at=at,
        table=public_boards.public_board(event, number, at, sight.person_number),
        result=held.result,
        ended=tournament_names.ending_text(held.result.ended) if held.result else "",
        refusal=refusal,
        part=part,
        submission=random_token(),
        mine=mine,
        seat=board_tables.seat_at_table(held, sight.person_number) if playing else None,
        playing=playing,
        clock=round_clock(event, number, timezone.now(), held),
        last_year=round_timing.last_year(event, number, held),
        **(_result_form(sight, number, at, typed, digest) if mine and playing else {}),
        sheet_open=part == "result",
        digest=digest,
        may_confirm=_may_confirm(held, sight.person_number),
        by=_entered_by_text(event, held),
        game_over=bool(mine) and playing and held.result is None and linked_game.is_over(held),
        voting=_voting(sight, number, at) if mine and playing else None,
        may_ballot=not event.over,
        ballot=prize_ballots.prize_ballot_form(sight, number, at, request.POST if part == "ballot" else None)
        if mine
        else None,
        scores=public_standings.board_points(sight, number, at),
        farthest=_farthest(held, mine, event) if playing else [],
        **board_photos.photo_panel_context(sight, number, at),
        years=supply_centre_chart.year_table(event, number, held),
        year_sheet=_year_sheet(request, held, part) if mine and playing and _open(held) else None,
    )
    return render(request, "tournaments/public_site/board.html", context)


def _result_form(
    sight: TournamentViewer, number: int, at: int, typed: QueryDict | None, digest: str
) -> dict[str, Any]:
    """What `result.html` shows. `seen`: what stood there when the form was filled in."""
    event = sight.visible_event
    variant = event.rounds[number].boards[at].variant
    travels = bool(regulations_texts.prizes_of_kind(event, regulations_texts.TRAVEL))
    return {
        "sheet": result_form.ResultForm(
            event, number, at, str(sight.person_number), None if typed is None else dict(typed.lists())
        ),
        "seen": digest if typed is None else typed.get("seen", ""),
        "asks_years": regulations_texts.asks_elimination_years(event),
        "asks_farthest": travels and traveller.knows_homes(variant),
        "places": tournament_names.province_names(variant) if travels else [],
    }


def _open(held: EventBoard) -> bool:
    """Whether its players may still say how it went."""
    return held.result is None or not held.result.confirmed


def _year_sheet(request: HttpRequest, held: EventBoard, part: str) -> supply_centre_chart.YearForm:
    typed = request.POST if request.method == "POST" and part == "years" else None
    said = (lambda name: typed.get(name, "")) if typed is not None else None
    return supply_centre_chart.year_form(held, said, request.GET.get("year", ""))


def _voting(sight: TournamentViewer, number: int, at: int) -> end_vote_panels.EndVotePanel | None:
    """The votes of a board, where the regulations have any and there is something to see or to do."""
    if not regulations_texts.regulations_of(sight.event).votes:
        return None
    found = end_vote_panels.end_vote_panel(sight, number, at)
    return found if found.votes or found.may_ask else None


def _may_confirm(held: EventBoard, me: int) -> bool:
    """Another of the board may: not who entered it."""
    result = held.result
    return (
        result is not None
        and not result.confirmed
        and result.by != str(me)
        and bool(powers_played_by(held, me))
    )


def _entered_by_text(event: Event, held: EventBoard) -> str:
    """Who entered the result; "" for the desk."""
    known = event.people.get(parse_natural(held.result.by if held.result else "") or 0)
    return known.name if known else ""


def _farthest(held: EventBoard, mine: tuple[str, ...], event: Event) -> list[dict[str, str]]:
    """How far each of my powers went, once there is a result: told by its own player."""
    if held.result is None or not regulations_texts.prizes_of_kind(event, regulations_texts.TRAVEL):
        return []
    reached = held.result.reached
    return [
        {
            "code": code,
            "power": public_texts.power_name(code, held.variant),
            "place": public_texts.province_name(reached[code], held.variant) if code in reached else "",
        }
        for code in mine
    ]
