"""Tables and classes are erased: every row that holds anything of them, by hand or when they have had their
time.

It is done table by table, each in one transaction that also counts what went: where a process ends in the
middle, the job goes on with the next one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from importlib import import_module
from itertools import islice

from django.conf import settings
from django.contrib.sessions.models import Session
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from talleyrand.web.accounts.models import Person
from talleyrand.web.common.transactions import write_transaction
from talleyrand.web.games.models import Game, GameMembership, OrderSet
from talleyrand.web.notifications import topic_versions
from talleyrand.web.notifications.models import Notification, TopicVersion
from talleyrand.web.webhooks.models import WebhookCall

from . import table_links
from .class_sessions import CLASSES_SESSION_KEY
from .models import ClassSession, Table, TablePlayer
from .table_seats import SEATS_SESSION_KEY

CLASSES_JOB, EACH_MINUTE = "class_retention", 60.0  # seconds
TABLES_JOB, EACH_HOUR = "table_retention", 3600.0
RECEIPTS_KEPT = timedelta(days=30)
AT_ONCE = 20  # tables that one sweep erases


def erase_class(session: ClassSession, now: datetime) -> ClassSession:
    """All boards of a class, everybody at them, and its name. It goes on where it was left; twice is once."""
    ClassSession.objects.filter(pk=session.pk, erasing_since=None).update(erasing_since=now)
    for table in Table.objects.filter(class_session=session).order_by("pk"):
        _erase_of_class(session, table)
    _close(session, now)
    return ClassSession.objects.get(pk=session.pk)


@write_transaction
def _erase_of_class(session: ClassSession, table: Table) -> None:
    fresh = ClassSession.objects.select_for_update().get(pk=session.pk)
    gone = Counter(fresh.receipt)
    gone.update(erase_table(table))
    ClassSession.objects.filter(pk=fresh.pk).update(receipt=dict(gone))


@write_transaction
def _close(session: ClassSession, now: datetime) -> None:
    open_rows = ClassSession.objects.filter(pk=session.pk, erased_at=None)
    open_rows.update(erased_at=now, name="", stopped_at=None)


@write_transaction
def erase_table(table: Table) -> Mapping[str, int]:
    """A table, its game and its guests; how many rows of each kind went. Nothing where it is gone already.

    An account that has a seat keeps existing; the game is gone for it too.
    """
    locked = Table.objects.select_for_update(of=("self",)).select_related("game", "class_session")
    fresh = locked.filter(pk=table.pk).first()
    if fresh is None:
        return {}
    game, players = fresh.game, list(TablePlayer.objects.filter(table=fresh))
    members = GameMembership.objects.filter(game=game).values_list("person", flat=True)
    people = {*members, *(one.person_id for one in players), fresh.host_id}
    guests = Person.objects.filter(pk__in=people, is_guest=True)
    topics = [topic_versions.game_topic(game.key), *map(topic_versions.person_topic, sorted(people))]
    class_key = fresh.class_session.key if fresh.class_session else ""
    gone: Counter[str] = Counter()
    gone["pupils"] = sum(one.number > 0 for one in players)
    gone["sessions"] = _forget({one.phone_session for one in players}, game.key, class_key)
    about_game = {"topic": topic_versions.game_topic(game.key)}
    for rows in (
        WebhookCall.objects.filter(**about_game),
        Notification.objects.filter(**about_game),
        Game.objects.filter(pk=game.pk),
        guests,
        TopicVersion.objects.filter(topic__in=topics),
    ):
        gone.update(rows.delete()[1])
    return gone


def _forget(sessions: Collection[str], game_key: str, class_key: str) -> int:
    """Take a table out of the sessions of its phones; how many held nothing else, and are gone."""
    store = import_module(settings.SESSION_ENGINE).SessionStore
    gone = 0
    for row in Session.objects.filter(session_key__in=sessions):
        kept = store(row.session_key)
        for name, key in ((SEATS_SESSION_KEY, game_key), (CLASSES_SESSION_KEY, class_key)):
            left = {one: value for one, value in kept.get(name, {}).items() if one != key}
            if left:
                kept[name] = left
            else:
                kept.pop(name, None)
        if kept.keys():
            kept.save()
        else:
            kept.delete()
            gone += 1
    return gone


# what has had its time


def erase_due(now: datetime | None = None) -> dict[str, int]:
    """Erase the classes that nobody has erased in time, and what a process has begun; how many, and how many
    receipts have had their time.
    """
    at = now or timezone.now()
    begun = Q(erasing_since__isnull=False) | Q(erase_at__lte=at)
    classes = list(ClassSession.objects.filter(begun, erased_at=None).order_by("pk")[:AT_ONCE])
    for session in classes:
        erase_class(session, at)
    old = ClassSession.objects.filter(erased_at__lt=at - RECEIPTS_KEPT)
    return {"classes": len(classes), "receipts": old.delete()[0]}


def erase_idle_tables(now: datetime | None = None) -> int:
    """Erase tables where nothing happens any more, but for those that something above leads to, as a round of
    a tournament does; how many.
    """
    found = idle_tables(now or timezone.now()).iterator() if settings.TABLE_DAYS else iter(())
    idle = list(islice((table for table in found if not table_links.links_of_table(table)), AT_ONCE))
    for table in idle:
        erase_table(table)
    return len(idle)


def idle_tables(now: datetime) -> QuerySet[Table]:
    """Tables of guests alone, where nothing has happened for TALLEYRAND_KEEP_TABLES days: the first is the
    oldest."""
    before = now - timedelta(days=settings.TABLE_DAYS)
    accounts = GameMembership.objects.filter(game=OuterRef("game"), person__is_guest=False)
    orders = OrderSet.objects.filter(game=OuterRef("game"), received_at__gte=before)
    phones = TablePlayer.objects.filter(table=OuterRef("pk"), phone_joined_at__gte=before)
    lately = Q(game__phase_opened_at__gte=before) | Q(game__ended_at__gte=before)
    drafts = Q(game__seats__drafted_at__gte=before)
    return (
        Table.objects.filter(~Exists(accounts), ~Exists(orders), ~Exists(phones), created_at__lt=before)
        .exclude(lately)
        .exclude(drafts)
        .filter(class_session=None)
        .order_by("pk")
    )
