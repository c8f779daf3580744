"""The events of a season as a visitor may see them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from django.http import HttpRequest

from talleyrand.tournament.model import Event
from talleyrand.tournament.season_ranking import Circuit, SeasonEvent
from talleyrand.web.accounts.models import Person
from talleyrand.web.tournaments.event_documents import event_of
from talleyrand.web.tournaments.models import Tournament, TournamentMembership


@dataclass(frozen=True)
class CircuitEvent:
    """An event of a season: its number there, what it counts, the tournament itself."""

    number: int
    stage: SeasonEvent
    tournament: Tournament

    @property
    def event(self) -> Event:
        """All of it; pages show what of it is public."""
        return event_of(self.tournament)

    @property
    def counts(self) -> bool:
        """An event counts once it is over and none of its rounds is kept secret."""
        return self.event.over and all(one.revealed for one in self.event.rounds.values())


def circuit_events(circuit: Circuit, request: HttpRequest) -> list[CircuitEvent]:
    """The events of a season that exist for a visitor, in the order of their days."""
    keys = [stage.key for stage in circuit.stages.values()]
    found = {one.key: one for one in Tournament.objects.filter(key__in=keys)}
    open_to = _desks(request)
    held = [
        CircuitEvent(number, stage, found[stage.key])
        for number, stage in circuit.stages.items()
        if stage.key in found and (found[stage.key].is_listed or found[stage.key].pk in open_to)
    ]
    return sorted(held, key=lambda one: (one.tournament.first_day or date.max, one.number))


def _desks(request: HttpRequest) -> set[int]:
    if not isinstance(request.user, Person):
        return set()
    return set(
        TournamentMembership.objects.filter(account=request.user).values_list("tournament_id", flat=True)
    )
