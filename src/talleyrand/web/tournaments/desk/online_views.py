"""Boards as games on the site: their terms, when each round begins, what it waits for."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _

from talleyrand.engine.errors import TalleyrandError
from talleyrand.tournament.acts.act import EventAct
from talleyrand.tournament.acts.event_acts import SetOnlineBoards
from talleyrand.tournament.acts.round_acts import ScheduleRound
from talleyrand.tournament.model import Event, OnlineBoards, RoundState
from talleyrand.web import background
from talleyrand.web.games.deadlines.deadline_form_choices import pace_choices
from talleyrand.web.tournaments import online_rounds, online_seats, online_terms
from talleyrand.web.tournaments.event_times import act_time
from talleyrand.web.tournaments.tournament_viewer import TournamentViewer

from . import date_fields, desk_texts
from .desk_views import DeskRequest, desk_response, for_desk
from .form_fields import DeskFormField, FormFields
from .form_parsing import FormAction

TERMS_ACTION = "online"


@for_desk
def online_page(request: HttpRequest, sight: TournamentViewer) -> HttpResponse:
    """What the director chooses of games on the site, and where each round stands."""
    builders = {TERMS_ACTION: _set_terms, "begins": _begins}
    answer = desk_response(request, sight, "online.html", _online_context, builders=builders)
    if request.method == "POST":
        background.run_soon(online_rounds.ONLINE_JOB)
    return answer


def _set_terms(_event: Event, pressed: FormAction) -> EventAct:
    if not pressed.value("made"):
        return SetOnlineBoards(OnlineBoards.NONE)
    known = [*online_terms.term_options(), "pace"]
    typed = {name: pressed.value(f"terms.{name}") for name in known if f"terms.{name}" in pressed.values}
    terms = online_terms.checked_terms(typed)
    return SetOnlineBoards(online_terms.online_boards(terms), terms)


def _begins(event: Event, pressed: FormAction) -> EventAct:
    """A round begins at a date, or now."""
    typed = pressed.value("starts")
    starts = act_time() if pressed.value("now") else date_fields.date_from_field(event, typed)
    return ScheduleRound(pressed.number("round"), starts)


def _online_context(visit: DeskRequest) -> dict[str, Any]:
    event, tournament = visit.event, visit.viewer.tournament
    waiting = online_rounds.waiting_reasons(tournament, event, timezone.now())
    return {
        "section": "settings",
        "made": FormFields(visit, TERMS_ACTION).check(
            "made", _("The boards of this tournament are games on this site"), bool(event.terms)
        ),
        "fields": list(_fields(visit)),
        "hidden": event.online is OnlineBoards.HIDDEN,
        "runs": bool(event.terms),
        "lines": [_line(visit, number, waiting.get(number)) for number in sorted(event.rounds)],
        "zone": date_fields.zone_name(event),
        "left_out": _left_out(visit),
    }


def _fields(visit: DeskRequest) -> list[DeskFormField]:
    form, kept = FormFields(visit, TERMS_ACTION), visit.event.terms
    titles = {
        "anonymity": _("Who plays which power"),
        "press": _("Messages"),
        "language": _("Language of messages"),
        "bots": _("For a player who leaves"),
    }
    paces = [(name, label) for name, label in pace_choices() if name in online_terms.PACES]
    options = online_terms.term_options()
    return [
        form.field("terms.pace", _("Deadlines"), kept.get("pace", paces[0][0]), "select", options=paces),
        *(
            form.field(
                f"terms.{name}",
                titles[name],
                kept.get(name, next(iter(values))),
                "select",
                options=[(value, one.label) for value, one in values.items()],
            )
            for name, values in options.items()
        ),
    ]


def _line(visit: DeskRequest, number: int, refused: TalleyrandError | None) -> dict[str, Any]:
    event = visit.event
    one = event.rounds[number]
    games = [held for held in one.boards.values() if held.game]
    planned = one.state is RoundState.PLANNED and not one.cancelled
    first = all(other.state is not RoundState.PLANNED for at, other in event.rounds.items() if at < number)
    return {
        "number": number,
        "round": one,
        "planned": planned,
        "next": planned and first,
        "starts": desk_texts.short_time(event, one.starts),
        "field": FormFields(visit, "begins")
        .field("starts", _("Begins"), date_fields.date_for_field(event, one.starts), "datetime-local")
        .within(f"begins-{number}"),
        "games": len(games),
        "over": sum(held.result is not None for held in games),
        "waits": desk_texts.refusal_text(refused, event) if refused else "",
    }


def _left_out(visit: DeskRequest) -> list[str]:
    """Whoever has signed up for rounds to come and will have no seat."""
    event, tournament = visit.event, visit.viewer.tournament
    planned = [at for at, one in event.rounds.items() if one.state is RoundState.PLANNED]
    seated = {who for at in planned for who in online_seats.people_for_round(tournament, event, at)}
    signed = [
        who for who, known in event.people.items() if not known.gone and set(planned) & set(known.rounds)
    ]
    return [
        desk_texts.person_name(event, who)
        for who in desk_texts.alphabetical(event, signed)
        if who not in seated
    ]
