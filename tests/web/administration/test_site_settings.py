"""The site's settings in the browser: in force at once, below the variables, for administrators alone."""

from __future__ import annotations

import html
import json
import socket
import stat
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from django.conf import settings as django_settings
from django.core import mail
from django.core.exceptions import ImproperlyConfigured
from django.test import Client
from django.utils import timezone

from talleyrand.web.accounts import one_time_links
from talleyrand.web.accounts.models import Approval, Person
from talleyrand.web.administration import settings_page
from talleyrand.web.games.models import Game
from talleyrand.web.monitoring.monitor import Monitor
from talleyrand.web.notifications.models import Notification
from talleyrand.web.settings import environment, kept_settings
from talleyrand.web.tournaments.models import Tournament
from tests.web.accounts.doors import PASSWORD, Post, listening
from tests.web.cast import client_of, person, table

PAGE = "/administration/reglages/"
PLAIN = {
    "name": "Club de Lyon",
    "language": "en",
    "signup": "invitation",
    "makers": "approved",
    "action": "save",
}
SERVER = {
    "host": "smtp.example.org",
    "port": "587",
    "encryption": "starttls",
    "user": "club",
    "password": "p@ss:word/é",
}
MAIL = {**PLAIN, **SERVER, "sender": "Club <games@example.org>"}


def test_what_is_saved_is_in_force_at_once(chief: Client, folder: Path) -> None:
    assert "2 sur 2" in chief.get(PAGE).content.decode()
    assert chief.post(PAGE, PLAIN)["Location"] == "/"
    page = Client().get("/", headers={"accept": "text/html"}, follow=True)
    assert '<html lang="en"' in page.content.decode()
    assert "Club de Lyon</a>" in page.content.decode()
    assert Client().get("/compte/inscription/").status_code == 200
    assert django_settings.SIGNUP == "invitation"
    assert stat.S_IMODE((folder / kept_settings.FILE).stat().st_mode) == 0o600
    assert "2 sur 2" not in chief.get(PAGE).content.decode()
    assert chief.post(PAGE, {**PLAIN, "name": "<b>Club</b>"})["Location"] == PAGE
    assert "<b>Club" not in chief.get(PAGE).content.decode()


def test_house_rules_are_saved_shown_and_told_to_those_who_play(chief: Client, folder: Path) -> None:
    table()
    rules = {"rules_fr": "Ni insultes ni menaces\u00a0!\r\n", "rules_en": "No insults."}
    for _twice in range(2):
        assert chief.post(PAGE, {**PLAIN, **rules}).status_code == 302
    assert django_settings.HOUSE_RULES == {"fr": "Ni insultes ni menaces\u00a0!", "en": "No insults."}
    assert "Ni insultes ni menaces" in chief.get(PAGE).content.decode()
    assert "No insults." in Client().get("/en/house-rules/").content.decode()
    assert Notification.objects.filter(kind="site_rules", person__name="Flora").count() == 1
    for wrong in ("x" * 2001, "zéro\x00"):
        assert chief.post(PAGE, {**PLAIN, "rules_en": wrong}).status_code == 400
    assert chief.post(PAGE, PLAIN).status_code == 302
    assert django_settings.HOUSE_RULES == {"fr": "", "en": ""}
    assert (folder / kept_settings.FILE).exists()


def test_mail_is_set_and_its_password_never_shown(chief: Client, folder: Path) -> None:
    assert chief.post(PAGE, MAIL).status_code == 302
    assert (django_settings.HAS_MAIL, django_settings.EMAIL_HOST) == (True, "smtp.example.org")
    assert SERVER["password"] == django_settings.EMAIL_HOST_PASSWORD
    assert "p@ss" not in chief.get(PAGE).content.decode()
    assert chief.post(PAGE, {**MAIL, "password": "", "name": "Club"}).status_code == 302
    assert SERVER["password"] == django_settings.EMAIL_HOST_PASSWORD
    # A saved password goes to no other server.
    assert chief.post(PAGE, {**MAIL, "password": "", "host": "smtp.mallory.example"}).status_code == 302
    assert django_settings.EMAIL_HOST_PASSWORD == ""
    assert chief.post(PAGE, PLAIN).status_code == 302
    assert not django_settings.HAS_MAIL
    assert "email" not in Client().get("/inscription/").content.decode().partition("<form")[2]


