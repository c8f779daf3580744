"""The news of a person, for his copy of what the site keeps."""

from __future__ import annotations

from typing import Any

from talleyrand.web.accounts.belongings import Belongings
from talleyrand.web.accounts.models import Person

from .models import Notice

Json = dict[str, Any]
TOLD = ("kind", "facts", "made", "read")


def export(person: Person) -> list[Json]:
    """What one was told, and when one read it."""
    mine = Notice.objects.filter(person=person).order_by("made", "pk")
    return [{name: getattr(notice, name) for name in TOLD} for notice in mine]


BELONGINGS = Belongings("news", export)
