"""Puts what is to be told into the outbox, inside the transaction of what it tells."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from . import counters
from .models import Notice


def tell(
    people: Iterable[int],
    kind: str,
    facts: Mapping[str, Any],
    *,
    about: str,
    path: str,
    once: str,
) -> None:
    """Tell each person (by primary key) one thing; the same `once` again tells nobody twice."""
    rows = [
        Notice(person_id=person, kind=kind, facts=dict(facts), about=about, path=path, once=once)
        for person in dict.fromkeys(people)
    ]
    Notice.objects.bulk_create(rows, ignore_conflicts=True)
    for row in rows:
        counters.bump(counters.person_topic(row.person_id))
