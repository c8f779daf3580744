"""The door of the API: tokens, forms of refusal, limits, languages, tags."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from talleyrand.web.accounts import one_time_links
from talleyrand.web.accounts.account_adapter import AccountAdapter
from talleyrand.web.api import api_tokens
from talleyrand.web.api.models import ApiToken
from talleyrand.web.api.scopes import Scope
from tests.web import cast
from tests.web.api.asking import Program, program, token

pytestmark = pytest.mark.django_db
FORM = {"code", "sentence", "fields"}
LONG = 10**9  # seconds: a window that does not end between two requests


def refused(response: Any, status: int) -> dict[str, Any]:
    """A refusal in its one form."""
    assert response.status_code == status, response.content
    assert response["Content-Type"].startswith("application/json")
    body: dict[str, Any] = json.loads(response.content)
    assert set(body) == FORM
    assert body["sentence"]
    return body


def test_one_learns_who_one_is() -> None:
    told = program("Flora").get("/me").json()
    assert told["name"] == "Flora"
    assert told["token"]["scopes"] == list(Scope)


@pytest.mark.parametrize(
    "head",
    [
        {},
        {"Authorization": ""},
        {"Authorization": "Bearer"},
        {"Authorization": "Bearer tly_" + "a" * 43},
        {"Authorization": "Bearer tly_" + "é" * 43},
        {"Authorization": "Basic RmxvcmE6bW90"},
        {"Authorization": "Bearer \u0000"},
        {"Authorization": "Bearer " + "a" * 100_000},
    ],
)
def test_without_a_token_nothing_opens(head: dict[str, str]) -> None:
    response = Program().raw("GET", "/me", b"", head)
    assert refused(response, 401)["code"] == "no_token"
    assert response["WWW-Authenticate"] == "Bearer"


def test_a_session_is_no_token() -> None:
    """So that no other site can send a change in the name of whoever is signed in here."""
    browser = cast.client_of("Flora")
    assert browser.get("/api/me").status_code == 401
    sent = browser.patch("/api/me", '{"language": "en"}', content_type="application/json")
    assert sent.status_code == 401


def test_a_token_works_until_its_end() -> None:
    secret = token("Flora")
    assert Program(secret).get("/me").status_code == 200
    ApiToken.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    refused(Program(secret).get("/me"), 401)


def test_a_revoked_token_is_none() -> None:
    secret = token("Flora")
    api_tokens.revoke_token(cast.person("Flora"), ApiToken.objects.get().pk)
    refused(Program(secret).get("/me"), 401)


def test_nobody_revokes_anothers() -> None:
    secret = token("Flora")
    api_tokens.revoke_token(cast.person("Edmond"), ApiToken.objects.get().pk)
    assert Program(secret).get("/me").status_code == 200


def test_the_token_of_a_closed_account_is_none() -> None:
    secret = token("Flora")
    person = cast.person("Flora")
    person.is_active = False
    person.save()
    refused(Program(secret).get("/me"), 401)


def test_a_new_password_ends_all_tokens() -> None:
    mine, others = token("Flora"), token("Edmond")
    AccountAdapter().set_password(cast.person("Flora"), "encore un mot de passe")
    refused(Program(mine).get("/me"), 401)
    assert Program(others).get("/me").status_code == 200


def test_the_secret_is_not_kept() -> None:
    secret = token("Flora")
    row = ApiToken.objects.values().get()
    assert secret not in str(row)
    assert row["token_digest"] == one_time_links.token_digest(secret)


def test_the_last_use_is_noted_now_and_then() -> None:
    secret, now = token("Flora"), timezone.now()
    noted = []
    for minutes in (0, 1, 6):
        api_tokens.authenticate_token(secret, now + timedelta(minutes=minutes))
        used = ApiToken.objects.get().last_used_at
        assert used is not None
        noted.append(used - now)
    assert noted == [timedelta(0), timedelta(0), timedelta(minutes=6)]


def test_a_token_opens_what_it_was_made_for() -> None:
    body = refused(program("Flora", [Scope.READ]).get("/me"), 403)
    assert body["code"] == "no_scope"


def test_a_person_has_so_many_tokens_and_no_more() -> None:
    for _number in range(api_tokens.MOST):
        token("Flora")
    with pytest.raises(api_tokens.TooManyTokens):
        token("Flora")
    ApiToken.objects.update(expires_at=timezone.now() - timedelta(days=1))
    token("Flora")
    assert ApiToken.objects.count() == 1


BODIES = {
    "nothing where something is needed": (b"", "application/json", 422),
    "no JSON": (b"language=en", "application/json", 400),
    "half of it": (b'{"language": "e', "application/json", 400),
    "another encoding": ('{"zone": "Genève"}'.encode("latin-1"), "application/json", 400),
    "too deep": (b"[" * 200_000, "application/json", 400),
    "a number that is none": (b'{"language": NaN}', "application/json", 400),
    "a number without an end": (b'{"language": 1e999}', "application/json", 400),
    "a number without end": (b'{"language": ' + b"9" * 5000 + b"}", "application/json", 400),
    "a list": (b"[]", "application/json", 422),
    "null": (b"null", "application/json", 422),
    "half a sign": (b'{"zone": "\\ud800"}', "application/json", 422),
    "an unknown zone": (b'{"zone": "Europe/Atlantide"}', "application/json", 422),
    "a zone with a NUL": (b'{"zone": "Europe/\\u0000"}', "application/json", 422),
    "another kind": (b'{"zone": 7}', "application/json", 422),
    "another name": (b'{"zones": "Europe/Paris"}', "application/json", 422),
    "another language": (b'{"language": "de"}', "application/json", 422),
    "a form": (b"language=en", "application/x-www-form-urlencoded", 415),
    "no type": (b'{"language": "en"}', "text/plain", 415),
    "too much": (b'{"zone": "' + b"a" * 1_100_000 + b'"}', "application/json", 413),
    "far too much": (b'{"zone": "' + b"a" * 5_000_000 + b'"}', "application/json", 413),
}


@pytest.mark.parametrize("kind", BODIES)
def test_what_is_no_request(kind: str) -> None:
    body, type_, status = BODIES[kind]
    asking = program("Flora")
    response = asking.raw("PATCH", "/me", body, {**asking.head, "Content-Type": type_})
    refused(response, status)
    person = cast.person("Flora")
    assert (person.language, person.time_zone) == ("fr", "Europe/Paris")


def test_fields_are_named() -> None:
    body = refused(program("Flora").ask("PATCH", "/me", {"language": "de", "zones": 1}), 422)
    assert {one["where"] for one in body["fields"]} == {"body.language", "body.zones"}
    assert all(one["sentence"] for one in body["fields"])


@pytest.mark.parametrize(
    "path", ["/nothing", "/", "/games/", "/me/", "/games/a%00b", "/games/%FF", "/games/é"]
)
def test_what_is_not_there(path: str) -> None:
    assert program("Flora").get(path).status_code in (404, 422)
    assert set(program("Flora").get(path).json()) == FORM


@pytest.mark.parametrize("method", ["DELETE", "POST", "OPTIONS", "TRACE", "PROPFIND"])
def test_what_cannot_be_done(method: str) -> None:
    response = program("Flora").ask(method, "/me")
    assert refused(response, 405)["code"] == "no_such_action"
    assert set(response["Allow"].split(", ")) == {"GET", "PATCH"}


@pytest.mark.parametrize(
    ("asked", "language"), [("fr", "fr"), ("en", "en"), ("de", "fr"), ("en;q=0.1, fr", "fr")]
)
def test_sentences_are_in_the_language_asked_for(asked: str, language: str) -> None:
    response = Program(language=asked).get("/me")
    assert response["Content-Language"] == language
    assert ("jeton" in response.json()["sentence"]) == (language == "fr")
    assert "Accept-Language" in response["Vary"]


def test_without_a_language_the_person_is_asked() -> None:
    edmond = cast.person("Edmond")
    edmond.language = "en"
    edmond.save()
    asking = program("Edmond")
    del asking.head["Accept-Language"]
    assert asking.get("/me")["Content-Language"] == "en"


def test_what_has_not_changed_is_not_sent_again() -> None:
    asking = program("Flora")
    first = asking.get("/me")
    again = asking.get("/me", If_None_Match=first["ETag"])
    assert (again.status_code, again.content) == (304, b"")
    asking.ask("PATCH", "/me", {"language": "en"})
    assert asking.get("/me", If_None_Match=first["ETag"]).status_code == 200


def test_a_head_has_no_body() -> None:
    asking = program("Flora")
    assert asking.ask("HEAD", "/me").status_code == 200
    assert asking.ask("HEAD", "/me").content == b""


@pytest.mark.parametrize("kind", ["token", "address"])
def test_who_asks_too_often_waits(kind: str, settings: Any) -> None:
    settings.API_RATES = {**settings.API_RATES, kind: (3, LONG)}
    asking = program("Flora")
    answers = [asking.get("/me") for _ in range(5)]
    assert [one.status_code for one in answers] == [200, 200, 200, 429, 429]
    refused(answers[-1], 429)
    assert 0 < int(answers[-1]["Retry-After"]) <= LONG


def test_one_program_does_not_use_up_anothers_turns(settings: Any) -> None:
    settings.API_RATES = {**settings.API_RATES, "token": (1, LONG)}
    assert program("Flora").get("/me").status_code == 200
    assert program("Flora").get("/me").status_code == 200


@pytest.mark.long
def test_the_schema_is_open_to_all(client: Client) -> None:
    found = client.get("/api/openapi.json").json()
    assert found["openapi"].startswith("3.")
    assert "/me" in found["paths"]
