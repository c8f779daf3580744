"""How the post fares, for whoever runs the site: counts and dates, no text, no address, no person."""

from __future__ import annotations

from collections import Counter
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db.models import Max, Min, Q, QuerySet

from talleyrand.web.mail.incoming import outcome_words
from talleyrand.web.mail.models import Arrival, Departure, Door, Gate, Unreached
from talleyrand.web.mail.outcomes import Outcome
from talleyrand.web.mail.outgoing import dropped_words

RECENT = timedelta(days=7)
SLOW = timedelta(minutes=5)
MOST_SHOWN = 50


def context(now: datetime) -> dict[str, Any]:
    """What the page shows."""
    return {
        "has_post": settings.HAS_POST,
        "came": _came(now),
        "left": _left(now),
        "faults": _faults(),
        "outcomes": _outcomes(now),
        "dropped": _dropped(now),
    }


def _came(now: datetime) -> dict[str, Any]:
    waiting = Arrival.objects.filter(outcome="")
    oldest = waiting.aggregate(at=Min("message__kept"))["at"]
    return {
        "waiting": waiting.count(),
        "oldest": oldest,
        "last": Arrival.objects.aggregate(at=Max("sorted"))["at"],
        "stands": _is_old(oldest, now),
    }


def _left(now: datetime) -> dict[str, Any]:
    waiting = Departure.objects.filter(sent=None, dropped="")
    due = waiting.filter(due__lte=now)
    oldest = due.aggregate(at=Min("due"))["at"]
    return {
        "waiting": due.count(),
        "later": waiting.filter(due__gt=now).count(),
        "failing": waiting.filter(tries__gt=0).count(),
        "oldest": oldest,
        "last": Departure.objects.aggregate(at=Max("sent"))["at"],
        "stands": _is_old(oldest, now),
        "shut": Gate.objects.filter(opens__gt=now).values_list("opens", flat=True).first(),
        "unreached": Unreached.objects.exclude(paused=None).count(),
    }


def _is_old(oldest: datetime | None, now: datetime) -> bool:
    """Whether something has waited so long that nobody seems to be at work."""
    return oldest is not None and oldest < now - SLOW


def faults() -> QuerySet[Arrival]:
    """Mails that could not be processed by a fault of ours."""
    return Arrival.objects.filter(outcome=Outcome.FAULT)


def _faults() -> dict[str, Any]:
    rows = faults().select_related("message", "mailbox").order_by("-pk")[:MOST_SHOWN]
    told = [
        {"number": one.pk, "door": Door(one.mailbox.door).value, "at": one.message.received} for one in rows
    ]
    return {"count": faults().count(), "rows": told}


def _outcomes(now: datetime) -> list[dict[str, Any]]:
    """What the mails of the last days came to, the most frequent first."""
    recent = Arrival.objects.filter(sorted__gt=now - RECENT).values_list("mailbox__door", "outcome")
    return [
        {"door": door, "words": outcome_words.sentence(outcome), "outcome": outcome, "count": count}
        for (door, outcome), count in Counter(recent).most_common()
    ]


def _dropped(now: datetime) -> list[dict[str, Any]]:
    """Why mails of the last days never left, the most frequent reason first."""
    recent = Departure.objects.filter(~Q(dropped=""), made__gt=now - RECENT)
    counted = Counter(recent.values_list("dropped", flat=True)).most_common()
    return [{"code": code, "words": dropped_words.sentence(code), "count": count} for code, count in counted]


def try_again() -> int:
    """Have the mails read once more that could not be processed; how many there are."""
    fresh = {"outcome": "", "attempts": 0, "sorted": None, "worker": "", "worker_until": None}
    return faults().update(**fresh)
