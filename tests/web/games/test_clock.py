"""The clock publishes what is due, when it is due."""

from __future__ import annotations

from datetime import timedelta

import pytest

from talleyrand.web.games import clock, inbox
from talleyrand.web.games.models import Game
from tests.web.cast import BEGUN, PLAYERS, table

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)


def hand_in(game: Game, power: str, *lines: str, at=BEGUN, final: bool = False):
    fresh = Game.objects.get(pk=game.pk)
    return inbox.hand_in(
        fresh, power, lines, number=fresh.number, key="", origin="text", at=at, final=final
    )


def test_a_full_table_is_published_at_its_hour() -> None:
    game = table(rhythm={"hours": 72, "early": False})
    for power in PLAYERS:
        hand_in(game, power)
    assert clock.sweep(game.due) == 0
    assert clock.sweep(game.due + timedelta(seconds=2)) == 1
    game.refresh_from_db()
    assert (game.number, game.phase) == (2, "F1901M")
