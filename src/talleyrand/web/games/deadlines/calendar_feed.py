"""Deadlines as a calendar that other programs read, at an address only its person knows."""

from __future__ import annotations

import hmac
import re
import secrets
from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _
from icalendar import Calendar, Event

from talleyrand import variants
from talleyrand.web.accounts.models import Person
from talleyrand.web.boards import display_names
from talleyrand.web.games.models import Game, GameRole, GameState

from .date_texts import date_text_with_zone
from .deadline_settings import DeadlineSettings

FEED_PREFERENCE = "calendar"  # the part of the address that its person may change, among his choices
EVENT_LENGTH = timedelta(minutes=30)
REFRESH_EVERY = timedelta(hours=1)
_UNSEEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")


def feed_token(person: Person) -> str:
    """What the address of a person’s calendar is recognised by."""
    return f"{person.pk}-{_signature(person)}"


def _signature(person: Person) -> str:
    told = f"{person.pk}:{person.preferences.get(FEED_PREFERENCE, '')}"
    return salted_hmac("talleyrand.games.calendar", told, algorithm="sha256").hexdigest()[:40]


def person_of_feed_token(told: str) -> Person | None:
    """Whose calendar an address is of; None for one that is not, or no longer, good."""
    number, _dash, signature = told.partition("-")
    # one spelling of a number alone, and none that a database cannot hold
    if not re.fullmatch(r"[1-9][0-9]{0,17}", number) or not signature.isascii():
        return None
    person = Person.objects.filter(pk=int(number), is_active=True).first()
    good = person is not None and hmac.compare_digest(signature, _signature(person))
    return person if good else None


def renew_token(person: Person) -> None:
    """Another address: the one before is good for nothing any more."""
    with transaction.atomic():
        fresh = Person.objects.select_for_update().get(pk=person.pk)
        fresh.preferences[FEED_PREFERENCE] = secrets.token_urlsafe(12)
        fresh.save(update_fields=["preferences"])
        person.preferences = fresh.preferences


def games_with_deadline(person: Person) -> list[Game]:
    """Those in which somebody has a role, and that have a date; not those that are shown late."""
    mine = Game.objects.filter(memberships__person=person, memberships__left_at=None)
    dated = mine.filter(state=GameState.PLAYING).exclude(deadline=None)
    found = dated.annotate(own_role=F("memberships__role")).order_by("deadline", "key")
    return [game for game in found if not (game.is_shown_late and game.own_role == GameRole.OBSERVER)]


def calendar_file(found: Iterable[tuple[Game, str]], name: str, now: datetime) -> bytes:
    """The calendar of games, each with the address of its page.

    An event ends at its deadline, so that 24 h on Friday stands on Friday. `Game.version` must not appear
    here: it moves when a sheet arrives.
    """
    calendar = Calendar()
    calendar.add("prodid", "-//Talleyrand//Talleyrand//FR")
    calendar.add("version", "2.0")
    calendar.add("method", "PUBLISH")
    calendar.add("name", _line(name))
    calendar.add("x-wr-calname", _line(name))
    calendar.add("refresh-interval", REFRESH_EVERY, parameters={"value": "DURATION"})
    calendar.add("x-published-ttl", "PT1H")
    for game, address in found:
        if game.deadline is not None:
            calendar.add_component(_event(game, game.deadline, address, now))
    told: bytes = calendar.to_ical()
    return told


def _event(game: Game, due: datetime, address: str, now: datetime) -> Event:
    phase = display_names.phase_name(variants.load(game.variant), game.phase)
    zone = DeadlineSettings.from_json(game.settings.rhythm).time_zone
    event = Event()
    event.add("uid", f"{game.key}-{game.phase_number}@talleyrand")
    event.add("dtstamp", now)
    event.add("dtstart", due - EVENT_LENGTH)
    event.add("dtend", due)
    event.add("summary", _line(f"{game.name} – {phase}"))
    told = _("Deadline: %(date)s.") % {
        "date": date_text_with_zone(due, zone, display_names.reader_language())
    }
    event.add("description", f"{told}\n{address}")
    event.add("url", address)
    event.add("transp", "TRANSPARENT")
    return event


def _line(text: str) -> str:
    return _UNSEEN.sub(" ", text).strip()
