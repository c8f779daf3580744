"""Whom somebody blocks: theirs alone to read, and gone with the account."""

from __future__ import annotations

from typing import Any

from talleyrand.web.accounts.models import Person
from talleyrand.web.accounts.personal_data import PersonalData

from . import blocks


def export_conduct(person: Person) -> dict[str, Any]:
    """Whom one blocks; by whom one is blocked is theirs."""
    return {
        "blocks": [
            {"name": one.blocked.shown_name, "since": one.created_at} for one in blocks.blocked_by(person)
        ]
    }


CONDUCT_PERSONAL_DATA = PersonalData("conduct", export_conduct)
