"""Who is signed in: no session is planted, and none outlives what opened it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from talleyrand.web.accounts import one_time_links, personal_data
from talleyrand.web.accounts.models import OneTimeLink, Person
from talleyrand.web.games.deadlines import calendar_feed
from tests.web.accounts.doors import OTHER, PASSWORD, is_in, sign_in, sign_up

pytestmark = pytest.mark.django_db


@pytest.fixture
def flora() -> Person:
    return Person.objects.create_user("Flora", PASSWORD)


def signed_in(name: str = "Flora", password: str = PASSWORD) -> Client:
    client = Client()
    assert sign_in(client, name, password).status_code == 302
    return client


def by_form(person: Person) -> None:
    sent = {"oldpassword": PASSWORD, "password1": OTHER, "password2": OTHER}
    assert signed_in(person.name).post("/compte/mot-de-passe/", sent).status_code == 302


def by_link(person: Person) -> None:
    path = f"/compte/lien/{one_time_links.make_link(one_time_links.Kind.PASSWORD, 'one', person=person)}/"
    assert Client().post(path, {"password1": OTHER, "password2": OTHER}).status_code == 302


def deactivated(person: Person) -> None:
    Person.objects.filter(pk=person.pk).update(is_active=False)


ENDS: list[Callable[[Person], object]] = [by_form, by_link, deactivated, personal_data.delete_account]


@pytest.mark.parametrize("end", ENDS)
def test_other_devices_are_signed_out(flora: Person, end: Callable[[Person], object]) -> None:
    phone, desk = signed_in(), signed_in()
    end(flora)
    assert not is_in(phone)
    assert not is_in(desk)


def test_an_account_that_is_closed_opens_nothing(flora: Person) -> None:
    calendar = f"/parties/calendrier/{calendar_feed.feed_token(flora)}.ics"
    assert Client().get(calendar).status_code == 200
    token = one_time_links.make_link(one_time_links.Kind.PASSWORD, "one", person=flora)
    deactivated(flora)
    client = Client()
    sign_in(client, "Flora")
    assert not is_in(client)
    assert client.get(calendar).status_code == 404
    client.post(f"/compte/lien/{token}/", {"password1": OTHER, "password2": OTHER})
    assert not is_in(client)


def test_a_session_is_not_planted(flora: Person) -> None:
    """Whoever knows the cookie that a browser had before it signed in is not in with it."""
    victim, planter = Client(), Client()
    victim.post("/compte/connexion/", {"login": "Flora", "password": "faux"})
    victim.session.save()
    for name in ("", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "../../secret_key", "\x7f"):
        planted = Client()
        planted.cookies["sessionid"] = name
        sign_in(planted, "Flora")
        assert is_in(planted)
        assert planted.cookies["sessionid"].value != name
        planter.cookies["sessionid"] = name
        assert not is_in(planter)


def test_signing_out_ends_the_session_on_the_server(flora: Person) -> None:
    client = signed_in()
    kept = client.cookies["sessionid"].value
    client.post("/compte/deconnexion/")
    thief = Client()
    thief.cookies["sessionid"] = kept
    assert not is_in(thief)


def test_a_session_of_another_password_is_not_revived(flora: Person) -> None:
    """Not even with the old password put back: the one who stole it has had time."""
    thief = signed_in()
    by_form(flora)
    flora.refresh_from_db()
    flora.set_password(PASSWORD)
    flora.save()
    assert not is_in(thief)


LINKS: dict[str, Callable[[OneTimeLink], object]] = {
    "used": one_time_links.use_link,
    "expired": lambda link: OneTimeLink.objects.filter(pk=link.pk).update(
        expires_at=timezone.now() - timedelta(seconds=1)
    ),
    "withdrawn": lambda link: link.delete(),
    "replaced": lambda link: one_time_links.make_link(
        one_time_links.Kind.PASSWORD, "two", person=link.person
    ),
}


@pytest.mark.parametrize("fate", LINKS)
def test_a_link_of_the_past_is_good_for_nothing(flora: Person, fate: str) -> None:
    """All of them answer as one that never was."""
    token = one_time_links.make_link(one_time_links.Kind.PASSWORD, "one", person=flora)
    LINKS[fate](one_time_links.find_link(token))
    sent = {"password1": OTHER, "password2": OTHER}
    answer, never = (Client().post(f"/compte/lien/{one}/", sent) for one in (token, "x" * len(token)))
    assert (answer.status_code, never.status_code) == (404, 404)
    assert "Ce lien a déjà servi, a expiré ou est incomplet" in answer.content.decode()
    assert "Ce lien a déjà servi, a expiré ou est incomplet" in never.content.decode()
    flora.refresh_from_db()
    assert flora.check_password(PASSWORD)


def test_a_link_for_one_changes_no_other(flora: Person) -> None:
    other = Person.objects.create_user("Gaspard", PASSWORD)
    path = f"/compte/lien/{one_time_links.make_link(one_time_links.Kind.PASSWORD, 'one', person=flora)}/"
    signed_in("Gaspard").post(
        path, {"password1": OTHER, "password2": OTHER, "person": other.pk, "pk": other.pk}
    )
    other.refresh_from_db()
    assert other.check_password(PASSWORD)


def test_a_form_makes_nobody_administrator() -> None:
    """Fields that a page does not have are not read."""
    more: dict[str, Any] = {"is_administrator": "on", "is_staff": "on", "is_superuser": "on", "pk": "1"}
    client = Client()
    assert sign_up(client, "Sylvain", **more).status_code == 302
    client.post("/compte/", {"language": "fr", "zone": "Europe/Paris", "name": "Maëlle", **more})
    assert not Person.objects.get(name="Sylvain").is_administrator
