"""Sessions that are still open: not signed out, not over, and none that a new password has ended."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.models import Session
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from .models import Person

AT_ONCE = 400  # below the least limit of any SQLite


def people_by_session(keys: Collection[str]) -> dict[str, int]:
    """Of some sessions, by their keys, those in which somebody is signed in now, with his primary key."""
    wanted = [key for key in keys if key]
    found: dict[str, int] = {}
    for begin in range(0, len(wanted), AT_ONCE):
        found |= _alive(wanted[begin : begin + AT_ONCE])
    return found


def _alive(keys: Collection[str]) -> dict[str, int]:
    rows = Session.objects.filter(session_key__in=keys, expire_date__gt=timezone.now())
    told = {row.session_key: row.get_decoded() for row in rows}
    whose = {key: _number(data) for key, data in told.items()}
    people = Person.objects.filter(is_active=True).in_bulk(set(whose.values()))
    return {key: pk for key, pk in whose.items() if pk in people and _is_of_password(told[key], people[pk])}


def _number(data: Mapping[str, Any]) -> int:
    text = str(data.get(SESSION_KEY, ""))
    return int(text) if text.isascii() and text.isdecimal() else -1


def _is_of_password(data: Mapping[str, Any], person: Person) -> bool:
    return constant_time_compare(str(data.get(HASH_SESSION_KEY, "")), person.get_session_auth_hash())
