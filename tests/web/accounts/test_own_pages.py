"""One's own pages: preferences, the copy of one's data, leaving the site."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.urls import reverse, set_urlconf
from django.utils import timezone

from talleyrand.web.accounts import time_zones
from talleyrand.web.accounts.models import Person
from talleyrand.web.games.models import (
    Game,
    GameLogEntry,
    GameMembership,
    GameSeat,
    GameState,
    OrderSet,
    PowerAssignment,
)
from talleyrand.web.press.models import Conversation, Message
from tests.web import cast

from .doors import PASSWORD, is_in, refusals, sign_in, sign_up

pytestmark = pytest.mark.django_db
CAST_PASSWORD = "un mot de passe assez long"


@pytest.mark.parametrize("name", ["preferences", "export", "delete"])
def test_one_s_own_pages_ask_who_one_is(client: Client, name: str) -> None:
    path = reverse(f"accounts:{name}")
    assert client.get(path)["Location"] == f"/compte/connexion/?next={path}"


def test_preferences(client: Client) -> None:
    sign_up(client, "Flora")
    answer = client.post("/compte/", {"language": "en", "zone": "America/New_York"})
    assert answer["Location"] == "/en/account/"
    page = client.get("/en/account/").content.decode()
    assert "Preferences saved." in page
    assert "in New York" in page


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    "sent",
    [
        {},
        {"language": "en"},
        {"zone": "Europe/Paris"},
        {"language": "tlh", "zone": "Europe/Paris"},
        {"language": "en", "zone": "Mars/Olympus"},
        {"language": "en", "zone": "/etc/localtime"},
        {"language": "en", "zone": "posixrules"},
        {"language": "en\0", "zone": "\0"},
    ],
)
def test_preferences_of_nonsense(client: Client, sent: dict[str, str]) -> None:
    sign_up(client, "Flora", zone="Europe/Brussels")
    answer = client.post("/compte/", sent)
    assert answer.status_code == 200
    assert refusals(answer)
    person = Person.objects.get()
    assert (person.language, person.time_zone) == ("fr", "Europe/Brussels")


def test_zones_are_those_of_the_reader(rf: RequestFactory) -> None:
    from talleyrand.web.accounts.time_zones import TimeZoneMiddleware

    def shown(user: Any) -> str:
        request = rf.get("/")
        request.user = user

        def view(_request: Any) -> HttpResponse:
            middleware.process_view(request)
            return HttpResponse(timezone.get_current_timezone_name())

        middleware = TimeZoneMiddleware(view)
        text = middleware(request).content.decode()
        assert timezone.get_current_timezone_name() == "Europe/Paris"
        return text

    set_urlconf(None)
    assert shown(Person(time_zone="America/Toronto")) == "America/Toronto"
    assert shown(Person(time_zone="Nowhere/Any_More")) == "Europe/Paris"
    assert shown(AnonymousUser()) == "Europe/Paris"


def test_zones_are_listed_in_an_order_in_which_one_finds_them() -> None:
    groups = time_zones.zone_choices("Europe/Paris")
    assert groups[0][1][0] == ("Europe/Paris", "Paris")
    listed = [name for _title, rows in groups[1:] for name, _label in rows]
    assert len(listed) == len(set(listed)) > 300
    assert ("America/Argentina/Buenos_Aires", "Buenos Aires (Argentina)") in groups[3][1]
    assert "Asia/Calcutta" not in listed
    assert ("Asia/Calcutta", "Calcutta") in time_zones.zone_choices("Asia/Calcutta")[0][1]


def test_zones_need_no_database_of_the_system() -> None:
    code = "from zoneinfo import ZoneInfo, TZPATH; print(TZPATH, ZoneInfo('Europe/Paris'))"
    told = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONTZPATH": ""},
        capture_output=True,
        text=True,
        check=True,
    )
    assert told.stdout == "() Europe/Paris\n"


def letter(game: Game, who: str, power: str, text: str) -> None:
    room, _made = Conversation.objects.get_or_create(
        game=game,
        participants_key="FRANCE+GERMANY",
        defaults={"kind": "pair", "powers": ["FRANCE", "GERMANY"]},
    )
    Message.objects.create(
        conversation=room,
        key=text,
        phase_number=game.phase_number,
        signature=power,
        author_power=power,
        author=cast.person(who),
        text=text,
        state="delivered",
        delivered_at=timezone.now(),
    )


def sheet(game: Game, who: str, power: str, line: str, origin: str = "text") -> None:
    receipt = game.sheets.count() + 1
    OrderSet.objects.create(
        game=game,
        phase_number=1,
        power=power,
        receipt_number=receipt,
        idempotency_key=str(receipt),
        lines=[line],
        digest="d",
        origin=origin,
        submitted_by=cast.person(who),
        received_at=timezone.now(),
    )


@pytest.fixture
def game() -> Game:
    found = cast.table(anonymity="until_end")
    sheet(found, "Flora", "FRANCE", "A PAR-BUR")
    sheet(found, "Gaspard", "GERMANY", "A MUN-RUH")
    sheet(found, "Maëlle", "FRANCE", "A MAR-SPA", "master")
    GameSeat.objects.filter(game=found, power="GERMANY").update(
        draft_orders=["F KIE-DEN"], draft_phase_number=1
    )
    GameSeat.objects.filter(game=found, power="FRANCE").update(
        draft_orders=["F BRE-MAO"], draft_phase_number=1
    )
    letter(found, "Flora", "FRANCE", "Paix en Bourgogne.")
    letter(found, "Gaspard", "GERMANY", "Je n’en crois rien.")
    return found


def exported(name: str) -> tuple[dict[str, Any], str]:
    answer = cast.client_of(name).get("/compte/donnees/")
    assert "attachment" in answer["Content-Disposition"]
    text = answer.content.decode()
    return json.loads(text), text


def test_the_copy_holds_what_is_one_s_own(game: Game) -> None:
    kept, _text = exported("Flora")
    assert kept["account"]["name"] == "Flora"
    (table,) = kept["games"]
    assert (table["name"], table["roles"][0]["role"]) == ("La table ronde", "player")
    assert table["powers"][0]["power"] == "FRANCE"
    assert [row["lines"] for row in table["sheets"]] == [["A PAR-BUR"]]
    assert table["drafts"] == [{"power": "FRANCE", "draft_number": 1, "draft": ["F BRE-MAO"]}]
    assert [row["text"] for row in kept["letters"]] == ["Paix en Bourgogne."]


@pytest.mark.parametrize("who", ["Flora", "Maëlle", "Armand", "Oscar", "Sylvain", "Gaspard"])
def test_the_copy_holds_nothing_of_others(game: Game, who: str) -> None:
    _kept, text = exported(who)
    others = {*cast.PLAYERS.values(), "Maëlle", "Armand", "Oscar", "Sylvain"} - {who}
    secrets = {"Flora": ("MUN", "KIE", "crois", "MAR-SPA"), "Gaspard": ("PAR", "MAR-SPA", "BRE", "Bourgogne")}
    hidden = secrets.get(who, ("MUN", "KIE", "PAR", "BRE", "crois", "Bourgogne"))
    assert [name for name in (*others, *hidden) if name in text] == []
    assert "pbkdf2" not in text


def leave(client: Client, **sent: str) -> Any:
    return client.post("/compte/suppression/", sent)


def test_leaving_keeps_the_game_s_story(game: Game) -> None:
    client, elsewhere = cast.client_of("Flora"), cast.client_of("Flora")
    page = client.get("/compte/suppression/").content.decode()
    assert "La table ronde\N{NO-BREAK SPACE}: votre puissance devient une place libre" in page
    assert leave(client, password=CAST_PASSWORD).status_code == 302
    assert not is_in(client)
    assert not is_in(elsewhere)
    assert not Person.objects.filter(name="Flora").exists()
    assert list(game.sheets.filter(power="FRANCE").values_list("submitted_by__name", flat=True)) == [
        None,
        "Maëlle",
    ]
    assert Message.objects.get(signature="FRANCE").author is None
    tenure = PowerAssignment.objects.get(seat__power="FRANCE")
    assert (tenure.person, tenure.ended_at is None) == (None, False)
    assert GameSeat.objects.get(game=game, power="FRANCE").in_civil_disorder
    game.refresh_from_db()
    assert game.state == GameState.PLAYING


def test_others_are_told_of_the_power_alone(game: Game) -> None:
    leave(cast.client_of("Flora"), password=CAST_PASSWORD)
    told = str(list(GameLogEntry.objects.filter(game=game, is_public=True).values("kind", "facts")))
    assert "FRANCE" in told
    assert "Flora" not in told
    for person in Person.objects.all():
        assert "Flora" not in str(list(person.notices.values("kind", "facts", "path", "idempotency_key")))
    assert "FRANCE" in [notice.facts.get("power") for notice in cast.person("Maëlle").notices.all()]


@pytest.mark.one_in(3)
@pytest.mark.parametrize("password", ["", "faux", CAST_PASSWORD.upper(), "x" * 10_000, "\0"])
def test_leaving_asks_for_the_password(game: Game, password: str) -> None:
    client = cast.client_of("Flora")
    assert refusals(leave(client, password=password))
    assert leave(client).status_code == 200
    assert is_in(client)
    assert PowerAssignment.objects.get(seat__power="FRANCE").ended_at is None


def test_without_a_password_one_types_one_s_name() -> None:
    person = Person.objects.create_user("Sylvain")
    client = Client()
    client.force_login(person, backend="django.contrib.auth.backends.ModelBackend")
    assert refusals(leave(client, name="Flora")) == ["Ce n’est pas votre nom."]
    assert leave(client, name="sylvain").status_code == 302
    assert Person.objects.count() == 0


def test_leaving_twice_is_leaving_once() -> None:
    client = Client()
    sign_up(client, "Sylvain")
    assert leave(client, password=PASSWORD).status_code == 302
    assert leave(client, password=PASSWORD)["Location"].startswith("/compte/connexion/")
    assert sign_in(client, "Sylvain").status_code == 200


def test_a_game_that_loses_its_only_master_goes_on(game: Game) -> None:
    client = cast.client_of("Maëlle")
    assert (
        "vous en êtes le seul MJ, elle n’en aurait plus"
        in client.get("/compte/suppression/").content.decode()
    )
    assert leave(client, password=CAST_PASSWORD).status_code == 302
    assert not GameMembership.objects.filter(game=game, role="master").exists()
    game.refresh_from_db()
    assert game.state == GameState.PLAYING
    assert cast.client_of("Gaspard").get(reverse("games:game", args=[game.key])).status_code == 200


def test_a_table_that_gathers_keeps_somebody_who_may_begin() -> None:
    game = cast.table(begun=False)
    Game.objects.filter(pk=game.pk).update(creator=cast.person("Maëlle"))
    leave(cast.client_of("Maëlle"), password=CAST_PASSWORD)
    game.refresh_from_db()
    assert game.state == GameState.GATHERING
    assert game.creator is not None


def test_the_last_administrator_stays(client: Client) -> None:
    chief = Person.objects.create_user("Maëlle", PASSWORD, is_administrator=True)
    sign_in(client, "Maëlle")
    assert "le seul administrateur" in client.get("/compte/suppression/").content.decode()
    assert leave(client, password=PASSWORD).status_code == 200
    assert Person.objects.filter(pk=chief.pk).exists()
    Person.objects.create_user("Adèle", PASSWORD, is_administrator=True, is_active=False)
    assert leave(client, password=PASSWORD).status_code == 200
    Person.objects.create_user("Armand", PASSWORD, is_administrator=True)
    assert leave(client, password=PASSWORD).status_code == 302
    assert not Person.objects.filter(pk=chief.pk).exists()


@pytest.mark.parametrize(
    ("path", "words"),
    [("/vie-privee/", ("appareil", "jeton", "webhook")), ("/en/privacy/", ("device", "token", "webhook"))],
)
def test_whatever_hears_of_somebody_is_told(client: Client, path: str, words: tuple[str, ...]) -> None:
    text = client.get(path).content.decode()
    assert [word for word in words if word not in text] == []


@pytest.mark.parametrize("path", ["/vie-privee/", "/en/privacy/", "/compte/inscription/"])
def test_what_is_kept_is_said_before_one_signs_up(client: Client, path: str) -> None:
    page = client.get(path).content.decode()
    sentence = (
        "The game master can read all the messages of their game"
        if path.startswith("/en")
        else "maître de jeu"
    )
    assert sentence in page
