"""Two accounts in one game: what a moderator may look at, what is kept for it, and for how long."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import DatabaseError
from django.test import Client
from django.utils import timezone

from talleyrand.web.accounts import personal_data
from talleyrand.web.conduct import game_traces
from talleyrand.web.conduct.models import GameTrace, ModeratedGame
from talleyrand.web.games.models import Game, GameMembership, OrderSet
from talleyrand.web.moderation import views
from talleyrand.web.monitoring import retention
from tests.web.cast import MASTER, client_of, person, table
from tests.web.games.acting import fresh
from tests.web.games.tables import words
from tests.web.moderation.reporting import DESK, MODERATOR, moderator

pytestmark = pytest.mark.django_db
PAGE = f"{DESK}comptes/"
HOME, SCHOOL = "203.0.113.7", "198.51.100.9"
DEVICE = "0123456789abcdef" * 2


@pytest.fixture
def game(db: None) -> Game:
    made = table()
    Game.objects.filter(pk=made.pk).update(deadline=timezone.now() + timedelta(days=1))
    return fresh(made)


def order(game: Game, name: str, power: str, address: str, device: str = "") -> Any:
    client = client_of(name)
    if device:
        client.cookies["known_device"] = device
    path = f"/parties/{game.key}/{game.phase_number}/orders/{power}/"
    sent = {"action": "hand_in", "sheet": "", "submission": name * 4}
    return client.post(path, sent, REMOTE_ADDR=address)


def test_what_two_accounts_of_one_game_share_is_told(game: Game) -> None:
    order(game, "Flora", "FRANCE", HOME, DEVICE)
    order(game, "Roman", "RUSSIA", HOME, DEVICE)
    order(game, "Théa", "TURKEY", SCHOOL)
    assert OrderSet.objects.filter(game=game, origin="text").count() == 3
    page = words(moderator().get(PAGE))
    assert "Même appareil." in page
    assert "Même adresse" in page
    assert "Flora" in page
    assert "Roman" in page
    assert "Théa" not in page
    kept = str(list(GameTrace.objects.values()))
    assert HOME not in kept
    assert DEVICE not in kept


def test_another_game_is_sealed_apart(game: Game) -> None:
    """The same address in two games leaves nothing that could be compared."""
    order(game, "Flora", "FRANCE", HOME, DEVICE)
    other = table(anonymity="open")
    Game.objects.filter(pk=other.pk).update(deadline=timezone.now() + timedelta(days=1))
    order(fresh(other), "Roman", "RUSSIA", HOME, DEVICE)
    first, second = GameTrace.objects.order_by("pk")
    assert first.address != second.address
    assert first.device != second.device
    assert "Flora" not in words(moderator().get(PAGE))


def test_nobody_else_reads_it_nor_a_moderator_of_their_own_game(game: Game) -> None:
    order(game, "Flora", "FRANCE", HOME)
    order(game, "Roman", "RUSSIA", HOME)
    assert "Flora" in words(moderator().get(PAGE))
    for client in (Client(), client_of("Flora"), client_of(MASTER)):
        assert client.get(PAGE).status_code == 404
    left = {"role": "observer", "left_at": timezone.now()}
    GameMembership.objects.create(game=game, person=person(MODERATOR), **left)
    assert "Flora" not in words(moderator().get(PAGE))


def test_nothing_stands_in_the_way_of_orders(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the trace cannot be kept they count; nor is one kept in the crowd before a deadline."""

    def full(*_asked: object) -> None:
        raise DatabaseError("full")

    with monkeypatch.context() as patched:
        patched.setattr(game_traces, "_keep", full)
        assert order(game, "Flora", "FRANCE", HOME).status_code == 302
    Game.objects.filter(pk=game.pk).update(deadline=timezone.now() + timedelta(seconds=90))
    assert order(fresh(game), "Roman", "RUSSIA", HOME).status_code == 302
    assert OrderSet.objects.filter(game=game, origin="text").count() == 2
    assert not GameTrace.objects.exists()


def test_one_row_a_place(game: Game) -> None:
    order(game, "Flora", "FRANCE", HOME, DEVICE)
    order(game, "Flora", "FRANCE", HOME, DEVICE)
    kept = GameTrace.objects.get()
    assert kept.hours.bit_count() in (1, 2)
    order(game, "Flora", "FRANCE", SCHOOL, DEVICE)
    assert GameTrace.objects.count() == 2


def test_of_many_places_the_last_are_kept(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever comes from ever other addresses fills neither the table nor the page."""
    monkeypatch.setattr(game_traces, "MOST_PLACES", 2)
    for number in range(4):
        order(game, "Flora", "FRANCE", f"203.0.113.{number}")
    order(game, "Roman", "RUSSIA", HOME)
    assert GameTrace.objects.filter(person__name="Flora").count() == 2
    order(game, "Roman", "RUSSIA", "203.0.113.3")
    assert "Même adresse" in words(moderator().get(PAGE))


def test_games_come_in_pages_the_latest_first(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is not on a page has not been read there: the moderator may still join that game."""
    monkeypatch.setattr(views, "GAMES_A_PAGE", 1)
    others = [table(anonymity="open") for _one in range(2)]
    for number, one in enumerate((game, *others)):
        Game.objects.filter(pk=one.pk).update(
            deadline=timezone.now() + timedelta(days=1), name=f"zz-{number}"
        )
        order(fresh(one), "Flora", "FRANCE", HOME)
        order(fresh(one), "Roman", "RUSSIA", HOME)
    pages = [words(moderator().get(f"{PAGE}?page={at}")) for at in (1, 2, 3)]
    assert [[f"zz-{number}" in page for number in (2, 1, 0)] for page in pages] == [
        [True, False, False],
        [False, True, False],
        [False, False, True],
    ]
    assert "Page 1 sur 3" in pages[0]
    ModeratedGame.objects.all().delete()
    moderator().get(PAGE)
    assert [one.game_key for one in ModeratedGame.objects.all()] == [others[1].key]


def test_it_is_gone_after_thirty_days_and_with_the_account(game: Game) -> None:
    order(game, "Flora", "FRANCE", HOME)
    order(game, "Roman", "RUSSIA", HOME)
    flora = GameTrace.objects.get(person__name="Flora").person
    assert len(personal_data.export_personal_data(flora)["conduct"]["traces"]) == 1
    personal_data.delete_account(flora)
    assert [one.person.name for one in GameTrace.objects.all()] == ["Roman"]
    now = timezone.now()
    assert retention.prune(now + timedelta(days=29))["moderation"] == 0
    assert retention.prune(now + timedelta(days=31))["moderation"] == 1