WRONG = [
    {"name": ""},
    {"name": "x" * 41},
    {"name": "a\0b"},
    {"name": "\u202eClub"},
    {"language": "de"},
    {"signup": "nobody"},
    {"makers": ""},
    {"host": "smtp://example.org"},
    {"host": "example.org\r\nRCPT TO:<a@b>"},
    {"host": "1:2"},
    {"host": "::::"},
    {"host": "abc:def"},
    {"port": "0"},
    {"port": "x"},
    {"sender": ""},
    {"sender": "Club <games@example.org"},
    {"sender": "a@b.org\nBcc: c@d.org"},
    {"encryption": "rot13"},
    {"user": "", "password": "x"},
]


@pytest.mark.parametrize("wrong", WRONG, ids=repr)
def test_what_is_wrong_is_said_and_nothing_kept(chief: Client, folder: Path, wrong: dict[str, str]) -> None:
    answer = chief.post(PAGE, {**MAIL, **wrong})
    assert answer.status_code == 400
    assert "errorlist" in answer.content.decode()
    assert list(folder.iterdir()) == []


def test_a_variable_wins_and_is_shown(chief: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(kept_settings.SIGNUP, "open")
    page = chief.get(PAGE).content.decode()
    assert "TALLEYRAND_SIGNUP" in page
    assert chief.post(PAGE, {**PLAIN, "signup": "invitation"}).status_code == 302
    assert django_settings.SIGNUP == "open"
    assert kept_settings.SIGNUP not in environment.kept
    monkeypatch.setenv(kept_settings.SMTP, "smtp://me:hush-hush@host.example")
    monkeypatch.setenv(kept_settings.SENDER, "a@example.org")
    (django_settings.DATA / kept_settings.FILE).unlink()
    assert "hush" not in chief.get(PAGE).content.decode()
    assert django_settings.EMAIL_HOST == "host.example"


def test_another_process_hears_of_it(chief: Client, folder: Path) -> None:
    chief.post(PAGE, PLAIN)
    (folder / "other").write_text(json.dumps({kept_settings.NAME: "Ailleurs"}))
    (folder / "other").replace(folder / kept_settings.FILE)
    Monitor().check_once(timezone.now())
    assert (django_settings.SITE_NAME, django_settings.SIGNUP) == ("Ailleurs", "open")


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"TALLEYRAND_SIGNUP": 3}', '{"TALLEYRAND_SIGNUP": "x"}', "\xff"]
)
def test_a_damaged_file_changes_nothing_while_the_site_serves(chief: Client, folder: Path, text: str) -> None:
    chief.post(PAGE, PLAIN)
    (folder / kept_settings.FILE).write_bytes(text.encode("latin-1"))
    assert chief.get("/").status_code == 200
    assert django_settings.SITE_NAME == "Club de Lyon"
    with pytest.raises(ImproperlyConfigured):
        _begin(folder)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"TALLEYRAND_SIGNUP": 3}', "[" * 9999])
def test_nothing_is_saved_over_a_damaged_file(chief: Client, folder: Path, text: str) -> None:
    chief.post(PAGE, MAIL)
    file = folder / kept_settings.FILE
    file.write_text(text)
    answer = chief.post(PAGE, {**MAIL, "name": "Autre club"})
    said = html.unescape(answer.content.decode())
    assert answer.status_code == 409
    assert "settings.json, dans le dossier de données, est abîmé" in said
    assert 'value="Autre club"' in said
    assert file.read_text() == text
    file.unlink()
    assert chief.post(PAGE, {**MAIL, "name": "Autre club"}).status_code == 302
    assert django_settings.SITE_NAME == "Autre club"


