"""Signing up and in, on a site without mail."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from django.db import connections
from django.test import Client
from django.urls import reverse

from talleyrand.web.accounts import one_time_links
from talleyrand.web.accounts.models import Person

from .doors import OTHER, PASSWORD, is_in, plain, refusals, sign_in, sign_up

pytestmark = pytest.mark.django_db


def test_signing_up_signs_in(client: Client) -> None:
    assert sign_up(client, " Flora ", zone="America/Toronto").status_code == 302
    person = Person.objects.get()
    assert (person.name, person.time_zone, person.language, person.email) == (
        "Flora",
        "America/Toronto",
        "fr",
        "",
    )
    assert not person.is_administrator
    assert is_in(client)


def test_the_language_of_the_page_becomes_one_s_own(client: Client) -> None:
    answer = sign_up(client, "Edmond", "/en/account/sign-up/")
    assert answer["Location"].startswith("/en/")
    assert Person.objects.get().language == "en"
    other = Client()
    assert sign_in(other, "edmond")["Location"].startswith("/en/")


FORMS = {
    "a taken name": {"username": "FLORA"},
    "a name that looks taken": {"username": "F1ora"},
    "a name right to left": {"username": "Flora\u202e"},
    "a name of 41": {"username": "x" * 41},
    "a name with NUL": {"username": "Ga\0spard"},
    "no name": {"username": ""},
    "no password": {"password1": "", "password2": ""},
    "two passwords": {"password2": "autre chose encore"},
    "a short password": {"password1": "court", "password2": "court"},
    "a common password": {"password1": "qwertyuiop", "password2": "qwertyuiop"},
    "one's name as password": {"password1": "gaspard-gaspard", "password2": "gaspard-gaspard"},
    "a password without end": {"password1": "a b" * 1000, "password2": "a b" * 1000},
    "no zone": {"zone": ""},
    "a zone of nowhere": {"zone": "Europe/Atlantis"},
    "a zone that is a path": {"zone": "../../etc/passwd"},
    "a zone that is a file": {"zone": "zone.tab"},
    "a zone with NUL": {"zone": "Europe/Paris\0"},
    "a zone without end": {"zone": "E" * 10_000},
}


@pytest.mark.one_in(4)
@pytest.mark.parametrize("why", FORMS)
def test_a_refused_form_says_why_and_keeps_what_was_typed(client: Client, why: str) -> None:
    Person.objects.create_user("Flora", PASSWORD)
    sent = {"username": "Gaspard", "password1": PASSWORD, "password2": PASSWORD, "zone": "Europe/Berlin"}
    answer = client.post("/compte/inscription/", {**sent, **FORMS[why]})
    assert answer.status_code == 200
    assert len(set(refusals(answer))) == 1, refusals(answer)
    assert Person.objects.count() == 1
    page = answer.content.decode()
    if "username" not in FORMS[why]:
        assert 'value="Gaspard"' in page
    if "zone" not in FORMS[why]:
        assert '<option value="Europe/Berlin" selected>' in page
    assert PASSWORD not in page


def test_half_a_form_changes_nothing(client: Client) -> None:
    for sent in ({}, {"username": "Gaspard"}, {"autre": "chose"}):
        assert client.post("/compte/inscription/", sent).status_code == 200
    assert Person.objects.count() == 0


def test_an_old_name_of_a_zone_is_known(client: Client) -> None:
    assert sign_up(client, "Indira", zone="Asia/Calcutta").status_code == 302
    assert 'value="Asia/Calcutta" selected' in client.get("/compte/").content.decode()


def test_the_same_form_sent_twice_makes_one_account(client: Client) -> None:
    assert sign_up(client, "Flora").status_code == 302
    assert sign_up(client, "Flora").status_code == 302
    assert sign_up(Client(), "Flora").status_code == 200
    assert Person.objects.count() == 1


def test_a_name_taken_in_the_same_moment_is_refused_like_one_taken_before(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    Person.objects.create_user("Flora", PASSWORD)
    monkeypatch.setattr(
        "talleyrand.web.accounts.account_adapter.AccountAdapter.clean_username",
        lambda _self, name, **_more: name,
    )
    answer = sign_up(client, "Flora")
    assert answer.status_code == 200
    assert "est pris" in refusals(answer)[0]


@pytest.mark.parametrize("login", ["Élise", "élise", "ÉLISE", " Élise ", "E\u0301lise"])
def test_a_name_is_known_however_it_is_written(client: Client, login: str) -> None:
    Person.objects.create_user("Élise", PASSWORD)
    assert sign_in(client, login).status_code == 302
    assert is_in(client)


@pytest.mark.parametrize("login", ["Élise", "personne", "elise@exemple.org", "nemo@exemple.org"])
def test_no_answer_tells_who_has_an_account(client: Client, login: str) -> None:
    Person.objects.create_user("Élise", PASSWORD, email="elise@exemple.org")
    sentence = refusals(sign_in(client, login, "un mauvais mot"))
    assert sentence == refusals(sign_in(Client(), "un inconnu", "un mauvais mot"))
    shown = plain(sign_in(client, login, "un mauvais mot")).replace(login, "")
    assert shown == plain(sign_in(Client(), "un inconnu", "un mauvais mot")).replace("un inconnu", "")


@pytest.mark.parametrize(
    ("login", "password"),
    [("", ""), ("Élise", ""), ("", "x"), ("É\0lise", "x"), ("x" * 100_000, "x"), ("'; --", "x"), ("@", "@")],
)
def test_nonsense_at_the_door(client: Client, login: str, password: str) -> None:
    answer = sign_in(client, login, password)
    assert answer.status_code == 200
    assert refusals(answer)


@pytest.mark.parametrize(
    ("onward", "where"),
    [
        ("/reglements/regles/", "/reglements/regles/"),
        ("https://ailleurs.example/", "/"),
        ("//ailleurs.example/", "/"),
        ("/\\ailleurs.example", "/"),
        ("javascript:alert(1)", "/"),
        ("http://testserver@ailleurs.example/", "/"),
        ("\tjavascript:alert(1)", "/"),
        ("https:ailleurs.example", "/"),
    ],
)
def test_nobody_is_led_off_the_site(client: Client, onward: str, where: str) -> None:
    Person.objects.create_user("Élise", PASSWORD)
    answer = sign_in(client, "Élise", next=onward)
    usual = reverse("home:page") if where == "/" else where
    assert answer["Location"].split("?")[0] in (usual, reverse("games:all") if where == "/" else where)


def test_a_session_ends_with_the_browser_unless_one_stays(client: Client) -> None:
    Person.objects.create_user("Élise", PASSWORD)
    sign_in(client, "Élise")
    assert client.session.get_expire_at_browser_close()
    sign_in(Client(), "Élise", remember="on")
    other = Client()
    sign_in(other, "Élise", remember="on")
    assert not other.session.get_expire_at_browser_close()
    cookie = other.cookies["sessionid"]
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"


def test_another_password_ends_the_other_sessions(client: Client) -> None:
    Person.objects.create_user("Élise", PASSWORD)
    other = Client()
    assert sign_in(client, "Élise")
    assert sign_in(other, "Élise")
    sent = {"oldpassword": PASSWORD, "password1": OTHER, "password2": OTHER}
    assert client.post("/compte/mot-de-passe/", sent).status_code == 302
    assert is_in(client)
    assert not is_in(other)
    assert sign_in(Client(), "Élise").status_code == 200
    assert sign_in(Client(), "Élise", OTHER).status_code == 302


def test_the_present_password_is_asked_for(client: Client) -> None:
    Person.objects.create_user("Élise", PASSWORD)
    sign_in(client, "Élise")
    answer = client.post(
        "/compte/mot-de-passe/", {"oldpassword": "x", "password1": OTHER, "password2": OTHER}
    )
    assert refusals(answer) == ["Mot de passe actuel incorrect."]


def test_signing_out_is_asked_of_a_button(client: Client) -> None:
    sign_up(client, "Flora")
    assert client.get("/compte/deconnexion/").status_code == 200
    assert is_in(client)
    client.post("/compte/deconnexion/")
    assert not is_in(client)


def test_attempts_are_counted_by_account(client: Client) -> None:
    for name in ("Élise", "Flora"):
        Person.objects.create_user(name, PASSWORD)
    for turn in range(10):
        sign_in(client, ("Élise", "élise", "É1ise")[turn % 3], "un mauvais mot")
    assert refusals(sign_in(client, "ÉLISE"))[0].startswith("Trop d’essais.")
    assert sign_in(Client(), "Flora").status_code == 302


@pytest.mark.long
def test_a_club_signs_in_behind_one_address() -> None:
    people = [Person.objects.create_user(f"Joueur {number}", PASSWORD) for number in range(210)]
    assert all(sign_in(Client(), person.name, "au hasard").status_code == 200 for person in people[:70])
    assert all(sign_in(Client(), person.name).status_code == 302 for person in people)


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_a_table_signs_in_at_once() -> None:
    """None of those who press the button together is told to wait."""
    people = [Person.objects.create_user(f"Joueur {number}", PASSWORD) for number in range(21)]
    gate = Barrier(len(people))

    def enter(person: Person) -> int:
        gate.wait()
        try:
            return int(sign_in(Client(), person.name).status_code)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(people)) as table:
        assert list(table.map(enter, people)) == [302] * len(people)


@pytest.mark.long
def test_a_room_signs_up_behind_one_address() -> None:
    assert all(sign_up(Client(), f"Recrue {number}").status_code == 302 for number in range(21))


def test_a_flood_of_accounts_is_stopped_and_a_link_still_makes_one(settings: Any) -> None:
    settings.ATTEMPTS_BY_ADDRESS = {**settings.ATTEMPTS_BY_ADDRESS, "account": (2, 3600)}
    for name in ("Un", "F1ora"):
        assert sign_up(Client(), name).status_code == 302
    assert sign_up(Client(), "Flora").status_code == 200  # a name that is taken makes no account
    flooded = sign_up(Client(), "Trois")
    assert flooded.status_code == 429
    assert "demandez un lien" in refusals(flooded)[0]
    assert 'value="Trois"' in flooded.content.decode()
    assert sign_up(Client(), "Quatre", REMOTE_ADDR="192.0.2.1").status_code == 429  # a field, not an address
    path = f"/compte/lien/{one_time_links.make_link(one_time_links.Kind.ACCOUNT, 'one')}/"
    assert sign_up(Client(), "Cinq", path).status_code == 302
    elsewhere = Client(REMOTE_ADDR="192.0.2.1")
    assert sign_up(elsewhere, "Six").status_code == 302


def test_one_address_that_never_stops_is_told_to_wait(client: Client, settings: Any) -> None:
    settings.ATTEMPTS_BY_ADDRESS = {**settings.ATTEMPTS_BY_ADDRESS, "sign_up": (3, 3600)}
    for _ in range(3):
        client.post("/compte/inscription/", {})
    answer = client.post("/compte/inscription/", {})
    assert answer.status_code == 429
    assert "Trop d’essais. Patientez quelques minutes, puis réessayez" in answer.content.decode()
    assert client.get("/compte/inscription/").status_code == 200
    assert client.post("/compte/inscription/", {}, REMOTE_ADDR="192.0.2.1").status_code == 200


@pytest.mark.long
def test_the_addresses_of_one_line_count_together(settings: Any) -> None:
    settings.ATTEMPTS_BY_ADDRESS = {**settings.ATTEMPTS_BY_ADDRESS, "sign_up": (1, 60)}
    door, sent = "/compte/inscription/", dict[str, str]()
    addresses = ("2001:db8::1", "2001:db8::2", "2001:db8:0:1::1", "::ffff:192.0.2.1", "192.0.2.1", "", "")
    told = [Client().post(door, sent, REMOTE_ADDR=address).status_code for address in addresses]
    assert told == [200, 429, 200, 200, 429, 200, 429]


@pytest.mark.parametrize(
    "name",
    [
        "account_reset_password",
        "account_reset_password_done",
        "account_reset_password_from_key_done",
        "account_request_login_code",
        "account_confirm_login_code",
        "account_email",
        "account_email_verification_sent",
    ],
)
def test_a_site_without_mail_has_no_page_that_sends_one(client: Client, name: str) -> None:
    assert client.get(reverse(name)).status_code == 404
    sign_up(client, "Flora", email="flora@exemple.org")
    assert client.get(reverse(name)).status_code == 404
    assert Person.objects.get().email == ""


def test_a_form_from_elsewhere_is_refused() -> None:
    strict = Client(enforce_csrf_checks=True)
    assert sign_up(strict, "Flora").status_code == 403
    assert Person.objects.count() == 0


def test_where_accounts_are_given_nobody_takes_one(client: Client, settings: Any) -> None:
    settings.SIGNUP = "invitation"
    page = client.get("/compte/inscription/")
    assert "il faut un lien" in page.content.decode()
    sign_up(client, "Flora")
    assert Person.objects.count() == 0
    assert "/compte/inscription/" not in client.get("/compte/connexion/").content.decode()


@pytest.mark.parametrize("prefix", ["", "/en"])
def test_every_page_of_the_door_is_ours(client: Client, prefix: str) -> None:
    paths = {"": ("connexion", "inscription"), "/en": ("sign-in", "sign-up")}[prefix]
    for path in paths:
        page = client.get(f"{prefix}/{'account' if prefix else 'compte'}/{path}/")
        assert all("allauth" not in str(template.origin) for template in page.templates)
        assert b"style=" not in page.content
