"""How the post fares, for whoever runs the site: counts and dates, no text, no address, no person."""

from __future__ import annotations

from collections import Counter
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db.models import Max, Min, Q, QuerySet

from talleyrand.web.mail.inbound import outcome_texts
from talleyrand.web.mail.mail_outcomes import MailOutcome
from talleyrand.web.mail.models import (
    BouncedAddress,
    InboundDelivery,
    MailboxPurpose,
    OutboundEmail,
    SendLock,
)
from talleyrand.web.mail.outbound import email_queue

RECENT = timedelta(days=7)
SLOW = timedelta(minutes=5)
MOST_SHOWN = 50


def mail_health_context(now: datetime) -> dict[str, Any]:
    """What the page shows."""
    return {
        "has_post": settings.HAS_PLAY_BY_MAIL,
        "came": _came(now),
        "left": _left(now),
        "faults": _faults(),
        "outcomes": _outcomes(now),
        "dropped": _dropped(now),
    }


def _came(now: datetime) -> dict[str, Any]:
    waiting = InboundDelivery.objects.filter(outcome="")
    oldest = waiting.aggregate(at=Min("email__stored_at"))["at"]
    return {
        "waiting": waiting.count(),
        "oldest": oldest,
        "last": InboundDelivery.objects.aggregate(at=Max("processed_at"))["at"],
        "stands": _is_old(oldest, now),
    }


def _left(now: datetime) -> dict[str, Any]:
    waiting = OutboundEmail.objects.filter(sent_at=None, drop_reason="")
    due = waiting.filter(due_at__lte=now)
    oldest = due.aggregate(at=Min("due_at"))["at"]
    return {
        "waiting": due.count(),
        "later": waiting.filter(due_at__gt=now).count(),
        "failing": waiting.filter(attempts__gt=0).count(),
        "oldest": oldest,
        "last": OutboundEmail.objects.aggregate(at=Max("sent_at"))["at"],
        "stands": _is_old(oldest, now),
        "shut": SendLock.objects.filter(closed_until__gt=now).values_list("closed_until", flat=True).first(),
        "unreached": BouncedAddress.objects.exclude(paused_at=None).count(),
    }


def _is_old(oldest: datetime | None, now: datetime) -> bool:
    """Whether something has waited so long that nobody seems to be at work."""
    return oldest is not None and oldest < now - SLOW


def failed_deliveries() -> QuerySet[InboundDelivery]:
    """Mails that could not be processed by a fault of ours."""
    return InboundDelivery.objects.filter(outcome=MailOutcome.FAULT)


def _faults() -> dict[str, Any]:
    rows = failed_deliveries().select_related("email", "mailbox").order_by("-pk")[:MOST_SHOWN]
    told = [
        {"number": one.pk, "door": MailboxPurpose(one.mailbox.purpose).value, "at": one.email.received_at}
        for one in rows
    ]
    return {"count": failed_deliveries().count(), "rows": told}


def _outcomes(now: datetime) -> list[dict[str, Any]]:
    """What the mails of the last days came to, the most frequent first."""
    recent = InboundDelivery.objects.filter(processed_at__gt=now - RECENT).values_list(
        "mailbox__purpose", "outcome"
    )
    return [
        {"door": door, "words": outcome_texts.outcome_text(outcome), "outcome": outcome, "count": count}
        for (door, outcome), count in Counter(recent).most_common()
    ]


def _dropped(now: datetime) -> list[dict[str, Any]]:
    """Why mails of the last days never left, the most frequent reason first."""
    recent = OutboundEmail.objects.filter(~Q(drop_reason=""), created_at__gt=now - RECENT)
    counted = Counter(recent.values_list("drop_reason", flat=True)).most_common()
    return [
        {"code": code, "words": email_queue.drop_reason_text(code), "count": count} for code, count in counted
    ]


def retry_failed() -> int:
    """Have the mails read once more that could not be processed; how many there are."""
    fresh = {"outcome": "", "attempts": 0, "processed_at": None, "claimed_by": "", "claimed_until": None}
    return failed_deliveries().update(**fresh)
