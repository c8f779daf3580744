"""Public results as Atom: what everybody may see, never who played while that is secret."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from talleyrand.web.games import phase_adjudication
from talleyrand.web.games.game_settings import SpectatorRule
from talleyrand.web.games.models import Game, GameState
from tests.web.atom import atom_entries
from tests.web.cast import MASTER, PLAYERS, client_of, table
from tests.web.games.test_player_groups import game_of, group

pytestmark = pytest.mark.django_db
ENDED = {"state": GameState.ENDED, "result": {"kind": "solo", "powers": ["FRANCE"]}}


def entries(path: str, client: Client | None = None) -> list[tuple[str, str, str]]:
    answer: Any = (client or Client()).get(path)
    assert not any(name in answer.text for name in (*PLAYERS.values(), MASTER))
    return atom_entries(answer)


def test_finished_games_with_who_won() -> None:
    game, hidden, running = table(), table(), table()
    game_of(group())
    now = timezone.now()
    Game.objects.filter(pk=game.pk).update(**ENDED, ended_at=now, name="Café & <b> “1”")
    Game.objects.filter(pk=hidden.pk).update(**ENDED, ended_at=now, is_listed=False)
    ((title, summary, link),) = entries("/parties/resultats.atom")
    assert title == "Café & <b> “1”"
    assert summary == "Diplomacy. Vainqueurs\u00a0: France."
    assert link.endswith(f"/parties/{game.key}/")
    assert entries("/en/games/results.atom")[0][1].startswith("Diplomacy. Winners: ")
    later = table()
    Game.objects.filter(pk=later.pk).update(**ENDED, ended_at=now + timedelta(hours=1), name="Plus tard")
    assert [one[0] for one in entries("/parties/resultats.atom")] == ["Plus tard", "Café & <b> “1”"]
    assert running.state == GameState.PLAYING


def test_the_phases_of_a_game() -> None:
    game = table()
    path = f"/parties/{game.key}/infos/resultats.atom"
    assert entries(path) == []
    phase_adjudication.adjudicate_phase(game, 1, timezone.now())
    ((title, _summary, link),) = entries(path)
    assert title == "Printemps 1901, mouvements"
    assert link.endswith(f"/parties/{game.key}/1/")
    assert path in Client().get(f"/parties/{game.key}/infos/").text


@pytest.mark.parametrize("who", ["", "Flora"])
def test_what_not_everybody_may_open_has_no_feed(who: str) -> None:
    """Not even for those who may: a reader of feeds tells it on."""
    client = client_of(who) if who else Client()
    private, unlisted = table(watching=SpectatorRule.INVITED), table()
    Game.objects.filter(pk=unlisted.pk).update(is_listed=False)
    for key in (private.key, unlisted.key, "mars", "é", "x" * 300):
        assert client.get(f"/parties/{key}/infos/resultats.atom").status_code == 404


def test_without_games_it_is_the_same_at_each_look() -> None:
    first, second = (Client().get("/parties/resultats.atom").content for _look in range(2))
    assert first == second
    assert b"<updated>1970-01-01T00:00:00+00:00</updated>" in first
