"""One’s news, and what one wants to be told."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from django.conf import settings
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import get_language
from ninja.params import Query
from pydantic import AwareDatetime, Field

from talleyrand.web.accounts.models import Person
from talleyrand.web.api import paging
from talleyrand.web.api.callers import Call
from talleyrand.web.api.forms import TOLD_TO, After, Given, Limit, Moment, Page, Sent
from talleyrand.web.api.resource import Resource
from talleyrand.web.api.scopes import Scope
from talleyrand.web.api.words import _
from talleyrand.web.notices import choices, counters, outbox, wording
from talleyrand.web.notices.kinds import KINDS
from talleyrand.web.notices.models import Notice
from talleyrand.web.webhooks import telling

RESOURCE = Resource("news")
LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)
GAME = "^[A-Za-z0-9_-]{1,64}$"
Unread = Annotated[bool, Query(description=_("Only those that you have not read."))]
Group = Literal["phases", "deadlines", "letters", "votes", "seats", "desk", "tournaments", "site"]
YesNo = Literal["now", "no"]
ByMail = Literal["now", "daily", "no"]


class Facts(Given):
    """Codes and dates of a piece of news: those there are."""

    variant: str | None = None
    phase: str | None = None
    number: int | None = None
    power: str | None = None
    powers: list[str] | None = None
    due: Moment | None = None
    result: str | None = None
    outcome: str | None = None
    count: int | None = None


class News(Given):
    kind: str = Field(
        description=_("What happened: `published`, `letter` and others, as `/news/kinds` says.")
    )
    game: str | None
    facts: Facts
    sentence: str = Field(description=_("For people, in their language."))
    page: str = Field(description=_("Where it leads to on the site."))
    made: Moment
    read: Moment | None


class AllNews(Page[News]):
    pass


class Marking(Sent):
    until: AwareDatetime | None = Field(default=None, description=_("Only what was made until then."))
    game: str | None = Field(default=None, pattern=GAME, description=_("Only those of a game."))


class Marked(Given):
    marked: int
    unread: int


class Kind(Given):
    kind: str
    group: str
    sentence: str


class Kinds(Given):
    items: list[Kind]


class Choice(Given):
    group: Group
    page: YesNo
    mail: ByMail
    push: YesNo


class Choices(Given):
    items: list[Choice]


class NewChoice(Sent):
    group: Group
    page: YesNo
    mail: ByMail
    push: YesNo


class NewChoices(Sent):
    items: list[NewChoice] = Field(max_length=len(choices.GROUPS), description=_("Groups left out stay."))


@RESOURCE.reads("/news", _("Your news, the newest first."), AllNews, Scope.ACCOUNT)
def every(request: Call, unread: Unread = False, after: After = None, limit: Limit = 50) -> object:
    person = request.auth.person
    found = _mine(person).filter(read=None) if unread else _mine(person)
    return paging.part(found, after, limit, lambda one: _news(one, person))


@RESOURCE.changes("POST", "/news/read", _("Mark your news as read: all, or some."), Marked, Scope.ACCOUNT)
def read(request: Call, sent: Marking) -> object:
    which: dict[str, Any] = {"shown": True}
    if sent.until is not None:
        which["made__lt"] = min(max(sent.until, LONG_AGO), timezone.now()) + TOLD_TO
    if sent.game is not None:
        which["about"] = counters.game_topic(sent.game)
    marked = outbox.mark_read(request.auth.person, **which)
    return {"marked": marked, "unread": outbox.unread(request.auth.person)}


@RESOURCE.reads("/news/kinds", _("The kinds of news that there are."), Kinds, Scope.ACCOUNT)
def kinds(request: Call) -> object:  # noqa: ARG001
    return {
        "items": [
            {"kind": name, "group": kind.group, "sentence": str(kind.sentences[-1])}
            for name, kind in KINDS.items()
        ]
    }


@RESOURCE.reads("/news/choices", _("What you want to be told, and how."), Choices, Scope.ACCOUNT)
def chosen(request: Call) -> object:
    return _chosen(request.auth.person)


@RESOURCE.changes("PUT", "/news/choices", _("Say what you want to be told, and how."), Choices, Scope.ACCOUNT)
def choose(request: Call, sent: NewChoices) -> object:
    person = request.auth.person
    kept = {group: dict(row) for group, row in choices.Choices.of(person).values.items()}
    for one in sent.items:
        kept[one.group] = {"page": one.page, "mail": one.mail, "push": one.push}
    choices.Choices.read(kept).keep(person)
    return _chosen(person)


def _mine(person: Person) -> QuerySet[Notice]:
    return Notice.objects.filter(person=person, shown=True).order_by("-made", "-pk")


def _chosen(person: Person) -> dict[str, Any]:
    """An administrator’s own group is told to administrators alone."""
    rows = choices.Choices.of(person).values
    left_out = () if person.is_administrator else choices.OF_ADMINISTRATORS
    return {"items": [{"group": group, **row} for group, row in rows.items() if group not in left_out]}


def _news(one: Notice, person: Person) -> dict[str, Any]:
    topic = counters.game_topic("")
    path = outbox.spoken(one.path, get_language() or settings.LANGUAGE_CODE) if one.path else ""
    return {
        "kind": one.kind,
        "game": one.about.removeprefix(topic) if one.about.startswith(topic) else None,
        "facts": telling.codes(one.facts),
        "sentence": wording.sentence(one.kind, one.facts, choices.zone(person)),
        "page": f"{settings.ADDRESS}{path}" if path else "",
        "made": one.made,
        "read": one.read,
    }