def _begin(folder: Path) -> None:
    """As a site does that starts."""
    kept_settings.load_kept(folder)
    kept_settings.adjustable_settings()


def test_a_crash_halfway_leaves_what_was(
    chief: Client, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chief.post(PAGE, PLAIN)

    def fail(_file: int) -> None:
        raise OSError("disk full")

    monkeypatch.setattr("talleyrand.web.settings.kept_settings.os.fsync", fail)
    answer = chief.post(PAGE, {**PLAIN, "name": "Autre"})
    assert answer.status_code == 500
    assert "Rien n’est enregistré" in answer.content.decode()
    assert django_settings.SITE_NAME == "Club de Lyon"
    assert [one.name for one in folder.iterdir()] == [kept_settings.FILE]


# strangers


def test_a_stranger_who_comes_first_can_do_nothing(db: None, folder: Path) -> None:
    for visitor in (Client(), client_of(person("Mallory").name)):
        assert visitor.get(PAGE).status_code == 404
        assert visitor.post(PAGE, PLAIN).status_code == 404
        assert (
            visitor.post(
                "/administration/approbation/", {"name": "Mallory", "approval": "organiser"}
            ).status_code
            == 404
        )
    forged = Client(enforce_csrf_checks=True)
    assert forged.post(PAGE, PLAIN).status_code in (403, 404)
    assert list(folder.iterdir()) == []
    assert not Person.objects.filter(is_administrator=True).exists()


def test_the_key_of_the_terminal_makes_one_administrator(db: None, client: Client) -> None:
    """Two presses, and two people who have seen the terminal: one account is the administrator's."""
    path = one_time_links.first_administrator_path()
    assert "1 sur 2" in client.get(path).content.decode()
    told = {"password1": PASSWORD, "password2": PASSWORD, "zone": "Europe/Paris"}
    assert client.post(path, {**told, "username": "Maëlle"})["Location"] == PAGE
    assert client.post(path, {**told, "username": "Maëlle"}).status_code == 404
    assert Client().post(path, {**told, "username": "Mallory"}).status_code == 404
    assert Client().post(path[:-2] + "x/", {**told, "username": "Mallory"}).status_code == 404
    assert list(Person.objects.values_list("name", "is_administrator")) == [("Maëlle", True)]
    # What was begun goes on later, from any device.
    assert "2 sur 2" in client.get(PAGE).content.decode()
    assert one_time_links.first_administrator_path() == ""


# the test message


def test_a_test_message_leaves_and_nothing_is_kept(chief: Client, folder: Path) -> None:
    received = Post()
    server = listening(received)
    server.start()
    sent = {
        **PLAIN,
        "host": "127.0.0.1",
        "port": str(server.port),
        "encryption": "none",
        "sender": "a@example.org",
    }
    try:
        answer = chief.post(PAGE, {**sent, "action": "test", "test_address": "me@example.org"})
    finally:
        server.stop()
    assert "me@example.org" in answer.content.decode()
    assert answer.status_code == 200
    assert len(received.received) == 1
    assert list(folder.iterdir()) == []
    assert mail.outbox == []


def test_the_saved_password_leaves_unencrypted_only_where_it_is_typed_for_that(
    chief: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    trial = mock.Mock(return_value="")
    monkeypatch.setattr(settings_page, "send_test_message", trial)
    chief.post(PAGE, MAIL)
    bare = {**MAIL, "encryption": "none", "password": "", "test_address": "me@example.org"}
    for action in ("test", "save"):
        answer = chief.post(PAGE, {**bare, "action": action})
        assert answer.status_code == 400
        assert "Saisissez de nouveau le mot de passe" in answer.content.decode()
    assert not trial.called
    assert django_settings.EMAIL_USE_TLS
    assert chief.post(PAGE, {**bare, "encryption": "implicit", "action": "test"}).status_code == 200
    assert trial.call_args.args[0]["password"] == SERVER["password"]
    assert chief.post(PAGE, {**bare, "password": SERVER["password"]}).status_code == 302
    assert chief.post(PAGE, bare).status_code == 302  # it is so already
    assert SERVER["password"] == django_settings.EMAIL_HOST_PASSWORD
    assert "sauvegardes du site" in chief.get(PAGE).content.decode()


def test_test_messages_are_few(chief: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    trial = mock.Mock(return_value="")
    monkeypatch.setattr(settings_page, "send_test_message", trial)
    asked = {**MAIL, "action": "test", "test_address": "me@example.org"}
    answers = [chief.post(PAGE, asked) for _time in range(12)]
    statuses = [one.status_code for one in answers]
    assert statuses[-2:] == [429, 429]
    assert 0 < statuses.count(200) == trial.call_count <= 10
    assert "réessayez dans quelques minutes" in answers[-1].content.decode()
    assert chief.post(PAGE, MAIL).status_code == 302  # saving is another matter


def _closed_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"test_address": ""}, "Indiquez l’adresse"),
        ({"host": "", "sender": ""}, "Indiquez d’abord le serveur"),
        ({}, "Rien ne répond à ce port"),
        ({"host": "no-such-host.invalid"}, "Aucun serveur ne porte ce nom"),
    ],
)
def test_what_goes_wrong_with_a_test_message(chief: Client, change: dict[str, str], said: str) -> None:
    sent = {
        **PLAIN,
        "host": "127.0.0.1",
        "port": str(_closed_port()),
        "encryption": "none",
        "sender": "a@example.org",
    }
    answer = chief.post(PAGE, {**sent, "action": "test", "test_address": "me@example.org", **change})
    assert answer.status_code == 400
    assert said in answer.content.decode()


