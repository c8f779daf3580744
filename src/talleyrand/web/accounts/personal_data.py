"""What the site keeps of a person: told on demand, and what becomes of it when an account is deleted.

Apps that keep something of people register it in their `AppConfig.ready`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from allauth.account.models import EmailAddress
from allauth.usersessions.models import UserSession
from django.conf import settings

from talleyrand.web.common.transactions import write_transaction

from . import passkeys
from .models import OneTimeLink, Person

Json = dict[str, Any]


@dataclass(frozen=True)
class PersonalData:
    """What one app keeps of people.

    `export_personal_data` gives what is a person's own, never another's secret. `deletion_notes` says in
    sentences what deletion would do; `on_delete` does it, inside the transaction of the deletion and before
    the person goes. `hold` comes first of all: what others hold who wait for a person is taken before them.
    """

    name: str
    export: Callable[[Person], Any]
    deletion_notes: Callable[[Person], list[str]] = lambda _person: []
    on_delete: Callable[[Person], None] = lambda _person: None
    hold: Callable[[Person], None] = lambda _person: None


_registered: dict[str, PersonalData] = {}


def register_personal_data(belongings: PersonalData) -> None:
    """Add what an app keeps; a second one of the same name replaces the first."""
    _registered[belongings.name] = belongings


def export_personal_data(person: Person) -> Json:
    """Everything that is one's own, for JSON."""
    return {"account": _account(person), **{name: kept.export(person) for name, kept in _registered_data()}}


def deletion_notes(person: Person) -> list[str]:
    """What deleting the account would do beyond it, in sentences."""
    return [sentence for _name, kept in _registered_data() for sentence in kept.deletion_notes(person)]


class LastAdministrator(Exception):
    """A site without an administrator can be led by nobody."""


@write_transaction
def delete_account(person: Person) -> None:
    """Delete an account: every app lets go of the person, then the person goes; twice does no harm.

    Raises LastAdministrator.
    """
    for kept in _registered.values():
        kept.hold(person)
    list(Person.objects.select_for_update(no_key=True).filter(is_administrator=True).order_by("pk"))
    try:
        person.refresh_from_db(fields=["is_administrator"])
    except Person.DoesNotExist:  # gone by another click
        return
    if is_last_administrator(person):
        raise LastAdministrator
    for kept in reversed(_registered.values()):  # what is built upon others lets go first
        kept.on_delete(person)
    person.delete()


def is_last_administrator(person: Person) -> bool:
    others = Person.objects.filter(is_administrator=True, is_active=True).exclude(pk=person.pk)
    return person.is_administrator and not others.exists()


def _registered_data() -> list[tuple[str, PersonalData]]:
    return sorted(_registered.items())


def _account(person: Person) -> Json:
    addresses = EmailAddress.objects.filter(user=person).order_by("pk")
    made = OneTimeLink.objects.filter(created_by=person)
    return {
        "name": person.name,
        "addresses": list(addresses.values("email", "verified", "primary")),
        "language": dict(settings.LANGUAGES).get(person.language, person.language),
        "time_zone": person.time_zone,
        "preferences": person.preferences,
        "administrator": person.is_administrator,
        "approval": person.approval,
        "joined": person.joined_at,
        "last_signed_in": person.last_login,
        "passkeys": [
            {"name": one.data.get("name", ""), "added": one.created_at, "last_used": one.last_used_at}
            for one in passkeys.passkeys_of(person)
        ],
        "devices_signed_in": list(
            UserSession.objects.filter(user=person)
            .order_by("pk")
            .values("user_agent", "created_at", "last_seen_at")
        ),
        "links_made": [
            {
                "kind": one.kind,
                "remark": one.remark,
                "made": one.created_at,
                "expires": one.expires_at,
                "used": one.used_at,
            }
            for one in made
        ],
    }
