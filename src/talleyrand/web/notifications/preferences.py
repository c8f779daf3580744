"""What a person wants to be told, and how: kept in `Person.choices["notices"]`."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from allauth.account.models import EmailAddress
from django.db import transaction

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
MUTED, QUIET = "muted", "quiet"  # where they are kept among what a person prefers
MOST_MUTED = 200

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
    muted: frozenset[str] = frozenset()  # topics that tell nothing outside the site

    @classmethod
    def for_person(cls, person: Person) -> NotificationPreferences:
        """As kept; whatever is missing or unknown there has its default."""
        kept, muted = person.preferences.get(PLACE), frozenset(muted_topics(person))
        chosen = cls.from_json(kept) if kept and isinstance(kept, Mapping) else _UNCHOSEN
        return replace(chosen, muted=muted) if muted else chosen

    @classmethod
    def from_json(cls, kept: Mapping[str, Any]) -> NotificationPreferences:
        """From JSON of any age."""
        return cls({group: _row(group, kept.get(group)) for group in GROUPS})

    def wants(self, group: str, channel: str, topic: str = "") -> str:
        """no, now or daily; a group without a name is treated as phases are."""
        if topic in self.muted and channel != "page":
            return NO
        return self.values.get(group, self.values["phases"])[channel]

    def save(self, person: Person) -> None:
        """Save it with the person; what others keep there stays."""
        with _changed(person) as kept:
            kept[PLACE] = {name: dict(row) for name, row in self.values.items()}


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


def delivery_time(person: Person, wanted: str, now: datetime, due: object = None) -> datetime:
    """When what is told now may leave: at once, at the end of one's quiet hours, or at the next hour of the
    daily letter where one lives. What is `due` before the quiet ends does not wait for it.
    """
    if wanted == DAILY:
        return _next(now.astimezone(time_zone_of(person)), DIGEST_HOUR * 60).astimezone(UTC)
    quiet = quiet_hours(person)
    if quiet is None:
        return now
    here = now.astimezone(time_zone_of(person))
    since, until = quiet
    minute = here.hour * 60 + here.minute
    if not (since <= minute < until if since < until else minute >= since or minute < until):
        return now
    end = _next(here, until).astimezone(UTC)
    return now if _is_before(due, end) else end


def _next(here: datetime, minute: int) -> datetime:
    """The next time at which the clock shows this minute of the day."""
    at = here.replace(hour=minute // 60, minute=minute % 60, second=0, microsecond=0)
    return at if at > here else at + timedelta(days=1)


def _is_before(due: object, end: datetime) -> bool:
    try:
        when = datetime.fromisoformat(due) if isinstance(due, str) else None
    except ValueError:
        return False
    return when is not None and when.tzinfo is not None and when <= end


def quiet_hours(person: Person) -> tuple[int, int] | None:
    """From which minute of the day to which nothing leaves the site; None where none are kept."""
    kept = person.preferences.get(QUIET)
    if not isinstance(kept, list) or len(kept) != 2 or kept[0] == kept[1]:
        return None
    good = all(type(one) is int and 0 <= one < 24 * 60 for one in kept)
    return (kept[0], kept[1]) if good else None


def muted_topics(person: Person) -> list[str]:
    """What somebody wants to hear of on the site alone, the last muted at the end."""
    kept = person.preferences.get(MUTED)
    return [one for one in kept if isinstance(one, str)] if isinstance(kept, list) else []


def mute(person: Person, topic: str, *, muted: bool) -> None:
    """Mute a topic, or hear of it again; of more than MOST_MUTED the first are heard of again."""
    with _changed(person) as kept:
        others = [one for one in muted_topics(person) if one != topic]
        kept[MUTED] = [*others, topic][-MOST_MUTED:] if muted else others


def keep_quiet_hours(person: Person, hours: tuple[int, int] | None) -> None:
    """Keep other quiet hours, or none."""
    with _changed(person) as kept:
        kept[QUIET] = list(hours) if hours else None


@contextmanager
def _changed(person: Person) -> Iterator[dict[str, Any]]:
    """What a person prefers as it is kept now, to be changed while nobody else does."""
    with transaction.atomic():
        fresh = Person.objects.select_for_update().get(pk=person.pk)
        person.preferences = fresh.preferences
        yield fresh.preferences
        fresh.save(update_fields=["preferences"])


def time_zone_of(person: Person) -> ZoneInfo:
    """Where somebody lives."""
    return time_zones.zone_named(person.time_zone)
