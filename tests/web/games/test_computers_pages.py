"""Seats of the computer on the pages of a game: the form, the terms, the table, the desk, the API."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from talleyrand.web.bots import bot_players
from talleyrand.web.games import power_assignments
from talleyrand.web.games.models import Game, GameRole
from tests.web.api.asking import program
from tests.web.cast import MASTER, OBSERVER, STRANGER, client_of, person

from .acting import fresh, hand_in, told
from .computing import BOTS, TWO, answer, begun, gathered, sheets
from .desks import act, page_of, said
from .tables import at, words

pytestmark = pytest.mark.django_db
NEW = "/parties/nouvelle/"


def posted(**typed: str) -> Any:
    sent = {"name": "Contre l’ordinateur", "submission": "once", **typed}
    return client_of("Flora").post(NEW, sent)


def test_the_form_offers_the_computers_players_the_usual_one_first() -> None:
    page = client_of("Flora").get(NEW).content.decode()
    menu = page[page.index('<select id="bots"') :].split("</select>")[0]
    assert 'value="" selected' in menu
    assert menu.index("values:normal") < menu.index("random")
    assert posted(bots="values:normal").status_code == 302
    assert Game.objects.get().settings.bots == "values:normal"


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ({"bots": "clever"}, "Choisissez l’une des options"),
        (
            {"bots": "search:hard", "variant": "diplomatie_2000"},
            "Ce bot ne joue pas cette variante : choisissez-en un autre",
        ),
    ],
)
def test_a_player_that_is_none_makes_no_game(typed: dict[str, str], sentence: str) -> None:
    refused = posted(**typed)
    assert refused.status_code == 400
    assert sentence in words(refused)
    assert not Game.objects.exists()


def test_a_site_without_players_offers_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_players, "bots_available", lambda: False)
    assert 'id="bots"' not in client_of("Flora").get(NEW).content.decode()
    refused = posted(bots="random")
    assert refused.status_code == 400
    assert "Pas de bots sur ce site" in words(refused)


def test_the_table_begins_with_one_person_and_says_who_is_none() -> None:
    game = gathered(led=False)
    flora = client_of("Flora")
    assert "Des bots joueront 5 places" in words(flora.get(at(game)))
    assert flora.post(at(game, "start/"), {"how": "lot"}).status_code == 302
    assert fresh(game).phase_number == 1
    for client in (client_of("Edmond"), client_of(STRANGER), Client()):
        page = words(client.get(at(game)))
        assert page.count('<span class="mark computer">bot</span>') == len(BOTS)
        assert "aléatoire" in page
        assert "désordre civil</span>" not in page


def test_everybody_alone_is_told_to_invite_nobody_more() -> None:
    game = gathered(led=True)
    game.memberships.filter(role=GameRole.PLAYER).update(left_at=timezone.now())
    assert "Il faut au moins un joueur" in words(client_of(MASTER).get(at(game)))


def test_a_seat_of_the_computer_is_nobodys_to_open() -> None:
    game = begun()
    answer()
    secret = sheets(game)["ITALY"][0]
    for name in (TWO["FRANCE"], OBSERVER, STRANGER, "Irène"):
        client = client_of(name)
        assert secret not in client.get(f"/parties/{game.key}/").content.decode()
        sent = {"number": "1", "sheet": "A VEN H", "action": "hand_in"}
        assert client.post(f"/parties/{game.key}/1/ITALY/orders/", sent).status_code in (302, 403, 404)
        assert act(game, seat_page(game, "ITALY"), {"action": "vacate", "mark": "0"}, client).status_code in (
            302,
            404,
        )
    assert power_assignments.bots_by_power(game).keys() == set(BOTS)
    assert game.sheets.filter(power="ITALY").count() == 1


# the desk


def seat_page(game: Game, power: str) -> str:
    return reverse("games:desk_seat", args=[game.key, power]).split("/desk/")[1]


def give(game: Game, power: str, **sent: str) -> str:
    client = client_of(MASTER)
    return said(act(game, seat_page(game, power), {"mark": "0", **sent}, client), client)


@pytest.mark.long
def test_a_free_seat_is_given_to_the_computer_and_taken_by_a_person() -> None:
    game = begun()
    answer()
    assert "libre" in give(game, "ITALY", action="vacate", confirmed="1")
    assert power_assignments.unplayed_powers(game) == ("ITALY",)
    assert "Faire jouer un bot" in page_of(game, seat_page(game, "ITALY"))
    assert "Choisissez un des bots proposés" in give(game, "ITALY", action="computer", bot="search:brilliant")
    assert "joue cette puissance dès" in give(game, "ITALY", action="computer", bot="values:easy")
    assert power_assignments.bots_by_power(game)["ITALY"] == "values:easy"
    assert "Libérez d’abord" in give(game, "ITALY", action="computer", bot="random")
    assert answer() == 1
    assert game.sheets.filter(power="ITALY").count() == 2, "another player has orders of its own"
    give(game, "ITALY", action="replace", name=person("Irène").name)
    assert "ITALY" not in power_assignments.bots_by_power(game)
    assert power_assignments.players_by_power(game)["ITALY"] == person("Irène").pk
    hand_in(game, "ITALY", ["A VEN H"], by=person("Irène"))
    assert not told(game, "vacant")


# programs


def test_the_api_tells_of_the_computer_and_gives_it_a_seat() -> None:
    game = begun(anonymity="until_end")
    rows = program("Flora").get(f"/games/{game.key}").json()["seats"]
    assert {row["power"] for row in rows if row["computer"]} == set(BOTS)
    assert all(row["player"] is None for row in rows)
    desk = program(MASTER)
    assert desk.ask("POST", f"/games/{game.key}/desk/seats/ITALY/vacate", {"mark": 0}).status_code == 200
    to = f"/games/{game.key}/desk/seats/ITALY/computer"
    assert desk.ask("PUT", to, {"mark": 0, "player": "nobody"}).status_code == 409
    assert desk.ask("PUT", to, {"mark": 0, "player": "random"}).status_code == 200
    assert power_assignments.bots_by_power(game)["ITALY"] == "random"
    made = program("Edmond").ask("POST", "/games", {"name": "Deux", "terms": {"bots": "random"}})
    assert made.status_code == 201
    assert made.json()["terms"]["bots"] == "random"
    wrong = program("Edmond").ask("POST", "/games", {"name": "Deux", "terms": {"bots": "x"}})
    assert wrong.status_code == 422


def test_who_writes_to_a_bot_is_told_whether_it_reads() -> None:
    game = begun()
    page = words(client_of(TWO["FRANCE"]).get(f"/parties/{game.key}/messages/nouvelle/", {"to": "ITALY"}))
    assert "Bots, qui ne lisent pas les messages ici : Italie." in page.replace("\u00a0", " ")
    page = words(client_of(TWO["FRANCE"]).get(f"/parties/{game.key}/messages/nouvelle/", {"to": "ENGLAND"}))
    assert "Bots, qui ne lisent pas" not in page
