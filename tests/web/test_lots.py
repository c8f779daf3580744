"""Lots on the practice board: drawn from the seed that the game keeps."""

from __future__ import annotations

import json

import pytest
from django.test import Client

from talleyrand.web.practice.models import PracticeGame
from tests.web.conftest import Player, begin

WINTER = {
    "phase": "W1901A",
    "units": {"FRANCE": ["A PAR", "A BUR", "F BRE"]},
    "centers": {"FRANCE": ["PAR", "MAR"]},
}


def _brought(client: Client, text: str) -> PracticeGame:
    assert client.post("/p/import/", {"text": text}).status_code == 302
    return PracticeGame.objects.latest("pk")


@pytest.fixture
def drawing(client: Client, db: None) -> Player:
    player = Player(client, begin("classic", "conspiracy", **WINTER))
    player.resolve(1)
    return player


def test_a_lot_is_drawn_from_the_seed_of_the_game(drawing: Player) -> None:
    (turn,) = drawing.game.turns.all()
    assert [lot["what"] for lot in turn.answer["chance"]] == ["removal"]
    assert "lot_without_seed" not in {note["kind"] for note in turn.answer["notes"]}


def test_a_game_saved_draws_the_same_again(drawing: Player) -> None:
    copy = _brought(drawing.client, drawing.client.get(drawing.address("game.json")).text)
    assert copy.seed == drawing.game.seed
    assert copy.turns.get().answer["chance"] == drawing.game.turns.get().answer["chance"]


def test_a_game_brought_without_a_seed_keeps_the_one_it_was_drawn_with(client: Client, db: None) -> None:
    record = {"rulebook": "conspiracy", "start": WINTER, "phases": [{"phase": "W1901A", "orders": {}}]}
    game = _brought(client, json.dumps(record))
    again = _brought(client, client.get(f"/p/{game.key}/game.json").text)
    assert again.seed == game.seed
    assert again.turns.get().answer["chance"] == game.turns.get().answer["chance"]
