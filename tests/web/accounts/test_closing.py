"""An administrator closes an account: what goes, what stays, and who cannot."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

from talleyrand.web.accounts import open_sessions, personal_data
from talleyrand.web.accounts.models import Person
from talleyrand.web.api.models import ApiToken
from talleyrand.web.games.deadlines import calendar_feed
from talleyrand.web.games.models import Game, GameSeat, OrderSet, PowerAssignment
from talleyrand.web.push.models import PushDevice
from tests.web import cast

from .doors import is_in, refusals, sign_in
from .test_own_pages import CAST_PASSWORD, letter, sheet

pytestmark = pytest.mark.django_db
CLOSE = "/administration/fermer/"


@pytest.fixture
def game() -> Game:
    found = cast.table(anonymity="until_end")
    sheet(found, "Flora", "FRANCE", "A PAR-BUR")
    letter(found, "Flora", "FRANCE", "Paix en Bourgogne.")
    return found


@pytest.fixture
def chief() -> Client:
    Person.objects.filter(pk=cast.person("Adèle").pk).update(is_administrator=True)
    return cast.client_of("Adèle")


def close(client: Client, **sent: str) -> Any:
    return client.post(CLOSE, {"whose": "Flora", "password": CAST_PASSWORD, **sent})


def test_all_doors_of_a_closed_account_are_shut(chief: Client, game: Game) -> None:
    flora, client = cast.person("Flora"), cast.client_of("Flora")
    calendar = f"/parties/calendrier/{calendar_feed.feed_token(flora)}.ics"
    assert client.get(calendar).status_code == 200
    EmailAddress.objects.create(user=flora, email="flora@example.org", verified=True)
    key = str(client.cookies["sessionid"].value)
    PushDevice.objects.create(
        person=flora, name="x", endpoint="https://x", endpoint_digest="x", session_key=key
    )
    ends = timezone.now() + timedelta(days=1)
    ApiToken.objects.create(
        person=flora, name="x", token_digest="d", scopes=[], created_at=timezone.now(), expires_at=ends
    )
    page = chief.get(CLOSE).content.decode()
    assert "La table ronde" not in page  # an administrator is not told who plays where
    assert close(chief).status_code == 302
    assert not is_in(client)
    assert open_sessions.people_by_session([key]) == {}
    assert client.get(calendar).status_code == 404
    assert not sign_in(Client(), "Flora", CAST_PASSWORD).wsgi_request.user.is_authenticated
    for rows in (EmailAddress.objects, PushDevice.objects, ApiToken.objects):
        assert not rows.exists()
    assert Session.objects.exists()


def test_the_game_keeps_its_story_and_wants_somebody_else(chief: Client, game: Game) -> None:
    close(chief)
    assert OrderSet.objects.get(power="FRANCE").submitted_by is None
    tenure = PowerAssignment.objects.get(seat__power="FRANCE")
    assert (tenure.person, tenure.ended_at is None) == (None, False)
    assert GameSeat.objects.get(game=game, power="FRANCE").in_civil_disorder
    told = [one.facts.get("power") for one in cast.person("Maëlle").notices.filter(kind="vacant")]
    assert told == ["FRANCE"]


@pytest.mark.parametrize("name", ["flora", " FLORA ", "Flora"])
def test_names_are_compared_as_everywhere(chief: Client, game: Game, name: str) -> None:
    assert close(chief, whose=name).status_code == 302
    assert not Person.objects.filter(name="Flora").exists()


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    "sent",
    [
        {"password": ""},
        {"password": "faux"},
        {"password": "x" * 10_000},
        {"whose": ""},
        {"whose": "Personne"},
        {"whose": "\0"},
        {"whose": "x" * 10_000},
        {"whose": "Adèle"},
    ],
)
def test_what_is_wrong_closes_nothing(chief: Client, game: Game, sent: dict[str, str]) -> None:
    before = Person.objects.count()
    answer = close(chief, **sent)
    assert answer.status_code == 200
    assert refusals(answer)
    assert Person.objects.count() == before


def test_twice_is_once(chief: Client, game: Game) -> None:
    assert close(chief).status_code == 302
    assert refusals(close(chief))


@pytest.mark.parametrize("who", ["", "Sylvain", "Maëlle"])
def test_for_all_others_there_is_no_such_page(game: Game, who: str) -> None:
    client = cast.client_of(who) if who else Client()
    assert client.get(CLOSE).status_code == 404
    assert close(client).status_code == 404
    assert Person.objects.filter(name="Flora").exists()


def test_an_administrator_may_close_another_s_but_one_stays(chief: Client) -> None:
    Person.objects.filter(pk=cast.person("Armand").pk).update(is_administrator=True)
    assert close(chief, whose="Armand").status_code == 302
    with pytest.raises(personal_data.LastAdministrator):
        personal_data.delete_account(cast.person("Adèle"))
    assert is_in(chief)


@pytest.mark.long
def test_closed_twice_at_once_is_closed_once(chief: Client) -> None:
    """Two clicks on one button: the second finds nobody any more."""
    first, second = cast.person("Flora"), cast.person("Flora")
    personal_data.delete_account(first)
    personal_data.delete_account(second)
    assert not Person.objects.filter(name="Flora").exists()
    assert is_in(chief)
