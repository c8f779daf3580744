"""Times for which a player said beforehand that he would be away."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime, timedelta

from django.db.models import QuerySet
from django.utils import timezone

from talleyrand.web.accounts.models import Person
from talleyrand.web.games import audience, log
from talleyrand.web.games.deadlines.almanac import MIDNIGHT, Almanac
from talleyrand.web.games.models import OVER, Absence, Game, Role
from talleyrand.web.games.terms import Anonymity
from talleyrand.web.games.writing import writing
from talleyrand.web.notices import counters

from .gathering import changed, locked
from .refusals import Refused

MOST_AHEAD = timedelta(days=400)


def period(first: str, last: str, zone: str) -> tuple[datetime, datetime]:
    """From the beginning of a day to the end of another, as two moments; raises Refused."""
    try:
        since, until = date.fromisoformat(first.strip()), date.fromisoformat(last.strip())
    except ValueError:
        raise Refused("no_dates") from None
    if until < since:
        raise Refused("turned_round")
    if since.year <= 2000 or until.year >= 3000:
        raise Refused("no_dates")
    almanac = Almanac(zone)
    return almanac.moment(since, 0), almanac.moment(until, MIDNIGHT)


@writing
def announce(game: Game, person: Person, since: datetime, until: datetime) -> Absence:
    """Keep an absence: deadlines within it move, so far as was agreed. Raises Refused."""
    fresh, now = locked(game), timezone.now()
    if fresh.state in OVER:
        raise Refused("over")
    if not fresh.terms.absence_days:
        raise Refused("no_absences")
    since = max(since, now)
    if until <= now:
        raise Refused("past")
    others = list(announced(fresh).filter(person=person))
    _check_room(fresh, others, since, until, now)
    kept = Absence.objects.create(game=fresh, person=person, since=since, until=until)
    log.note(fresh, "absence", role=Role.PLAYER, by=person, since=since.isoformat(), until=until.isoformat())
    _tell(fresh, person)
    return kept


def _check_room(
    game: Game, others: Iterable[Absence], since: datetime, until: datetime, now: datetime
) -> None:
    if any(one.since < until and since < one.until for one in others):
        raise Refused("overlap")
    away = sum((one.until - one.since for one in others), until - since)
    # the rest of a day that has begun is no day more
    if away > timedelta(days=game.terms.absence_days) + timedelta(hours=1) or until - now > MOST_AHEAD:
        raise Refused("too_long")


@writing
def withdraw(game: Game, person: Person, absence: int) -> None:
    """Take an absence back; one that is over stays. Raises Refused."""
    fresh = locked(game)
    mine = announced(fresh).filter(pk=absence, person=person, until__gt=timezone.now()).first()
    if mine is None:
        raise Refused("no_absence")
    Absence.objects.filter(pk=mine.pk).update(withdrawn=timezone.now())
    log.note(
        fresh,
        "absence_withdrawn",
        role=Role.PLAYER,
        by=person,
        since=mine.since.isoformat(),
        until=mine.until.isoformat(),
    )
    _tell(fresh, person)


def _tell(game: Game, person: Person) -> None:
    """The pages of those who may know hear of it; to the others a deadline that moves says enough."""
    if game.terms.anonymity == Anonymity.OPEN:
        changed(game)
    else:
        counters.bump_people([person.pk, *audience.masters(game)])


def announced(game: Game) -> QuerySet[Absence]:
    """Absences that count, the nearest first."""
    return Absence.objects.filter(game=game, withdrawn=None).order_by("since", "pk")
