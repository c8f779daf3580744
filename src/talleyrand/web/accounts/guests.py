"""Guests: people without an account, who hold a seat at a table by the device they came with."""

from __future__ import annotations

from django.utils.translation import get_language

from .models import GUEST_SEPARATOR, Person
from .person_names import check_name, folded_name

LONGEST_NAME = 24


def make_guest(name: str, table: str) -> Person:
    """A person without password or address, called `name` at the table `table` (a short word).

    The name is made unique with a number; see `guest_name` for how it is shown.
    """
    person = Person(
        name=_free_name(name, table), is_guest=True, is_active=False, language=get_language() or "fr"
    )
    person.set_unusable_password()
    person.save()
    return person


def check_guest_name(name: str) -> str:
    """The name as a guest is to have it, cut where it is too long. Raises ValidationError, with a sentence,
    for one that nobody can go by.
    """
    return check_name(name[:LONGEST_NAME])


def rename_guest(person: Person, name: str, table: str) -> None:
    """Another name for a guest of the same table."""
    person.name = _free_name(name, table, but=person)
    person.save(update_fields=["name", "folded_name"])


def guest_name(person: Person) -> str:
    """The name as it is shown: without the table's word; of an account its name."""
    return person.shown_name


def _free_name(name: str, table: str, but: Person | None = None) -> str:
    wanted = f"{name[:LONGEST_NAME].strip()}{GUEST_SEPARATOR}{table}"
    # what looks the same counts as the same; one table has a few dozen people at most
    alike = Person.objects.filter(folded_name__startswith=folded_name(wanted))
    taken = {one.folded_name for one in alike if but is None or one.pk != but.pk}
    found, number = wanted, 1
    while folded_name(found) in taken:
        number += 1
        found = f"{wanted} {number}"
    return found
