"""The announcement, the rounds as a calendar, and the people."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from icalendar import Calendar
from icalendar import Event as Appointment

from talleyrand.tournament import timing
from talleyrand.tournament.model import Announcement, Event, Offer
from talleyrand.web.addresses import absolute
from talleyrand.web.tournaments import hours
from talleyrand.web.tournaments.sight import Sight

from . import ranking, regulating, showing, visiting, words
from .fragments import fragment

REFRESH = timedelta(hours=1)  # after which a calendar that follows the rounds looks again


@visiting.page
def welcome(request: HttpRequest, sight: Sight) -> HttpResponse:
    """The announcement: where and when, what is played, who comes, how to sign up."""
    event = sight.shown
    context = visiting.context(
        sight,
        "welcome",
        told=_told(event.announcement),
        days=hours.when(event),
        lines=regulating.round_lines(event),
        rules=list(regulating.sentences(event)),
        title=words.text(regulating.rules_of(event).title),
        source=words.text(regulating.rules_of(event).source),
        coming=fragment(sight, "coming.html", _coming),
        rides=_rides(event),
        rides_count=sum(one.seats >= 0 for one in _offers(sight.event)),
        address=absolute(request, reverse("tournaments:welcome", args=[sight.tournament.key])),
        calendar=absolute(request, reverse("tournaments:calendar", args=[sight.tournament.key])),
    )
    return render(request, "tournaments/hall/welcome.html", context)


def _coming(event: Event) -> dict[str, Any]:
    coming = [number for number, known in event.people.items() if not known.gone]
    return {"coming": [event.people[number] for number in words.in_order(event, coming)]}


def _told(announced: Announcement) -> dict[str, str]:
    return {
        "summary": words.text(announced.summary),
        "schedule": words.text(announced.schedule),
        "lodging": words.text(announced.lodging),
        "initiation": words.text(announced.initiation),
        "regulations": words.text(announced.regulations),
    }


def _rides(event: Event) -> list[dict[str, Any]]:
    return [
        {"name": event.people[one.person].name, "text": one.text, "seats": one.seats, "wanted": one.seats < 0}
        for one in _offers(event)
    ]


def _offers(event: Event) -> list[Offer]:
    """The cars of those who come."""
    return [one for one in event.rides.values() if not event.people[one.person].gone]


@visiting.page
def calendar(request: HttpRequest, sight: Sight) -> HttpResponse:
    """The rounds that have an hour, for a calendar."""
    event = sight.shown
    address = absolute(request, reverse("tournaments:welcome", args=[sight.tournament.key]))
    made = Calendar()
    made.add("prodid", "-//Talleyrand//Talleyrand//FR")
    made.add("version", "2.0")
    made.add("method", "PUBLISH")
    made.add("x-wr-calname", _line(event.name))
    made.add("refresh-interval", REFRESH, parameters={"value": "DURATION"})
    made.add("x-published-ttl", "PT1H")
    for number in event.rounds:
        found = _appointment(event, number, address, sight.tournament.key)
        if found is not None:
            made.add_component(found)
    response = HttpResponse(made.to_ical(), content_type="text/calendar; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{sight.tournament.key}.ics"'
    return response


def _appointment(event: Event, number: int, address: str, key: str) -> Appointment | None:
    begins = timing.moment(event.rounds[number].starts)
    if begins is None or event.rounds[number].cancelled:
        return None
    made = Appointment()
    made.add("uid", f"{key}-{number}@talleyrand")
    made.add("dtstamp", timezone.now())
    made.add("dtstart", begins)
    made.add("dtend", begins + timedelta(seconds=timing.planned(event, number)))
    made.add("summary", _line(_("%(event)s – round %(round)d") % {"event": event.name, "round": number}))
    made.add("location", _line(event.announcement.place))
    made.add("url", address)
    return made


def _line(text: str) -> str:
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())


@visiting.page
def people(request: HttpRequest, sight: Sight) -> HttpResponse:
    """Everybody in one alphabetical list, with the teams."""
    event = sight.shown
    teams = [
        (team.name, [event.people[one].name for one in words.in_order(event, team.members)])
        for team in event.teams.values()
    ]
    context = visiting.context(
        sight, "people", list=fragment(sight, "people_list.html", _listed), teams=teams
    )
    return render(request, "tournaments/hall/people.html", context)


def _listed(event: Event) -> dict[str, Any]:
    return {"listed": [(number, event.people[number]) for number in words.in_order(event, event.people)]}


@visiting.page
def person(request: HttpRequest, sight: Sight, person: int) -> HttpResponse:
    """Somebody and his games, with where each figure comes from."""
    event = sight.shown
    if person not in event.people:
        raise Http404
    games = [
        {"round": number, "table": showing.table(event, number, at, person), "power": power}
        for number, at, power in showing.played(event, person)
    ]
    rested = [number for number, one in event.rounds.items() if person in one.resting]
    context = visiting.context(
        sight,
        "people",
        known=event.people[person],
        about=[one for one in (event.people[person].club, event.people[person].town) if one],
        number=person,
        games=games,
        rested=rested,
        row=ranking.row_of(sight, person),
        team=next((team.name for team in event.teams.values() if person in team.members), ""),
    )
    return render(request, "tournaments/hall/person.html", context)
