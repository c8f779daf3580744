"""How rows are claimed: `claimed_by` is a token, new for each claim, and `claimed_until` its end.

A row is free without an end, or once that has passed. One that has an end and no token rests until then.
"""

from __future__ import annotations

from datetime import datetime
from enum import Enum, auto
from typing import Any

from django.db.models import Case, F, IntegerField, Q, QuerySet, When

from talleyrand.web.common.prepared_queries import Given

TOKEN = "claimed_by"  # noqa: S105 the name of a column


class ClaimLost(Exception):
    """Another has the row meanwhile, or it is gone."""


class Counted(Enum):
    """Which claims a row counts in its `attempts`."""

    NONE = auto()  # those who work count failures themselves, or not at all
    EVERY = auto()
    ABANDONED = auto()  # those who had it before came to their end with it: that counts as a try


def unclaimed(rows: QuerySet[Any], now: datetime | Given) -> QuerySet[Any]:
    """Those of some rows that nobody works at."""
    return rows.filter(Q(claimed_until=None) | Q(claimed_until__lt=now))


def claim_rows(
    rows: QuerySet[Any], token: str, now: datetime, until: datetime, counted: Counted, **noted: Any
) -> list[Any]:
    """Take those of some rows that are still free, by one conditional update; in the order of the rows.

    `rows` must join no other table: PostgreSQL asks again whether a row is free after it has waited for
    another’s claim, but not in a subquery. A table without tokens has one row claimed at a time.
    """
    claimed: dict[str, Any] = {"claimed_until": until, **noted}
    if has_tokens := any(field.name == TOKEN for field in rows.model._meta.fields):
        claimed[TOKEN] = token
    if counted is Counted.EVERY:
        claimed["attempts"] = F("attempts") + 1
    elif counted is Counted.ABANDONED:
        abandoned = When(~Q(claimed_by=""), then=F("attempts") + 1)
        claimed["attempts"] = Case(abandoned, default=F("attempts"), output_field=IntegerField())
    count = unclaimed(rows, now).update(**claimed)
    if not has_tokens:
        return list(rows) if count else []
    mine = list(rows.filter(claimed_by=token)) if count else []
    if len(mine) < count:  # no longer due meanwhile
        release(rows.model._default_manager.filter(claimed_by=token).exclude(pk__in=[row.pk for row in mine]))
    return mine


def release(rows: QuerySet[Any], **changed: Any) -> None:
    """Make some rows free whose workers are gone."""
    rows.exclude(claimed_by="").update(claimed_by="", claimed_until=None, **changed)


def own_rows(row: Any) -> QuerySet[Any]:
    """The row, if it is still claimed as it was when it was read."""
    mine: QuerySet[Any] = type(row)._default_manager.filter(pk=row.pk, claimed_by=row.claimed_by)
    return mine.exclude(claimed_by="")
