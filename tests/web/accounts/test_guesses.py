"""Guessing a password: so often, whatever name the site is asked by; and the owner is never shut out."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.db import connections
from django.test import Client

from talleyrand.web.accounts import one_time_links
from talleyrand.web.accounts.known_devices import COOKIE
from talleyrand.web.accounts.models import Person

from .doors import OTHER, PASSWORD, Post, is_in, refusals, sign_in

pytestmark = pytest.mark.django_db
WRONG = "un mauvais mot"
REFUSED = (
    "Trop d’essais. Vous pouvez toujours vous connecter sur un appareil où vous "
    "l’avez déjà fait. Ici, attendez cinq minutes ou demandez un lien à un administrateur."
)


@pytest.fixture(autouse=True)
def flora() -> Person:
    person = Person.objects.create_user("Flora", PASSWORD, email="flora@exemple.fr")
    EmailAddress.objects.create(user=person, email=person.email, verified=True, primary=True)
    return person


def told(client: Client, login: str, password: str = WRONG, **more: str) -> str:
    """What is said to a password that does not open; "" to one that does."""
    sent = {"login": login, "password": password}
    answer = client.post("/compte/connexion/", sent, **more)  # type: ignore[arg-type]
    return "" if answer.status_code == 302 else refusals(answer)[0]


def attacked(login: str = "Flora", times: int = 10) -> None:
    """A stranger has guessed as often as strangers may."""
    for _ in range(times):
        told(Client(), login, REMOTE_ADDR="192.0.2.66")


@pytest.mark.parametrize("name", ["testserver:80", "testserver:443", "localhost", "127.0.0.1", "[::1]:80"])
def test_another_name_of_the_site_gives_no_other_turns(name: str) -> None:
    attacked()
    assert told(Client(), "Flora", PASSWORD, HTTP_HOST=name) == REFUSED


@pytest.mark.parametrize(
    "name", ["testserver:31337", "localhost:0", "[::1]:8001", "testserver:99999", "testserver:080"]
)
def test_a_port_that_is_not_the_site_s_is_refused(name: str) -> None:
    """Links that leave the site would lead there."""
    for path in ("/", "/compte/connexion/", "/api/me"):
        answer = Client().get(path, HTTP_HOST=name)
        assert answer.status_code == 400
        assert "TALLEYRAND_HOSTS" in answer.content.decode()


def test_a_port_that_the_administrator_wrote_is_the_site_s(settings: Any) -> None:
    settings.ALLOWED_PORTS = {8443}
    assert Client().get("/", HTTP_HOST="testserver:8443").status_code == 200
    assert Client().get("/", HTTP_HOST="testserver:8000", SERVER_PORT="8000").status_code == 200


@pytest.mark.parametrize("other", ["flora@exemple.fr", "FLORA@exemple.fr", "F1ora", "flora"])
def test_name_and_address_are_one_account(other: str) -> None:
    attacked(times=5)
    attacked(other, times=5)
    assert told(Client(), "Flora", PASSWORD) == REFUSED
    assert told(Client(), other, PASSWORD) == REFUSED


def test_nobody_s_account_is_counted_alike() -> None:
    """No answer tells who has an account."""
    attacked("nemo")
    assert told(Client(), "nemo") == REFUSED


@pytest.mark.long
def test_the_owner_gets_in_where_they_have_been_before() -> None:
    mine, fresh = Client(), Client()
    assert sign_in(mine, "Flora").status_code == 302
    mine.post("/compte/deconnexion/")
    attacked(times=30)
    assert told(fresh, "Flora", PASSWORD) == REFUSED
    assert told(mine, "Flora", WRONG) == "Nom, adresse ou mot de passe incorrect."
    assert told(mine, "flora@exemple.fr", PASSWORD) == ""
    assert is_in(mine)


def test_neither_does_somebody_behind_the_same_address_shut_them_out(settings: Any) -> None:
    settings.PASSWORD_ATTEMPTS = {**settings.PASSWORD_ATTEMPTS, "address": (3, 600)}
    mine = Client()
    sign_in(mine, "Flora")
    mine.post("/compte/deconnexion/")
    for number in range(4):
        told(Client(), f"personne {number}")
    assert told(Client(), "Flora", PASSWORD) == REFUSED
    assert told(Client(), "Flora", PASSWORD, REMOTE_ADDR="192.0.2.1") == ""
    assert told(mine, "Flora", PASSWORD) == ""


def test_a_known_device_has_turns_of_its_own_and_no_more() -> None:
    """It may have been lent, or stolen."""
    mine = Client()
    sign_in(mine, "Flora")
    mine.post("/compte/deconnexion/")
    assert [told(mine, "Flora") for _ in range(21)].count(REFUSED) == 1
    assert told(mine, "Flora", PASSWORD) == REFUSED
    assert told(Client(), "Flora", PASSWORD) == ""


def _known(password: str = PASSWORD) -> Client:
    """A device on which Flora has signed in."""
    client = Client()
    assert sign_in(client, "Flora", password).status_code == 302
    return client


def test_who_knew_an_old_password_has_made_no_turns_for_the_new_one(settings: Any) -> None:
    """Signing in again and again made one device after another."""
    settings.PASSWORD_ATTEMPTS = {**settings.PASSWORD_ATTEMPTS, "device": (4, 10**9)}
    mine, theirs = _known(), [_known() for _ in range(3)]
    sent = {"oldpassword": PASSWORD, "password1": OTHER, "password2": OTHER}
    assert mine.post("/compte/mot-de-passe/", sent).status_code == 302
    other = _known(OTHER)
    for one in (mine, other):
        one.post("/compte/deconnexion/")
    said = [told(device, "Flora") for device in theirs for _ in range(2)]
    assert said.count(REFUSED) == 2
    assert told(theirs[0], "Flora", OTHER) == REFUSED
    assert told(mine, "Flora", OTHER) == ""  # where the password was changed
    assert told(other, "Flora", OTHER) == ""
    assert told(Client(), "Flora", OTHER) == ""


@pytest.mark.long
def test_the_owner_gets_in_on_a_device_that_knows_an_older_password(flora: Person) -> None:
    older = _known()
    older.post("/compte/deconnexion/")
    kept = older.cookies[COOKIE].value
    older.cookies[COOKIE] = kept[: 32 + 1 + 32]  # of a version that knew one seal
    flora.set_password(OTHER)
    flora.save()
    attacked(times=30)
    assert told(Client(), "Flora", OTHER) == REFUSED
    assert told(older, "Flora", OTHER) == ""
    again = older.cookies[COOKIE].value
    assert again[: 32 + 1 + 32] == kept[: 32 + 1 + 32]
    assert len(again) == len(kept)


def test_no_stranger_has_a_known_device() -> None:
    Person.objects.create_user("Gaspard", PASSWORD)
    theirs = Client()
    sign_in(theirs, "Gaspard")
    kept = theirs.cookies[COOKIE]
    assert kept["httponly"]
    assert kept["samesite"] == "Lax"
    theirs.post("/compte/deconnexion/")
    attacked()
    device, _dot, seal = kept.value.partition(".")
    for written in (kept.value, f"{'0' * 32}.{seal}", f"{device}.{'0' * 32}", device, "é", "." * 5000, ""):
        forger = Client()
        forger.cookies[COOKIE] = written
        assert told(forger, "Flora", PASSWORD) == REFUSED


@pytest.mark.long
def test_a_device_knows_each_of_a_family() -> None:
    shared = Client()
    for number in range(12):
        Person.objects.create_user(f"Cousin {number}", PASSWORD)
        sign_in(shared, f"Cousin {number}")
        shared.post("/compte/deconnexion/")
    for number in (2, 11):
        attacked(f"Cousin {number}")
        assert told(shared, f"Cousin {number}", PASSWORD) == ""


def test_a_link_of_the_site_lets_the_owner_in(flora: Person) -> None:
    attacked()
    path = f"/compte/lien/{one_time_links.make_link(one_time_links.Kind.PASSWORD, 'one', person=flora)}/"
    phone = Client()
    phone.post(path, {"password1": OTHER, "password2": OTHER})
    assert is_in(phone)
    phone.post("/compte/deconnexion/")
    attacked()
    assert told(phone, "Flora", OTHER) == ""


@pytest.mark.long
def test_a_link_by_mail_lets_the_owner_in_though_a_stranger_asked_for_all_of_them(post: Post) -> None:
    attacked()
    stranger, owner = Client(), Client()
    for _ in range(7):
        stranger.post("/compte/mot-de-passe/perdu/", {"email": "flora@exemple.fr"}, REMOTE_ADDR="192.0.2.66")
    answer = owner.post("/compte/mot-de-passe/perdu/", {"email": "flora@exemple.fr"}, follow=True)
    assert answer.status_code == 200
    assert "Un courriel part vers l’adresse saisie (cinq par heure au" in answer.content.decode()
    assert len(post.received) == 5
    form = owner.get(post.link(), follow=True)
    where = form.redirect_chain[-1][0]
    assert owner.post(where, {"password1": OTHER, "password2": OTHER}).status_code == 302
    assert is_in(owner)


@pytest.mark.django_db(transaction=True)
def test_guesses_of_one_moment_all_count() -> None:
    gate = Barrier(20)

    def ask(_number: int) -> str:
        client = Client()
        gate.wait()
        try:
            return told(client, "Flora")
        finally:
            connections.close_all()

    with ThreadPoolExecutor(20) as crowd:
        said = list(crowd.map(ask, range(20)))
    assert said.count(REFUSED) == 10
