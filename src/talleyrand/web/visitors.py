"""Whoever asks for something that takes long, without keeping the address, and what they have had of it.

Documents and the computer's players are paid from one purse: so many seconds of processor an hour.
"""

from __future__ import annotations

from django.http import HttpRequest
from django.utils.crypto import salted_hmac

from . import network, rates

# Fifteen books as PDF; counted in thousandths.
HOURLY: rates.Rate = (900_000, 3600)
KIND = "computed"


def address(request: HttpRequest) -> str:
    """Where a request comes from, as it is counted: nothing that its sender writes."""
    return network.line(str(request.META.get("REMOTE_ADDR") or ""))


def visitor(request: HttpRequest) -> str:
    """A name for the network that a request comes from: the same one is the same visitor."""
    return salted_hmac("talleyrand.computers", address(request)).hexdigest()[:32]


def spend(name: str, seconds: float) -> None:
    """So many seconds of processor were taken for what this visitor asked for."""
    if name:
        rates.take(KIND, name, HOURLY, lasting=True, amount=max(1, round(1000 * seconds)))


def has_spent(name: str) -> bool:
    """Whether this visitor has had all that one may have within an hour."""
    return bool(name) and rates.count(KIND, name, HOURLY, lasting=True) >= HOURLY[0]
