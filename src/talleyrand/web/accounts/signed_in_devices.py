"""The devices on which somebody is signed in: seen by themselves, and signed out from any other.

django-allauth keeps a row for each session. Of a device it is told the browser's name and the last day that
it was used on, of where it was used nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.db import transaction
from django.dispatch import Signal
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from . import open_sessions
from .models import Person

MARK = "seen"  # in a session: its key and the day on which it was noted last
SIGNED_OUT = "signed_out"  # of a request that has signed somebody out
MOST = 50  # of one person; those used least recently go
NOWHERE = "::"
SYSTEMS = {"iPhone": "iPhone", "iPad": "iPad", "Android": "Android", "Windows": "Windows", "Mac OS": "Mac"}
BROWSERS = {"Firefox": "Firefox", "Edg": "Edge", "SamsungBrowser": "Samsung", "OPR": "Opera"}
UNKNOWN = "?"
# Sent with the `keys` of the sessions that have been ended from elsewhere.
sessions_ended = Signal()


@dataclass(frozen=True)
class SignedInDevice:
    """One of them, as its owner is shown it."""

    pk: int
    name: str
    since: datetime
    seen: date
    is_this: bool


def note_sign_out(request: HttpRequest, **_more: Any) -> None:
    """Somebody signs out by this request."""
    setattr(request, SIGNED_OUT, True)


def strip_session_row(sender: Any, instance: UserSession, **_more: Any) -> None:  # noqa: ARG001
    """Before a row is written: the name of the browser alone, and no address."""
    instance.ip, instance.user_agent = NOWHERE, browser_name(instance.user_agent)


def session_activity_middleware(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Notes a session on each day that it is used, and under each key that it gets.

    Whose ends here leaves no pages behind: the browser is told to forget those that it has kept.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if hasattr(request, SIGNED_OUT):
            response["Clear-Site-Data"] = '"cache"'
        person = request.user
        if request.session.session_key and isinstance(person, Person) and not person.is_guest:
            _note(request, person)
        return response

    return middleware


def _note(request: HttpRequest, person: Person) -> None:
    mark = f"{request.session.session_key} {timezone.now():%F}"
    if request.session.get(MARK) == mark:
        return
    with transaction.atomic():
        UserSession.objects.create_from_request(request)
        end_sessions(_rows(person)[MOST:])
    request.session[MARK] = mark


def _rows(person: Person) -> list[UserSession]:
    return list(UserSession.objects.filter(user=person).order_by("-last_seen_at", "-pk"))


def signed_in_devices(request: HttpRequest, person: Person) -> list[SignedInDevice]:
    """Where the person who asks is signed in, this device first, then those used last."""
    rows = _rows(person)
    whose = open_sessions.people_by_session([one.session_key for one in rows])
    alive = [one for one in rows if whose.get(one.session_key) == person.pk]
    here = request.session.session_key
    return sorted((_device_row(one, here) for one in alive), key=lambda one: not one.is_this)


def _device_row(one: UserSession, here: str | None) -> SignedInDevice:
    seen = timezone.localdate(one.last_seen_at)
    return SignedInDevice(one.pk, one.user_agent, one.created_at, seen, one.session_key == here)


def sign_out_device(request: HttpRequest, person: Person, pk: str) -> str:
    """Sign one of one's own devices out; its name, "" where it is none, or this one."""
    here = request.session.session_key
    found = [one for one in _rows(person) if str(one.pk) == pk and one.session_key != here]
    end_sessions(found)
    return found[0].user_agent if found else ""


def sign_out_other_devices(request: HttpRequest, person: Person) -> int:
    """Sign all of one's own devices out but this one; how many."""
    here = request.session.session_key
    others = [one for one in _rows(person) if one.session_key != here]
    end_sessions(others)
    return len(others)


def end_sessions(rows: Iterable[UserSession]) -> None:
    """No page and no stream opens with their sessions any more, and no news reach them."""
    keys = [one.session_key for one in rows]
    if keys:
        with transaction.atomic():
            Session.objects.filter(session_key__in=keys).delete()
            UserSession.objects.filter(session_key__in=keys).delete()
            sessions_ended.send(UserSession, keys=keys)


def browser_name(agent: str) -> str:
    """ "Firefox, Android": what its owner knows a browser by."""
    browser = next((name for sign, name in BROWSERS.items() if sign in agent), "")
    if not browser:
        browser = next((name for name in ("Chrome", "Safari") if name in agent), "")
    system = next((name for sign, name in SYSTEMS.items() if sign in agent), "")
    system = system or ("Linux" if "Linux" in agent else "")
    return ", ".join(part for part in (browser, system) if part) or UNKNOWN
