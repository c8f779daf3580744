"""Every field of every address, given what no keyboard types: an answer, and never a fault of ours."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any
from urllib.parse import quote_plus, urlsplit

import pytest
from django.db import transaction
from django.test import Client

from tests.web.security.asking import fields
from tests.web.security.forms import Form, Reader
from tests.web.security.places import CHIEF, Place, Site, drawn

pytestmark = pytest.mark.django_db
FORM = "application/x-www-form-urlencoded"
# What a field holds, in the bytes of an address or a form.
VALUES = {
    "NUL and half a sign": "A%00Par%20-%20Bur%0D%0A%00%ED%A0%80%FF%FE%C3",
    "a huge number": "9" * 5000,
    "the other way": "%E2%80%AE%E2%80%A8%F3%A0%81%81%EF%BF%BF%0D%0ALocation:%20x",
    "another site": "https%3A%2F%2Failleurs.example%2Fx",
}
OURS = ("", "testserver")
ONE_IN = 4  # of the addresses and of the pages, without `--full`


def encoded(sent: dict[str, str]) -> str:
    """Fields whose values are bytes of an address already."""
    return "&".join(f"{quote_plus(name)}={value}" for name, value in sent.items())


def ask(client: Client, method: str, path: str, sent: dict[str, str]) -> Any:
    """The answer; whatever it does is undone."""
    with transaction.atomic():
        if method == "get":
            answer = client.get(f"{path}?{encoded(sent)}")
        else:
            answer = client.generic("POST", path, encoded(sent).encode("ascii"), content_type=FORM)
        transaction.set_rollback(True)
    return answer


def amiss(place: Place, answer: Any) -> bool:
    """A fault of ours, or a way off the site."""
    ours = urlsplit(answer.headers.get("Location", "")).netloc in OURS
    return not ours or (answer.status_code >= 500 and not place.name.startswith("signs:"))


@pytest.mark.long
@pytest.mark.parametrize("method", ["get", "post"])
def test_every_field_of_every_address(
    site: Site, method: str, record_property: Any, full: bool, draw: str
) -> None:
    client, asked, wrong = site.client(CHIEF), 0, set()
    client.raise_request_exception = False
    first, *others = VALUES.values() if full else list(VALUES.values())[::3]
    for place in site.places if full else drawn(site.places, draw, method, ONE_IN):
        if place.slow:
            continue
        found, answers = fields(partial(ask, client, method, place.path), first)
        answers += [ask(client, method, place.path, dict.fromkeys(found, value)) for value in others if found]
        asked += len(found) * (1 + len(others))
        wrong |= {f"{place.name} {one.status_code}" for one in answers if amiss(place, one)}
        client.force_login(site.person(CHIEF))  # signing out was one of them
    assert wrong == set()
    record_property("asked", f"security: {asked} fields of {method} held nonsense")


def forms(pages: list[Place], client: Client) -> Iterator[Form]:
    """Each form of each page, once."""
    known = set()
    for place in pages:
        answer = None if place.slow else client.get(place.path)
        if answer is None or answer.streaming or "html" not in answer.headers.get("Content-Type", ""):
            continue
        for form in Reader(answer.content.decode(), place.path).forms:
            if form.known not in known:
                known.add(form.known)
                yield form


@pytest.mark.long
@pytest.mark.parametrize("name", ["", "Flora", CHIEF])
def test_every_form_of_every_page(site: Site, name: str, record_property: Any, full: bool, draw: str) -> None:
    """As its page has it, but for what is typed: so it comes further than one that holds nonsense alone."""
    client, asked, wrong = site.client(name), 0, set()
    client.raise_request_exception = False
    values = VALUES.values() if full else list(VALUES.values())[:1]
    pages = site.places if full else drawn(site.places, draw, name, ONE_IN)
    for form in forms(pages, client):
        place = Place("", form.action)
        for value in values:
            for sent in form.sent(value):
                answer = ask(client, form.method, form.action, sent)
                asked += 1
                wrong |= {(form.action, answer.status_code)} if amiss(place, answer) else set()
                client.cookies.clear() if not name else client.force_login(site.person(name))
    assert wrong == set()
    record_property("asked", f"security: {asked} forms of {name or 'a visitor'} held nonsense")


@pytest.mark.parametrize("told", ["garbage", "", "1.2.3.4.5", "::ffff:1.2.3.4%eth0", "unknown, 10.0.0.1"])
def test_an_address_that_is_none_breaks_no_door(client: Client, told: str) -> None:
    """Attempts are counted by it; over a local socket there is none at all."""
    sent = {"login": "Flora", "password": "un mauvais mot"}
    assert client.post("/compte/connexion/", sent, headers={"x-forwarded-for": told}).status_code == 200
    assert client.post("/compte/connexion/", sent, REMOTE_ADDR=told).status_code in (200, 403)
