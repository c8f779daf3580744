"""Registers devices and forgets them: with the session in which they were registered, or on demand."""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from typing import Any

from django.conf import settings
from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone

from talleyrand.web.accounts import open_sessions
from talleyrand.web.accounts.models import Person
from talleyrand.web.accounts.signed_in_devices import browser_name
from talleyrand.web.common import outbound_urls

from . import vapid_keys
from .models import LONGEST_ENDPOINT, PushDevice, PushMessage

MOST = 10
MARK = "push_device"  # in a session: the device that was registered in it
# Who takes messages for the browsers there are; TALLEYRAND_PUSH_SERVICES names others.
SERVICES = ("fcm.googleapis.com", "push.services.mozilla.com", "push.apple.com", "notify.windows.com")


class DeviceRefused(Exception):
    """Why a device is not registered: `keys`, `service` or `many`."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def register_device(request: HttpRequest, person: Person, told: Any) -> PushDevice:
    """Have the browser that asks show the news of `person`; whoever had it before is told there no more.

    `told` is what the browser says of its subscription. Raises DeviceRefused.
    """
    endpoint, known, shared = _checked(told)
    mark = endpoint_digest(endpoint)
    with transaction.atomic():
        PushDevice.objects.filter(endpoint_digest=mark).exclude(person=person).delete()
        mine = PushDevice.objects.select_for_update().filter(person=person).exclude(endpoint_digest=mark)
        mine.filter(session_key=_session(request)).delete()  # the same browser, under its former endpoint
        if mine.count() >= MOST:
            raise DeviceRefused("many")
        facts = {
            "endpoint": endpoint,
            "p256dh": known,
            "auth_secret": shared,
            "session_key": _session(request),
        }
        facts["name"] = browser_name(request.headers.get("User-Agent", ""))
        device, _new = PushDevice.objects.update_or_create(
            endpoint_digest=mark, defaults=facts, create_defaults={**facts, "person": person}
        )
    request.session[MARK] = device.key
    return device


def _checked(told: Any) -> tuple[str, str, str]:
    """Raises DeviceRefused."""
    endpoint = told.get("endpoint") if isinstance(told, dict) else None
    pair = told.get("keys") if isinstance(told, dict) else None
    if not (isinstance(endpoint, str) and isinstance(pair, dict)):
        raise DeviceRefused("keys")
    try:
        known, shared = vapid_keys.check_device_keys(pair.get("p256dh"), pair.get("auth"))
    except vapid_keys.InvalidDeviceKeys as problem:
        raise DeviceRefused("keys") from problem
    if len(endpoint) > LONGEST_ENDPOINT or not is_push_service(endpoint):
        raise DeviceRefused("service")
    return endpoint, known, shared


def is_push_service(endpoint: str) -> bool:
    """Whether an address is one of a push service that we send to."""
    try:
        to = outbound_urls.parse_public_url(endpoint)
    except outbound_urls.UrlNotAllowed:
        return False
    known = (*SERVICES, *settings.PUSH_SERVICES)
    return to.is_this_machine or any(to.host == name or to.host.endswith(f".{name}") for name in known)


def endpoint_digest(endpoint: str) -> str:
    """What an endpoint is known by, here and in its browser."""
    return hashlib.sha256(endpoint.encode()).hexdigest()


def _session(request: HttpRequest) -> str:
    return request.session.session_key or ""


# who is told


def people_with_devices(people: Collection[Person]) -> set[int]:
    """Who of some people, by primary key, has a device."""
    return set(PushDevice.objects.filter(person__in=people).values_list("person", flat=True))


def signed_in_devices(found: Collection[PushDevice]) -> set[int]:
    """The primary keys of those in which their owner is still signed in."""
    whose = open_sessions.people_by_session({one.session_key for one in found})
    return {one.pk for one in found if whose.get(one.session_key) == one.person_id}


# how it ends


def remove_device(person: Person, key: str) -> bool:
    """Tell one of somebody's devices nothing more; False where it is none of his."""
    return bool(PushDevice.objects.filter(person=person, key=key).delete()[0])


def on_signed_out(sender: Any, request: HttpRequest | None = None, **_more: Any) -> None:  # noqa: ARG001
    """Whoever signs out on a device is told nothing there any more, whoever has it next."""
    session = getattr(request, "session", None)
    if session is not None and session.session_key:
        PushDevice.objects.filter(session_key=session.session_key).delete()


def on_sessions_ended(sender: Any, keys: Collection[str], **_more: Any) -> None:  # noqa: ARG001
    """Nor on one that was signed out from elsewhere."""
    PushDevice.objects.filter(session_key__in=keys).delete()


def follow_session_key(request: HttpRequest) -> None:
    """A session that got another key, as with a new password, keeps the device registered in it."""
    key, session = request.session.get(MARK), _session(request)
    if key and session and session != request.COOKIES.get(settings.SESSION_COOKIE_NAME):
        PushDevice.objects.filter(key=key, person=request.user.pk).update(session_key=session)


def queue_test_push(person: Person, key: str) -> bool:
    """Send a trial to one of somebody's devices, once at a time; False where it is none of his."""
    device = PushDevice.objects.filter(person=person, key=key).first()
    if device is None:
        return False
    if not PushMessage.objects.filter(
        device=device, notification=None, sent_at=None, drop_reason=""
    ).exists():
        PushMessage.objects.create(device=device, due_at=timezone.now())
    return True
