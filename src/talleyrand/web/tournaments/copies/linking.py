"""Where a tournament of ours has its copy: said, tried at once, given up."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from talleyrand.web.background import soon
from talleyrand.web.tournaments.models import Tournament

from . import holding, reaching
from .models import Link
from .reaching import NotAllowed
from .sending import JOB


class NotPossible(Exception):
    """Why an address is not taken: `secret`, or what `webhooks.destinations` says of it."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def of(tournament: Tournament) -> Link | None:
    """Its copy, where it has one."""
    return Link.objects.filter(tournament=tournament).first()


def link(tournament: Tournament, written: str, now: datetime) -> None:
    """Send it to an address with its secret, as the other site shows them: `https://…#tlc_…`.

    Raises NotPossible. Another address takes the place of the one before.
    """
    address, _mark, secret = written.strip().partition("#")
    if not holding.FORM.fullmatch(secret):
        raise NotPossible("secret")
    try:
        reaching.read(address)
    except NotAllowed as refused:
        raise NotPossible(refused.code) from refused
    with transaction.atomic():
        Tournament.objects.select_for_update().get(pk=tournament.pk)
        Link.objects.filter(tournament=tournament).delete()
        Link.objects.create(tournament=tournament, address=address.strip(), secret=secret, due=now)
        soon(JOB)


def again(tournament: Tournament, now: datetime) -> None:
    """Try at once."""
    with transaction.atomic():
        Link.objects.filter(tournament=tournament).update(due=now)
        soon(JOB)


def unlink(tournament: Tournament) -> None:
    """Send nothing more; the copy stays as it is."""
    Link.objects.filter(tournament=tournament).delete()


def end(tournament: Tournament, now: datetime) -> None:
    """Have the copy taken away there, as soon as there is a network."""
    with transaction.atomic():
        Link.objects.filter(tournament=tournament).update(ending=True, due=now)
        soon(JOB)
