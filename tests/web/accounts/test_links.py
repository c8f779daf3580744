"""Links that work once, the administrator who makes them, and the first administrator."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from talleyrand.web.accounts import one_time_links
from talleyrand.web.accounts.models import OneTimeLink, Person

from .doors import OTHER, PASSWORD, Response, is_in, refusals, sign_in, sign_up

pytestmark = pytest.mark.django_db


@pytest.fixture
def chief(client: Client) -> Client:
    """The administrator's browser."""
    Person.objects.create_user("Maëlle", PASSWORD, is_administrator=True)
    sign_in(client, "Maëlle")
    return client


def made(answer: Response) -> str:
    """The path of the link that a page shows."""
    found = re.search(r'id="made" readonly value="http://testserver(/[^"]+)"', answer.content.decode())
    assert found, refusals(answer)
    return found[1]


def ask(chief: Client, kind: str, whom: str = "", **more: str) -> Response:
    return chief.post("/administration/liens/", {"kind": kind, "whom": whom, **more})


def test_a_link_makes_one_account(chief: Client, settings: Any) -> None:
    settings.SIGNUP = "invitation"
    path = made(ask(chief, "account", "Flora, du jeudi"))
    guest = Client()
    assert guest.get(path).status_code == 200
    assert guest.get(path).status_code == 200  # looking does not use it up
    assert refusals(sign_up(guest, "Flora", path, password2="autre chose"))
    assert sign_up(guest, "Flora", path).status_code == 302
    assert is_in(guest)
    second = sign_up(Client(), "Gaspard", path)
    assert second.status_code == 404
    assert "Ce lien a déjà servi, a expiré ou est incomplet" in second.content.decode()
    assert sorted(Person.objects.values_list("name", flat=True)) == ["Flora", "Maëlle"]
    assert not Person.objects.get(name="Flora").is_administrator


def test_only_a_digest_is_kept(chief: Client) -> None:
    token = made(ask(chief, "account")).rstrip("/").rpartition("/")[2]
    row = OneTimeLink.objects.get()
    assert token not in str(OneTimeLink.objects.values().get())
    assert row.token_digest == one_time_links.token_digest(token)
    assert token not in chief.get("/administration/liens/").content.decode()


def test_a_link_for_a_lost_password(chief: Client) -> None:
    flora = Person.objects.create_user("Flora", PASSWORD)
    before = Client()
    sign_in(before, "Flora")
    first, path = (made(ask(chief, "password", whom)) for whom in ("FLORA", " flora "))
    guest = Client()
    assert guest.get(first).status_code == 404  # a newer one ends it
    assert refusals(guest.post(path, {"password1": "court", "password2": "court"}))
    assert guest.post(path, {"password1": OTHER, "password2": OTHER}).status_code == 302
    assert is_in(guest)
    assert not is_in(before)
    flora.refresh_from_db()
    assert flora.check_password(OTHER)
    assert guest.post(path, {"password1": PASSWORD, "password2": PASSWORD}).status_code == 404


@pytest.mark.parametrize("whom", ["", "personne", "x" * 5000, "Flo\0r", "' or 1=1"])
def test_a_password_for_nobody(chief: Client, whom: str) -> None:
    answer = ask(chief, "password", whom)
    assert answer.status_code == 400
    assert "Personne ici n’a ce nom" in answer.content.decode()
    assert OneTimeLink.objects.count() == 0


def test_the_same_form_sent_twice_makes_one_link(chief: Client) -> None:
    assert made(ask(chief, "account", submission="une-fois"))
    again = ask(chief, "account", submission="une-fois")
    assert again.status_code == 302
    assert OneTimeLink.objects.count() == 1


def test_a_note_of_nonsense(chief: Client) -> None:
    assert made(ask(chief, "account", "Flo\0ra\u202e\n" + "x" * 5000, submission="\0" * 99))
    assert len(OneTimeLink.objects.get().remark) == 80


def test_a_link_expires(chief: Client) -> None:
    path = made(ask(chief, "account"))
    OneTimeLink.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    assert Client().get(path).status_code == 404
    assert sign_up(Client(), "Flora", path).status_code == 404
    assert Person.objects.count() == 1


