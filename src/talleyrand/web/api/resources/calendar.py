"""When orders are due."""

from __future__ import annotations

from django.urls import reverse
from pydantic import Field

from talleyrand.web.addresses import absolute
from talleyrand.web.api.callers import Call
from talleyrand.web.api.forms import Given, Moment
from talleyrand.web.api.resource import Resource
from talleyrand.web.api.scopes import Scope
from talleyrand.web.api.words import _
from talleyrand.web.games.deadlines import feed

RESOURCE = Resource("calendar")


class Due(Given):
    game: str
    name: str
    number: int
    phase: str
    due: Moment


class Dates(Given):
    items: list[Due]


class Feed(Given):
    address: str = Field(description=_("For a calendar program (iCalendar): whoever has it may read it."))


@RESOURCE.reads("/calendar", _("The dates of your games, the next one first."), Dates, Scope.READ)
def dates(request: Call) -> object:
    found = feed.games(request.auth.person)
    names = ("name", "number", "phase", "due")
    return {"items": [{"game": one.key, **{name: getattr(one, name) for name in names}} for one in found]}


@RESOURCE.reads("/calendar/feed", _("The address of your calendar."), Feed, Scope.ACCOUNT)
def address(request: Call) -> object:
    return _told(request)


@RESOURCE.changes(
    "POST",
    "/calendar/feed/renew",
    _("Another address for your calendar: the one before no longer works."),
    Feed,
    Scope.ACCOUNT,
)
def renew(request: Call) -> object:
    feed.renew(request.auth.person)
    return _told(request)


def _told(request: Call) -> object:
    path = reverse("games:feed", args=[feed.token(request.auth.person)])
    return {"address": absolute(request, path)}
