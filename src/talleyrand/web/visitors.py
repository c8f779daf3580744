"""Whoever asks for something that takes long, without keeping the address."""

from __future__ import annotations

from django.http import HttpRequest
from django.utils.crypto import salted_hmac

from . import network


def visitor(request: HttpRequest) -> str:
    """A name for the network that a request comes from: the same one is the same visitor."""
    address = network.line(str(request.META.get("REMOTE_ADDR") or ""))
    return salted_hmac("talleyrand.computers", address).hexdigest()[:32]
