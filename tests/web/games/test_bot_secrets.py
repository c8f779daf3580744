"""What a bot of a real game is given: its orders are the same whatever others keep secret from its seat."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from talleyrand.web.accounts.models import Person
from talleyrand.web.bots import bot_players
from talleyrand.web.common import visitor_quota
from talleyrand.web.games import game_bots, power_assignments
from talleyrand.web.games.models import Game, GameBotTask, PhaseRevision
from talleyrand.web.practice import practice_bot_tasks
from talleyrand.web.press.models import Message
from tests.web.cast import client_of, person
from tests.web.games.tables import at, words
from tests.web.press.post import send

from .acting import draft, fresh, hand_in
from .computing import BOTS, TWO, answer, begun, sheets

pytestmark = pytest.mark.django_db
SECRET = "zz-secret"
Inputs = list[tuple[Any, ...]]


def replay(game: Game, monkeypatch: pytest.MonkeyPatch) -> tuple[Inputs, dict[str, list[str]]]:
    """What the bots of a game are given, but for how they report, and what they order."""
    given: Inputs = []
    real = practice_bot_tasks.bot_orders

    def think(question: Any, power: str, code: str, seed: str, report: Any, *more: Any) -> list[str]:
        given.append((question, power, code, seed, *more))
        return real(question, power, code, seed, report, *more)

    with monkeypatch.context() as watched:
        watched.setattr(practice_bot_tasks, "bot_orders", think)
        answer()
    return given, sheets(game)


@pytest.mark.parametrize("code", ["values:normal", "random"])
def test_no_secret_of_others_changes_what_a_bot_is_given_or_orders(
    code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = begun(bots=code)
    before = replay(plain, monkeypatch)
    planted = begun(bots=code)
    Game.objects.filter(pk=planted.pk).update(seed=plain.seed)
    planted = fresh(planted)
    hand_in(planted, "FRANCE", ["A PAR-GAS", SECRET])
    draft(planted, "ENGLAND", "F LON-ENG", SECRET)
    assert send(planted, "Flora", ["ENGLAND"], SECRET).status_code == 302
    assert send(planted, "Edmond", ["ITALY"], SECRET).status_code == 302
    assert Message.objects.filter(text__contains=SECRET).count() == 2
    for name in TWO.values():
        Person.objects.filter(pk=person(name).pk).update(name=f"{name} {SECRET}")
    after = replay(planted, monkeypatch)
    assert len(before[0]) == len(BOTS)
    assert before == after
    assert SECRET not in str(after)
    assert not any(name in str(after) for name in TWO.values())


# what bots may cost


def waiting(game: Game, since: timedelta) -> None:
    before = PhaseRevision.objects.get(game=game, phase_number=0, is_current=True)
    GameBotTask.objects.filter(game=game).update(
        base_revision_id=before.pk, waiting_since=timezone.now() - since
    )


@pytest.fixture
def thinkers(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Each bot that thought, by its code; none takes any time."""
    codes: list[str] = []

    def think(_question: Any, _power: str, code: str, *_more: Any) -> list[str]:
        codes.append(code)
        return []

    monkeypatch.setattr(practice_bot_tasks, "bot_orders", think)
    return codes


def test_a_bot_for_which_all_have_waited_plays_quickly_and_the_log_says_so(thinkers: list[str]) -> None:
    game = begun(bots="search:hard")
    waiting(game, game_bots.QUICK_AFTER / 2)
    answer()
    assert set(thinkers) == {"search:hard"}
    assert not game.log.filter(kind="computer_quick").exists()
    other = begun(bots="search:hard")
    thinkers.clear()
    waiting(other, game_bots.QUICK_AFTER * 2)
    answer()
    assert set(thinkers) == {bot_players.QUICK_BOT}
    assert sorted(other.log.get(kind="computer_quick").facts["powers"]) == sorted(BOTS)
    told = words(client_of("Flora").get(at(other)))
    assert "Les bots n’ont réfléchi qu’un instant" in told
    thinkers.clear()
    GameBotTask.objects.filter(game=other).update(answered_count=0, waiting_since=None)
    answer()
    assert not thinkers, "what it sent quickly stands for the phase"


def test_a_wait_counts_from_before_the_bots_began_and_not_from_another_phase(thinkers: list[str]) -> None:
    _waiting, other = begun(bots="search:hard"), begun(bots="search:hard")
    longer = timezone.now() - 2 * game_bots.QUICK_AFTER
    GameBotTask.objects.update(waiting_since=longer)
    Game.objects.filter(pk=other.pk).update(phase_opened_at=timezone.now())
    answer()
    assert thinkers.count(bot_players.QUICK_BOT) == len(BOTS), "the one that waits for this phase"
    assert thinkers.count("search:hard") == len(BOTS)
    assert game_bots.bots_wait_until(fresh(other), ["ITALY"], longer) == longer + game_bots.LONGEST_BOT_WAIT


def test_whose_hour_is_spent_has_quick_bots_in_all_their_games(thinkers: list[str]) -> None:
    game, cheap = begun(bots="search:hard"), begun(bots="random")
    purse = visitor_quota.account_purse(game.creator_id or 0)
    visitor_quota.charge_cpu_seconds(purse, visitor_quota.HOURLY[0] / 1000)
    answer()
    assert thinkers.count(bot_players.QUICK_BOT) == len(BOTS)
    assert thinkers.count("random") == len(BOTS)
    assert not cheap.log.filter(kind="computer_quick").exists()


def test_what_waits_comes_first_then_the_next_deadline() -> None:
    later, sooner, awaited = begun(), begun(), begun()
    now = timezone.now()
    for game, hours in ((later, 9), (sooner, 3), (awaited, 12)):
        Game.objects.filter(pk=game.pk).update(deadline=now + timedelta(hours=hours))
    waiting(awaited, timedelta(seconds=1))
    GameBotTask.objects.filter(game=awaited).update(base_revision_id=0)
    found = [task.game_id for task in game_bots.due_game_bot_tasks(now)]
    assert found == [awaited.pk, sooner.pk, later.pk]


def test_without_a_compiler_a_slow_bot_plays_as_a_named_one(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as bare:
        bare.setattr(bot_players, "bots_are_compiled", lambda: False)
        game = begun(bots="search:hard")
        told = words(client_of("Flora").get(at(game))).replace("\u00a0", " ")
        assert "anticipe, niveau difficile (sur ce site : opportuniste, niveau normal)" in told
        answer()
        found = sheets(game)
    same = begun(bots="values:normal")
    Game.objects.filter(pk=same.pk).update(seed=game.seed)
    answer()
    assert sheets(same) == found
    assert "sur ce site" not in words(client_of("Flora").get(at(game)))
    assert set(power_assignments.bots_by_power(game).values()) == {"search:hard"}
