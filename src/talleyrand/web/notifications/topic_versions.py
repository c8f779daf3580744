"""What pages watch: a number for each topic, raised by whoever changes what the topic shows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from threading import local

from django.db import transaction
from django.db.models import F

from talleyrand.web.common.failpoints import failpoint
from talleyrand.web.common.prepared_queries import Given, PreparedQuery

from .models import TopicVersion

AT_ONCE = 400  # how many topics one question names: below the least limit of any SQLite

RAISE = PreparedQuery(
    lambda: TopicVersion.objects.filter(topic=Given(TopicVersion, "topic")),
    lambda: {"version": F("version") + 1},
)
VERSION = PreparedQuery(
    lambda: TopicVersion.objects.filter(topic=Given(TopicVersion, "topic")).values_list("topic", "version")
)
_waiting = local()


def game_topic(key: str) -> str:
    """What everybody who may open the game may see of it: never raised by what is secret."""
    return f"game:{key}"


def person_topic(pk: int) -> str:
    return f"person:{pk}"


def bump(topic: str) -> None:
    """Say that something under this topic has changed. Safe inside a transaction."""
    if not RAISE.update(topic=topic):
        _make([topic])
        RAISE.update(topic=topic)


def bump_people(people: Iterable[int]) -> None:
    """Say it to several persons once the transaction has ended.

    Within it, two games that end a phase at the same moment would wait for each other's rows.
    """
    topics = sorted(person_topic(one) for one in people)
    if topics:
        # What fails then is logged: whoever heard of it would do again what is committed.
        transaction.on_commit(lambda: _committed(topics), robust=True)


@contextmanager
def batched_bumps() -> Iterator[None]:
    """Have this thread raise the topics of people once for all that is committed in the block, at its end:
    whoever is in many games is told once.
    """
    before, _waiting.topics = getattr(_waiting, "topics", None), set()
    try:
        yield
    finally:
        topics, _waiting.topics = _waiting.topics, before
        if topics:
            _committed(sorted(topics))


def _committed(topics: list[str]) -> None:
    waiting: set[str] | None = getattr(_waiting, "topics", None)
    if waiting is None:
        _bump_all(topics)
    else:
        waiting.update(topics)


def current_versions(topics: Iterable[str]) -> dict[str, int]:
    """The number of each topic, 0 for one that never changed."""
    wanted = list(dict.fromkeys(topics))
    known: dict[str, int] = {}
    for part in _parts(wanted):
        one = VERSION.rows(topic=part[0]) if len(part) == 1 else None
        several = TopicVersion.objects.filter(topic__in=part).values_list("topic", "version")
        known |= dict(several if one is None else one)
    return {topic: known.get(topic, 0) for topic in wanted}


def _make(topics: Iterable[str]) -> None:
    """Somebody else may make a row in the same moment: then it is his."""
    TopicVersion.objects.bulk_create([TopicVersion(topic=one) for one in topics], ignore_conflicts=True)


def _bump_all(topics: list[str]) -> None:
    """Together; the rows are taken in one order, so that nobody waits for whoever waits for him."""
    failpoint("counters: committed, not yet raised")
    with transaction.atomic():
        for part in _parts(topics):
            known = TopicVersion.objects.filter(topic__in=part).order_by("topic")
            taken = set(known.select_for_update().values_list("topic", flat=True))
            if missing := [topic for topic in part if topic not in taken]:
                _make(missing)
            TopicVersion.objects.filter(topic__in=part).update(version=F("version") + 1)


def _parts(topics: list[str]) -> Iterator[list[str]]:
    waiting = iter(topics)
    while part := list(islice(waiting, AT_ONCE)):
        yield part
