"""The page of a finished game: its film, curve and orders, and a preview where its link is posted."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from talleyrand.web.games import game_lifecycle, power_assignments
from talleyrand.web.games.models import Game
from tests.web.cast import PLAYERS, STRANGER, client_of, person
from tests.web.games.playing import played, running

pytestmark = pytest.mark.django_db


def page(game: Game, who: str = "", prefix: str = "") -> str:
    client = client_of(who) if who else Client()
    path = f"{prefix}/games/{game.key}/end/" if prefix else f"/parties/{game.key}/fin/"
    return str(client.get(path).text)


def over() -> Game:
    game = running()
    for _phase in range(4):
        played(game)
    result = {"kind": "draw", "powers": ["FRANCE"], "phase": game.phase, "centres": {}, "units": {}}
    game_lifecycle.end_game(game, result, timezone.now())
    return game


def test_what_it_tells_everybody() -> None:
    text = page(over())
    assert 'data-first="1"' in text
    assert "Chiffres année par année" in text
    orders = re.search(r'id="orders-title".*?</table>', text, re.DOTALL)
    assert orders is not None
    france = re.search(r"France</th>(.*?)</tr>", orders[0], re.DOTALL)
    assert france is not None
    moved, bounced, *_rest = re.findall(r"<td>(.*?)</td>", france[1])
    assert (int(moved) > 0, int(bounced) > 0) == (True, True)
    assert "Ouvrir mes messages" not in text


def test_in_english_and_for_a_player() -> None:
    game = over()
    assert "Supports given" in page(game, prefix="/en")
    assert "Ouvrir mes messages" in page(game, "Flora")


def test_it_tells_who_played_what_and_nobody_before_the_end() -> None:
    game = running()
    played(game)
    power_assignments.assign_power(game, "TURKEY", person(STRANGER))
    assert "Flora" not in page(game)
    standing = dict.fromkeys(PLAYERS, 3)
    result = {
        "kind": "draw",
        "powers": ["FRANCE"],
        "phase": game.phase,
        "centres": standing,
        "units": standing,
    }
    game_lifecycle.end_game(game, result, timezone.now())
    table = page(game).split('class="counts"')[1].split("</table>")[0]
    rows = dict(re.findall(r'</span>([^<]+) <span class="hint">([^<]+)</span>', table))
    assert rows["France"] == "Flora"
    assert rows["Turquie"] == f"Théa, {STRANGER}"
    assert len(rows) == len(PLAYERS)


def test_a_game_that_ends_at_once_has_no_film() -> None:
    game = running()
    game_lifecycle.end_game(game, {"kind": "over", "powers": []}, timezone.now())
    assert 'id="living"' not in page(game)


def test_a_preview_where_the_site_knows_its_address(settings: Any) -> None:
    game = running()
    path = f"/parties/{game.key}/"
    assert "og:image" not in Client().get(path).text
    settings.SITE_URL = "https://jeu.exemple.org"
    text = Client().get(path).text
    assert f'og:url" content="https://jeu.exemple.org{path}"' in text
    picture = re.search(r'og:image" content="https://jeu.exemple.org([^"]+)"', text)
    assert picture is not None
    assert picture[1] == f"{path}1/map.png"
    game_lifecycle.end_game(game, {"kind": "over", "powers": []}, timezone.now())
    assert "Diplomacy – finie" in page(game)
