"""A tournament of invented people, for tests of pages."""

from __future__ import annotations

from dataclasses import replace

from talleyrand.tournament.acts.people_acts import AddPerson
from talleyrand.tournament.model import EventPerson as Known
from talleyrand.tournament.model import RoundState
from talleyrand.web.accounts.models import Person
from talleyrand.web.tournaments import event_journal, tournament_creation
from talleyrand.web.tournaments.models import Tournament, TournamentMembership, TournamentRole
from tests.web import cast

NAMES = (
    "Agathe Oriol", "Bastien Quéré", "Clémence Vidal", "Dimitri Faure", "Élodie Marchand", "Fabrice Nogaret",
    "Gaëlle Tissot", "Hugo Lacombe", "Inès Bréhat", "Joachim Perrin", "Karine Duvivier", "Loïc Sarrazin",
    "Mathilde Guérin", "Nicolas Ferrand", "Océane Baudry", "Patrice Lemoine", "Quitterie Albon",
    "Romain Chastel", "Solène Ravel", "Thibault Morvan", "Ulysse Granger", "Valérie Jolivet",
    "William Aubert", "Xavière Collin", "Yann Kermadec", "Zoé Fontanel", "Armelle Pichon",
)  # fmt: skip


def tournament(people: int = 0, *, preset: str = "anjou_feu", listed: bool = True) -> Tournament:
    """Directed by Maëlle, with so many people signed up for all rounds; round 1 is open."""
    event = tournament_creation.event_from_preset("Angers 2026", preset)
    event = replace(event, seed="1901")
    rounds = {1: replace(event.rounds[1], state=RoundState.OPEN)}
    made = tournament_creation.create_tournament(
        replace(event, rounds={**event.rounds, **rounds}), director()
    )
    Tournament.objects.filter(pk=made.pk).update(is_listed=listed)
    if people:
        every = tuple(event.rounds)
        known = [Known(name, rounds=every) for name in NAMES[:people]]
        event_journal.perform_acts(
            made, [AddPerson(one) for one in known], event_journal.JournalActor(director())
        )
    return Tournament.objects.get(pk=made.pk)


def director() -> Person:
    """Who directs it."""
    return cast.person(cast.MASTER)


def assistant(made: Tournament) -> Person:
    """Somebody who helps."""
    account = cast.person(cast.ASSISTANT)
    TournamentMembership.objects.get_or_create(
        tournament=made, account=account, role=TournamentRole.ASSISTANT
    )
    return account
