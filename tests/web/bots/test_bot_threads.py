"""The computer's threads: several games at once come to what each comes to alone, and none is left over."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.test import Client

from talleyrand.web.bots import bot_threads
from talleyrand.web.practice import practice_bot_tasks as thinking
from talleyrand.web.practice.models import PracticeBotTask, PracticeGame
from tests.waiting import wait_until
from tests.web.conftest import Player, begin

pytestmark = pytest.mark.django_db(transaction=True)
GAMES = 3


@pytest.fixture(autouse=True)
def _at_rest() -> Iterator[None]:
    """No thread outlives its test's database."""
    yield
    rest()


def rest() -> None:
    """Until nobody thinks any more."""
    running = bot_threads.bot_thread_pool._running
    wait_until(lambda: not any(thread.is_alive() for thread in list(running)), "still thinking")


def seeded(code: str, seed: str) -> Player:
    """A game in which the computer plays all but France."""
    player = Player(Client(), begin())
    powers = ("AUSTRIA", "ENGLAND", "GERMANY", "ITALY", "RUSSIA", "TURKEY")
    PracticeGame.objects.filter(pk=player.game.pk).update(seed=seed, bots=dict.fromkeys(powers, code))
    return player


@pytest.mark.long
@pytest.mark.parametrize("code", ["random", "values:easy"])
def test_many_games_at_once_are_played_as_each_alone(code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thinking, "MOST_A_VISITOR", GAMES)
    monkeypatch.setattr(bot_threads, "QUICK_WAIT_SECONDS", 0.0)
    together = [seeded(code, str(seed)) for seed in range(GAMES)]
    for player in together:
        assert player.resolve(1).status_code == 302
    rest()
    assert not PracticeBotTask.objects.exists()
    for seed, player in enumerate(together):
        alone = seeded(code, str(seed))
        alone.resolve(1)
        rest()
        assert alone.game.turns.get().orders == player.game.turns.get().orders


def test_what_lies_idle_is_begun_by_the_page_that_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    player = seeded("random", "1")
    with monkeypatch.context() as asleep:
        asleep.setattr(bot_threads.bot_thread_pool, "start_if_due", lambda: None)
        asleep.setattr(bot_threads, "QUICK_WAIT_SECONDS", 0.0)
        player.resolve(1)
    assert PracticeBotTask.objects.get().claimed_by == ""
    player.client.get(player.address("computer/"))
    rest()
    assert player.game.turns.count() == 1
    assert player.client.get(player.address("computer/")).json() == {"over": True}
