"""A room with telephones: who comes by which door, and what he sends."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.test import Client
from django.urls import reverse

from talleyrand.tournament.model import Event, EventBoard, EventRound, PowerSeat, RoundState
from talleyrand.web.tournaments import access_tokens, tournament_creation
from talleyrand.web.tournaments.event_documents import document_from_event, event_of
from talleyrand.web.tournaments.models import Tournament, random_token
from tests.web.tournaments import scene, weekend

POWERS = ("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY")
CENTRES = dict(zip(POWERS, (8, 7, 6, 5, 4, 4, 0), strict=True))
HOUR = "2026-07-03T17:30:00+00:00"


def playing(listed: bool = True) -> Tournament:
    """Nine people: 1 to 7 sit at the one board of round 1, in the order of the powers; 8 stands by."""
    people = weekend.people(9)
    board = EventBoard(seats={power: PowerSeat(who) for who, power in enumerate(POWERS, 1)}, place="Salle 1")
    one = EventRound(RoundState.PLAYING, HOUR, dict.fromkeys(range(1, 9), HOUR), boards={1: board})
    event = Event(
        "Angers 2026",
        seed="1901",
        people=people,
        rounds={1: one, 2: EventRound(), 3: EventRound(), 4: EventRound()},
    )
    made = tournament_creation.create_tournament(event, scene.director())
    Tournament.objects.filter(pk=made.pk).update(is_listed=listed)
    return fresh(made)


def fresh(made: Tournament) -> Tournament:
    """The tournament as it is now."""
    return Tournament.objects.get(pk=made.pk)


def event(made: Tournament) -> Event:
    """Its event as it is now."""
    return event_of(fresh(made))


def changed(made: Tournament, **fields: Any) -> Tournament:
    """The same with other facts of the event, as if by hand."""
    return _kept(made, replace(event(made), **fields))


def with_round(made: Tournament, number: int, **fields: Any) -> Tournament:
    """The same with other facts of a round."""
    now = event(made)
    return _kept(made, replace(now, rounds={**now.rounds, number: replace(now.rounds[number], **fields)}))


def _kept(made: Tournament, after: Event) -> Tournament:
    Tournament.objects.filter(pk=made.pk).update(
        document=document_from_event(after), state_token=random_token()
    )
    return fresh(made)


def phone(made: Tournament, number: int = 0) -> Client:
    """A telephone that is somebody's of the event, or nobody's."""
    client = Client()
    if number:
        session = client.session
        session[access_tokens.TOKENS_SESSION_KEY] = {made.key: access_tokens.token_of(made, number).token}
        session.save()
    return client


def path(made: Tournament, name: str, *more: Any) -> str:
    """The address of a page."""
    return reverse(f"tournaments:{name}", args=[made.key, *more])


def text(answer: Any) -> str:
    """What somebody reads."""
    told: str = answer.content.decode()
    return told


def result(**other: Any) -> dict[str, Any]:
    """A result as the form sends it."""
    sent = {f"result.centres.{power}": str(count) for power, count in CENTRES.items()}
    told = {"result.neutral": "0", "result.ended": "time", "result.year": "1906", "seen": ""}
    return {**sent, **told, **other}
