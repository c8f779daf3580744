"""What the page of news shows: one's own, unread first, by game."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, tzinfo

from django.core.paginator import Page, Paginator
from django.db.models import F
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from talleyrand.web.accounts.models import Person

from . import notification_sentences, outbox, preferences
from .models import Notification

ON_A_PAGE = 40


@dataclass(frozen=True)
class NotificationLine:
    """One notice, said."""

    sentence: str
    path: str
    created_at: datetime
    date_text: str


@dataclass
class NotificationGroup:
    """What is told of one game."""

    name: str
    topic: str
    lines: list[NotificationLine] = field(default_factory=list)


def notification_page(person: Person, number: str | None) -> Page[Notification]:
    """A page of somebody's news; the nearest there is where the number makes no sense."""
    mine = Notification.objects.filter(person=person, is_shown=True)
    unread_first = mine.order_by(F("read_at").desc(nulls_first=True), "-created_at", "-pk")
    return Paginator(unread_first, ON_A_PAGE).get_page(number)


def sections(page: Page[Notification], person: Person) -> list[tuple[bool, list[NotificationGroup]]]:
    """The news of a page: the unread ones (True), then the others, those of a game together."""
    zone = preferences.time_zone_of(person)
    both = ((new, [one for one in page if (one.read_at is None) == new]) for new in (True, False))
    return [(new, _groups(notices, zone)) for new, notices in both if notices]


def _groups(notices: Iterable[Notification], zone: tzinfo) -> list[NotificationGroup]:
    found: dict[str, NotificationGroup] = {}
    for one in notices:
        group = found.setdefault(
            one.topic, NotificationGroup(notification_sentences.game_name(one), one.topic)
        )
        group.lines.append(_line(one, zone))
    return list(found.values())


def _line(notice: Notification, zone: tzinfo) -> NotificationLine:
    sentence = notification_sentences.notification_sentence(notice.kind, notice.facts, zone)
    path = outbox.path_in_language(notice.path, get_language() or "fr") if notice.path else ""
    told = date_format(localtime(notice.created_at, zone), _("j M Y, H:i"))
    return NotificationLine(sentence, path, notice.created_at, told)
