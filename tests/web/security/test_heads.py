"""The head of every kind of answer, cookies, and the names the site goes by."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from asgiref import testing
from django.test import Client, override_settings

from talleyrand.web.accounts.models import Person
from talleyrand.web.common.security_headers import STRICT, fixed_headers
from talleyrand.web.limits.body_limits import limit_body
from talleyrand.web.notifications import signed_topics
from talleyrand.web.notifications.event_streams import with_event_streams
from tests.waiting import PATIENCE
from tests.web.accounts.doors import PASSWORD, sign_in
from tests.web.security.broken import SECRET
from tests.web.security.heads import amiss, policy
from tests.web.security.places import Site

pytestmark = pytest.mark.django_db
communicator: Any = testing.ApplicationCommunicator  # it comes without types
EVIL = "ailleurs.example"


def too_often(client: Client) -> Any:
    with override_settings(ATTEMPTS_BY_ADDRESS={"sign_up": (0, 60)}):
        return client.post("/compte/inscription/", {})


def broken(client: Client) -> Any:
    client.raise_request_exception = False
    with override_settings(ROOT_URLCONF="tests.web.security.broken"):
        return client.get("/broken/")


def a_file(client: Client) -> Any:
    return client.get("/static/css/site.css")


ANSWERS: dict[str, tuple[int, Callable[[Client], Any]]] = {
    "not a host of ours": (400, lambda client: client.get("/", headers={"host": EVIL})),
    "a form from elsewhere": (403, lambda _client: Client(enforce_csrf_checks=True).post("/p/new/")),
    "nothing": (404, lambda client: client.get("/nothing/")),
    "nothing that was compiled": (404, lambda client: client.get("/static/nothing.js")),
    "a button's address": (405, lambda client: client.get("/p/import/")),
    "a large body": (413, lambda client: client.post("/p/import/", {"text": "x" * 4_300_000})),
    "too often": (429, too_often),
    "broken": (500, broken),
    "a style sheet": (200, a_file),
    "a redirection": (302, lambda client: client.get("/compte/")),
    "a slash that is missing": (301, lambda client: client.get("/reglements/regles")),
    "unchanged": (
        304,
        lambda client: client.get("/static/css/site.css", headers={"if-modified-since": LATER}),
    ),
    "a plain line": (404, lambda client: client.get("/metrics/")),
}
LATER = "Fri, 01 Jan 2100 00:00:00 GMT"


@pytest.mark.parametrize("kind", ANSWERS)
def test_every_kind_of_answer_keeps_to_itself(client: Client, kind: str) -> None:
    status, ask = ANSWERS[kind]
    with closing(ask(client)) as answer:
        assert (answer.status_code, amiss(answer)) == (status, [])


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    "path", ["/parties/{}/1/map.png", "/p/{}/1/map.png", "/p/{}/1/map.svg", "/p/{}/game.json"]
)
def test_files_keep_to_themselves(site: Site, path: str) -> None:
    key = site.scene.game.key if "parties" in path else site.practice.key
    answer = site.client().get(path.format(key))
    assert answer.status_code == 200
    assert answer["Content-Disposition"].startswith("attachment")
    assert amiss(answer) == []


@pytest.mark.long
def test_a_document_keeps_to_itself(site: Site) -> None:
    answer = site.client("Flora").get(f"/parties/{site.scene.game.key}/1/report.pdf")
    made = (200, "application/pdf"), (501, "text/html; charset=utf-8")
    assert (answer.status_code, answer["Content-Type"]) in made
    assert amiss(answer) == []


def test_what_broke_is_not_told(client: Client) -> None:
    assert SECRET not in broken(client).content.decode()


class Bare:
    """An answer that Django did not make."""

    streaming = False

    def __init__(self, start: Any) -> None:
        self.status_code: int = start["status"]
        self.headers = {name.decode().title(): value.decode() for name, value in start["headers"]}


def asked(scope: dict[str, Any]) -> Bare:
    """How the doors before Django answer: neither of these comes to it."""

    async def begun() -> Any:
        whole = {
            "type": "http",
            "method": "GET",
            "path": "/events/",
            "headers": [],
            "query_string": b"",
            **scope,
        }
        talk: Any = communicator(limit_body(with_event_streams(_nobody)), whole)
        await talk.send_input({"type": "http.request", "body": b""})
        start = await talk.receive_output(PATIENCE)
        await talk.send_input({"type": "http.disconnect"})
        await talk.wait(PATIENCE)
        if left := asyncio.all_tasks() - {asyncio.current_task()}:
            await asyncio.wait(left, timeout=10)  # the one who listens for all lets go of the database
        return start

    return Bare(asyncio.run(begun()))


async def _nobody(*_asked: Any) -> None:
    raise AssertionError("it comes to Django")


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_a_stream_keeps_to_itself() -> None:
    good = asked({"query_string": f"topics={signed_topics.sign_topics(['game:none'])}".encode()})
    assert (good.status_code, amiss(good)) == (200, [])
    refused = asked({"query_string": b"topics=invented"})
    assert (refused.status_code, amiss(refused)) == (404, [])


def test_a_body_that_is_refused_unread_keeps_to_itself() -> None:
    headers = [(b"content-length", b"99999999999999999999")]
    answer = asked({"method": "POST", "path": "/p/new/", "headers": headers})
    assert (answer.status_code, amiss(answer)) == (413, [])


@override_settings(HTTPS=True)
def test_https_is_asked_for_again(client: Client) -> None:
    assert STRICT.items() <= fixed_headers().items()
    assert client.get("/").headers["Strict-Transport-Security"] == "max-age=31536000"
    assert asked({"query_string": b"topics=invented"}).headers["Strict-Transport-Security"]


def test_without_https_it_is_not_promised(client: Client) -> None:
    assert "Strict-Transport-Security" not in client.get("/").headers


def test_each_page_has_a_policy_of_its_own(client: Client) -> None:
    nonces = {policy(client.get("/"))["style-src"][-1] for _ in range(5)}
    assert len(nonces) == 5


def test_no_other_program_s_script_reads_a_cookie(client: Client) -> None:
    """What opens an account is for the site's own requests alone."""
    Person.objects.create_user("Flora", PASSWORD)
    client.get("/compte/connexion/")
    sign_in(client, "Flora")
    client.post("/apprendre/recommencer/")
    client.post("/compte/", {"language": "fr", "zone": "Europe/Paris"})
    assert {"csrftoken", "sessionid", "messages"} <= client.cookies.keys()
    for name, cookie in client.cookies.items():
        assert (name, cookie["samesite"]) == (name, "Lax")
        assert cookie["httponly"] or name not in ("csrftoken", "sessionid")


