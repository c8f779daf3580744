"""Winters on a board: lots drawn from the seed that the game keeps, and what each power is told it owes."""

from __future__ import annotations

import json

import pytest
from django.template.loader import render_to_string
from django.test import Client

from talleyrand.web.boards.order_preparation import OrderPreparation
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


def _preparation(rulebook: object, **fields: object) -> OrderPreparation:
    question = {"variant": "classic", "rulebook": rulebook, **WINTER, **fields}
    return OrderPreparation(question, {"FRANCE": ["A Bou -"]})


@pytest.mark.parametrize(
    ("options", "fields", "told", "total", "waives"),
    [
        ({}, {}, "1 retrait", 1, None),
        ({}, {"centers": {"FRANCE": ["PAR", "MAR", "BRE", "SPA"]}}, "1 construction", 1, range(2)),
        (
            {"adjust_balance": "gross"},
            {"centers_before": {"FRANCE": ["PAR", "LON"]}, "centers": {"FRANCE": ["PAR", "MAR"]}},
            "1 construction, 2 retraits",
            3,
            range(2),
        ),
        (
            {"unused_builds": "kept"},
            {"centers": {"FRANCE": ["PAR", "MAR", "SPA"]}, "kept_builds": {"FRANCE": 1}},
            "1 construction",
            1,
            range(2),
        ),
        (
            {"unused_builds": "must_build"},
            {"centers": {"FRANCE": ["PAR", "MAR", "SPA", "POR"]}},
            "1 construction",
            1,
            None,
        ),
    ],
)
def test_what_a_power_owes_in_winter(
    options: dict[str, str], fields: dict[str, object], told: str, total: int, waives: range | None
) -> None:
    preparation = _preparation({"extends": "datc", "options": options}, **fields)
    (menu,) = preparation.page_context()["menus"]
    assert (preparation.progress()["total"], menu["waives"]) == (total, waives)
    page = render_to_string("boards/menu.html", {"menu": menu, "kind": "A"})
    assert f'<span class="balance">{told}</span>' in page


def test_a_build_that_cannot_be_is_told_on_the_board(client: Client, db: None) -> None:
    centres = {"FRANCE": ["PAR", "MAR", "BRE", "SPA"]}
    player = Player(client, begin("classic", "anjou_feu", **{**WINTER, "centers": centres}))
    for line in ("A Bre", "A Esp", "F Par"):
        answer = player.draft(1, {"sheet": f"FRANCE\n{line}"}).json()
        assert 'class="wrong"' in answer["readings"], line
        assert "Constructions possibles" in answer["readings"]
        assert answer["given"] == {}
    answer = player.draft(1, {"sheet": "FRANCE\nA Mar"}).json()
    assert answer["readings"].strip() == ""
    assert answer["given"] == {"MAR": "A MAR B"}


def test_what_is_not_ordered_is_told_before_it_is_resolved(client: Client, db: None) -> None:
    trio = Player(client, begin("trio"))
    page = client.get(trio.address()).text.replace("\u00a0", " ")
    assert "6 constructions sans ordre : pas d’unités." in page
    for number, told in enumerate(("5 constructions sans ordre : pas d’unités.", "4 constructions"), 1):
        orders = dict(list({"FRO": "A FRO B", "HEA": "A HEA B"}.items())[:number])
        answer = trio.draft(1, {"orders": orders}).json()
        assert told in answer["outlook"].replace("\u00a0", " ")
    winter = Player(client, begin("classic", "conspiracy", **WINTER))
    page = client.get(winter.address()).text.replace("\u00a0", " ")
    assert "1 retrait sans ordre : le règlement choisit." in page
    answer = winter.draft(1, {"orders": {"PAR": "A PAR D"}}).json()
    assert answer["outlook"] == ""
