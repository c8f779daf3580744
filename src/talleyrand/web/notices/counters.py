"""What pages watch: a number for each topic, raised by whoever changes what the topic shows."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import F

from .models import Counter


def game_topic(key: str) -> str:
    """What everybody who may open the game may see of it: never raised by what is secret."""
    return f"game:{key}"


def person_topic(pk: int) -> str:
    return f"person:{pk}"


def bump(topic: str) -> None:
    """Say that something under this topic has changed. Safe inside a transaction."""
    if not Counter.objects.filter(topic=topic).update(version=F("version") + 1):
        Counter.objects.bulk_create([Counter(topic=topic, version=1)], ignore_conflicts=True)


def versions(topics: Iterable[str]) -> dict[str, int]:
    """The number of each topic, 0 for one that never changed."""
    wanted = list(topics)
    known = dict(Counter.objects.filter(topic__in=wanted).values_list("topic", "version"))
    return {topic: known.get(topic, 0) for topic in wanted}
