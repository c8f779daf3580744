"""Ratings follow from the finished games and from nothing else."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta
from random import Random
from typing import Any

import pytest
from django.utils import timezone

from talleyrand import ratings
from talleyrand.ratings import Rating
from talleyrand.web.accounts import personal_data
from talleyrand.web.accounts.models import Person
from talleyrand.web.games.game_settings import PressSetting
from talleyrand.web.games.models import Game, GameSeat, GameState
from talleyrand.web.games.player_records import rating_history, record_queue
from talleyrand.web.games.record_models import (
    FinishedGame,
    PlayedGame,
    PlayerProfile,
    RatingChange,
    RatingLedger,
    RatingPool,
)
from tests.web.cast import BEGUN, person, table
from tests.web.games.finished import day, end, play

pytestmark = pytest.mark.django_db
PRESS = RatingPool.PRESS


def finished(key: str, ended: datetime, points: dict[str, str], pool: str = PRESS) -> FinishedGame:
    """A finished game as it is counted; "" are the points of somebody who left it."""
    game = Game.objects.create(
        key=key, name=key, variant="classic", rulebook="anjou_feu", state=GameState.ENDED, ended_at=ended
    )
    made = FinishedGame.objects.create(game=game, ended_at=ended, pool=pool)
    PlayedGame.objects.bulk_create(
        PlayedGame(finished=made, person=person(name), outcome="survived", points=text, is_rated=True)
        for name, text in points.items()
    )
    rating_history.mark_ratings_due(pool, ended)
    return made


def year(count: int = 60, people: int = 20) -> list[FinishedGame]:
    """A year of games of seven, some ended in the same moment, drawn by lots of their own."""
    lots = Random(1901)
    names = [f"Joueur {number}" for number in range(people)]
    made = []
    for number in range(count):
        seated = lots.sample(names, 7)
        texts = [lots.choice(["", "0", "100/3", "25", "100"]) for _one in seated]
        ended = day(number * 365 // count) if number % 4 else day(100)
        made.append(finished(f"g{number:03}", ended, dict(zip(seated, texts, strict=True))))
    return made


def computed() -> str:
    rating_history.compute_due_ratings()
    assert not RatingLedger.objects.exclude(due_from=None).exists()
    return rating_history.ratings_digest(PRESS)


def current(name: str, pool: str = PRESS) -> Rating | None:
    row = RatingChange.objects.filter(person__name=name, pool=pool).order_by("-finished__ended_at").first()
    return Rating(row.rating, row.deviation, row.volatility) if row else None


def test_a_year_computed_twice_gives_the_same_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    year()
    first, rows = computed(), RatingChange.objects.count()
    assert rows == 60 * 7
    for batch in (1, 3, 1000):  # however many games are computed at once
        monkeypatch.setattr(rating_history, "GAMES_A_BATCH", batch)
        rating_history.mark_all_ratings_due()
        assert computed() == first
    assert RatingChange.objects.count() == rows


def test_all_again_tells_each_pool_with_its_digest() -> None:
    finished("one", day(1), {"Flora": "100", "Gaspard": "0"})
    finished("two", day(2), {"Flora": "0", "Gaspard": "100", "Irène": "0"}, RatingPool.GUNBOAT)
    told = rating_history.computed_again()
    assert [(pool, count) for pool, count, _digest in told] == [("gunboat", 3), ("press", 2)]
    assert told == rating_history.computed_again()
    assert len({digest for _pool, _count, digest in told}) == 2


def test_computed_on_game_by_game_in_any_order_gives_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    games = year(24)
    whole = computed()
    kept = [(one.pk, one.ended_at) for one in games]
    RatingChange.objects.all().delete()
    FinishedGame.objects.update(due_at=timezone.now())
    Random(2).shuffle(kept)
    for key, ended in kept:
        FinishedGame.objects.filter(pk=key).update(due_at=None)
        rating_history.mark_ratings_due(PRESS, ended)
        last = computed()
    assert last == whole


def test_another_site_with_the_same_games_has_the_same_figures() -> None:
    """Nothing depends on the numbers of rows, which an archive does not keep."""
    year(24)
    before = computed()
    FinishedGame.objects.all().delete()
    Game.objects.all().delete()
    Person.objects.filter(name__startswith="Joueur").delete()
    for number in reversed(range(20)):  # in another order
        person(f"Joueur {number}")
    year(24)
    assert computed() == before


def test_a_winner_rises_and_whoever_left_comes_last() -> None:
    finished("one", day(1), {"Flora": "100", "Gaspard": "0", "Irène": ""})
    computed()
    flora, gaspard, irene = (current(name) for name in ("Flora", "Gaspard", "Irène"))
    assert flora
    assert gaspard
    assert irene
    assert flora.rating > 1500 > irene.rating
    assert flora.rating > gaspard.rating > irene.rating


def test_pools_are_apart() -> None:
    finished("one", day(1), {"Flora": "100", "Gaspard": "0"})
    finished("two", day(2), {"Flora": "0", "Gaspard": "100"}, RatingPool.GUNBOAT)
    computed()
    found = current("Flora"), current("Flora", RatingPool.GUNBOAT)
    assert found[0]
    assert found[1]
    assert found[0].rating > 1500 > found[1].rating


def test_whoever_wants_no_rating_has_none_and_the_others_are_rated_among_themselves() -> None:
    finished("one", day(1), {"Flora": "100", "Gaspard": "0", "Irène": "0"})
    computed()
    PlayerProfile.objects.update_or_create(person=person("Flora"), defaults={"is_rated": False})
    rating_history.mark_ratings_of_person(person("Flora"))
    computed()
    assert current("Flora") is None
    assert current("Gaspard") == current("Irène")
    PlayerProfile.objects.update(is_rated=True)
    rating_history.mark_ratings_of_person(person("Flora"))
    computed()
    assert current("Flora") != Rating()


def test_nobody_is_rated_alone() -> None:
    finished("one", day(1), {"Flora": "100"})
    computed()
    assert current("Flora") is None


def test_a_deleted_account_leaves_what_would_be_without_it() -> None:
    finished("one", day(1), {"Flora": "100", "Gaspard": "0", "Irène": "0"})
    finished("two", day(2), {"Gaspard": "100", "Irène": "0"})
    computed()
    personal_data.delete_account(person("Flora"))
    after = computed()
    rating_history.mark_all_ratings_due()
    assert computed() == after
    assert RatingChange.objects.count() == 4


def test_what_comes_meanwhile_is_not_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game that is counted while another is being rated has the pool computed once more."""
    finished("late", day(5), {"Flora": "100", "Gaspard": "0"})
    real = ratings.rate_game

    def rated(*given: Any) -> Any:
        monkeypatch.setattr(ratings, "rate_game", real)
        finished("early", day(5), {"Flora": "0", "Gaspard": "100"})
        return real(*given)

    monkeypatch.setattr(ratings, "rate_game", rated)
    rating_history.compute_due_ratings()
    rating_history.compute_due_ratings()
    assert RatingChange.objects.count() == 4
    first = rating_history.ratings_digest(PRESS)
    rating_history.mark_all_ratings_due()
    assert computed() == first


