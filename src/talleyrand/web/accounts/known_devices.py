"""Devices on which somebody has signed in before: strangers who guess a password spend nothing of theirs.

The browser keeps a cookie, which opens nothing: a name of its own by chance, and for each account two seals
on that name, which this site alone can write and which do not tell whose they are. The second one is of the
password of that day: whoever knew an old one cannot make devices to guess the new one on.
"""

from __future__ import annotations

import re
import secrets
from typing import NamedTuple

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare, salted_hmac

from .models import Person

COOKIE = "known_device"
LASTS = 400 * 24 * 60 * 60  # seconds; browsers keep none for longer
MOST = 10  # accounts of one device, the latest
SEAL = 32  # letters
FORM = re.compile(rf"[0-9a-f]{{32}}(\.([0-9a-f]{{{SEAL}}}){{1,2}}){{0,{MOST}}}")


class DeviceCookie(NamedTuple):
    """What a browser keeps."""

    device: str
    seals: list[str]


def device_of(request: HttpRequest, person: Person) -> str:
    """The name of the device, where somebody has signed in on it before; "" where not."""
    kept = _device_cookie(request)
    seal = _seal(kept.device, person)
    return kept.device if any(constant_time_compare(seal, one[:SEAL]) for one in kept.seals) else ""


def device_name(request: HttpRequest) -> str:
    """The name of the device, whoever has signed in on it; "" where nobody has."""
    return _device_cookie(request).device


def knows_password(request: HttpRequest, person: Person) -> bool:
    """Whether somebody has signed in on the device since the password is what it is."""
    kept = _device_cookie(request)
    seal = _seal(kept.device, person, person.get_session_auth_hash())
    return any(constant_time_compare(seal, one[SEAL:]) for one in kept.seals)


def remember_device(request: HttpRequest, response: HttpResponse, person: Person) -> None:
    """Somebody has signed in: the browser keeps that for as long as it may."""
    kept = _device_cookie(request)
    device = kept.device or secrets.token_hex(16)
    seal = _seal(device, person)
    both = seal + _seal(device, person, person.get_session_auth_hash())
    seals = [both, *(one for one in kept.seals if not one.startswith(seal))][:MOST]
    response.set_cookie(
        COOKIE,
        ".".join((device, *seals)),
        max_age=LASTS,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def _device_cookie(request: HttpRequest) -> DeviceCookie:
    text = request.COOKIES.get(COOKIE, "")
    device, *seals = text.split(".") if FORM.fullmatch(text) else [""]
    return DeviceCookie(device, seals)


def _seal(device: str, person: Person, *more: str) -> str:
    told = ":".join((device, str(person.pk), *more))
    return salted_hmac("talleyrand.accounts.known_devices", told, algorithm="sha256").hexdigest()[:SEAL]
