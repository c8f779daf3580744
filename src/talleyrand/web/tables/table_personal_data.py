"""What a table keeps of an account that has a seat there, and what becomes of the seat without it."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from talleyrand.web.accounts.models import Person
from talleyrand.web.accounts.personal_data import PersonalData
from talleyrand.web.games.models import ENDED_STATES

from . import table_seats
from .models import TablePlayer


def export_seats(person: Person) -> list[dict[str, Any]]:
    """The seats that one has: whose table, which, and since when by which phone."""
    return [
        {"game": one.table.game.key, "seat": one.number, "phone_since": one.phone_joined_at}
        for one in TablePlayer.objects.filter(person=person).select_related("table__game").order_by("pk")
    ]


def seat_deletion_notes(person: Person) -> list[str]:
    """What becomes of the seats at tables that still play."""
    held = TablePlayer.objects.filter(person=person).exclude(table__game__state__in=ENDED_STATES)
    return [
        _("%(game)s: your seat stays at the table, with its power; others can take it over.")
        % {"game": one.table.game.name}
        for one in held.select_related("table__game").order_by("pk")
    ]


def leave_seats(person: Person) -> None:
    """Each seat goes to a guest without a phone, who is called by its number; a referee's leads still."""
    held = TablePlayer.objects.filter(person=person, person__is_guest=False)
    for one in held.select_related("person", "table__game").order_by("pk"):
        table_seats.seat_guest(one, str(one.number))
        TablePlayer.objects.filter(pk=one.pk).update(**table_seats.NO_PHONE)
        table_seats.tell_table(one.table)


TABLE_PERSONAL_DATA = PersonalData("tables", export_seats, seat_deletion_notes, leave_seats)