@pytest.mark.parametrize(
    ("press", "bots", "expected"),
    [
        (PressSetting.FULL, "", RatingPool.PRESS),
        (PressSetting.PUBLIC, "", RatingPool.PRESS),
        (PressSetting.NONE, "", RatingPool.GUNBOAT),
        (PressSetting.FULL, "hold", RatingPool.PRESS_BOTS),
        (PressSetting.NONE, "hold", RatingPool.GUNBOAT_BOTS),
    ],
)
def test_which_pool_a_game_counts_for(press: PressSetting, bots: str, expected: RatingPool) -> None:
    game = table(press=press)
    if bots:
        GameSeat.objects.filter(game=game, power="TURKEY").update(bot=bots)
    assert rating_history.rating_pool(game) == expected


def from_end(winners: Collection[str], *, abandoned: bool = False) -> FinishedGame:
    game = end(play(table()), winners, BEGUN + timedelta(days=9))
    if abandoned:
        game.state, game.result = GameState.ABANDONED, {"kind": "abandoned", "powers": []}
        game.save()
        FinishedGame.objects.update(due_at=timezone.now())
        record_queue.count_finished_games()
    return FinishedGame.objects.get(game=game)


def test_a_game_played_to_its_end_is_rated() -> None:
    from_end(["FRANCE"])
    computed()
    flora, gaspard = current("Flora"), current("Gaspard")
    assert flora
    assert gaspard
    assert flora.rating > gaspard.rating


def test_a_game_without_a_result_is_not() -> None:
    assert from_end(["FRANCE"], abandoned=True).pool == ""
    computed()
    assert current("Flora") is None


def test_a_game_that_goes_on_is_rated_no_more() -> None:
    made = from_end(["FRANCE"])
    computed()
    record_queue.withdraw_finished_game(made.game_id)
    computed()
    assert not RatingChange.objects.exists()
