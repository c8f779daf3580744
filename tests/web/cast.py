"""People of fixed names, and a table at which they sit."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import cache
from typing import Any

from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.test import Client
from django.utils import timezone

from talleyrand import variants
from talleyrand.web.accounts import signed_in_devices
from talleyrand.web.accounts.models import Person
from talleyrand.web.games import first_phase, power_assignments
from talleyrand.web.games.game_settings import GameSettings
from talleyrand.web.games.models import Game, GameMembership, GameRole, GameSeat, PowerAssignment
from tests.web.built_once import built_once

# Who plays what at a full table: the first letters help to remember.
PLAYERS = {
    "AUSTRIA": "Agathe",
    "ENGLAND": "Edmond",
    "FRANCE": "Flora",
    "GERMANY": "Gaspard",
    "ITALY": "Irène",
    "RUSSIA": "Roman",
    "TURKEY": "Théa",
}
DUELLISTS = {"FIRST": "Flora", "SECOND": "Roman"}
MASTER, ASSISTANT, OBSERVER, STRANGER = "Maëlle", "Armand", "Oscar", "Sylvain"
BEGUN = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)


def person(name: str, **more: Any) -> Person:
    """Somebody, made if need be."""
    found = Person.objects.filter(name=name).first()
    return found or Person.objects.create(name=name, password=_password(settings.PASSWORD_HASHERS[0]), **more)


@cache
def _password(_hasher: str) -> str:
    """Everybody’s, hashed once by each hasher: that takes as long as it should."""
    return make_password("un mot de passe assez long")


def client_of(name: str) -> Client:
    """A browser in which somebody is signed in, which has been here before today."""
    return signed_in_as(Client(), person(name))


def signed_in_as(client: Client, whom: Person) -> Client:
    client.force_login(whom, backend="django.contrib.auth.backends.ModelBackend")
    session = client.session
    session[signed_in_devices.MARK] = f"{session.session_key} {timezone.now():%F}"
    session.save()
    UserSession.objects.create(
        user=whom, session_key=session.session_key, ip=signed_in_devices.NOWHERE, user_agent=""
    )
    return client


def member(game: Game, name: str, role: str) -> GameMembership:
    return GameMembership.objects.create(game=game, person=person(name), role=role)


@built_once
def table(variant: str = "classic", rulebook: Any = "anjou_feu", *, begun: bool = True, **terms: Any) -> Game:
    """A game of all that may play, with its game master, an assistant and an observer, begun at BEGUN."""
    game = Game.objects.create(
        name="La table ronde",
        variant=variant,
        rulebook=rulebook,
        seed="1901",
        settings_json=GameSettings(**terms).as_json(),
    )
    for name, role in (
        (MASTER, GameRole.GAME_MASTER),
        (ASSISTANT, GameRole.ASSISTANT),
        (OBSERVER, GameRole.OBSERVER),
    ):
        member(game, name, role)
    for power in variants.load(variant).definition.players:
        name = (PLAYERS | DUELLISTS)[power]
        GameSeat.objects.create(game=game, power=power)
        member(game, name, GameRole.PLAYER)
        power_assignments.assign_power(game, power, person(name))
    return first_phase.open_first_phase(game, BEGUN) if begun else game


def deal(game: Game, power: str, name: str) -> None:
    """As if somebody had had a power from the start, with what else they play."""
    PowerAssignment.objects.filter(seat__game=game, seat__power=power).delete()
    PowerAssignment.objects.create(seat=game.seats.get(power=power), person=person(name))
