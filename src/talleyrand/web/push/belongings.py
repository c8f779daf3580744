"""The devices of a person, for his copy of what the site keeps; they go with the account."""

from __future__ import annotations

from typing import Any

from talleyrand.web.accounts.belongings import Belongings
from talleyrand.web.accounts.models import Person

from .models import Device

Json = dict[str, Any]


def export(person: Person) -> list[Json]:
    """Which devices are told the news, and since when."""
    mine = Device.objects.filter(person=person)
    return [{"name": one.name, "since": one.made, "last_told": one.reached} for one in mine]


BELONGINGS = Belongings("devices", export)