def test_a_link_is_withdrawn(chief: Client) -> None:
    path = made(ask(chief, "account"))
    where = reverse("accounts:revoke", args=[OneTimeLink.objects.get().pk])
    assert chief.post(where).status_code == 302
    assert chief.post(where).status_code == 302
    assert Client().get(path).status_code == 404


@pytest.mark.parametrize("token", ["x", "é", "..", "%00", "a" * 5000])
def test_an_invented_link(client: Client, token: str) -> None:
    assert client.get(f"/compte/lien/{token}/").status_code == 404


def test_a_link_for_an_account_waits_while_somebody_is_signed_in(chief: Client) -> None:
    path = made(ask(chief, "account"))
    page = chief.get(path)
    assert "qui n’a pas de compte" in page.content.decode()
    chief.post(path)
    assert OneTimeLink.objects.filter(used_at=None).count() == 1


@pytest.mark.parametrize("who", ["", "Gaspard"])
def test_the_page_is_not_there_for_others(client: Client, who: str) -> None:
    if who:
        sign_up(client, who)
    row = OneTimeLink.objects.create(
        kind="account", token_digest="d", submission_id="s", expires_at=timezone.now() + timedelta(days=1)
    )
    answers = [
        client.get("/administration/liens/"),
        client.post("/administration/liens/", {"kind": "account"}),
        client.post(reverse("accounts:revoke", args=[row.pk])),
        client.post("/administration/administrateurs/", {"name": who, "action": "add"}),
    ]
    assert [answer.status_code for answer in answers] == [404] * 4
    assert OneTimeLink.objects.count() == 1
    assert not Person.objects.filter(is_administrator=True).exists()


def test_administrators_name_others_and_one_stays(chief: Client) -> None:
    Person.objects.create_user("Armand", PASSWORD)
    where = "/administration/administrateurs/"
    chief.post(where, {"name": "Maëlle", "action": "remove"})
    assert one_time_links.has_administrator()
    chief.post(where, {"name": "armand", "action": "add"})
    assert Person.objects.filter(is_administrator=True).count() == 2
    chief.post(where, {"name": "Maëlle", "action": "remove"})
    assert Person.objects.get(is_administrator=True).name == "Armand"
    assert chief.get("/administration/liens/").status_code == 404


def test_the_first_administrator_signs_up(client: Client, settings: Any) -> None:
    settings.SIGNUP = "invitation"
    path = one_time_links.first_administrator_path()
    assert "administrateur" in client.get(path).content.decode()
    assert sign_up(client, "Maëlle", path).status_code == 302
    assert Person.objects.get().is_administrator
    assert sign_up(Client(), "Sylvain", path).status_code == 404
    assert one_time_links.first_administrator_path() == ""


def test_the_first_administrator_may_have_an_account(client: Client) -> None:
    sign_up(client, "Maëlle")
    path = one_time_links.first_administrator_path()
    assert client.get(path).status_code == 200
    assert not Person.objects.get().is_administrator
    assert client.post(path)["Location"] == "/administration/reglages/"
    assert Person.objects.get().is_administrator


def test_each_start_ends_the_link_of_the_one_before(client: Client) -> None:
    first, second = one_time_links.first_administrator_path(), one_time_links.first_administrator_path()
    assert client.get(first).status_code == 404
    assert client.get(second).status_code == 200


def test_a_link_for_the_first_ends_where_there_is_one(client: Client) -> None:
    path = one_time_links.first_administrator_path()
    Person.objects.create_user("Maëlle", PASSWORD, is_administrator=True)
    assert client.get(path).status_code == 404
    assert sign_up(client, "Sylvain", path).status_code == 404
    assert Person.objects.count() == 1


def test_two_with_the_same_link_are_one_administrator() -> None:
    token = one_time_links.first_administrator_token()
    link = one_time_links.find_link(token)
    people = [Person.objects.create_user(name, PASSWORD) for name in ("Maëlle", "Sylvain")]
    one_time_links.grant_administrator(link, people[0])
    with pytest.raises(one_time_links.LinkGone):
        one_time_links.grant_administrator(link, people[1])
    assert Person.objects.get(is_administrator=True).name == "Maëlle"
