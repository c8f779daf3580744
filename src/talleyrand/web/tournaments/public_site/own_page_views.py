"""One's own page: what concerns somebody now, and what he says of himself."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from talleyrand.formats.visible_text import one_line_name
from talleyrand.tournament import round_timing
from talleyrand.tournament.acts.act import EventAct
from talleyrand.tournament.acts.people_acts import (
    ChangePerson,
    OfferRide,
    SetPowerPreferences,
    SignUpForRounds,
    WithdrawPerson,
)
from talleyrand.tournament.acts.round_acts import CheckIn, UndoCheckIn
from talleyrand.tournament.board_rules import CLASSIC, variant_powers
from talleyrand.tournament.event_errors import ActRefused
from talleyrand.tournament.model import Event, RoundState
from talleyrand.web.common.absolute_urls import absolute_url
from talleyrand.web.tournaments import access_tokens, board_tables, event_times
from talleyrand.web.tournaments.models import random_token
from talleyrand.web.tournaments.tournament_viewer import TournamentViewer

from . import (
    link_mail,
    own_team,
    player_actions,
    prize_ballots,
    public_boards,
    public_standings,
    public_texts,
    regulations_texts,
)
from .forms import PersonFactsForm, open_round_numbers, whole_number_or_none
from .round_clocks import RoundClock, round_clock

LONGEST_RIDE = 300
MOST_PREFERENCES = 3  # powers that somebody may name


@player_actions.public_page
def own_page(request: HttpRequest, sight: TournamentViewer) -> HttpResponse:
    """What concerns me now."""
    return render_own_page(request, sight)


def render_own_page(
    request: HttpRequest, sight: TournamentViewer, refusal: str = "", form: PersonFactsForm | None = None
) -> HttpResponse:
    """One's page; for whoever is nobody yet, the ways to become somebody."""
    if sight.person_number not in sight.visible_event.people:
        return render(
            request, "tournaments/public_site/nobody.html", player_actions.public_page_context(sight, "mine")
        )
    event, number = sight.visible_event, sight.person_number
    context = player_actions.public_page_context(
        sight,
        "mine",
        number=number,
        gone=event.people[number].gone,
        refusal=refusal,
        submission=random_token(),
        link=_own_link(request, sight),
        by_link=bool(request.session.get(access_tokens.TOKENS_SESSION_KEY, {}).get(sight.tournament.key)),
        now=_now(event, number),
        lines=_rounds(event, number),
        row=public_standings.standings_row_of(sight, number),
        games=_games(event, number),
        waiting=prize_ballots.boards_to_vote_for(event, number),
        form=form or PersonFactsForm(event=event, known=event.people[number]),
        team=own_team.own_team(event, number),
        wishes=_wishes(request, event, number),
        typed=_typed(request, event, number),
    )
    return render(request, "tournaments/public_site/mine.html", context)


def _typed(request: HttpRequest, event: Event, number: int) -> dict[str, Any]:
    """What the short forms show: what was typed and refused, else what is kept."""
    ride = next((one for one in event.rides.values() if one.person == number), None)
    kept: dict[str, Any] = {
        "kind": "none" if ride is None else "wanted" if ride.seats < 0 else "offer",
        "seats": max(1, ride.seats) if ride else 1,
        "text": ride.text if ride else "",
        "team": own_team.wanted_team_of(event, number) or "none",
        "name": "",
    }
    return {**kept, **{field: request.POST[field] for field in kept if field in request.POST}}


def _own_link(request: HttpRequest, sight: TournamentViewer) -> str:
    """The link of somebody's own, once: after signing up, or when he asks for it.

    Not for a name that was tapped in the room: with its link he would be its owner.
    """
    if not sight.is_identified:
        return ""
    asked = request.session.pop(f"shown:{sight.tournament.key}", False) or "link" in request.GET
    if not asked:
        return ""
    return absolute_url(
        request,
        link_mail.own_link_path(
            sight.tournament, access_tokens.token_of(sight.tournament, sight.person_number)
        ),
    )


def _now(event: Event, number: int) -> dict[str, Any] | None:
    """The round that concerns him: whether he is there, where he sits, what the clock shows."""
    at = public_boards.relevant_round(event)
    if at is None or event.over:
        return None
    one = event.rounds[at]
    return {
        "round": at,
        "state": one.state.value,
        "starts": public_texts.local_time(event, one.starts),
        "signed": at in event.people[number].rounds,
        "since": public_texts.hour_text(event, one.present.get(number, "")),
        "rests": number in one.resting,
        "tables": [
            _mine(event, at, table, number)
            for table in public_boards.public_boards(event, at, number)
            if table.mine
        ],
    }


def _mine(event: Event, at: int, table: public_boards.PublicBoard, me: int) -> dict[str, Any]:
    held = event.rounds[at].boards[table.number]
    clock: RoundClock = round_clock(event, at, timezone.now(), held)
    return {
        "table": table,
        "clock": clock,
        "last_year": round_timing.last_year(event, at, held),
        "seat": board_tables.seat_at_table(held, me),
    }


def _rounds(event: Event, number: int) -> list[dict[str, Any]]:
    may = open_round_numbers(event)
    return [
        {"line": line, "chosen": line.number in event.people[number].rounds, "may": line.number in may}
        for line in regulations_texts.round_summaries(event)
    ]


