"""The devices of a person, for his copy of what the site keeps; they go with the account."""

from __future__ import annotations

from typing import Any

from talleyrand.web.accounts.models import Person
from talleyrand.web.accounts.personal_data import PersonalData

from .models import PushDevice

Json = dict[str, Any]


def export_devices(person: Person) -> list[Json]:
    """Which devices are told the news, and since when."""
    mine = PushDevice.objects.filter(person=person)
    return [{"name": one.name, "since": one.created_at, "last_told": one.last_delivered_at} for one in mine]


PERSONAL_DATA = PersonalData("devices", export_devices)
