"""Phones and a table for tests: each phone is a browser of its own."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.test import Client

from talleyrand.web.games.models import Game
from talleyrand.web.tables.models import Table, TablePlayer
from tests.web.built_once import built_once

NAMES = ("Anna", "Bela", "Carlo", "Dora", "Emil", "Fanny", "Greta")


class Device(NamedTuple):
    """A browser as it can be kept: its cookies, and what its session holds."""

    cookies: dict[str, str]
    session: dict[str, Any]

    @classmethod
    def of(cls, client: Client) -> Device:
        return cls({name: one.value for name, one in client.cookies.items()}, dict(client.session.items()))

    def client(self) -> Client:
        """The browser again; what is sealed in its session holds the game's key of today."""
        client = Client()
        client.cookies.load(self.cookies)
        session = client.session
        session.clear()
        session.update(self.session)
        session.save()
        return client


def open_table(**asked: str) -> tuple[Table, Client]:
    """A table as the page opens it, and the browser of its referee."""
    table, laptop = _opened(**asked)
    return table, laptop.client()


@built_once
def _opened(**asked: str) -> tuple[Table, Device]:
    laptop = Client()
    response = laptop.post("/tables/", {"submission": "s" * 24, **asked})
    assert response.status_code == 302, response.content.decode()
    return Table.objects.select_related("game").latest("pk"), Device.of(laptop)


def phone_of(table: Table, name: str) -> Client:
    """A phone that has come in by the door."""
    phone = Client()
    response = phone.post(f"/tables/join/{table.code}/", {"name": name})
    assert response.status_code == 302, response.content.decode()
    return phone


def player_named(table: Table, name: str) -> TablePlayer:
    return table.players.get(person__name__startswith=f"{name} ")


def started(**asked: str) -> tuple[Table, Client, dict[str, Client]]:
    """A table whose game has begun: the table, its laptop, and each power’s phone."""
    table, laptop, phones, held = _started(**asked)
    clients = {name: phone.client() for name, phone in phones.items()}
    return table, laptop.client(), {power: clients[name] for power, name in held.items()}


@built_once
def _started(**asked: str) -> tuple[Table, Device, dict[str, Device], dict[str, str]]:
    table, laptop = open_table(**asked)
    phones = {name: phone_of(table, name) for name in NAMES[: table.players.filter(number__gt=0).count()]}
    assert laptop.post(f"/tables/{table.game.key}/start/").status_code == 302
    table = Table.objects.select_related("game").get(pk=table.pk)
    held = {
        power.power: name
        for name in phones
        for power in table.game.seats.filter(
            tenures__person=player_named(table, name).person, tenures__ended_at=None
        )
    }
    kept = {name: Device.of(phone) for name, phone in phones.items()}
    return table, Device.of(laptop), kept, held


def fresh_game(table: Table) -> Game:
    return Game.objects.get(pk=table.game.pk)
