"""The hooks of a person: his copy of them, and how long their calls last."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.utils.translation import gettext as _

from talleyrand.web.accounts.models import Person
from talleyrand.web.accounts.personal_data import PersonalData

from .models import Webhook, WebhookCall

CALLS_KEPT = timedelta(days=30)


def export_webhooks(person: Person) -> list[dict[str, Any]]:
    """His hooks without their secrets, and what they were told lately."""
    return [
        {
            "address": hook.address,
            "note": hook.label,
            "kinds": hook.kinds,
            "game": hook.game.key if hook.game else None,
            "made": hook.created_at,
            "paused": hook.paused_at,
            "calls": [_call(call) for call in hook.calls.order_by("pk")],
        }
        for hook in Webhook.objects.filter(person=person).select_related("game")
    ]


def _call(call: WebhookCall) -> dict[str, Any]:
    return {
        "kind": call.kind,
        "made": call.created_at,
        "tried": call.attempted_at,
        "tries": call.attempts,
        "outcome": call.outcome,
        "status": call.status_code,
        "answer": call.response_text,
    }


def webhook_deletion_notes(person: Person) -> list[str]:
    """What he loses with his account."""
    if not Webhook.objects.filter(person=person).exists():
        return []
    return [_("Your webhooks are deleted: the programs behind them receive nothing more.")]


def delete_webhooks_of(person: Person) -> None:
    """Delete them, with their calls."""
    Webhook.objects.filter(person=person).delete()


def prune_calls(now: datetime) -> int:
    """Delete old calls, whatever became of them; how many."""
    return WebhookCall.objects.filter(created_at__lt=now - CALLS_KEPT).delete()[0]


PERSONAL_DATA = PersonalData("webhooks", export_webhooks, webhook_deletion_notes, delete_webhooks_of)
