"""A new tournament: named, with its rounds as its regulations say, directed by who made it."""

from __future__ import annotations

from django.db import IntegrityError, transaction
from django.utils import timezone

from talleyrand.tournament import invariants, regulations
from talleyrand.tournament.model import Event, EventRound
from talleyrand.web.accounts.models import Person

from .event_documents import document_from_event, event_days, follows_games
from .models import Tournament, TournamentMembership, TournamentRole, random_token


def create_tournament(event: Event, account: Person | None, *, submission: str = "") -> Tournament:
    """Keep an event as a new tournament; raises InvalidEvent or InconsistentEvent. The same submission twice
    is one.
    """
    invariants.check_invariants(event)
    regulations.read_regulations(event.regulations)
    try:
        with transaction.atomic():
            return _create_tournament(event, account, submission or random_token())
    except IntegrityError:
        return Tournament.objects.get(submission_id=submission, creator=account)


def _create_tournament(event: Event, account: Person | None, submission: str) -> Tournament:
    made = Tournament.objects.create(
        submission_id=submission,
        name=event.name,
        document=document_from_event(event),
        creator=account,
        created_at=timezone.now(),
        follows_games=follows_games(event),
        **event_days(event),
    )
    if account is not None:
        TournamentMembership.objects.create(tournament=made, account=account, role=TournamentRole.DIRECTOR)
    return made


def event_from_preset(name: str, preset: str) -> Event:
    """An event with the rounds of a preset; raises InvalidEvent."""
    rules = regulations.read_regulations(preset)
    rounds = {number: EventRound() for number in range(1, len(rules.rounds) + 1)}
    return Event(name=name, regulations=preset, seed=random_token(), rounds=rounds)
