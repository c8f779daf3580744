"""Whoever asks for something that takes long, without keeping the address."""

from __future__ import annotations

from django.http import HttpRequest
from django.utils.crypto import salted_hmac

from .connections import named


def visitor(request: HttpRequest) -> str:
    """A name for the network that a request comes from: the same one is the same visitor."""
    address = named((str(request.META.get("REMOTE_ADDR") or ""), 0))
    return salted_hmac("talleyrand.computers", address).hexdigest()[:32]
