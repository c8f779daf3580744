"""Whoever asks for something that takes long, without keeping the address, and what they have had of it.

Documents and the computer's players are paid from one purse: so many seconds of processor an hour.
"""

from __future__ import annotations

from django.http import HttpRequest
from django.utils.crypto import salted_hmac

from . import network, rate_limits

# Fifteen books as PDF; counted in thousandths.
HOURLY: rate_limits.Rate = (900_000, 3600)
KIND = "computed"


def client_address(request: HttpRequest) -> str:
    """Where a request comes from, as it is counted: nothing that its sender writes."""
    return network.client_network(str(request.META.get("REMOTE_ADDR") or ""))


def visitor_id(request: HttpRequest) -> str:
    """A name for the network that a request comes from: the same one is the same visitor."""
    return salted_hmac("talleyrand.computers", client_address(request)).hexdigest()[:32]


def account_purse(person: int) -> str:
    """The purse of an account, by primary key: what it asks for counts wherever it is asked from."""
    return salted_hmac("talleyrand.computers", f"account {person}").hexdigest()[:32]


def charge_cpu_seconds(name: str, seconds: float) -> None:
    """So many seconds of processor were taken for what this visitor asked for."""
    if name:
        rate_limits.hit(KIND, name, HOURLY, lasting=True, amount=max(1, round(1000 * seconds)))


def quota_exceeded(name: str) -> bool:
    """Whether this visitor has had all that one may have within an hour."""
    return bool(name) and rate_limits.recent_hits(KIND, name, HOURLY, lasting=True) >= HOURLY[0]