# who may make games


@pytest.mark.parametrize(
    ("makers", "approval", "may"),
    [
        ("everyone", "", True),
        ("approved", "", False),
        ("approved", Approval.APPROVED, True),
        ("organisers", Approval.APPROVED, False),
        ("organisers", Approval.ORGANISER, True),
    ],
)
def test_who_may_make_games(settings: Any, chief: Client, makers: str, approval: str, may: bool) -> None:
    settings.GAME_MAKERS = makers
    bruno = person("Bruno")
    if approval:
        chief.post("/administration/approbation/", {"name": "bruno", "approval": approval})
    player = client_of(bruno.name)
    player.post("/parties/nouvelle/", {"name": "Lyon", "kind": "week"})
    player.post("/tournois/nouveau/", {"name": "Lyon", "regulations": "ndc"})
    assert Game.objects.exists() is may
    chief.post("/administration/approbation/", {"name": "bruno", "approval": "king"})
    bruno.refresh_from_db()
    assert bruno.approval == approval
    assert Tournament.objects.exists() is may
    assert chief.get("/administration/liens/").status_code == 200
    for page, link in {"/parties/": "/parties/nouvelle/", "/tournois/": "/tournois/nouveau/"}.items():
        shown = player.get(page).content.decode()
        assert (f'href="{link}"' in shown) is may
        assert ("Demandez-le-lui" in shown) is not may
    assert ('id="play-friends"' in player.get("/").content.decode()) is may
    assert (b'href="/parties/nouvelle/"' in Client().get("/parties/").content) is (makers == "everyone")


def test_an_account_by_a_link_is_approved(db: None, client: Client) -> None:
    token = one_time_links.make_link(one_time_links.Kind.ACCOUNT, "one")
    told = {"username": "Bruno", "password1": PASSWORD, "password2": PASSWORD, "zone": "Europe/Paris"}
    client.post(f"/compte/lien/{token}/", told)
    assert Person.objects.get().approval == Approval.APPROVED
