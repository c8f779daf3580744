"""What is kept of how somebody behaves, and of what they reported: theirs to read, gone with the account."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.db.models import Q
from django.utils.translation import gettext as _

from talleyrand.web.accounts.models import Person
from talleyrand.web.accounts.personal_data import PersonalData

from . import bans, blocks, departed_accounts
from .game_traces import KEPT as TRACES_KEPT
from .models import GameTrace, Measure, ModeratedGame, ModerationEntry, Report

KEPT = timedelta(days=730)


def export_conduct(person: Person) -> dict[str, Any]:
    """Whom one blocks, what one reported, one's warnings and bans, what one did and read as a moderator,
    whence one's orders came.

    Who blocks or reported one is theirs.
    """
    told = ("reason", "remark", "game_key", "game_name", "excerpt", "created_at", "closed_at")
    traces = ("game_key", "device", "address", "hours", "last_at")
    measures = ("kind", "reason", "created_at", "ends_at", "lifted_at")
    return {
        "blocks": [
            {"name": one.blocked.shown_name, "since": one.created_at} for one in blocks.blocked_by(person)
        ],
        "reports": list(Report.objects.filter(reporter=person).values(*told)),
        "measures": list(Measure.objects.filter(person=person).values(*measures)),
        "moderation": list(ModerationEntry.objects.filter(by=person).values("kind", "text", "at")),
        "games_read_of": list(ModeratedGame.objects.filter(person=person).values("game_key", "at")),
        "traces": list(GameTrace.objects.filter(person=person).values(*traces)),
    }


def leave_conduct(person: Person) -> None:
    """What somebody wrote with a report goes with them; the report itself is about another. A ban, and
    reports about them, wait under a pseudonym.
    """
    list(Person.objects.select_for_update(no_key=True).filter(pk=person.pk))  # no ban comes in between
    Report.objects.filter(reporter=person).update(remark="")
    departed_accounts.keep_what_waits(person)


def conduct_notes(person: Person) -> list[str]:
    """That a ban does not end by it; whether one was reported is told to nobody."""
    if not bans.running_ban(person):
        return []
    return [
        _(
            "Your ban does not end: a new account with one of your email addresses has it again. Until then "
            "only a seal of each address is kept."
        )
    ]


CONDUCT_PERSONAL_DATA = PersonalData("conduct", export_conduct, conduct_notes, leave_conduct)


def prune(now: datetime) -> int:
    """Delete what was closed, or over, two years ago, and traces of a month ago; how many rows."""
    before = now - KEPT
    return departed_accounts.prune(now) + sum(
        rows.delete()[0]
        for rows in (
            ModerationEntry.objects.filter(at__lt=before),
            ModeratedGame.objects.filter(at__lt=before),
            Measure.objects.filter(created_at__lt=before).filter(Q(ends_at=None) | Q(ends_at__lt=before)),
            Report.objects.filter(closed_at__lt=before),
            GameTrace.objects.filter(last_at__lt=now - TRACES_KEPT),
        )
    )
