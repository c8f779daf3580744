"""Deadlines as a calendar that other programs read, at an address only its person knows."""

from __future__ import annotations

import hmac
import re
import secrets
from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _
from icalendar import Calendar, Event

from talleyrand import variants
from talleyrand.web.accounts.models import Person
from talleyrand.web.boards import wording
from talleyrand.web.games.models import Game, State

from .rhythm import Rhythm
from .words import said

CHOICE = "calendar"  # the part of the address that its person may change, among his choices
LENGTH = timedelta(minutes=30)
REFRESH = timedelta(hours=1)
_UNSEEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")


def token(person: Person) -> str:
    """What the address of a person’s calendar is recognised by."""
    return f"{person.pk}-{_signature(person)}"


def _signature(person: Person) -> str:
    told = f"{person.pk}:{person.choices.get(CHOICE, '')}"
    return salted_hmac("talleyrand.games.calendar", told, algorithm="sha256").hexdigest()[:40]


def reader(told: str) -> Person | None:
    """Whose calendar an address is of; None for one that is not, or no longer, good."""
    number, _dash, signature = told.partition("-")
    # one spelling of a number alone, and none that a database cannot hold
    if not re.fullmatch(r"[1-9][0-9]{0,17}", number) or not signature.isascii():
        return None
    person = Person.objects.filter(pk=int(number), is_active=True).first()
    good = person is not None and hmac.compare_digest(signature, _signature(person))
    return person if good else None


def renew(person: Person) -> None:
    """Another address: the one before is good for nothing any more."""
    with transaction.atomic():
        fresh = Person.objects.select_for_update().get(pk=person.pk)
        fresh.choices[CHOICE] = secrets.token_urlsafe(12)
        fresh.save(update_fields=["choices"])
        person.choices = fresh.choices


def games(person: Person) -> QuerySet[Game]:
    """Those in which somebody has a role, and that have a date."""
    mine = Game.objects.filter(memberships__person=person, memberships__left=None)
    dated = mine.filter(state=State.PLAYING).exclude(due=None)
    return dated.order_by("due", "key")


def written(found: Iterable[tuple[Game, str]], name: str, now: datetime) -> bytes:
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
    calendar.add("refresh-interval", REFRESH, parameters={"value": "DURATION"})
    calendar.add("x-published-ttl", "PT1H")
    for game, address in found:
        if game.due is not None:
            calendar.add_component(_event(game, game.due, address, now))
    told: bytes = calendar.to_ical()
    return told


def _event(game: Game, due: datetime, address: str, now: datetime) -> Event:
    phase = wording.phase(variants.load(game.variant), game.phase)
    zone = Rhythm.read(game.terms.rhythm).zone
    event = Event()
    event.add("uid", f"{game.key}-{game.number}@talleyrand")
    event.add("dtstamp", now)
    event.add("dtstart", due - LENGTH)
    event.add("dtend", due)
    event.add("summary", _line(f"{game.name} – {phase}"))
    told = _("Orders are due on %(date)s.") % {"date": said(due, zone, wording.language())}
    event.add("description", f"{told}\n{address}")
    event.add("url", address)
    event.add("transp", "TRANSPARENT")
    return event


def _line(text: str) -> str:
    return _UNSEEN.sub(" ", text).strip()
