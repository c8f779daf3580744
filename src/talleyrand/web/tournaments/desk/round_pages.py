"""A round before its seats are drawn: who is there, and what their number means."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from talleyrand.tournament import likeness
from talleyrand.tournament.acts.act import Act, next_number
from talleyrand.tournament.acts.people import AddPerson
from talleyrand.tournament.acts.presence import Arrive, ArriveTogether
from talleyrand.tournament.acts.rounds import PlanRound
from talleyrand.tournament.model import Event, Person, Rested, Round, RoundState
from talleyrand.web.tournaments.sight import Sight

from . import dates, words
from .doors import Visit, answer, at_desk, now
from .fields import Form
from .now_pages import missing
from .people_pages import another, check_namesakes, flags, to_come
from .pressing import Pressed

STATES = ("all", "missing", "present", "others")


@at_desk
def arrivals(request: HttpRequest, sight: Sight, number: int) -> HttpResponse:
    """Who is there for a round: one list, a tap a person, in the order of the alphabet."""
    check_round(sight.event, number)
    builders = {"walk_in": _walks_in(number), "all_there": _all_there(number), "starts": _starts(number)}

    def shown(visit: Visit) -> dict[str, Any]:
        return _arrivals(visit, number)

    return answer(request, sight, "arrivals.html", shown, builders=builders)


def check_round(event: Event, number: int) -> Round:
    """A round that there is; another one does not exist."""
    if number not in event.rounds:
        raise Http404
    return event.rounds[number]


def _walks_in(number: int) -> Any:
    def build(event: Event, pressed: Pressed) -> tuple[Act, ...]:
        check_namesakes(event, pressed)
        rounds = tuple(at for at in to_come(event) if at >= number)
        known = Person(pressed.get("name"), club=pressed.get("club").strip(), rounds=rounds)
        return AddPerson(known), Arrive(number, next_number(event.people), now())

    return build


def _all_there(number: int) -> Any:
    def build(event: Event, _pressed: Pressed) -> Act:
        return ArriveTogether(number, tuple(missing(event, number)), now())

    return build


def _starts(number: int) -> Any:
    def build(event: Event, pressed: Pressed) -> Act:
        return PlanRound(number, dates.kept(event, pressed.get("starts")))

    return build


def _arrivals(visit: Visit, number: int) -> dict[str, Any]:
    event, request = visit.event, visit.request
    one = check_round(event, number)
    wanted, sought = request.GET.get("show", "all"), likeness.plain(request.GET.get("q", "")[:60])
    rows = [_row(event, one, number, at) for at in words.in_order(event) if not event.people[at].gone]
    shown = [row for row in rows if wanted in ("all", row["state"]) and sought in row["plain"]]
    form = Form(visit, "walk_in")
    return {
        **steps(visit, number, "arrivals"),
        "rows": shown,
        "missing": [row["name"] for row in rows if row["state"] == "missing"],
        "present": sum(row["state"] == "present" for row in rows),
        "sought": request.GET.get("q", "")[:60],
        "filters": [(value, label, value == wanted) for value, label in _filters()],
        "add_name": form.field("name", _("Name"), required=True),
        "add_club": form.field("club", _("Club or town")),
        "another": another(form),
        "starts": Form(visit, "starts").field(
            "starts",
            _("Begins at"),
            dates.shown(event, one.starts),
            "datetime-local",
            hint=dates.zone_name(event),
        ),
        "may_arrive": one.state is not RoundState.CLOSED,
    }


def _filters() -> list[tuple[str, str]]:
    return [
        ("all", _("Everybody")),
        ("missing", _("Signed up and missing")),
        ("present", _("There")),
        ("others", _("Not signed up")),
    ]


def _row(event: Event, one: Round, number: int, who: int) -> dict[str, Any]:
    known, at = event.people[who], one.present.get(who)
    rest = one.resting.get(who)
    return {
        "number": who,
        "name": known.name,
        "plain": likeness.plain(f"{known.name} {known.club} {known.town}"),
        "club": known.club or known.town,
        "flags": flags(known),
        "state": "present" if at is not None else "missing" if number in known.rounds else "others",
        "hour": words.short_hour(event, at or ""),
        "rests": rest.why if rest else "",
        "own": rest is not None and rest.why is Rested.OWN,
    }


def steps(visit: Visit, number: int, step: str) -> dict[str, Any]:
    """What every page of a round shows: its state, and the way from check-in to results."""
    event, key = visit.event, visit.sight.tournament.key
    one = check_round(event, number)
    names = [
        ("arrivals", "desk_round", _("Check-in")),
        ("numbers", "desk_numbers", _("Numbers")),
        ("draw", "desk_draw", _("Draw")),
        ("boards", "desk_boards", _("Boards and results")),
    ]
    return {
        "section": "round",
        "number": number,
        "now": one,
        "begins": words.hour(event, one.starts),
        "steps": [
            (name, reverse(f"tournaments:{way}", args=[key, number]), label) for name, way, label in names
        ],
        "step_now": step,
    }
