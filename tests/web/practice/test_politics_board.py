"""The practice board of a variant with votes: proposals, forms, tally, table, without an account."""

from __future__ import annotations

import html
import json
import re

import pytest
from django.test import Client

from talleyrand.web.practice.models import PracticeGame
from tests.web.conftest import Player, begin

pytestmark = pytest.mark.django_db


@pytest.fixture
def world(client: Client, db: None) -> Player:
    return Player(client, begin("diplomatie_2000"))


def text(player: Player, path: str = "") -> str:
    answer = player.client.get(player.address(path))
    assert answer.status_code == 200
    return " ".join(html.unescape(answer.content.decode()).split())


def form(player: Player, power: str, title: str) -> str:
    found = re.search(rf'data-leaflet="({power}\.\d+)"[^>]*> <summary>{re.escape(title)}', text(player))
    assert found
    return found[1]


def lines(player: Player) -> dict[str, list[str]]:
    return dict(player.refresh().draft_orders)


@pytest.mark.long
def test_a_turn_on_the_practice_board(world: Player) -> None:
    key = form(world, "UMAR", "Proposition de missions")
    answer = world.draft(1, {"leaflets": {key: ["", "M MOR H", ""]}})
    assert answer.status_code == 200, answer.content
    assert lines(world) == {"UMAR": ["2 M MOR H"]}
    assert world.resolve(1).status_code == 302
    assert "Missions : M Méditerranée orientale" in text(world)
    world.draft(2, {"leaflets": {form(world, "INDE", "Vote sur les missions"): ["UMAR"]}})
    assert lines(world) == {"INDE": ["2 UMAR"]}
    world.resolve(2, "another-submission-1")
    assert "Adopté : le plus de voix." in text(world, "2/")
    assert "Détails par puissance" in text(world)
    for language in ("", "/en"):
        world.prefix = language
        for number in (1, 2, 3):
            text(world, f"{number}/")
            for kept in ("map.svg", "scene.json"):
                assert world.client.get(world.address(f"{number}/{kept}")).status_code == 200
    world.prefix = ""
    for kept in ("txt", "json"):
        assert world.client.get(world.address(f"game.{kept}")).status_code == 200
    saved = json.loads(world.client.get(world.address("game.json")).content)
    assert saved


def test_several_powers_are_filled_in_by_one_who_plays_all(world: Player) -> None:
    world.draft(1, {"sheet": "UMAR\n2 : M MOR ×××\n\nCHIN\n2 : M MOR - CAI"})
    assert set(lines(world)) == {"UMAR", "CHIN"}
    world.resolve(1)
    assert PracticeGame.objects.get(pk=world.game.pk).turns.count() == 1


def test_a_programme_for_forty_m_is_one_line(world: Player) -> None:
    programme = "2 : " + " / ".join(f"M {place} S M ABE – ATE" for place in ["MAU", "WAS", "MOR", "TOK"] * 10)
    assert 300 < len(programme) < 1000
    answer = world.draft(1, {"sheet": f"UMAR\n{programme}"})
    assert answer.status_code == 200
    assert lines(world) == {"UMAR": [programme]}
    assert world.draft(1, {"sheet": "UMAR\n2 : " + "M " * 500}).status_code == 400


def test_a_sheet_of_long_lines_is_read_only_so_far(world: Player) -> None:
    """Counted, not timed: what remains unread once the effort is spent says so."""
    noise = ("Qxzvbnk Wlkjhgfd " * 60)[:980]
    sheet = "\n".join(["UMAR", *(f"2 : {noise} {number}" for number in range(95))])
    answer = world.draft(1, {"sheet": sheet})
    assert answer.status_code == 200
    assert "trop de lignes\u00a0: celle-ci et les suivantes ne sont pas lues" in html.unescape(
        answer.json()["readings"]
    )
