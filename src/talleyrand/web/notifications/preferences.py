"""What a person wants to be told, and how: kept in `Person.choices["notices"]`."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from allauth.account.models import EmailAddress

from talleyrand.web.accounts import time_zones
from talleyrand.web.accounts.models import Person

ReachableCheck = Callable[[Collection[Person]], set[int]]  # of some people, those it reaches, by primary key
PLACE = "notices"
GROUPS = ("phases", "deadlines", "letters", "votes", "seats", "openings", "desk", "tournaments", "site")
OF_ADMINISTRATORS = ("site",)
CHANNELS = ("page", "mail", "push")
NO, NOW, DAILY = "no", "now", "daily"
VALUES = {"page": (NOW, NO), "mail": (NOW, DAILY, NO), "push": (NOW, NO)}
DIGEST_HOUR = 18

# Letters are many: they do not fill anybody's mailbox unless he says so.
DEFAULTS: dict[str, dict[str, str]] = {
    "phases": {"page": NOW, "mail": NOW, "push": NOW},
    "deadlines": {"page": NOW, "mail": NOW, "push": NOW},
    "letters": {"page": NOW, "mail": NO, "push": NOW},
    "votes": {"page": NOW, "mail": NOW, "push": NOW},
    "seats": {"page": NOW, "mail": NOW, "push": NO},
    "openings": {"page": NOW, "mail": NOW, "push": NO},
    "desk": {"page": NOW, "mail": NOW, "push": NOW},
    "tournaments": {"page": NOW, "mail": NOW, "push": NOW},
    "site": {"page": NOW, "mail": NOW, "push": NOW},
}


@dataclass(frozen=True)
class NotificationPreferences:
    """One person's answers: a value for each group and channel."""

    values: Mapping[str, Mapping[str, str]]

    @classmethod
    def for_person(cls, person: Person) -> NotificationPreferences:
        """As kept; whatever is missing or unknown there has its default."""
        kept = person.preferences.get(PLACE)
        return cls.from_json(kept) if kept and isinstance(kept, Mapping) else _UNCHOSEN

    @classmethod
    def from_json(cls, kept: Mapping[str, Any]) -> NotificationPreferences:
        """From JSON of any age."""
        return cls({group: _row(group, kept.get(group)) for group in GROUPS})

    def wants(self, group: str, channel: str) -> str:
        """no, now or daily; a group without a name is treated as phases are."""
        return self.values.get(group, self.values["phases"])[channel]

    def save(self, person: Person) -> None:
        """Save it with the person; what others keep there stays."""
        person.refresh_from_db(fields=["preferences"])
        person.preferences = {
            **person.preferences,
            PLACE: {name: dict(row) for name, row in self.values.items()},
        }
        person.save(update_fields=["preferences"])


def _row(group: str, kept: Any) -> dict[str, str]:
    known = kept if isinstance(kept, Mapping) else {}
    return {
        channel: known[channel] if known.get(channel) in VALUES[channel] else DEFAULTS[group][channel]
        for channel in CHANNELS
    }


_UNCHOSEN = NotificationPreferences.from_json({})


def reachable_by_channel(people: Collection[Person]) -> dict[str, set[int]]:
    """Who can be reached by each channel outside the site."""
    return {channel: reach(people) for channel, reach in _ways.items()}


def register_channel(channel: str, reach: ReachableCheck) -> None:
    """Have an app above say whom its channel reaches; to be called in `AppConfig.ready`."""
    _ways[channel] = reach


def _by_mail(people: Collection[Person]) -> set[int]:
    """At an address shown to be his."""
    confirmed = EmailAddress.objects.filter(user__in=[one.pk for one in people], verified=True)
    return set(confirmed.values_list("user", flat=True))


_ways: dict[str, ReachableCheck] = {"mail": _by_mail}


def delivery_time(person: Person, wanted: str, now: datetime) -> datetime:
    """When what is told now may leave: at once, or at the next hour of the daily letter where one lives."""
    if wanted != DAILY:
        return now
    here = now.astimezone(time_zone_of(person))
    at = here.replace(hour=DIGEST_HOUR, minute=0, second=0, microsecond=0)
    if at <= here:
        at += timedelta(days=1)
    return at.astimezone(UTC)


def time_zone_of(person: Person) -> ZoneInfo:
    """Where somebody lives."""
    return time_zones.zone_named(person.time_zone)
