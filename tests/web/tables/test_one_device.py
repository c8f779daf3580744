"""One device handed round: it is one player at a time, for one page, and nobody in between."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from django.test import Client

from talleyrand.web.games.models import Game
from talleyrand.web.tables.models import Table

pytestmark = pytest.mark.django_db

HTML = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
THREE = ("Anna", "Bela", "Carlo")


def opened(names: tuple[str, ...] = THREE, **asked: str) -> tuple[Table, Client]:
    device = Client(headers=HTML)
    sent = {"names": "\n".join(names), "submission": "o" * 24, **asked}
    response = device.post("/tables/one-device/", sent)
    assert response.status_code == 302, response.content.decode()
    return Table.objects.select_related("game").latest("pk"), device


def hand(table: Table, device: Client, **sent: Any) -> str:
    path = f"/tables/{table.game.key}/hand/"
    if sent:
        response = device.post(path, sent)
        assert response.status_code == 302
        return str(response["Location"])
    return device.get(path).content.decode()


def drafted(table: Table, device: Client, number: int, line: str = "") -> str:
    """What a player has prepared: the power and the marked line."""
    person = table.players.get(number=number).person
    game = Game.objects.get(pk=table.game.pk)
    power = game.seats.filter(tenures__person=person, tenures__ended_at=None).order_by("pk").first()
    assert power is not None
    path = f"/parties/{game.key}/{game.phase_number}/orders/{power.power}/draft/"
    body = json.dumps({"lines": {power.power: [line] if line else []}})
    sent = device.post(path, body, content_type="application/json", headers={"accept": "*/*"})
    assert sent.status_code == 200, sent.content.decode()
    return power.power


def test_a_year_handed_round_shows_each_their_orders_alone() -> None:
    table, device = opened()
    key = table.game.key
    secret = "Zanzibar"
    for number, name in enumerate(THREE, 1):
        asked = hand(table, device)
        assert f"Je suis {name}" in asked
        assert f"Donnez l’appareil à {name}" in asked
        assert hand(table, device, act="lift", seat=number) == f"/tables/{key}/"
        page = device.get(f"/tables/{key}/")
        assert page.status_code == 200
        assert "no-store" in page["Cache-Control"]
        assert "data-table-clock" not in page.content.decode()
        assert secret not in page.content.decode()
        drafted(table, device, number, f"A PAR - {secret}")
        for path in ("", "infos/", "1/"):
            assert device.get(f"/parties/{key}/{path}")["Location"] == f"/tables/{key}/hand/"
        curtain = hand(table, device)
        assert f"Je suis {name}" in curtain
        assert secret not in curtain
        assert hand(table, device, act="done") == f"/tables/{key}/hand/"
    assert "Tous les ordres sont là" in hand(table, device)
    assert Game.objects.get(pk=table.game.pk).phase_number == 1
    assert hand(table, device, act="resolve") == f"/parties/{key}/1/"
    shown = device.get(f"/parties/{key}/1/")
    assert shown.status_code == 200
    assert Game.objects.get(pk=table.game.pk).phase_number == 2


def test_between_two_players_the_device_is_nobody() -> None:
    table, device = opened()
    key = table.game.key
    hand(table, device, act="lift", seat=1)
    power = drafted(table, device, 1)
    hand(table, device, act="done")
    assert not table.players.exclude(number=0).exclude(phone_digest="").exists()
    body = json.dumps({"lines": {power: []}})
    path = f"/parties/{key}/1/orders/{power}/draft/"
    assert device.post(path, body, content_type="application/json").status_code == 404
    assert device.get(f"/parties/{key}/1/receipts/{power}/1/").status_code == 404
    assert device.get(f"/tables/{key}/")["Location"] == f"/tables/{key}/hand/"


def test_who_has_given_orders_may_change_them() -> None:
    table, device = opened()
    hand(table, device, act="lift", seat=1)
    hand(table, device, act="done")
    assert "Changer des ordres" in hand(table, device)
    hand(table, device, act="lift", seat=1)
    assert device.get(f"/tables/{table.game.key}/").status_code == 200
    assert "Je suis Anna" in hand(table, device)


def test_only_those_concerned_are_asked() -> None:
    table, device = opened(("Anna", "Bela"), game="first_world_war")
    asked = 0
    for _phase in range(6):
        while found := re.search(
            r'name="act" value="lift"><input type="hidden" name="seat" value="(\d)"><button class',
            hand(table, device),
        ):
            hand(table, device, act="lift", seat=found[1])
            hand(table, device, act="done")
            asked += 1
        hand(table, device, act="resolve")
    game = Game.objects.get(pk=table.game.pk)
    assert game.phase_number == 7
    assert 2 <= asked <= 12


def test_nothing_is_resolved_before_all_have_given_orders() -> None:
    table, device = opened()
    hand(table, device, act="resolve")
    assert Game.objects.get(pk=table.game.pk).phase_number == 1
    hand(table, device, act="done")
    assert "Je suis Anna" in hand(table, device)


@pytest.mark.parametrize(
    "sent", [{}, {"act": "x"}, {"act": "lift"}, {"act": "lift", "seat": "0"}, {"act": "lift", "seat": "99"}]
)
def test_acts_that_are_none(sent: dict[str, str]) -> None:
    table, device = opened()
    assert device.post(f"/tables/{table.game.key}/hand/", {"y": "1", **sent}).status_code == 404


def test_another_browser_is_no_device() -> None:
    table, device = opened()
    path = f"/tables/{table.game.key}/hand/"
    stranger = Client()
    assert stranger.get(path).status_code == 404
    assert stranger.post(path, {"act": "lift", "seat": 1}).status_code == 404
    taken = stranger.post(f"/tables/join/{table.code}/", {"name": "Zoe"})
    assert taken.status_code == 409
    assert device.get(path).status_code == 200


@pytest.mark.parametrize(
    ("names", "more"),
    [
        ("", {}),
        ("Anna", {}),
        ("\n".join(f"Nom {at}" for at in range(60)), {}),
        ("Anna\nBela\nCarlo", {"game": "trio2"}),
        ("Anna\nBela\nCarlo", {"game": "sandad"}),
        ("Anna\nBela\nCarlo", {"rulebook": "x"}),
        ("Anna\nBela\n\u202eCarlo", {}),
    ],
)
def test_a_table_that_cannot_be_opened(names: str, more: dict[str, str]) -> None:
    told = {"names": names, "submission": "o" * 24, **more}
    assert Client().post("/tables/one-device/", told).status_code == 400
    assert not Table.objects.exists()


def test_the_same_form_twice_is_one_table() -> None:
    table, device = opened()
    again = device.post("/tables/one-device/", {"names": "\n".join(THREE), "submission": "o" * 24})
    assert again["Location"] == f"/tables/{table.game.key}/hand/"
    assert Table.objects.count() == 1
