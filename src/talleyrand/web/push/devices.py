"""Registers devices and forgets them: with the session in which they were registered, or on demand."""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from typing import Any

from django.conf import settings
from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone

from talleyrand.web.accounts import browsers, sessions
from talleyrand.web.accounts.models import Person
from talleyrand.web.webhooks import destinations

from . import keys
from .models import LONGEST_ENDPOINT, Device, Push

MOST = 10
MARK = "push_device"  # in a session: the device that was registered in it
# Who takes messages for the browsers there are; TALLEYRAND_PUSH_SERVICES names others.
SERVICES = ("fcm.googleapis.com", "push.services.mozilla.com", "push.apple.com", "notify.windows.com")


class NotTaken(Exception):
    """Why a device is not registered: `keys`, `service` or `many`."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def register(request: HttpRequest, person: Person, told: Any) -> Device:
    """Have the browser that asks show the news of `person`; whoever had it before is told there no more.

    `told` is what the browser says of its subscription. Raises NotTaken.
    """
    endpoint, known, shared = _checked(told)
    mark = digest(endpoint)
    with transaction.atomic():
        Device.objects.filter(digest=mark).exclude(person=person).delete()
        mine = Device.objects.select_for_update().filter(person=person).exclude(digest=mark)
        mine.filter(session=_session(request)).delete()  # the same browser, under its former endpoint
        if mine.count() >= MOST:
            raise NotTaken("many")
        facts = {"endpoint": endpoint, "known": known, "shared": shared, "session": _session(request)}
        facts["name"] = browsers.named(request.headers.get("User-Agent", ""))
        device, _new = Device.objects.update_or_create(
            digest=mark, defaults=facts, create_defaults={**facts, "person": person}
        )
    request.session[MARK] = device.key
    return device


def _checked(told: Any) -> tuple[str, str, str]:
    """Raises NotTaken."""
    endpoint = told.get("endpoint") if isinstance(told, dict) else None
    pair = told.get("keys") if isinstance(told, dict) else None
    if not (isinstance(endpoint, str) and isinstance(pair, dict)):
        raise NotTaken("keys")
    try:
        known, shared = keys.checked(pair.get("p256dh"), pair.get("auth"))
    except keys.NotKeys as problem:
        raise NotTaken("keys") from problem
    if len(endpoint) > LONGEST_ENDPOINT or not is_service(endpoint):
        raise NotTaken("service")
    return endpoint, known, shared


def is_service(endpoint: str) -> bool:
    """Whether an address is one of a push service that we send to."""
    try:
        to = destinations.read(endpoint)
    except destinations.NotAllowed:
        return False
    known = (*SERVICES, *settings.PUSH_SERVICES)
    return to.here or any(to.host == name or to.host.endswith(f".{name}") for name in known)


def digest(endpoint: str) -> str:
    """What an endpoint is known by, here and in its browser."""
    return hashlib.sha256(endpoint.encode()).hexdigest()


def _session(request: HttpRequest) -> str:
    return request.session.session_key or ""


# who is told


def reached(people: Collection[Person]) -> set[int]:
    """Who of some people, by primary key, has a device."""
    return set(Device.objects.filter(person__in=people).values_list("person", flat=True))


def alive(found: Collection[Device]) -> set[int]:
    """The primary keys of those in which their owner is still signed in."""
    whose = sessions.alive({one.session for one in found})
    return {one.pk for one in found if whose.get(one.session) == one.person_id}


# how it ends


def forget(person: Person, key: str) -> bool:
    """Tell one of somebody's devices nothing more; False where it is none of his."""
    return bool(Device.objects.filter(person=person, key=key).delete()[0])


def signed_out(sender: Any, request: HttpRequest | None = None, **_more: Any) -> None:  # noqa: ARG001
    """Whoever signs out on a device is told nothing there any more, whoever has it next."""
    session = getattr(request, "session", None)
    if session is not None and session.session_key:
        Device.objects.filter(session=session.session_key).delete()


def ended(sender: Any, keys: Collection[str], **_more: Any) -> None:  # noqa: ARG001
    """Nor on one that was signed out from elsewhere."""
    Device.objects.filter(session__in=keys).delete()


def follow(request: HttpRequest) -> None:
    """A session that got another key, as with a new password, keeps the device registered in it."""
    key, session = request.session.get(MARK), _session(request)
    if key and session and session != request.COOKIES.get(settings.SESSION_COOKIE_NAME):
        Device.objects.filter(key=key, person=request.user.pk).update(session=session)


def try_out(person: Person, key: str) -> bool:
    """Send a trial to one of somebody's devices, once at a time; False where it is none of his."""
    device = Device.objects.filter(person=person, key=key).first()
    if device is None:
        return False
    if not Push.objects.filter(device=device, notice=None, sent=None, dropped="").exists():
        Push.objects.create(device=device, due=timezone.now())
    return True
