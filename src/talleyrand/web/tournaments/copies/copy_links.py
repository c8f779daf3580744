"""Where a tournament of ours has its copy: said, tried at once, given up."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from talleyrand.web.background import run_soon
from talleyrand.web.tournaments.models import Tournament

from . import copy_urls, held_copies
from .copy_sending import COPY_JOB
from .copy_urls import UrlNotAllowed
from .models import CopyLink


class CopyLinkRefusal(Exception):
    """Why an address is not taken: `secret`, or what `copy_urls` says of it."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def copy_link_of(tournament: Tournament) -> CopyLink | None:
    """Its copy, where it has one."""
    return CopyLink.objects.filter(tournament=tournament).first()


def set_copy_link(tournament: Tournament, written: str, now: datetime) -> None:
    """Send it to an address with its secret, as the other site shows them: `https://…#tlc_…`.

    Raises CopyLinkRefusal. Another address takes the place of the one before.
    """
    address, _mark, secret = written.strip().partition("#")
    if not held_copies.SECRET_PATTERN.fullmatch(secret):
        raise CopyLinkRefusal("secret")
    try:
        copy_urls.parse_copy_url(address)
    except UrlNotAllowed as refused:
        raise CopyLinkRefusal(refused.code) from refused
    with transaction.atomic():
        Tournament.objects.select_for_update().get(pk=tournament.pk)
        CopyLink.objects.filter(tournament=tournament).delete()
        CopyLink.objects.create(tournament=tournament, url=address.strip(), secret=secret, due_at=now)
        run_soon(COPY_JOB)


def retry_copy_now(tournament: Tournament, now: datetime) -> None:
    """Try at once."""
    with transaction.atomic():
        CopyLink.objects.filter(tournament=tournament).update(due_at=now)
        run_soon(COPY_JOB)


def remove_copy_link(tournament: Tournament) -> None:
    """Send nothing more; the copy stays as it is."""
    CopyLink.objects.filter(tournament=tournament).delete()


def request_copy_removal(tournament: Tournament, now: datetime) -> None:
    """Have the copy taken away there, as soon as there is a network."""
    with transaction.atomic():
        CopyLink.objects.filter(tournament=tournament).update(is_being_removed=True, due_at=now)
        run_soon(COPY_JOB)
