"""Whose device is told: the one in which somebody is signed in, as long as he is."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.core.exceptions import ImproperlyConfigured
from django.test import Client

from talleyrand.web.accounts import personal_data
from talleyrand.web.accounts.models import Person
from talleyrand.web.backup import data_folder
from talleyrand.web.push import devices, push_sending
from talleyrand.web.push.models import PushDevice, PushMessage
from talleyrand.web.settings.push_keys import push_key
from tests.web import cast
from tests.web.accounts.doors import OTHER
from tests.web.push.service import Browser, Service
from tests.web.push.test_sending import has, registered, tell

pytestmark = pytest.mark.django_db
PASSWORD = "un mot de passe assez long"
ADD = "/notifications/appareils/ajouter/"
GOOGLE = "https://fcm.googleapis.com/fcm/send/abc:def"


def sent(client: Client, body: object) -> Any:
    text = body if isinstance(body, bytes) else json.dumps(body).encode()
    return client.post(ADD, text, content_type="application/json")


def told(service: Service) -> int:
    tell("Flora", once=f"{len(service.taken)}-{PushMessage.objects.count()}")
    return push_sending.send_due_pushes()


@pytest.mark.parametrize(
    "endpoint", [GOOGLE, "https://web.push.apple.com/Q1", "https://a.notify.windows.com/w/?t=B"]
)
def test_the_services_of_browsers_are_known(endpoint: str) -> None:
    registered(cast.client_of("Flora"), Browser(endpoint))
    assert PushDevice.objects.get().endpoint == endpoint


@pytest.mark.parametrize(
    "endpoint",
    [
        "",
        "x",
        "http://fcm.googleapis.com/a",
        "https://fcm.googleapis.com.example.org/a",
        "https://examplefcm.googleapis.com.evil/a",
        "https://example.org/push",
        "https://127.0.0.1/a",
        "http://127.0.0.1:8000/a",
        "https://localhost/a",
        "https://[::1]/a",
        "https://169.254.169.254/latest",
        "https://user:pass@fcm.googleapis.com/a",
        "https://fcm.googleapis.com:22/a",
        "https://fcm.googleapis.com/\x00",
        "javascript:alert(1)",
        "https://fcm.googleapis.com/" + "a" * 1000,
    ],
)
def test_nothing_is_sent_anywhere_else(endpoint: str) -> None:
    answer = sent(cast.client_of("Flora"), Browser(endpoint).subscription())
    assert answer.status_code == 400
    assert answer.json()["refused"]
    assert not PushDevice.objects.exists()


GOOD = Browser(GOOGLE).subscription()


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"\xff\xfe",
        b"{",
        b"[" * 3000,
        b"x" * 10_000,
        [],
        {},
        None,
        "text",
        {"endpoint": GOOGLE},
        {"endpoint": 7, "keys": {}},
        {**GOOD, "keys": []},
        {**GOOD, "keys": {"p256dh": "é", "auth": "é"}},
        {**GOOD, "keys": {**GOOD["keys"], "auth": "AAAA"}},
        {**GOOD, "keys": {**GOOD["keys"], "auth": None}},
        {**GOOD, "keys": {**GOOD["keys"], "p256dh": "A" * 87}},
        {**GOOD, "keys": {**GOOD["keys"], "p256dh": "B" * 5000}},
    ],
)
def test_nonsense_is_refused_in_words(body: object) -> None:
    answer = sent(cast.client_of("Flora"), body)
    assert answer.status_code == 400
    assert "navigateur" in answer.json()["refused"]
    assert not PushDevice.objects.exists()


def test_a_visitor_registers_nothing(client: Client) -> None:
    assert sent(client, GOOD).status_code == 302
    assert client.get("/notifications/appareils/").status_code == 302
    assert not PushDevice.objects.exists()


def test_registering_twice_is_registering_once(service: Service) -> None:
    client, browser = cast.client_of("Flora"), service.browser()
    assert registered(client, browser) == registered(client, browser)
    assert told(service) == 1


def test_there_is_an_end_to_devices() -> None:
    for number in range(devices.MOST):
        registered(cast.client_of("Flora"), Browser(f"{GOOGLE}{number}"))
    answer = sent(cast.client_of("Flora"), Browser(f"{GOOGLE}more").subscription())
    assert "retirez-en un" in answer.json()["refused"]
    registered(cast.client_of("Flora"), Browser(f"{GOOGLE}0"))
    assert PushDevice.objects.count() == devices.MOST


def test_a_browser_with_another_endpoint_is_the_same_device(service: Service) -> None:
    client = cast.client_of("Flora")
    registered(client, service.browser("before"))
    registered(client, service.browser("now"))
    assert told(service) == 1
    assert [one.path for one in service.taken] == ["/now"]


# a phone that is handed on


def sign_out(client: Client) -> None:
    assert client.post("/compte/deconnexion/").status_code == 302


def test_whoever_signs_out_is_told_nothing(service: Service) -> None:
    client, browser = cast.client_of("Flora"), service.browser()
    registered(client, browser)
    tell("Flora")
    sign_out(client)
    assert push_sending.send_due_pushes() == 0
    assert service.taken == []
    assert not PushDevice.objects.exists()


def test_the_next_owner_of_a_phone_takes_it_over(service: Service) -> None:
    """Without a sign-out too: the browser is the same, and so is its endpoint."""
    browser = has("Flora", service)
    registered(cast.client_of("Gaspard"), browser)
    tell("Flora")
    tell("Gaspard")
    push_sending.send_due_pushes()
    assert len(service.to(browser)) == 1
    assert PushDevice.objects.get().person == cast.person("Gaspard")


def test_one_device_that_signs_out_leaves_the_other(service: Service) -> None:
    phone, desk = cast.client_of("Flora"), cast.client_of("Flora")
    registered(phone, service.browser("phone"))
    registered(desk, service.browser("desk"))
    sign_out(phone)
    assert told(service) == 1
    assert [one.path for one in service.taken] == ["/desk"]


def test_a_new_password_ends_the_other_devices(service: Service) -> None:
    phone, desk = cast.client_of("Flora"), cast.client_of("Flora")
    registered(phone, service.browser("phone"))
    registered(desk, service.browser("desk"))
    change = {"oldpassword": PASSWORD, "password1": OTHER, "password2": OTHER}
    assert desk.post("/compte/mot-de-passe/", change).status_code == 302
    assert told(service) == 1
    assert [one.path for one in service.taken] == ["/desk"]


def closed(person: Person) -> None:
    Person.objects.filter(pk=person.pk).update(is_active=False)


def swept(_person: Person) -> None:
    Session.objects.all().delete()


@pytest.mark.parametrize("end", [closed, swept, personal_data.delete_account])
def test_no_device_outlives_what_opened_it(service: Service, end: Any) -> None:
    has("Flora", service)
    tell("Flora")
    end(cast.person("Flora"))
    assert push_sending.send_due_pushes() == 0
    assert service.taken == []


# the page


def page(client: Client, prefix: str = "/notifications/appareils") -> str:
    return str(client.get(f"{prefix}/").content.decode())


def test_the_list_and_its_buttons(service: Service) -> None:
    client, browser = cast.client_of("Flora"), service.browser()
    assert "Aucun appareil" in page(client)
    key = registered(client, browser)
    assert "Firefox, Android" in page(client)
    assert "celui-ci" in page(client)
    assert "celui-ci" not in page(cast.client_of("Flora"))
    assert "Firefox, Android" not in page(cast.client_of("Gaspard"))
    assert client.post("/notifications/appareils/test/", {"device": key}).status_code == 302
    assert client.post("/notifications/appareils/test/", {"device": key}).status_code == 302
    assert push_sending.send_due_pushes() == 1
    assert service.to(browser)[0]["body"].startswith("Cela marche")
    assert client.post("/notifications/appareils/retirer/", {"device": key}).status_code == 302
    assert client.post("/notifications/appareils/retirer/", {"device": key}).status_code == 302
    assert told(service) == 0


@pytest.mark.parametrize("device", ["", "\0", "x" * 1000, "é"])
def test_buttons_of_nothing(device: str) -> None:
    client = cast.client_of("Flora")
    for path in ("test", "retirer"):
        assert client.post(f"/notifications/appareils/{path}/", {"device": device}).status_code == 302


def test_another_s_device_is_nobody_s(service: Service) -> None:
    key, gaspard = registered(cast.client_of("Flora"), service.browser()), cast.client_of("Gaspard")
    gaspard.post("/notifications/appareils/test/", {"device": key})
    gaspard.post("/notifications/appareils/retirer/", {"device": key})
    assert not PushMessage.objects.exists()
    assert PushDevice.objects.filter(key=key).exists()


def test_one_s_copy_names_devices_and_no_endpoint(service: Service) -> None:
    has("Flora", service)
    kept = personal_data.export_personal_data(cast.person("Flora"))["devices"]
    assert [one["name"] for one in kept] == ["Firefox, Android"]
    assert service.address not in str(kept)


# what browsers ask for


def test_the_worker_answers_from_the_root(client: Client) -> None:
    answer = client.get("/travailleur.js")
    assert answer["Content-Type"].startswith("text/javascript")
    assert "no-cache" in answer["Cache-Control"]
    script = answer.content.decode()
    assert "notificationclick" in script
    assert '"fetch"' not in script
    assert "caches" not in script


def test_the_manifest_has_icons_that_are_there(client: Client) -> None:
    told = json.loads(client.get("/site.webmanifest").content)
    assert told["display"] == "standalone"
    for icon in told["icons"]:
        picture = b"".join(client.get(icon["src"]))
        assert picture.startswith(b"\x89PNG")
    assert 'rel="manifest" href="/site.webmanifest"' in client.get("/").content.decode()


# the key of the site


def test_the_key_is_made_once_for_its_owner_alone(tmp_path: Path) -> None:
    file = tmp_path / "push_key"
    key = push_key("UNSET", file)
    assert push_key("UNSET", file) == key
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert file in data_folder.files_to_keep(tmp_path)
    assert [one.name for one in tmp_path.iterdir()] == ["push_key"]


def test_those_who_start_together_have_one_key(tmp_path: Path) -> None:
    code = (
        "import sys, pathlib; from talleyrand.web.settings.push_keys import push_key;"
        "print(push_key('X', pathlib.Path(sys.argv[1])))"
    )
    command = [sys.executable, "-c", code, str(tmp_path / "push_key")]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    assert len({one.communicate()[0] for one in running}) == 1


@pytest.mark.parametrize("text", ["x", "A" * 43, "é" * 43, "_" * 43, "A" * 86])
def test_a_key_that_is_none_refuses_to_start(tmp_path: Path, monkeypatch: Any, text: str) -> None:
    monkeypatch.setenv("A_KEY", text)
    with pytest.raises(ImproperlyConfigured, match="A_KEY"):
        push_key("A_KEY", tmp_path / "push_key")
    (tmp_path / "push_key").write_text(text, "utf-8")
    monkeypatch.delenv("A_KEY")
    with pytest.raises(ImproperlyConfigured, match="push_key"):
        push_key("A_KEY", tmp_path / "push_key")


def test_the_same_key_for_all_processes(tmp_path: Path, monkeypatch: Any) -> None:
    key = push_key("UNSET", tmp_path / "push_key")
    monkeypatch.setenv("A_KEY", key)
    assert push_key("A_KEY", tmp_path / "elsewhere") == key
    assert not (tmp_path / "elsewhere").exists()
    assert os.environ["A_KEY"] == key
