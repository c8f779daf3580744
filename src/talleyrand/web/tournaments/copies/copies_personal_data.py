"""The copies that somebody holds, and what becomes of them when his account is deleted."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from talleyrand.web.accounts.models import Person
from talleyrand.web.accounts.personal_data import PersonalData

from . import held_copies


def export_copies(account: Person) -> list[dict[str, Any]]:
    """Their names and since when; what they show is the tournament's."""
    return [
        {"copy": one.tournament.name, "key": one.tournament.key, "made": one.created_at.isoformat()}
        for one in held_copies.copies_of(account)
    ]


def copy_deletion_notes(account: Person) -> list[str]:
    """What is shown here of events directed elsewhere goes."""
    said = _("The copy of the tournament “%(name)s” that you host here will be deleted.")
    return [said % {"name": one.tournament.name} for one in held_copies.copies_of(account)]


def delete_copies_of(account: Person) -> None:
    """What `copy_deletion_notes` said."""
    for one in held_copies.copies_of(account):
        held_copies.delete_copy(one)


COPIES_PERSONAL_DATA = PersonalData("tournament_copies", export_copies, copy_deletion_notes, delete_copies_of)
