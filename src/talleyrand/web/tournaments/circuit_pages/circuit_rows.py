"""Seasons as they are kept: made, changed in one short transaction, and who may see them."""

from __future__ import annotations

from collections.abc import Callable

from django.db import IntegrityError, transaction
from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404
from django.utils import timezone

from talleyrand.tournament import season_ranking
from talleyrand.tournament.season_ranking import Circuit
from talleyrand.web.accounts.models import Person
from talleyrand.web.tournaments.models import (
    Tournament,
    TournamentCircuit,
    TournamentMembership,
    TournamentRole,
    random_token,
)


def circuit_or_404(request: HttpRequest, key: str) -> TournamentCircuit:
    """The season, if the visitor may open it; otherwise it does not exist for him."""
    season = get_object_or_404(TournamentCircuit, key=key)
    if not (season.is_listed or is_keeper(request, season)):
        raise Http404
    return season


def own_circuit_or_404(request: HttpRequest, key: str) -> TournamentCircuit:
    """The season for who keeps it; it exists for nobody else."""
    season = get_object_or_404(TournamentCircuit, key=key)
    if not is_keeper(request, season):
        raise Http404
    return season


def is_keeper(request: HttpRequest, season: TournamentCircuit) -> bool:
    """Whether a visitor keeps a season."""
    return isinstance(request.user, Person) and season.keeper_id == request.user.pk


def circuit_from_row(season: TournamentCircuit) -> Circuit:
    """The season as a value."""
    return season_ranking.read_circuit(season.document)


def create_circuit(name: str, keeper: Person, submission: str) -> TournamentCircuit:
    """A new season without events; raises ActRefused. The same submission twice is one."""
    circuit = Circuit(name.strip())
    season_ranking.check_circuit(circuit)
    made = TournamentCircuit(
        name=circuit.name,
        document=season_ranking.write_circuit(circuit),
        keeper=keeper,
        created_at=timezone.now(),
        submission_id=submission or random_token(),
    )
    try:
        with transaction.atomic():
            made.save()
    except IntegrityError:
        return TournamentCircuit.objects.get(submission_id=submission, keeper=keeper)
    return made


def change_circuit(season: TournamentCircuit, how: Callable[[Circuit], Circuit]) -> Circuit:
    """Change the season as it is now; raises ActRefused, and leaves it as it was."""
    with transaction.atomic():
        row = TournamentCircuit.objects.select_for_update().get(pk=season.pk)
        after = how(circuit_from_row(row))
        season_ranking.check_circuit(after)
        row.document, row.name, row.version = season_ranking.write_circuit(after), after.name, row.version + 1
        row.save(update_fields=["document", "name", "version"])
    return after


def tournaments_directed_by(account: Person) -> list[Tournament]:
    """The tournaments whose director somebody is: those he may put into a season."""
    mine = TournamentMembership.objects.filter(account=account, role=TournamentRole.DIRECTOR)
    return list(
        Tournament.objects.filter(pk__in=mine.values("tournament")).order_by("first_day", "created_at")
    )
