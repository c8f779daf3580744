"""Games that one follows: the list, and hearing of a phase when one may see it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from talleyrand.web.accounts import personal_data
from talleyrand.web.games import game_lifecycle, recipients
from talleyrand.web.games.models import Game, PhaseRevision
from talleyrand.web.notifications.models import Notification
from talleyrand.web.onlookers import followed_games
from talleyrand.web.onlookers.models import FollowedGame
from tests.web import cast
from tests.web.games.playing import resolved, running

pytestmark = pytest.mark.django_db
LIST = "/parties-suivies/"


def follow(game: Game, who: str, do: str = "follow") -> Any:
    return cast.client_of(who).post(f"/parties/{game.key}/suivre/", {"do": do})


def told(who: str) -> list[tuple[str, Any]]:
    followed_games.tell_followers()
    found = Notification.objects.filter(person=cast.person(who)).order_by("pk")
    return [(one.kind, one.facts.get("phase")) for one in found]


def test_the_list() -> None:
    game, client = running(), cast.client_of(cast.STRANGER)
    assert "aucune partie" in client.get(LIST).text
    assert follow(game, cast.STRANGER).status_code == 302
    follow(game, cast.STRANGER)
    assert game.name in client.get(LIST).text
    assert FollowedGame.objects.count() == 1
    assert "Ne plus suivre" in client.get(f"/parties/{game.key}/infos/").text
    Game.objects.filter(pk=game.pk).update(is_listed=False)
    assert game.name not in client.get(LIST).text, "it is not theirs to see any more"
    Game.objects.filter(pk=game.pk).update(is_listed=True)
    follow(game, cast.STRANGER, "unfollow")
    follow(game, cast.STRANGER, "unfollow")
    assert not FollowedGame.objects.exists()


def test_who_cannot() -> None:
    game = running()
    assert follow(game, "Flora").status_code == 404
    assert follow(running(watching="invited"), cast.STRANGER).status_code == 404
    assert not FollowedGame.objects.exists()


def test_a_long_list_asks_no_more_of_the_database_than_a_short_one() -> None:
    counts, client = [], cast.client_of(cast.STRANGER)
    for _more in range(2):
        follow(running(), cast.STRANGER)
        client.get(LIST)
        with CaptureQueriesContext(connection) as asked:
            client.get(LIST)
        counts.append(len(asked))
    assert counts[0] == counts[1]


def test_there_is_an_end_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(followed_games, "MOST_FOLLOWED", 1)
    first = running()
    follow(first, cast.STRANGER)
    follow(running(), cast.STRANGER)
    follow(first, cast.STRANGER, "tell")
    assert [(one.game, one.is_told) for one in FollowedGame.objects.all()] == [(first, True)]


def test_each_phase_is_told_once_and_the_end() -> None:
    game = running()
    follow(game, cast.STRANGER, "tell")
    follow(game, "Sophie")
    resolved(game)
    assert told(cast.STRANGER) == told(cast.STRANGER) == [("published", "S1901M")]
    resolved(game)
    game_lifecycle.end_game(game, {"kind": "over", "powers": []}, timezone.now())
    assert told(cast.STRANGER) == told(cast.STRANGER) == [("published", "S1901M"), ("ended", None)]
    assert told("Sophie") == []


def test_a_phase_shown_late_is_told_late() -> None:
    game = running(delay_phases=1)
    for who in (cast.STRANGER, cast.OBSERVER):
        follow(game, who, "tell")
    resolved(game)
    assert told(cast.STRANGER) == []
    resolved(game)
    assert told(cast.STRANGER) == told(cast.OBSERVER) == [("published", "S1901M")]


def test_a_delay_in_hours_is_over_by_itself() -> None:
    game = running(delay_hours=3)
    follow(game, cast.STRANGER, "tell")
    resolved(game)
    assert told(cast.STRANGER) == []
    PhaseRevision.objects.filter(game=game).update(published_at=timezone.now() - timedelta(hours=4))
    assert told(cast.STRANGER) == [("published", "S1901M")]


def test_one_that_fails_keeps_nobody_else_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = running(), running()
    for game in (first, second):
        follow(game, cast.STRANGER, "tell")
        resolved(game)
    notify = recipients.notify_about_game

    def broken(game: Game, *rest: Any, **facts: Any) -> None:
        if game.pk == first.pk:
            raise ValueError("broken")
        notify(game, *rest, **facts)

    with monkeypatch.context() as patched:
        patched.setattr(recipients, "notify_about_game", broken)
        assert told(cast.STRANGER) == [("published", "S1901M")]
    assert told(cast.STRANGER) == [("published", "S1901M")] * 2, "it is tried again"


def test_who_has_a_role_hears_it_once() -> None:
    game = running()
    follow(game, cast.OBSERVER, "tell")
    resolved(game)
    assert told(cast.OBSERVER) == [("published", "S1901M")]


def test_it_is_in_one_s_data_and_goes_with_the_account() -> None:
    game, mine = running(), cast.person(cast.STRANGER)
    follow(game, cast.STRANGER, "tell")
    kept = personal_data.export_personal_data(mine)["onlooking"]["followed"]
    assert [(one["game"], one["told"]) for one in kept] == [(game.key, True)]
    personal_data.delete_account(mine)
    assert not FollowedGame.objects.exists()
