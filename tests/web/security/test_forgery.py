"""A page of somebody else's that sends our forms in a visitor's name."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.urls import resolve

from tests.web.security.heads import amiss
from tests.web.security.places import CHIEF, Place, Site, drawn
from tests.web.security.writes import written

pytestmark = pytest.mark.django_db
# They read a question that is too long for an address, and change nothing: tried below.
QUESTIONS = {"library:compare", "library:two_books"}
# For programs, which show a token of their own: a cookie opens nothing there.
PROGRAMS = {"calls:call", "tournaments:copy"}
# Mail programs send it by themselves: the address is signed, and stops mails to its reader alone.
STOPS = {"tournaments:quiet"}
# Answered before anything else is asked.
MONITORED = {"signs:health", "signs:line"}
KINDS = ("application/json", "application/x-www-form-urlencoded", "multipart/form-data; boundary=a")
FOREIGN = {"origin": "https://ailleurs.example"}


def is_exempt(place: Place) -> bool:
    return bool(getattr(resolve(place.path).func, "csrf_exempt", False))


@pytest.mark.long
def test_every_form_asks_for_its_token(site: Site, record_property: Any) -> None:
    strict = site.client(CHIEF, enforce_csrf_checks=True)
    wrong = {}
    for place in site.places:
        with written() as tables:
            answer = strict.post(place.path)
        usual = answer.status_code == 403 or place.name in QUESTIONS | MONITORED | PROGRAMS | STOPS
        if tables or amiss(answer) or not usual:
            wrong[place.name] = (answer.status_code, tables, amiss(answer))
    assert wrong == {}
    record_property("asked", f"security: {len(site.places)} forms without their token, none taken")


@pytest.mark.parametrize("name", sorted(MONITORED))
def test_a_monitor_only_looks(site: Site, name: str) -> None:
    place = next(place for place in site.places if place.name == name)
    assert site.client(CHIEF).post(place.path).status_code == 405


def test_nothing_else_goes_without_a_token(site: Site) -> None:
    assert {place.name for place in site.places if is_exempt(place)} == QUESTIONS | PROGRAMS | STOPS


def test_a_session_is_nobody_to_programs(site: Site) -> None:
    """So that the API needs no token of a form: what a browser sends by itself is not looked at."""
    strict = site.client(CHIEF, enforce_csrf_checks=True)
    for place in (place for place in site.places if place.name in PROGRAMS):
        with written() as tables:
            answers = [strict.post(place.path, "{}", kind) for kind in KINDS]
        assert {one.status_code for one in answers} <= {401, 404, 405, 415}
        assert tables == set()


@pytest.mark.parametrize("name", sorted(QUESTIONS))
def test_a_question_changes_nothing(site: Site, name: str) -> None:
    place = next(place for place in site.places if place.name == name)
    strict = site.client(CHIEF, enforce_csrf_checks=True)
    asked = {"book": "anjou_feu", "case": "1", "text": "A Par - Bur", "own": "[", "first": "datc"}
    with written() as tables:
        assert strict.post(place.path, asked).status_code in (200, 400)
    assert tables == set()


def test_the_token_of_another_browser_is_not_ours(site: Site) -> None:
    other, mine = (site.client(name, enforce_csrf_checks=True) for name in ("", CHIEF))
    stolen = token(other.get("/"))
    mine.get("/")
    sent = {"variant": "classic", "csrfmiddlewaretoken": stolen}
    assert mine.post("/p/new/", sent).status_code == 403
    sent["csrfmiddlewaretoken"] = token(mine.get("/"))
    assert mine.post("/p/new/", sent, headers=FOREIGN).status_code == 403
    assert mine.post("/p/new/", sent).status_code == 302


def test_signing_in_takes_another_token(site: Site) -> None:
    """One that was read before, or planted, is good for nothing afterwards."""
    client = site.client(enforce_csrf_checks=True)
    client.get("/compte/connexion/")
    before = client.cookies["csrftoken"].value
    sent = {"login": "Flora", "password": "un mot de passe assez long", "csrfmiddlewaretoken": before}
    assert client.post("/compte/connexion/", sent).status_code == 302
    assert client.cookies["csrftoken"].value != before


def token(answer: Any) -> str:
    found = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', answer.content.decode())
    assert found
    return found[1]


@pytest.mark.long
@pytest.mark.parametrize("method", ["trace", "put"])
def test_other_methods_do_nothing(site: Site, method: str, full: bool, draw: str) -> None:
    """Asked of one address in four, without `--full`."""
    client = site.client(CHIEF)
    wrong = {}
    for place in site.places if full else drawn(site.places, draw, method, 4):
        if place.name in QUESTIONS:
            continue
        with written() as tables:
            answer = getattr(client, method)(place.path)
        if tables or answer.status_code not in (200, 302, 404, 405):
            wrong[place.name] = (answer.status_code, tables)
    assert wrong == {}
