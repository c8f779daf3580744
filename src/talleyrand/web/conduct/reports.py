"""Files what somebody reports: a copy of what they could read, told to those who moderate."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from talleyrand.web.accounts.models import Person
from talleyrand.web.common.transactions import write_transaction
from talleyrand.web.notifications import outbox

from . import bans
from .models import Report, ReportKind, ReportReason

MOST_A_DAY = 20
LONGEST_REMARK = 1000
TOPIC = "conduct"  # what news of how people behave are about


class TooManyReports(Exception):
    """Somebody has reported so much within a day that nobody reads it."""


@dataclass(frozen=True)
class ReportedMessage:
    """What is reported: whose message, or comment, of which game, with what stood around it."""

    accused: Person
    key: str
    game_key: str
    game_name: str
    excerpt: list[dict[str, Any]]
    kind: str = ReportKind.MESSAGE


@write_transaction
def file_report(reporter: Person, message: ReportedMessage, reason: str, remark: str) -> tuple[Report, bool]:
    """Keep a report; the same message again is the same report, and False. Raises TooManyReports."""
    Person.objects.select_for_update().get(pk=reporter.pk)
    mine = Report.objects.filter(reporter=reporter)
    if known := mine.filter(message_key=message.key, game_key=message.game_key).first():
        return known, False
    if mine.filter(created_at__gt=timezone.now() - timedelta(days=1)).count() >= MOST_A_DAY:
        raise TooManyReports
    report = Report.objects.create(
        kind=message.kind,
        reporter=reporter,
        accused=message.accused,
        reason=reason,
        remark=remark,
        game_key=message.game_key,
        game_name=message.game_name,
        message_key=message.key,
        excerpt=message.excerpt,
    )
    outbox.notify(
        [pk for pk in bans.moderator_ids() if pk not in (reporter.pk, message.accused.pk)],
        "reported",
        {"game": settings.SITE_NAME},
        about=TOPIC,
        path=reverse("moderation:desk"),
        once=f"report:{report.key}",
    )
    return report, True


def reason_titles() -> dict[str, str]:
    """What one can complain of."""
    return {
        ReportReason.INSULT: _("Insults or harassment"),
        ReportReason.THREAT: _("Threats outside the game"),
        ReportReason.CHEATING: _("Cheating, or deals beyond this game"),
        ReportReason.SPAM: _("Advertising or flooding"),
        ReportReason.OTHER: _("Something else"),
    }
