"""In which language pages open: for readers of both languages and of neither, on every first page."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from talleyrand.web.accounts import one_time_links
from talleyrand.web.common import network
from tests.web import cast

pytestmark = pytest.mark.django_db
OPENS = "text/html,application/xhtml+xml,*/*;q=0.8"  # what browsers take where somebody opens a page


def lands(client: Client, path: str, language: str = "", **more: str) -> str:
    """The address at which a reader of a language comes out; "" says nothing of languages."""
    said = {"Accept-Language": language} if language else {}
    page = client.get(path, headers={"Accept": OPENS, **said, **more}, follow=True)
    return page.redirect_chain[-1][0] if page.redirect_chain else path


@pytest.mark.parametrize(
    ("language", "french", "english"),
    [
        ("fr", "/", "/"),
        ("fr-CA,en;q=0.5", "/", "/"),
        ("en", "/en/", "/en/"),
        ("en-GB,en;q=0.9,fr;q=0.8", "/en/", "/en/"),
        ("fr;q=0.3, en;q=0.7", "/en/", "/en/"),
        ("en;q=0,fr;q=0.1", "/", "/"),
        ("de,en;q=0.4", "/en/", "/en/"),
        ("de", "/", "/en/"),
        ("*", "/", "/en/"),
        ("", "/", "/en/"),
        ("fr" * 5000, "/", "/en/"),
        ("\udcff;;q=x", "/", "/en/"),
    ],
)
def test_the_browser_is_followed_where_it_asks_for_a_language_that_is_there(
    client: Client, language: str, french: str, english: str
) -> None:
    assert (lands(client, "/", language), lands(client, "/en/", language)) == (french, english)


def test_a_link_of_one_language_opens_in_the_reader_s_with_all_it_says(client: Client) -> None:
    assert lands(client, "/tournois/?page=2&x=a%26b", "en") == "/en/tournaments/?page=2&x=a%26b"
    assert lands(client, "/en/learn/2/", "fr") == "/apprendre/2/"


@pytest.mark.parametrize("key", ["abc=", "abc%3D", "a;b", "a%26b", "%C3%A9", "a%2525b", "%FF"])
@pytest.mark.parametrize("language", ["fr", "en"])
def test_a_spoilt_link_is_not_led_to_itself(client: Client, key: str, language: str) -> None:
    said = {"Accept": OPENS, "Accept-Language": language}
    assert client.get(f"/parties/{key}/", headers=said, follow=True).status_code == 404
    assert client.get(f"/en/games/{key}/?x=a%26b", headers=said, follow=True).status_code == 404


def test_every_first_page_is_in_the_reader_s_language(client: Client) -> None:
    first = one_time_links.first_administrator_path()
    assert first
    page = client.get(first, headers={"Accept": OPENS, "Accept-Language": "en"}, follow=True)
    assert 'lang="en"' in page.text
    assert page.status_code == 200
    for name in ("account_login", "account_signup", "games:all", "tournaments:all", "library:lessons"):
        assert lands(client, reverse(name), "en").startswith("/en/"), name


def test_the_square_of_a_room_opens_in_the_language_of_each_phone(
    client: Client, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.LAN, settings.ALLOWED_HOSTS = True, ["*"]
    monkeypatch.setattr(network, "lan_addresses", lambda: ("192.168.1.20",))
    page = client.get("/reseau/", headers={"Accept": OPENS, "Accept-Language": "fr"}).text
    assert "http://192.168.1.20/" in page
    assert lands(client, "/", "en", Host="192.168.1.20") == "/en/"
    assert lands(client, "/reseau/", "en", Host="192.168.1.20") == "/en/network/"


def test_a_link_that_leads_nowhere_says_so_in_the_reader_s_language(client: Client) -> None:
    for path, language in (("/nowhere/", "en"), ("/en/nowhere/", "fr")):
        page = client.get(path, headers={"Accept": OPENS, "Accept-Language": language})
        assert page.status_code == 404
        assert f'lang="{language}"' in page.text


def test_who_switches_stays_switched_whatever_the_browser_says(client: Client) -> None:
    here = client.get("/en/tournaments/", headers={"Accept": OPENS, "Accept-Language": "en"})
    assert 'href="/tournois/?lang=fr"' in here.text
    assert lands(client, "/tournois/?lang=fr", "en") == "/tournois/"
    assert lands(client, "/en/games/", "en") == "/parties/"
    assert lands(client, "/?lang=en", "en") == "/en/"
    assert lands(client, "/", "fr") == "/en/"


def test_a_choice_that_is_none_changes_nothing(client: Client) -> None:
    for chosen in ("de", "", "en\0", "//example.org"):
        page = client.get("/", {"lang": chosen}, headers={"Accept": OPENS})
        assert page.status_code == 200
        assert "language" not in page.cookies
    client.cookies["language"] = "tlh"
    assert lands(client, "/", "en") == "/en/"


def test_a_choice_leads_nowhere_else(client: Client) -> None:
    for path in ("//example.org/?lang=en", "/\\example.org/?lang=en"):
        page = client.get(path, headers={"Accept": OPENS})
        assert not page.get("Location", "/").startswith(("//", "http", "/\\"))


@pytest.fixture
def reader(client: Client) -> Client:
    """Somebody signed in whose account is in English, on a device where nothing was chosen."""
    client.force_login(cast.person("Reader", language="en"))
    return client


def test_the_account_says_it_on_a_device_where_nothing_was_chosen(reader: Client) -> None:
    assert lands(reader, "/", "fr") == "/en/"
    assert lands(reader, "/en/?lang=fr", "fr") == "/"
    assert lands(reader, "/", "en") == "/"


def test_preferences_are_a_choice_too(reader: Client) -> None:
    assert lands(reader, "/compte/", "fr") == "/en/account/"
    answer = reader.post("/en/account/", {"language": "fr", "zone": "Europe/Paris"})
    assert answer.cookies["language"].value == "fr"
    assert lands(reader, "/en/account/", "en") == "/compte/"


@pytest.mark.parametrize("host", ["club.example.org", "CLUB.example.org:8000"])
def test_a_domain_has_a_language_of_its_own_for_readers_of_neither(
    client: Client, settings: Any, host: str
) -> None:
    settings.DOMAIN_LANGUAGES = {"": "fr", "club.example.org": "en"}
    settings.ALLOWED_HOSTS, settings.ALLOWED_PORTS = ["*"], {8000}
    assert lands(client, "/", "de", Host=host) == "/en/"
    assert lands(client, "/", "fr", Host=host) == "/"
    assert lands(client, "/", "de", Host="other.example.org") == "/"


def test_forms_scripts_and_programs_get_what_they_ask_for(client: Client) -> None:
    english = {"Accept-Language": "en"}
    assert client.get("/", headers={**english, "Accept": "*/*"}).status_code == 200
    assert client.get("/", headers={**english, "Accept": OPENS, "Sec-Fetch-Dest": "empty"}).status_code == 200
    begun = client.post("/p/new/", {"variant": "classic"}, headers={**english, "Accept": OPENS})
    assert begun["Location"].startswith("/p/")


def test_caches_keep_pages_by_address_and_redirects_never(client: Client) -> None:
    moved = client.get("/", headers={"Accept": OPENS, "Accept-Language": "en"})
    page = client.get("/", headers={"Accept": OPENS, "Accept-Language": "fr"})
    assert moved.status_code == 302
    assert "no-store" in moved["Cache-Control"]
    for answer in (moved, page):
        assert {"Accept-Language", "Cookie"} <= set(answer["Vary"].split(", "))
    assert page["Content-Language"] == "fr"


@pytest.mark.parametrize(("language", "other"), [("fr", "en"), ("en", "fr")])
def test_who_refuses_cookies_stays_in_the_language_that_was_chosen(
    client: Client, language: str, other: str
) -> None:
    home, learn = {"fr": ("/", "/apprendre/"), "en": ("/en/", "/en/learn/")}[other]
    said = {"Accept": OPENS, "Accept-Language": language, "Sec-Fetch-Site": "same-origin"}
    answer = client.get(f"{home}?lang={other}", headers=said)
    if answer.status_code == 302:
        assert answer["Location"] == home
    client.cookies.clear()
    for path in (home, learn):
        page = client.get(path, headers=said)
        assert (page.status_code, page["Content-Language"]) == (200, other)
        assert "Sec-Fetch-Site" in page["Vary"]
        client.cookies.clear()
    assert lands(client, learn, language, **{"Sec-Fetch-Site": "cross-site"}) != learn
    assert lands(client, learn, language, **{"Sec-Fetch-Site": "none"}) != learn


def test_the_account_s_language_stands_before_that_of_a_link() -> None:
    person = cast.person("Flora")
    person.language = "en"
    person.save()
    assert (
        lands(cast.client_of("Flora"), "/apprendre/", "fr", **{"Sec-Fetch-Site": "same-origin"})
        == "/en/learn/"
    )
