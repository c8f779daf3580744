"""What is kept of somebody who looks on; it goes with the account."""

from __future__ import annotations

from typing import Any

from talleyrand.web.accounts.models import Person
from talleyrand.web.accounts.personal_data import PersonalData

from .models import FollowedGame, OnlookerComment


def export_onlooking(person: Person) -> dict[str, Any]:
    """The games that one follows, and one’s own comments."""
    followed = FollowedGame.objects.filter(person=person).select_related("game").order_by("pk")
    said = OnlookerComment.objects.filter(person=person).select_related("game")
    return {
        "followed": [{"game": one.game.key, "told": one.is_told, "since": one.since} for one in followed],
        "comments": [
            {
                "game": one.game.key,
                "phase": one.phase,
                "text": one.text,
                "written": one.written_at,
                "removed": one.removed_at,
            }
            for one in said
        ],
    }


ONLOOKER_PERSONAL_DATA = PersonalData("onlooking", export_onlooking)
