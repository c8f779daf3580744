"""A round before its seats are drawn: who is there, and what their number means."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from talleyrand.tournament import name_matching
from talleyrand.tournament.acts.act import EventAct, next_number
from talleyrand.tournament.acts.people_acts import AddPerson
from talleyrand.tournament.acts.round_acts import CheckIn, CheckInPeople, ScheduleRound
from talleyrand.tournament.model import ByeReason, Event, EventPerson, EventRound, RoundState
from talleyrand.web.tournaments.event_times import act_time
from talleyrand.web.tournaments.models import JournalEntry
from talleyrand.web.tournaments.tournament_viewer import TournamentViewer

from . import date_fields, desk_texts
from .desk_views import DeskRequest, desk_response, for_desk
from .form_fields import FormFields
from .form_parsing import FormAction
from .overview_views import missing_people
from .people_views import another_person_field, check_namesakes, coming_round_numbers, owed_text, person_flags


@for_desk
def arrivals_page(request: HttpRequest, sight: TournamentViewer, number: int) -> HttpResponse:
    """Who is there for a round: one list, a tap a person, in the order of the alphabet."""
    round_or_404(sight.event, number)
    builders = {"walk_in": _walks_in(number), "all_there": _all_there(number), "starts": _starts(number)}

    def shown(visit: DeskRequest) -> dict[str, Any]:
        return _arrivals(visit, number)

    def way(entry: JournalEntry | None) -> str:
        gone = entry is not None and any(one["kind"] == "round_removed" for one in entry.acts)
        return reverse("tournaments:desk", args=[sight.tournament.key]) if gone else request.get_full_path()

    return desk_response(request, sight, "arrivals.html", shown, builders=builders, way=way)


def round_or_404(event: Event, number: int) -> EventRound:
    """A round that there is; another one does not exist."""
    if number not in event.rounds:
        raise Http404
    return event.rounds[number]


def _walks_in(number: int) -> Any:
    def build(event: Event, pressed: FormAction) -> tuple[EventAct, ...]:
        check_namesakes(event, pressed)
        rounds = tuple(at for at in coming_round_numbers(event) if at >= number)
        known = EventPerson(pressed.value("name"), club=pressed.value("club").strip(), rounds=rounds)
        return AddPerson(known), CheckIn(number, next_number(event.people), act_time())

    return build


def _all_there(number: int) -> Any:
    def build(event: Event, _pressed: FormAction) -> EventAct:
        return CheckInPeople(number, tuple(missing_people(event, number)), act_time())

    return build


def _starts(number: int) -> Any:
    def build(event: Event, pressed: FormAction) -> EventAct:
        return ScheduleRound(number, date_fields.date_from_field(event, pressed.value("starts")))

    return build


def _arrivals(visit: DeskRequest, number: int) -> dict[str, Any]:
    event, request = visit.event, visit.request
    one = round_or_404(event, number)
    wanted, sought = request.GET.get("show", "all"), name_matching.fold_name(request.GET.get("q", "")[:60])
    rows = [
        _row(event, one, number, at) for at in desk_texts.alphabetical(event) if not event.people[at].gone
    ]
    shown = [row for row in rows if wanted in ("all", row["state"]) and sought in row["plain"]]
    form = FormFields(visit, "walk_in")
    return {
        **round_steps(visit, number, "arrivals"),
        "rows": shown,
        "missing": [row["name"] for row in rows if row["state"] == "missing"],
        "present": sum(row["state"] == "present" for row in rows),
        "sought": request.GET.get("q", "")[:60],
        "filters": [(value, label, value == wanted) for value, label in _filters()],
        "add_name": form.field("name", _("Name"), required=True),
        "add_club": form.field("club", _("Club or town")),
        "another": another_person_field(form),
        "starts": FormFields(visit, "starts").field(
            "starts",
            _("Starts at"),
            date_fields.date_for_field(event, one.starts),
            "datetime-local",
            hint=date_fields.zone_name(event),
        ),
        "may_arrive": one.state is not RoundState.CLOSED,
    }


def _filters() -> list[tuple[str, str]]:
    return [
        ("all", _("Everyone")),
        ("missing", _("Signed up, missing")),
        ("present", _("Checked in")),
        ("others", _("Not signed up")),
    ]


def _row(event: Event, one: EventRound, number: int, who: int) -> dict[str, Any]:
    known, at = event.people[who], one.present.get(who)
    rest = one.resting.get(who)
    return {
        "number": who,
        "name": known.name,
        "plain": name_matching.fold_name(f"{known.name} {known.club} {known.town}"),
        "club": known.club or known.town,
        "flags": person_flags(known),
        "owed": owed_text(known),
        "state": "present" if at is not None else "missing" if number in known.rounds else "others",
        "hour": desk_texts.hour_text(event, at or ""),
        "rests": rest.why if rest else "",
        "own": rest is not None and rest.why is ByeReason.OWN,
    }


def round_steps(visit: DeskRequest, number: int, step: str) -> dict[str, Any]:
    """What every page of a round shows: its state, and the way from check-in to results."""
    event, key = visit.event, visit.viewer.tournament.key
    one = round_or_404(event, number)
    names = [
        ("arrivals", "desk_round", _("Check-in")),
        ("numbers", "desk_numbers", _("Headcount")),
        ("draw", "desk_draw", _("Board draw")),
        ("boards", "desk_boards", _("Boards and results")),
    ]
    return {
        "section": "round",
        "number": number,
        "now": one,
        "begins": desk_texts.short_time(event, one.starts),
        "steps": [
            (name, reverse(f"tournaments:{way}", args=[key, number]), label) for name, way, label in names
        ],
        "step_now": step,
    }
