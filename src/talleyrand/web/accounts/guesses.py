"""How often a password may be tried: on one account and from one address, whatever name the site is asked by.

Whoever has signed in on a device before has turns of their own there, which no stranger can spend: nobody is
shut out by others who guess. Devices that know an older password alone share the turns of one. By a link one
gets in anyway.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from allauth.account.utils import filter_users_by_email
from django.conf import settings
from django.http import HttpRequest

from talleyrand.web import rates, visitors

from . import attempts, known_devices
from .models import Person
from .names import folded


class TooMany(Exception):
    """No more passwords are tried for now."""


@dataclass(frozen=True)
class Guess:
    """One password about to be tried, with the turns that it took."""

    turns: tuple[rates.Taken, ...]

    def rollback(self) -> None:
        """It was the right one: it counts for nobody."""
        for turn in self.turns:
            turn.rollback()


def guess(request: HttpRequest, name: str, address: str) -> Guess:
    """Count a password that is tried on the account of a name, of an address, or of both. Raises TooMany.

    All accounts that it may open count: an address may stand for several until somebody confirms it.
    """
    people = sorted(_people(name, address), key=lambda one: one.pk)
    devices = [known_devices.device_of(request, one) for one in people]
    if people and all(devices):
        turns = [
            ("guess_on_device", f"{one.pk}:{device}", settings.GUESSES["device"])
            if known_devices.knows_password(request, one)
            else ("guess_after_password", str(one.pk), settings.GUESSES["device"])
            for one, device in zip(people, devices, strict=True)
        ]
        return Guess(tuple(_taken(turns)))
    if not attempts.allowed(request, "sign_in"):
        raise TooMany
    whose = [str(one.pk) for one in people] or [rates.sealed(f"{name}\n{address}")]
    turns = [("guess_from_address", visitors.address(request), settings.GUESSES["address"])]
    turns += [("guess_on_account", one, settings.GUESSES["account"]) for one in whose]
    return Guess(tuple(_taken(turns)))


def _people(name: str, address: str) -> set[Person]:
    named = Person.objects.filter(folded=folded(name)) if name else ()
    found = filter_users_by_email(address, prefer_verified=True) if address else ()
    return {*named, *found}


def _taken(turns: list[tuple[str, str, rates.Rate]]) -> Iterator[rates.Taken]:
    """Each turn, as long as there is one: who has none left of the first takes none of the next."""
    for kind, who, rate in turns:
        taken = rates.take(kind, who, rate)
        if taken.wait:
            raise TooMany
        yield taken
