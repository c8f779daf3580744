"""A new tournament: named, with its rounds as its regulations say, directed by who made it."""

from __future__ import annotations

from django.db import IntegrityError, transaction
from django.utils import timezone

from talleyrand.tournament import regulations, soundness
from talleyrand.tournament.model import Event, Round
from talleyrand.web.accounts.models import Person

from .documents import days_of, document_of
from .models import Membership, Role, Tournament, secret


def make(event: Event, account: Person | None, *, submission: str = "") -> Tournament:
    """Keep an event as a new tournament; raises BadEvent or Unsound. The same submission twice is one."""
    soundness.check(event)
    regulations.read(event.regulations)
    try:
        with transaction.atomic():
            return _made(event, account, submission or secret())
    except IntegrityError:
        return Tournament.objects.get(submission=submission, creator=account)


def _made(event: Event, account: Person | None, submission: str) -> Tournament:
    made = Tournament.objects.create(
        submission=submission,
        name=event.name,
        document=document_of(event),
        creator=account,
        created=timezone.now(),
        **days_of(event),
    )
    if account is not None:
        Membership.objects.create(tournament=made, account=account, role=Role.DIRECTOR)
    return made


def planned(name: str, preset: str) -> Event:
    """An event with the rounds of a preset; raises BadEvent."""
    rules = regulations.read(preset)
    rounds = {number: Round() for number in range(1, len(rules.rounds) + 1)}
    return Event(name=name, regulations=preset, seed=secret(), rounds=rounds)
