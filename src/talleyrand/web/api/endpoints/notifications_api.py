"""One’s news, and what one wants to be told."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from django.conf import settings
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext_noop as _
from ninja.params import Query
from pydantic import AwareDatetime, Field

from talleyrand.web.accounts.models import Person
from talleyrand.web.api.authentication import TokenRequest
from talleyrand.web.api.resource import Resource
from talleyrand.web.api.schemas import (
    RESPONSE_PRECISION,
    Moment,
    PageAfter,
    PageLimit,
    RequestSchema,
    ResponseSchema,
    list_out,
    page_out,
    paginate,
)
from talleyrand.web.api.scopes import Scope
from talleyrand.web.notifications import notification_sentences, outbox, preferences, topic_versions
from talleyrand.web.notifications.models import Notification
from talleyrand.web.notifications.notification_kinds import KINDS
from talleyrand.web.webhooks import webhook_events

RESOURCE = Resource("news", Scope.ACCOUNT)
LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)
GAME = "^[A-Za-z0-9_-]{1,64}$"
Unread = Annotated[bool, Query(description=_("Only unread ones."))]
NotificationGroupName = Literal[
    "phases", "deadlines", "letters", "votes", "seats", "openings", "desk", "tournaments", "site"
]
YesNo = Literal["now", "no"]
ByMail = Literal["now", "daily", "no"]


class NotificationFactsOut(ResponseSchema):
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


class NotificationOut(ResponseSchema):
    kind: str = Field(
        description=_("What happened: `published`, `letter` and others, listed at `/news/kinds`.")
    )
    game: str | None
    facts: NotificationFactsOut
    sentence: str = Field(description=_("For people, in their language."))
    page: str = Field(description=_("The page of the site it links to."))
    made: Moment
    read: Moment | None


class MarkReadIn(RequestSchema):
    until: AwareDatetime | None = Field(default=None, description=_("Only those created up to then."))
    game: str | None = Field(default=None, pattern=GAME, description=_("Only those of one game."))


class MarkedReadOut(ResponseSchema):
    marked: int
    unread: int


class NotificationKindOut(ResponseSchema):
    kind: str
    group: str
    sentence: str


class PreferenceOut(ResponseSchema):
    group: NotificationGroupName
    page: YesNo
    mail: ByMail
    push: YesNo


PreferencesOut = list_out("PreferencesOut", PreferenceOut)


class PreferenceIn(RequestSchema):
    group: NotificationGroupName
    page: YesNo
    mail: ByMail
    push: YesNo


class NotificationPreferencesIn(RequestSchema):
    items: list[PreferenceIn] = Field(
        max_length=len(preferences.GROUPS), description=_("Groups left out are unchanged.")
    )


@RESOURCE.get("/news", _("Your notifications, newest first."), page_out("NotificationsOut", NotificationOut))
def list_notifications(
    request: TokenRequest, unread: Unread = False, after: PageAfter = None, limit: PageLimit = 50
) -> object:
    person = request.auth.person
    found = _mine(person).filter(read_at=None) if unread else _mine(person)
    return paginate(found, after, limit, lambda one: _news(one, person))


@RESOURCE.post("/news/read", _("Mark your notifications as read: all, or some."), MarkedReadOut)
def mark_read(request: TokenRequest, sent: MarkReadIn) -> object:
    which: dict[str, Any] = {"is_shown": True}
    if sent.until is not None:
        which["created_at__lt"] = min(max(sent.until, LONG_AGO), timezone.now()) + RESPONSE_PRECISION
    if sent.game is not None:
        which["topic"] = topic_versions.game_topic(sent.game)
    marked = outbox.mark_read(request.auth.person, **which)
    return {"marked": marked, "unread": outbox.unread_count(request.auth.person)}


@RESOURCE.get(
    "/news/kinds", _("The kinds of notifications."), list_out("NotificationKindsOut", NotificationKindOut)
)
def list_kinds() -> object:
    return {
        "items": [
            {"kind": name, "group": kind.group, "sentence": str(kind.sentences[-1])}
            for name, kind in KINDS.items()
        ]
    }


@RESOURCE.get("/news/choices", _("Your notification settings."), PreferencesOut)
def get_preferences(request: TokenRequest) -> object:
    return _chosen(request.auth.person)


@RESOURCE.put("/news/choices", _("Change your notification settings."), PreferencesOut)
def set_preferences(request: TokenRequest, sent: NotificationPreferencesIn) -> object:
    person = request.auth.person
    kept = {
        group: dict(row)
        for group, row in preferences.NotificationPreferences.for_person(person).values.items()
    }
    for one in sent.items:
        kept[one.group] = {"page": one.page, "mail": one.mail, "push": one.push}
    preferences.NotificationPreferences.from_json(kept).save(person)
    return _chosen(person)


def _mine(person: Person) -> QuerySet[Notification]:
    return Notification.objects.filter(person=person, is_shown=True).order_by("-created_at", "-pk")


def _chosen(person: Person) -> dict[str, Any]:
    """An administrator’s own group is told to administrators alone."""
    rows = preferences.NotificationPreferences.for_person(person).values
    left_out = () if person.is_administrator else preferences.OF_ADMINISTRATORS
    return {"items": [{"group": group, **row} for group, row in rows.items() if group not in left_out]}


def _news(one: Notification, person: Person) -> dict[str, Any]:
    topic = topic_versions.game_topic("")
    path = outbox.path_in_language(one.path, get_language() or settings.LANGUAGE_CODE) if one.path else ""
    return {
        "kind": one.kind,
        "game": one.topic.removeprefix(topic) if one.topic.startswith(topic) else None,
        "facts": webhook_events.public_facts(one.facts),
        "sentence": notification_sentences.notification_sentence(
            one.kind, one.facts, preferences.time_zone_of(person)
        ),
        "page": f"{settings.SITE_URL}{path}" if path else "",
        "made": one.created_at,
        "read": one.read_at,
    }
