"""One's devices: each is seen, each is ended from any other, at once and on open streams too."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from talleyrand.web.accounts import expired_rows, open_sessions, signed_in_devices
from talleyrand.web.accounts.models import Person
from talleyrand.web.backup import older_schema
from talleyrand.web.push.models import PushDevice
from tests.web.push.service import Browser
from tests.web.push.test_sending import registered

from .doors import OTHER, PASSWORD, is_in, sign_in

pytestmark = pytest.mark.django_db
PAGE = "/compte/securite/"
PHONE = "Mozilla/5.0 (Android 15; Mobile) Firefox/145"
LAPTOP = "Mozilla/5.0 (X11; Linux x86_64) Chrome/142 Safari/537"


@pytest.fixture(autouse=True)
def flora() -> Person:
    return Person.objects.create_user("Flora", PASSWORD)


def device(agent: str, name: str = "Flora") -> Client:
    client = Client(HTTP_USER_AGENT=agent, REMOTE_ADDR="192.0.2.7")
    sign_in(client, name)
    return client


def text(answer: Any) -> str:
    return str(answer.content.decode())


def of(client: Client) -> str:
    return str(UserSession.objects.get(session_key=client.session.session_key).pk)


def test_each_is_seen_and_one_is_ended() -> None:
    phone, laptop = device(PHONE), device(LAPTOP)
    page = text(laptop.get(PAGE))
    assert page.index("Chrome, Linux") < page.index("cet appareil") < page.index("Firefox, Android")
    number = of(phone)
    key = phone.session.session_key or ""
    answer = laptop.post(PAGE, {"device": number}, follow=True)
    assert "Firefox, Android est déconnecté" in text(answer)
    assert open_sessions.people_by_session([key]) == {}
    assert not is_in(phone)
    assert is_in(laptop)
    assert "déjà déconnecté" in text(laptop.post(PAGE, {"device": number}, follow=True))
    assert "Aucun autre appareil" in text(laptop.get(PAGE))


def test_all_the_others_are_ended_at_once() -> None:
    here, others = device(LAPTOP), [device(PHONE) for _ in range(3)]
    answer = here.post(PAGE, {"press": "others"}, follow=True)
    assert "3 autres appareils déconnectés" in text(answer)
    assert not any(is_in(one) for one in others)
    assert is_in(here)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("sent", ["", "0", "-1", "x", "9" * 40, "é", "\0"])
def test_nobody_ends_what_is_not_theirs(sent: str) -> None:
    Person.objects.create_user("Gaspard", PASSWORD)
    mine, theirs = device(LAPTOP), device(PHONE, "Gaspard")
    for number in (sent, of(theirs), of(mine)):
        assert mine.post(PAGE, {"device": number}).status_code == 302
    assert is_in(theirs)
    assert is_in(mine)


def test_who_is_not_signed_in_has_no_such_page() -> None:
    for answer in (Client().get(PAGE), Client().post(PAGE, {"press": "others"})):
        assert answer["Location"].startswith("/compte/connexion/")


def test_of_a_device_little_is_kept() -> None:
    device(PHONE).get("/compte/")
    (row,) = UserSession.objects.all()
    assert (row.ip, row.user_agent, row.data) == ("::", "Firefox, Android", {})


def test_the_last_day_is_noted_once_a_day() -> None:
    client = device(PHONE)
    client.get("/compte/")
    UserSession.objects.update(last_seen_at=timezone.now() - timedelta(days=9))
    client.get("/compte/")
    assert UserSession.objects.get().last_seen_at < timezone.now() - timedelta(days=8)
    session = client.session
    session[signed_in_devices.MARK] = "another day"
    session.save()
    client.get("/compte/")
    assert UserSession.objects.get().last_seen_at > timezone.now() - timedelta(minutes=1)


def test_a_new_password_ends_the_others_and_keeps_this_one_on_the_list() -> None:
    phone, laptop = device(PHONE), device(LAPTOP)
    sent = {"oldpassword": PASSWORD, "password1": OTHER, "password2": OTHER}
    assert laptop.post("/compte/mot-de-passe/", sent).status_code == 302
    assert not is_in(phone)
    page = text(laptop.get(PAGE))
    assert "Chrome, Linux" in page
    assert "Firefox" not in page


def test_news_reach_an_ended_device_no_more() -> None:
    phone, laptop = device(PHONE), device(LAPTOP)
    registered(phone, Browser("https://fcm.googleapis.com/fcm/send/abc:def"))
    assert PushDevice.objects.count() == 1
    laptop.post(PAGE, {"press": "others"})
    assert not PushDevice.objects.exists()


def test_devices_have_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(signed_in_devices, "MOST", 3)
    clients = [device(PHONE) for _ in range(5)]
    assert [is_in(one) for one in clients] == [False, False, True, True, True]
    assert UserSession.objects.count() == 3


def test_what_has_ended_is_forgotten() -> None:
    device(PHONE)
    Session.objects.all().delete()
    cache.delete("tidied")
    expired_rows.delete_expired_rows()
    assert not UserSession.objects.exists()


def test_sessions_of_an_earlier_version_are_on_the_list() -> None:
    phone, laptop = device(PHONE), device(LAPTOP)
    UserSession.objects.all().delete()
    Session.objects.create(session_key="broken", session_data="nothing", expire_date=timezone.now())
    for _twice in range(2):
        older_schema.list_sessions()
    assert UserSession.objects.count() == 2
    laptop.post(PAGE, {"press": "others"})
    assert not is_in(phone)


@pytest.mark.parametrize(
    ("agent", "name"),
    [
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/6 Version/18 Safari/6",
            "Safari, iPhone",
        ),
        ("Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537 Chrome/142 Safari/537 Edg/142", "Edge, Windows"),
        ("Mozilla/5.0 (X11; Linux x86_64) Chrome/142 Safari/537", "Chrome, Linux"),
        ("", "?"),
        ("curl", "?"),
    ],
)
def test_names_that_one_knows_a_browser_by(agent: str, name: str) -> None:
    assert signed_in_devices.browser_name(agent) == name
