"""The news of a person, for his copy of what the site keeps."""

from __future__ import annotations

from typing import Any

from talleyrand.web.accounts.models import Person
from talleyrand.web.accounts.personal_data import PersonalData
from talleyrand.web.common.model_fields import json_text

from .models import Notification

Json = dict[str, Any]


def export_notifications(person: Person) -> list[Json]:
    """What one was told, and when one read it."""
    mine = Notification.objects.filter(person=person).order_by("created_at", "pk")
    return [
        {"kind": one.kind, "facts": one.facts, "made": one.created_at, "read": one.read_at} for one in mine
    ]


def _forget_newcomer(person: Person) -> None:
    """Whoever was told that somebody had come is not told his name any longer."""
    joined = Notification.objects.filter(kind="joined").annotate(came=json_text("facts__person"))
    for told in joined.filter(came=str(person.pk)):
        told.facts = {key: fact for key, fact in told.facts.items() if key not in ("newcomer", "person")}
        told.save(update_fields=["facts"])


PERSONAL_DATA = PersonalData("news", export_notifications, on_delete=_forget_newcomer)
