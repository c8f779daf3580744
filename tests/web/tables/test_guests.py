"""Guests at a table are no accounts: where accounts do something, they are not there."""

from __future__ import annotations

import pytest
from allauth.usersessions.models import UserSession
from django.test import Client
from django.urls import reverse

from talleyrand.web.accounts.models import Person
from talleyrand.web.games.game_master import seat_actions
from talleyrand.web.games.game_master.action_base import GameMasterRefusal
from talleyrand.web.notifications.models import Notification
from talleyrand.web.push.models import PushDevice
from tests.web.cast import client_of

from .phones import NAMES, player_named, started

pytestmark = pytest.mark.django_db


@pytest.fixture
def administrator() -> Client:
    client = client_of("Maëlle")
    Person.objects.filter(name="Maëlle").update(is_administrator=True)
    return client


def test_a_name_is_shown_without_the_word_of_its_table() -> None:
    table, laptop, phones = started()
    key = table.game.key
    assert player_named(table, "Anna").person.name == f"Anna · {table.code}"
    for client in (laptop, *phones.values()):
        for path in ("", "infos/", "fin/", "1/", "partie.json", "partie.txt", "now.json"):
            page = client.get(f"/parties/{key}/{path}")
            assert page.status_code in (200, 302, 404), path
            assert f"· {table.code}" not in page.content.decode(), path
    info = laptop.get(f"/parties/{key}/infos/").content.decode()
    assert all(name in info for name in NAMES)


def test_the_head_of_a_page_shows_the_seat_and_nothing_of_an_account() -> None:
    table, _laptop, phones = started()
    page = next(iter(phones.values())).get(f"/parties/{table.game.key}/infos/").content.decode()
    assert f'class="me" href="/tables/{table.game.key}/"' in page
    for path in ("/compte/", "/notifications/", "/account/"):
        assert f'href="{path}' not in page


def test_a_phone_leaves_no_address_and_no_browsers_name() -> None:
    table, _laptop, phones = started()
    for phone in phones.values():
        phone.get(f"/parties/{table.game.key}/", headers={"user-agent": "Old phone"})
    assert not UserSession.objects.exists()
    assert not Notification.objects.exists()
    assert not PushDevice.objects.exists()


def test_the_pages_of_accounts_know_no_guest() -> None:
    table, _laptop, phones = started()
    phone = next(iter(phones.values()))
    for path in ("/parties/", "/"):
        assert not phone.get(path).wsgi_request.user.is_authenticated
    assert table.game.key not in phone.get("/parties/").content.decode()


@pytest.mark.parametrize("secret", ["", "!", "un mot de passe assez long"])
def test_nobody_signs_in_as_a_guest(secret: str) -> None:
    table, _laptop, _phones = started()
    guest = player_named(table, "Anna").person
    assert not Client().login(username=guest.name, password=secret)
    assert not guest.is_active


def test_no_administrator_makes_a_guest_one_of_them_or_closes_one(administrator: Client) -> None:
    table, _laptop, _phones = started()
    guest = player_named(table, "Anna").person
    administrator.post("/administration/administrateurs/", {"name": guest.name, "action": "add"})
    guest.refresh_from_db()
    assert not guest.is_administrator
    refused = administrator.post(
        reverse("accounts:close"), {"whose": guest.name, "password": "un mot de passe assez long"}
    )
    assert refused.status_code in (200, 400)
    assert Person.objects.filter(pk=guest.pk).exists()
    assert guest.name not in administrator.get("/administration/liens/").content.decode()


def test_a_game_master_finds_no_guest_by_name() -> None:
    table, _laptop, _phones = started()
    with pytest.raises(GameMasterRefusal, match="nobody"):
        seat_actions.person_by_name(player_named(table, "Anna").person.name)


def test_the_figures_of_the_site_count_no_guest(administrator: Client) -> None:
    before = _accounts(administrator)
    started()
    assert _accounts(administrator) == before


def _accounts(administrator: Client) -> str:
    told = administrator.get("/metrics/").content.decode()
    return next(line for line in told.splitlines() if line.startswith("talleyrand_accounts "))
