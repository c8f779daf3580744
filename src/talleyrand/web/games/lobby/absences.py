"""Times for which a player said beforehand that he would be away."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime, timedelta

from django.db.models import QuerySet
from django.utils import timezone

from talleyrand.web.accounts.models import Person
from talleyrand.web.common.transactions import write_transaction
from talleyrand.web.games import game_log, recipients
from talleyrand.web.games.deadlines.deadline_calendar import MIDNIGHT_MINUTE, DeadlineCalendar
from talleyrand.web.games.game_settings import Anonymity
from talleyrand.web.games.models import ENDED_STATES, Absence, Game, GameRole
from talleyrand.web.notifications import topic_versions

from .lobby_refusals import LobbyRefusal
from .membership_actions import bump_game_topic, lock_game

MOST_AHEAD = timedelta(days=400)


def absence_period(first: str, last: str, zone: str) -> tuple[datetime, datetime]:
    """From the beginning of a day to the end of another, as two moments; raises LobbyRefusal."""
    try:
        since, until = date.fromisoformat(first.strip()), date.fromisoformat(last.strip())
    except ValueError:
        raise LobbyRefusal("no_dates") from None
    if until < since:
        raise LobbyRefusal("turned_round")
    if since.year <= 2000 or until.year >= 3000:
        raise LobbyRefusal("no_dates")
    almanac = DeadlineCalendar(zone)
    return almanac.moment(since, 0), almanac.moment(until, MIDNIGHT_MINUTE)


@write_transaction
def announce_absence(game: Game, person: Person, since: datetime, until: datetime) -> Absence:
    """Keep an absence: deadlines within it move, so far as was agreed. Raises LobbyRefusal."""
    fresh, now = lock_game(game), timezone.now()
    if fresh.state in ENDED_STATES:
        raise LobbyRefusal("over")
    if not fresh.settings.absence_days:
        raise LobbyRefusal("no_absences")
    since = max(since, now)
    if until <= now:
        raise LobbyRefusal("past")
    others = list(current_absences(fresh).filter(person=person))
    _check_room(fresh, others, since, until, now)
    kept = Absence.objects.create(game=fresh, person=person, starts_at=since, ends_at=until)
    game_log.add_log_entry(
        fresh, "absence", role=GameRole.PLAYER, by=person, since=since.isoformat(), until=until.isoformat()
    )
    _tell(fresh, person)
    return kept


def _check_room(
    game: Game, others: Iterable[Absence], since: datetime, until: datetime, now: datetime
) -> None:
    if any(one.starts_at < until and since < one.ends_at for one in others):
        raise LobbyRefusal("overlap")
    away = sum((one.ends_at - one.starts_at for one in others), until - since)
    # the rest of a day that has begun is no day more
    if away > timedelta(days=game.settings.absence_days) + timedelta(hours=1) or until - now > MOST_AHEAD:
        raise LobbyRefusal("too_long")


@write_transaction
def withdraw_absence(game: Game, person: Person, absence: int) -> None:
    """Take an absence back; one that is over stays. Raises LobbyRefusal."""
    fresh = lock_game(game)
    mine = current_absences(fresh).filter(pk=absence, person=person, ends_at__gt=timezone.now()).first()
    if mine is None:
        raise LobbyRefusal("no_absence")
    Absence.objects.filter(pk=mine.pk).update(withdrawn_at=timezone.now())
    game_log.add_log_entry(
        fresh,
        "absence_withdrawn",
        role=GameRole.PLAYER,
        by=person,
        since=mine.starts_at.isoformat(),
        until=mine.ends_at.isoformat(),
    )
    _tell(fresh, person)


def _tell(game: Game, person: Person) -> None:
    """The pages of those who may know hear of it; to the others a deadline that moves says enough."""
    if game.settings.anonymity == Anonymity.OPEN:
        bump_game_topic(game)
    else:
        topic_versions.bump_people([person.pk, *recipients.game_master_ids(game)])


def current_absences(game: Game) -> QuerySet[Absence]:
    """Absences that count, the nearest first."""
    return Absence.objects.filter(game=game, withdrawn_at=None).order_by("starts_at", "pk")
