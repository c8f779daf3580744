"""Seasons as they are kept: made, changed in one short transaction, and who may see them."""

from __future__ import annotations

from collections.abc import Callable

from django.db import IntegrityError, transaction
from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404
from django.utils import timezone

from talleyrand.tournament import circuits
from talleyrand.tournament.circuits import Circuit
from talleyrand.web.accounts.models import Person
from talleyrand.web.tournaments.models import Membership, Role, Season, Tournament, secret


def entered(request: HttpRequest, key: str) -> Season:
    """The season, if the visitor may open it; otherwise it does not exist for him."""
    season = get_object_or_404(Season, key=key)
    if not (season.listed or keeps(request, season)):
        raise Http404
    return season


def kept(request: HttpRequest, key: str) -> Season:
    """The season for who keeps it; it exists for nobody else."""
    season = get_object_or_404(Season, key=key)
    if not keeps(request, season):
        raise Http404
    return season


def keeps(request: HttpRequest, season: Season) -> bool:
    """Whether a visitor keeps a season."""
    return isinstance(request.user, Person) and season.keeper_id == request.user.pk


def circuit_of(season: Season) -> Circuit:
    """The season as a value."""
    return circuits.read(season.document)


def make(name: str, keeper: Person, submission: str) -> Season:
    """A new season without events; raises Refused. The same submission twice is one."""
    circuit = Circuit(name.strip())
    circuits.check(circuit)
    made = Season(
        name=circuit.name,
        document=circuits.written(circuit),
        keeper=keeper,
        created=timezone.now(),
        submission=submission or secret(),
    )
    try:
        with transaction.atomic():
            made.save()
    except IntegrityError:
        return Season.objects.get(submission=submission, keeper=keeper)
    return made


def change(season: Season, how: Callable[[Circuit], Circuit]) -> Circuit:
    """Change the season as it is now; raises Refused, and leaves it as it was."""
    with transaction.atomic():
        row = Season.objects.select_for_update().get(pk=season.pk)
        after = how(circuit_of(row))
        circuits.check(after)
        row.document, row.name, row.version = circuits.written(after), after.name, row.version + 1
        row.save(update_fields=["document", "name", "version"])
    return after


def directed(account: Person) -> list[Tournament]:
    """The tournaments whose director somebody is: those he may put into a season."""
    mine = Membership.objects.filter(account=account, role=Role.DIRECTOR)
    return list(Tournament.objects.filter(pk__in=mine.values("tournament")).order_by("opens", "created"))
