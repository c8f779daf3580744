"""When orders are due."""

from __future__ import annotations

from django.urls import reverse
from django.utils.translation import gettext_noop as _
from pydantic import Field

from talleyrand.web.api.authentication import TokenRequest
from talleyrand.web.api.resource import Resource
from talleyrand.web.api.schemas import Moment, ResponseSchema, list_out
from talleyrand.web.api.scopes import Scope
from talleyrand.web.common.absolute_urls import absolute_url
from talleyrand.web.games.deadlines import calendar_feed

RESOURCE = Resource("calendar", Scope.ACCOUNT)


class DeadlineOut(ResponseSchema):
    game: str = Field(validation_alias="key")
    name: str
    number: int = Field(validation_alias="phase_number")
    phase: str
    due: Moment = Field(validation_alias="deadline")


class CalendarFeedOut(ResponseSchema):
    address: str = Field(description=_("For a calendar app (iCalendar): anyone who has it can read it."))


@RESOURCE.get(
    "/calendar",
    _("The deadlines of your games, the next one first."),
    list_out("DeadlinesOut", DeadlineOut),
    scope=Scope.READ,
)
def list_deadlines(request: TokenRequest) -> object:
    return {"items": calendar_feed.games_with_deadline(request.auth.person)}


@RESOURCE.get("/calendar/feed", _("Your calendar’s address."), CalendarFeedOut)
def feed_address(request: TokenRequest) -> object:
    return _feed_address(request)


@RESOURCE.post(
    "/calendar/feed/renew",
    _("Replace your calendar’s address: the old one no longer works."),
    CalendarFeedOut,
)
def renew_feed(request: TokenRequest) -> object:
    calendar_feed.renew_token(request.auth.person)
    return _feed_address(request)


def _feed_address(request: TokenRequest) -> object:
    path = reverse("games:feed", args=[calendar_feed.feed_token(request.auth.person)])
    return {"address": absolute_url(request, path)}