def _games(event: Event, number: int) -> list[dict[str, Any]]:
    return [
        {
            "round": at,
            "table": public_boards.public_board(event, at, board, number),
            "power": public_texts.power_name(power),
        }
        for at, board, power in public_boards.public_games_of_person(event, number)
    ]


def _wishes(request: HttpRequest, event: Event, number: int) -> list[dict[str, Any]]:
    """The powers one would like, best first, where the regulations ask for them."""
    if not regulations_texts.regulations_of(event).wishes or event.over:
        return []
    kept = [*event.people[number].private.prefers, *[""] * MOST_PREFERENCES][:MOST_PREFERENCES]
    told = request.POST.getlist("wish") or kept
    powers = [(code, public_texts.power_name(code)) for code in variant_powers(CLASSIC)]
    return [{"at": at, "chosen": one, "powers": powers} for at, one in enumerate(told[:MOST_PREFERENCES], 1)]


def _again(request: HttpRequest) -> Any:
    return lambda sight, refusal: render_own_page(request, sight, refusal)


def _way(sight: TournamentViewer) -> str:
    return reverse("tournaments:mine", args=[sight.tournament.key])


@player_actions.player_action
def check_in(request: HttpRequest, sight: TournamentViewer) -> HttpResponse:
    """ "I am here", or not after all: while people arrive."""
    here, number = request.POST.get("here") != "no", sight.person_number

    def build(event: Event) -> list[EventAct]:
        at = whole_number_or_none(request.POST.get("round", ""))
        found = event.rounds.get(at)
        if found is None:
            raise ActRefused("act_no_round", number=str(at))
        if found.state is not RoundState.OPEN:
            raise ActRefused(f"act_round_{found.state.value}", round=str(at))
        return [CheckIn(at, number, event_times.act_time()) if here else UndoCheckIn(at, number)]

    said = _("You are checked in.") if here else _("You are no longer checked in.")
    return player_actions.player_action_response(
        request, sight, build, said=said, way=_way(sight), again=_again(request)
    )


@player_actions.player_action
def choose_rounds(request: HttpRequest, sight: TournamentViewer) -> HttpResponse:
    """The rounds one means to play, until each begins; one leaves the room of those that one gives up.

    Whoever gives up all of them, and has played none, withdraws from the event; one round brings him back.
    """
    number = sight.person_number
    chosen = {whole_number_or_none(one) for one in request.POST.getlist("rounds")[:60]}

    def build(event: Event) -> list[EventAct]:
        known = event.people[number]
        begun = {at for at in known.rounds if at not in open_round_numbers(event)}
        acts: list[EventAct] = [
            SignUpForRounds(number, tuple(sorted(chosen | begun))),
            *_left(event, number, chosen),
        ]
        stays = bool(chosen | begun)
        return acts if stays != known.gone else [*acts, WithdrawPerson(number, gone=not stays)]

    said = _("Rounds saved.") if chosen else _("Rounds saved: none of those to come.")
    return player_actions.player_action_response(
        request, sight, build, said=said, way=_way(sight), again=_again(request)
    )


def _left(event: Event, number: int, chosen: set[int]) -> list[EventAct]:
    """He is not in the room for what he gives up."""
    return [
        UndoCheckIn(at, number)
        for at, one in event.rounds.items()
        if at not in chosen and number in one.present and one.state is RoundState.OPEN
    ]


@player_actions.player_action
def change_facts(request: HttpRequest, sight: TournamentViewer) -> HttpResponse:
    """What one says of himself."""
    form, number = PersonFactsForm(request.POST, event=sight.visible_event), sight.person_number
    told = form.person_from_form if sight.is_identified else form.completed_person
    if not form.is_valid():
        response = render_own_page(request, sight, _("Please correct the form below."), form)
        response.status_code = 409
        return response
    return player_actions.player_action_response(
        request,
        sight,
        lambda event: [ChangePerson(number, told(event.people[number]))],
        said=_("Details saved."),
        way=_way(sight),
        again=lambda fresh, refusal: render_own_page(request, fresh, refusal, form),
    )


@player_actions.player_action
def set_power_preferences(request: HttpRequest, sight: TournamentViewer) -> HttpResponse:
    """The powers one would like, where the regulations ask for them: nobody but the desk reads them."""
    number = sight.person_number
    powers = tuple(one for one in request.POST.getlist("wish")[:MOST_PREFERENCES] if one)

    def build(event: Event) -> list[EventAct]:
        if not regulations_texts.regulations_of(event).wishes:
            raise ActRefused("act_no_wishes")
        return [SetPowerPreferences(number, powers)]

    said = _("Preferences saved.")
    return player_actions.player_action_response(
        request, sight, build, said=said, way=_way(sight), again=_again(request)
    )


@player_actions.player_action
def change_car_sharing(request: HttpRequest, sight: TournamentViewer) -> HttpResponse:
    """A place in a car: offered, looked for, or neither any more."""
    text = one_line_name(request.POST.get("text", ""))[:LONGEST_RIDE]
    kind, number = request.POST.get("kind", ""), sight.person_number

    def build(_event: Event) -> list[EventAct]:
        seats = whole_number_or_none(request.POST.get("seats", "1") or "1")
        if kind == "offer" and seats < 1:
            raise ActRefused("act_bad_number", value=request.POST.get("seats", "")[:20])
        return [OfferRide(number, "" if kind == "none" else text, -1 if kind == "wanted" else seats)]

    said = _("Carpooling saved.")
    return player_actions.player_action_response(
        request, sight, build, said=said, way=_way(sight), again=_again(request)
    )
