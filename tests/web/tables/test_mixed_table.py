"""A table with five phones, one player on paper and one far away: a year, in which nobody waits for a phone
that is not there."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from talleyrand.web.games import deadline_clock, game_lifecycle, power_assignments
from talleyrand.web.games.game_history import GameHistory
from talleyrand.web.games.models import Game, GameState, OrderSet
from talleyrand.web.tables.models import Table
from tests.web.cast import client_of, person

from .phones import NAMES, fresh_game, open_table, phone_of, player_named

pytestmark = pytest.mark.django_db


def on_the_board(client: Client, game: Game, power: str, *lines: str) -> Any:
    sent = {"lines": {power: list(lines)}, "action": "final", "submission": f"{power}{game.version:020}"}
    path = f"/parties/{game.key}/{game.phase_number}/orders/{power}/"
    return client.post(path, json.dumps(sent), content_type="application/json")


def typed(laptop: Client, game: Game, power: str, text: str) -> Any:
    """By the referee, from paper; sent again where nothing is on it, as the page asks."""
    path = f"/tables/{game.key}/referee/orders/{power}/"
    sent = {"sheet": text, "action": "submit", "number": str(game.phase_number), "seen": ""}
    return laptop.post(path, {**sent, "submission": f"paper{power}{game.version:015}"})


def test_a_year_with_phones_paper_and_somebody_far_away() -> None:
    table, laptop = open_table()
    phones = {name: phone_of(table, name) for name in NAMES[:5]}
    far, afar = client_of("Roman"), table.players.get(number=7)
    door = f"/tables/{table.game.key}/seats/7/{afar.seat_token}/account/"
    assert far.post(door).status_code == 302
    paper = table.players.get(number=6)
    assert not paper.phone_digest
    assert laptop.post(f"/tables/{table.game.key}/start/").status_code == 302
    hands: dict[str, Client] = {
        _power(table, player_named(table, name).person): phones[name] for name in phones
    }
    hands[_power(table, person("Roman"))] = far
    written = _power(table, paper.person)
    for _ in range(6):
        game = fresh_game(table)
        if game.phase.startswith("S1902"):
            break
        if game.state == GameState.PAUSED:
            game = game_lifecycle.resume_game(game, timezone.now())
        for power in GameHistory(game).deciding_powers(game.phase_number):
            if power in hands:
                assert on_the_board(hands[power], game, power).status_code == 200
                continue
            unit = (GameHistory(game).situation(game.phase_number) or {})["units"][power][0]
            assert typed(laptop, game, power, f"{unit} H").status_code == 302
        deadline_clock.check_due_games(timezone.now())
        assert fresh_game(table).phase_number == game.phase_number + 1
    assert fresh_game(table).phase == "S1902M"
    assert set(OrderSet.objects.filter(game=game, power=written).values_list("origin", flat=True)) == {
        "master"
    }
    assert far.get(f"/parties/{table.game.key}/").status_code == 200


def _power(table: Table, whom: Any) -> str:
    return power_assignments.powers_played_by(table.game, whom)[0]
