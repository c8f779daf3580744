"""The hooks of a person: his copy of them, and how long their calls last."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.utils.translation import gettext as _

from talleyrand.web.accounts.belongings import Belongings
from talleyrand.web.accounts.models import Person

from .models import Call, Hook

KEPT = timedelta(days=30)
TOLD = ("kind", "made", "tried", "tries", "outcome", "status", "answer")


def export(person: Person) -> list[dict[str, Any]]:
    """His hooks without their secrets, and what they were told lately."""
    return [
        {
            "address": hook.address,
            "note": hook.note,
            "kinds": hook.kinds,
            "game": hook.game.key if hook.game else None,
            "made": hook.made,
            "paused": hook.paused,
            "calls": list(hook.calls.order_by("pk").values(*TOLD)),
        }
        for hook in Hook.objects.filter(person=person).select_related("game")
    ]


def told(person: Person) -> list[str]:
    """What he loses with his account."""
    if not Hook.objects.filter(person=person).exists():
        return []
    return [_("Your webhooks are deleted: the programs behind them hear nothing more.")]


def left(person: Person) -> None:
    """Delete them, with their calls."""
    Hook.objects.filter(person=person).delete()


def prune(now: datetime) -> int:
    """Delete old calls, whatever became of them; how many."""
    return Call.objects.filter(made__lt=now - KEPT).delete()[0]


BELONGINGS = Belongings("webhooks", export, told, left)
