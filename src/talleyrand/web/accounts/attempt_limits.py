"""How often something may be tried: forms from one address, generously, as a whole club may sit behind it;
and a password, on one account and from one address, whatever name the site is asked by.

Whoever has signed in on a device before has turns of their own there, which no stranger can spend: nobody is
shut out by others who guess. Devices that know an older password alone share the turns of one. By a link one
gets in anyway.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import wraps
from typing import Any

from allauth.account.utils import filter_users_by_email
from django.conf import settings
from django.http import HttpRequest, HttpResponse

from talleyrand.web.common import error_pages, rate_limits
from talleyrand.web.common.visitor_quota import client_address

from . import known_devices
from .models import Person
from .person_names import folded_name

View = Callable[..., HttpResponse]


def limit_attempts(action: str) -> Callable[[View], View]:
    """Refuse a form from an address that has sent more of them than ATTEMPTS_BY_ADDRESS allows."""

    def counting(view: View) -> View:
        @wraps(view)
        def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            if request.method == "POST" and not count_attempt(request, action):
                return error_pages.too_many(request)
            return view(request, *args, **kwargs)

        return guarded

    return counting


def count_attempt(request: HttpRequest, action: str) -> bool:
    """Count one more from the address of a request; whether it has not sent too many."""
    return not rate_limits.hit(action, client_address(request), settings.ATTEMPTS_BY_ADDRESS[action]).wait


class TooManyGuesses(Exception):
    """No more passwords are tried for now."""


@dataclass(frozen=True)
class PasswordAttempt:
    """One password about to be tried, with the turns that it took."""

    hits: tuple[rate_limits.RateLimitHit, ...]

    def rollback(self) -> None:
        """It was the right one: it counts for nobody."""
        for turn in self.hits:
            turn.rollback()


def count_password_attempt(request: HttpRequest, name: str, address: str) -> PasswordAttempt:
    """Count a password that is tried on the account of a name, of an address, or of both. Raises
    TooManyGuesses.

    All accounts that it may open count: an address may stand for several until somebody confirms it.
    """
    people = sorted(_people(name, address), key=lambda one: one.pk)
    devices = [known_devices.device_of(request, one) for one in people]
    if people and all(devices):
        turns = [
            ("guess_on_device", f"{one.pk}:{device}", settings.PASSWORD_ATTEMPTS["device"])
            if known_devices.knows_password(request, one)
            else ("guess_after_password", str(one.pk), settings.PASSWORD_ATTEMPTS["device"])
            for one, device in zip(people, devices, strict=True)
        ]
        return PasswordAttempt(tuple(_counted_attempts(turns)))
    if not count_attempt(request, "sign_in"):
        raise TooManyGuesses
    whose = [str(one.pk) for one in people] or [rate_limits.hashed_key(f"{name}\n{address}")]
    turns = [("guess_from_address", client_address(request), settings.PASSWORD_ATTEMPTS["address"])]
    turns += [("guess_on_account", one, settings.PASSWORD_ATTEMPTS["account"]) for one in whose]
    return PasswordAttempt(tuple(_counted_attempts(turns)))


def _people(name: str, address: str) -> set[Person]:
    named = Person.objects.filter(folded_name=folded_name(name)) if name else ()
    found = filter_users_by_email(address, prefer_verified=True) if address else ()
    return {*named, *found}


def _counted_attempts(turns: list[tuple[str, str, rate_limits.Rate]]) -> Iterator[rate_limits.RateLimitHit]:
    """Each turn, as long as there is one: who has none left of the first takes none of the next."""
    for kind, who, rate in turns:
        taken = rate_limits.hit(kind, who, rate)
        if taken.wait:
            raise TooManyGuesses
        yield taken
