"""Phones and a table for tests: each phone is a browser of its own."""

from __future__ import annotations

from django.test import Client

from talleyrand.web.games.models import Game
from talleyrand.web.tables.models import Table, TablePlayer

NAMES = ("Anna", "Bela", "Carlo", "Dora", "Emil", "Fanny", "Greta")


def open_table(**asked: str) -> tuple[Table, Client]:
    """A table as the page opens it, and the browser of its referee."""
    laptop = Client()
    response = laptop.post("/tables/", {"submission": "s" * 24, **asked})
    assert response.status_code == 302, response.content.decode()
    return Table.objects.select_related("game").latest("pk"), laptop


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
    table, laptop = open_table(**asked)
    phones = {name: phone_of(table, name) for name in NAMES[: table.players.filter(number__gt=0).count()]}
    assert laptop.post(f"/tables/{table.game.key}/start/").status_code == 302
    table = Table.objects.select_related("game").get(pk=table.pk)
    held = {}
    for name, phone in phones.items():
        person = player_named(table, name).person
        for power in table.game.seats.filter(tenures__person=person, tenures__ended_at=None):
            held[power.power] = phone
    return table, laptop, held


def fresh_game(table: Table) -> Game:
    return Game.objects.get(pk=table.game.pk)