def test_the_site_goes_by_its_own_names_alone(client: Client) -> None:
    """No link of a mail leads where somebody who asked for it wanted."""
    for header in ({"host": EVIL}, {"host": f"localhost:80@{EVIL}"}, {"host": "localhost\t.evil"}):
        assert client.get("/compte/mot-de-passe/perdu/", headers=header).status_code in (400, 404)
    other = client.get("/p/position/", headers={"x-forwarded-host": EVIL, "forwarded": f"host={EVIL}"})
    assert EVIL not in other.content.decode()


SHOW = """
from talleyrand.web import settings as told
print(told.DEBUG, told.SESSION_COOKIE_SECURE, told.CSRF_COOKIE_SECURE, told.SECURE_PROXY_SSL_HEADER)
"""


@pytest.mark.parametrize(
    ("https", "told"),
    [("0", "False False False None"), ("1", "False True True ('HTTP_X_FORWARDED_PROTO', 'https')")],
)
def test_cookies_go_by_https_where_the_site_has_it(tmp_path: Path, https: str, told: str) -> None:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("TALLEYRAND_")}
    environment = {**kept, "TALLEYRAND_DATA": str(tmp_path), "TALLEYRAND_HTTPS": https}
    command = [sys.executable, "-c", SHOW]
    shown = subprocess.run(
        command, env=environment, capture_output=True, text=True, check=True, timeout=PATIENCE
    )
    assert shown.stdout.strip() == told
