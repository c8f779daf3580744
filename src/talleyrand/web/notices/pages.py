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

from . import choices, outbox, wording
from .models import Notice

ON_A_PAGE = 40


@dataclass(frozen=True)
class Line:
    """One notice, said."""

    sentence: str
    path: str
    made: datetime
    told: str


@dataclass
class Group:
    """What is told of one game."""

    name: str
    about: str
    lines: list[Line] = field(default_factory=list)


def listed(person: Person, number: str | None) -> Page[Notice]:
    """A page of somebody's news; the nearest there is where the number makes no sense."""
    mine = Notice.objects.filter(person=person, shown=True)
    unread_first = mine.order_by(F("read").desc(nulls_first=True), "-made", "-pk")
    return Paginator(unread_first, ON_A_PAGE).get_page(number)


def sections(page: Page[Notice], person: Person) -> list[tuple[bool, list[Group]]]:
    """The news of a page: the unread ones (True), then the others, those of a game together."""
    zone = choices.zone(person)
    both = ((new, [one for one in page if (one.read is None) == new]) for new in (True, False))
    return [(new, _groups(notices, zone)) for new, notices in both if notices]


def _groups(notices: Iterable[Notice], zone: tzinfo) -> list[Group]:
    found: dict[str, Group] = {}
    for one in notices:
        group = found.setdefault(one.about, Group(wording.game_name(one), one.about))
        group.lines.append(_line(one, zone))
    return list(found.values())


def _line(notice: Notice, zone: tzinfo) -> Line:
    sentence = wording.sentence(notice.kind, notice.facts, zone)
    path = outbox.spoken(notice.path, get_language() or "fr") if notice.path else ""
    told = date_format(localtime(notice.made, zone), _("j M Y, H:i"))
    return Line(sentence, path, notice.made, told)
