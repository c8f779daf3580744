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

from talleyrand.tournament import round_timing
from talleyrand.tournament.model import Announcement, Event, RideOffer
from talleyrand.web.common.absolute_urls import absolute_url
from talleyrand.web.tournaments import event_times
from talleyrand.web.tournaments.tournament_viewer import TournamentViewer

from . import player_actions, public_boards, public_standings, public_texts, regulations_texts
from .cached_fragments import cached_fragment

REFRESH = timedelta(hours=1)  # after which a calendar that follows the rounds looks again


@player_actions.public_page
def welcome_page(request: HttpRequest, sight: TournamentViewer) -> HttpResponse:
    """The announcement: where and when, what is played, who comes, how to sign up."""
    event = sight.visible_event
    context = player_actions.public_page_context(
        sight,
        "welcome",
        told=_announcement_texts(event.announcement),
        days=event_times.event_days_text(event),
        lines=regulations_texts.round_summaries(event),
        rules=list(regulations_texts.regulation_sentences(event)),
        title=public_texts.in_reader_language(regulations_texts.regulations_of(event).title),
        source=public_texts.in_reader_language(regulations_texts.regulations_of(event).source),
        coming=cached_fragment(sight, "coming.html", _coming),
        rides=_rides(event),
        rides_count=sum(one.seats >= 0 for one in _offers(sight.event)),
        address=absolute_url(request, reverse("tournaments:welcome", args=[sight.tournament.key])),
        calendar=absolute_url(request, reverse("tournaments:calendar", args=[sight.tournament.key])),
    )
    return render(request, "tournaments/public_site/welcome.html", context)


def _coming(event: Event) -> dict[str, Any]:
    coming = [number for number, known in event.people.items() if not known.gone]
    return {"coming": [event.people[number] for number in public_texts.alphabetical(event, coming)]}


def _announcement_texts(announced: Announcement) -> dict[str, str]:
    return {
        "summary": public_texts.in_reader_language(announced.summary),
        "schedule": public_texts.in_reader_language(announced.schedule),
        "lodging": public_texts.in_reader_language(announced.lodging),
        "initiation": public_texts.in_reader_language(announced.initiation),
        "regulations": public_texts.in_reader_language(announced.regulations),
    }


def _rides(event: Event) -> list[dict[str, Any]]:
    return [
        {"name": event.people[one.person].name, "text": one.text, "seats": one.seats, "wanted": one.seats < 0}
        for one in _offers(event)
    ]


def _offers(event: Event) -> list[RideOffer]:
    """The cars of those who come."""
    return [one for one in event.rides.values() if not event.people[one.person].gone]


@player_actions.public_page
def rounds_calendar(request: HttpRequest, sight: TournamentViewer) -> HttpResponse:
    """The rounds that have an hour, for a calendar."""
    event = sight.visible_event
    address = absolute_url(request, reverse("tournaments:welcome", args=[sight.tournament.key]))
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
    begins = round_timing.parse_time(event.rounds[number].starts)
    if begins is None or event.rounds[number].cancelled:
        return None
    made = Appointment()
    made.add("uid", f"{key}-{number}@talleyrand")
    made.add("dtstamp", timezone.now())
    made.add("dtstart", begins)
    made.add("dtend", begins + timedelta(seconds=round_timing.planned_duration(event, number)))
    made.add("summary", _line(_("%(event)s – round %(round)d") % {"event": event.name, "round": number}))
    made.add("location", _line(event.announcement.place))
    made.add("url", address)
    return made


def _line(text: str) -> str:
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())


@player_actions.public_page
def public_people_page(request: HttpRequest, sight: TournamentViewer) -> HttpResponse:
    """Everybody in one alphabetical list, with the teams."""
    event = sight.visible_event
    teams = [
        (team.name, [event.people[one].name for one in public_texts.alphabetical(event, team.members)])
        for team in event.teams.values()
    ]
    context = player_actions.public_page_context(
        sight, "people", list=cached_fragment(sight, "people_list.html", _listed), teams=teams
    )
    return render(request, "tournaments/public_site/people.html", context)


def _listed(event: Event) -> dict[str, Any]:
    return {
        "listed": [
            (number, event.people[number]) for number in public_texts.alphabetical(event, event.people)
        ]
    }


@player_actions.public_page
def public_person_page(request: HttpRequest, sight: TournamentViewer, person: int) -> HttpResponse:
    """Somebody and his games, with where each figure comes from."""
    event = sight.visible_event
    if person not in event.people:
        raise Http404
    games = [
        {"round": number, "table": public_boards.public_board(event, number, at, person), "power": power}
        for number, at, power in public_boards.public_games_of_person(event, person)
    ]
    rested = [number for number, one in event.rounds.items() if person in one.resting]
    context = player_actions.public_page_context(
        sight,
        "people",
        known=event.people[person],
        about=[one for one in (event.people[person].club, event.people[person].town) if one],
        number=person,
        games=games,
        rested=rested,
        row=public_standings.standings_row_of(sight, person),
        team=next((team.name for team in event.teams.values() if person in team.members), ""),
    )
    return render(request, "tournaments/public_site/person.html", context)
