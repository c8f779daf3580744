"""What is kept of how somebody looks for games; it goes with the account."""

from __future__ import annotations

from typing import Any

from talleyrand.web.accounts.models import Person
from talleyrand.web.accounts.personal_data import PersonalData

from .finding_models import QueuePlace


def export_finding(person: Person) -> dict[str, Any]:
    """The queues in which one waits."""
    places = QueuePlace.objects.filter(person=person).select_related("queue")
    return {
        "queues": [
            {"queue": one.queue.kind, "since": one.joined_at, "until": one.expires_at} for one in places
        ],
    }


FINDING_PERSONAL_DATA = PersonalData("finding", export_finding)
