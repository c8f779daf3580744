"""Orders that would wait too long for a thread: whoever sends them is told to come back, and loses no time.

With that goes a signed word of when they first tried, and of when it is their turn. It holds for the same
request alone, to the letter, read in the same way: who brings it along with the same orders is no later than
then, and none can be written afterwards.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, MutableMapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import IO, Any
from urllib.parse import parse_qs

from django.utils.crypto import constant_time_compare, salted_hmac

Scope = MutableMapping[str, Any]
LONGEST_WAIT = 1.0  # seconds for a thread; the answer should be there within two
COUNTS_FOR = timedelta(minutes=5)  # after the first try
HEADER, PARAMETER = "X-First-Try", "first_try"
READING = ("GET", "HEAD")
# Of pages and of programs: a game, a phase, and the power whose orders they are.
_ORDERS = re.compile(r"/([A-Za-z0-9_-]+)/(?:phases/)?\d+/orders/[^/]+(?:/|$)")
_LONGEST_TOKEN = 100


@dataclass(frozen=True)
class FirstTry:
    """When orders were here first, and from when on they go before those that come for the first time."""

    at: datetime
    turn: datetime


def game_of_orders(scope: Scope) -> str:
    """The key of the game that a request brings orders for; "" for any other request."""
    found = None if scope["method"] in READING else _ORDERS.search(scope["path"])
    return found[1] if found else ""


def sign_first_try(scope: Scope, body: bytes, tried: FirstTry) -> str:
    """A word for whoever sent this `body` then, to bring along when they send it again."""
    moments = "-".join(f"{round(one.timestamp() * 1_000_000):x}" for one in (tried.at, tried.turn))
    return f"{moments}.{_seal(moments, scope, body)}"


def _seal(moments: str, scope: Scope, body: bytes) -> str:
    path = scope["path"].encode("utf-8", "surrogatepass")
    # one body may hold several sheets, read as a form, as JSON, between these bounds or those
    kinds = (value for name, value in scope.get("headers", ()) if name == b"content-type")
    told = b"\0".join((moments.encode(), path, *kinds, body))
    seal: str = salted_hmac("talleyrand.first_try", told, algorithm="sha256").hexdigest()
    return seal[:40]


def first_try(scope: Scope, body: IO[bytes], now: datetime) -> FirstTry | None:
    """When a request was first tried, if it brings a word of that which holds; the body is left unread."""
    told = _sent_key(scope)
    moments, _, seal = told.partition(".")
    if not seal or len(told) > _LONGEST_TOKEN:
        return None
    if not constant_time_compare(seal, _seal(moments, scope, whole(body))):
        return None
    first, _, turn = moments.partition("-")  # without a turn: a word that the site gave before an update
    at, turns = (datetime.fromtimestamp(int(one, 16) / 1_000_000, UTC) for one in (first, turn or first))
    return FirstTry(at, turns) if timedelta(0) <= now - at <= COUNTS_FOR else None


def whole(body: IO[bytes]) -> bytes:
    """All of a body, which stands at its beginning before and after."""
    found = body.read()
    body.seek(0)
    return found


def _sent_key(scope: Scope) -> str:
    headers: Mapping[bytes, bytes] = dict(scope.get("headers", ()))
    if header := headers.get(HEADER.lower().encode()):
        return header.decode("latin-1")
    query: bytes = scope.get("query_string", b"")
    if PARAMETER.encode() not in query:
        return ""
    return parse_qs(query.decode("latin-1")).get(PARAMETER, [""])[0]
