"""Whether a tournament may write to an address that somebody typed."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from talleyrand.web.mail.guests.inviting import is_unwilling
from talleyrand.web.mail.models import Departure


def may_write(address: str, kind: str, most: int) -> bool:
    """Whether one more mail of this kind may leave: the address wants any, and had fewer than `most` in 24 h.

    `address`: in small letters; there is none where it is "".
    """
    if not address or not address.isascii() or is_unwilling(address):
        return False
    lately = Departure.objects.filter(address=address, kind=kind, made__gt=timezone.now() - timedelta(days=1))
    return lately.count() < most
