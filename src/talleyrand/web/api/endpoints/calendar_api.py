"""When orders are due."""

from __future__ import annotations

from django.urls import reverse
from pydantic import Field

from talleyrand.web.api.authentication import TokenRequest
from talleyrand.web.api.marked_texts import _
from talleyrand.web.api.resource import Resource
from talleyrand.web.api.schemas import Moment, ResponseSchema
from talleyrand.web.api.scopes import Scope
from talleyrand.web.common.absolute_urls import absolute_url
from talleyrand.web.games.deadlines import calendar_feed

RESOURCE = Resource("calendar")


class DeadlineOut(ResponseSchema):
    game: str
    name: str
    number: int
    phase: str
    due: Moment


class DeadlinesOut(ResponseSchema):
    items: list[DeadlineOut]


class CalendarFeedOut(ResponseSchema):
    address: str = Field(description=_("For a calendar app (iCalendar): anyone who has it can read it."))


@RESOURCE.read_view(
    "/calendar", _("The deadlines of your games, the next one first."), DeadlinesOut, Scope.READ
)
def list_deadlines(request: TokenRequest) -> object:
    found = calendar_feed.games_with_deadline(request.auth.person)
    return {
        "items": [
            {
                "game": one.key,
                "name": one.name,
                "number": one.phase_number,
                "phase": one.phase,
                "due": one.deadline,
            }
            for one in found
        ]
    }


@RESOURCE.read_view("/calendar/feed", _("Your calendar’s address."), CalendarFeedOut, Scope.ACCOUNT)
def feed_address(request: TokenRequest) -> object:
    return _told(request)


@RESOURCE.change_view(
    "POST",
    "/calendar/feed/renew",
    _("Replace your calendar’s address: the old one no longer works."),
    CalendarFeedOut,
    Scope.ACCOUNT,
)
def renew_feed(request: TokenRequest) -> object:
    calendar_feed.renew_token(request.auth.person)
    return _told(request)


def _told(request: TokenRequest) -> object:
    path = reverse("games:feed", args=[calendar_feed.feed_token(request.auth.person)])
    return {"address": absolute_url(request, path)}
