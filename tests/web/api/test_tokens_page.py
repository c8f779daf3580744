"""The page of one's tokens, and the reference."""

from __future__ import annotations

import html
import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from talleyrand.web.accounts.models import Person
from talleyrand.web.api import api_tokens
from talleyrand.web.api.api_tokens import FORM
from talleyrand.web.api.models import ApiToken
from tests.web import cast
from tests.web.api.asking import Program, token

PAGE = "/compte/jetons/"
SENT = {"submission": "one-of-mine", "name": "Mon bot", "scopes": ["read", "orders"], "days": "30"}
WORDS = "un mot de passe assez long"


@pytest.fixture
def browser() -> Client:
    """Flora's, who has just typed her password."""
    client = cast.client_of("Flora")
    client.post("/compte/encore/", {"password": WORDS})
    return client


def made(response: Any) -> str:
    """The secret that a page shows."""
    found = FORM.search(response.content.decode())
    assert found is not None
    return found[0]


def test_a_token_is_shown_once_and_works(browser: Client) -> None:
    response = browser.post(PAGE, SENT)
    secret = made(response)
    row = ApiToken.objects.get()
    assert (row.person.name, row.name, row.scopes) == ("Flora", "Mon bot", ["read", "orders"])
    assert timedelta(days=29) < row.expires_at - timezone.now() <= timedelta(days=30)
    assert "no-store" in response["Cache-Control"]
    assert secret not in browser.get(PAGE).content.decode()
    assert Program(secret).get("/me").status_code == 403
    assert Program(secret).get("/games/nothing").status_code == 404


def test_sent_twice_makes_one(browser: Client) -> None:
    browser.post(PAGE, SENT)
    again = browser.post(PAGE, SENT, follow=True)
    assert not FORM.search(again.content.decode())
    assert "déjà" in again.content.decode()
    assert ApiToken.objects.count() == 1


def test_the_same_word_of_two_people_makes_two(browser: Client) -> None:
    browser.post(PAGE, SENT)
    other = cast.client_of("Edmond")
    other.post("/compte/encore/", {"password": WORDS})
    made(other.post(PAGE, SENT))


def test_whoever_finds_a_device_unlocked_makes_none() -> None:
    """The password is asked for once more; what was typed is not lost."""
    client = cast.client_of("Flora")
    asked = client.post(PAGE, SENT)
    assert asked.status_code == 302
    assert ApiToken.objects.count() == 0
    answer = client.post(asked["Location"], {"password": WORDS, "next": PAGE})
    made(answer)


@pytest.mark.parametrize(
    "wrong",
    [
        {"name": ""},
        {"name": "a" * 61},
        {"name": "a\0b"},
        {"scopes": []},
        {"scopes": ["everything"]},
        {"days": "3650"},
        {"days": ""},
    ],
)
def test_a_refused_form_comes_back_filled_in(browser: Client, wrong: dict[str, Any]) -> None:
    sent = {**SENT, **wrong}
    response = browser.post(PAGE, sent)
    assert response.status_code == 400
    text = html.unescape(response.content.decode())
    assert "errorlist" in text
    if "name" not in wrong:
        assert 'value="Mon bot"' in text
    assert ApiToken.objects.count() == 0


def test_one_too_many_is_refused(browser: Client) -> None:
    for _number in range(api_tokens.MOST):
        token("Flora")
    assert browser.post(PAGE, SENT).status_code == 400


def test_revoked_from_the_page(browser: Client) -> None:
    secret = made(browser.post(PAGE, SENT))
    path = re.search(r"/compte/jetons/\d+/revocation/", browser.get(PAGE).content.decode())
    assert path is not None
    for _twice in range(2):
        assert browser.post(path[0]).status_code == 302
    assert Program(secret).get("/me").status_code == 401


def test_nobody_revokes_anothers(browser: Client) -> None:
    token("Edmond")
    browser.post(f"/compte/jetons/{ApiToken.objects.get().pk}/revocation/")
    assert ApiToken.objects.count() == 1


def test_tokens_are_in_the_copy_of_ones_data(browser: Client) -> None:
    browser.post(PAGE, SENT)
    told = browser.get("/compte/donnees/").json()["tokens"]
    assert [one["name"] for one in told] == ["Mon bot"]
    assert "digest" not in told[0]


def test_tokens_go_with_their_person() -> None:
    token("Flora")
    Person.objects.filter(name="Flora").delete()
    assert ApiToken.objects.count() == 0


@pytest.mark.parametrize(("path", "word"), [("/programmes/", "API"), ("/en/programs/", "API")])
def test_the_reference_is_open_to_all(client: Client, path: str, word: str) -> None:
    text = client.get(path).content.decode()
    assert word in text
    assert "/api/games/{key}" in text
