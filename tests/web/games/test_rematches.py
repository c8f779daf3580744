"""A rematch: the same people and settings, one new game whoever asks first, and nothing for others."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.test import Client

from talleyrand.web.games.game_settings import GameSettings, PressSetting
from talleyrand.web.games.lobby import membership_actions, rematches
from talleyrand.web.games.models import Game, GameMembership, GameState
from talleyrand.web.notifications.models import Notification
from tests.web.cast import ASSISTANT, MASTER, OBSERVER, PLAYERS, STRANGER, client_of, person, table
from tests.web.games.tables import words
from tests.web.games.test_table_races import together

pytestmark = pytest.mark.django_db


def over(**terms: Any) -> Game:
    game = table(**terms)
    Game.objects.filter(pk=game.pk).update(state=GameState.ENDED, result={"kind": "draw", "powers": []})
    return Game.objects.get(pk=game.pk)


def ask(game: Game, name: str) -> Any:
    return client_of(name).post(f"/parties/{game.key}/infos/rematch/")


def again(game: Game) -> Game:
    return Game.objects.get(rematch_of=game)


def test_all_are_invited_to_the_same_game() -> None:
    game = over(press=PressSetting.PUBLIC, ends_at=datetime(2026, 4, 1, tzinfo=UTC), absence_days=3)
    ask(game, "Flora")
    new = again(game)
    assert new.name == "La table ronde (2)"
    assert not new.is_listed
    assert new.settings == GameSettings(press=PressSetting.PUBLIC, absence_days=3)
    assert (new.variant, new.rulebook, new.creator) == (game.variant, game.rulebook, person("Flora"))
    told = Notification.objects.filter(kind="rematch")
    others = {*PLAYERS.values(), MASTER} - {"Flora"}
    assert set(told.values_list("person__name", flat=True)) == others
    # each with the link of their own role, which leads into the game
    assert client_of("Roman").post(told.get(person__name="Roman").path).status_code == 302
    assert client_of(MASTER).post(told.get(person__name=MASTER).path).status_code == 302
    roles = dict(new.memberships.values_list("person__name", "role"))
    assert roles == {"Flora": "player", "Roman": "player", MASTER: "master"}
    assert "revanche vous est proposée" in words(client_of("Théa").get("/notifications/"))


def test_whoever_asks_later_is_led_to_it() -> None:
    game = over()
    ask(game, "Flora")
    new = again(game)
    assert ask(game, "Flora")["Location"] == f"/parties/{new.key}/infos/"
    led = ask(game, "Roman")["Location"]
    assert led.startswith("/parties/invitation/")
    assert client_of("Roman").post(led).status_code == 302
    assert Game.objects.filter(rematch_of=game).count() == 1


def test_one_that_was_abandoned_can_be_asked_for_again() -> None:
    game = over()
    ask(game, "Flora")
    Game.objects.filter(rematch_of=game).update(state=GameState.ABANDONED)
    ask(game, "Roman")
    assert Game.objects.filter(rematch_of=game).count() == 2


def test_nobody_is_told_of_rematches_without_end() -> None:
    game = over()
    for _number in range(4):
        ask(game, "Flora")
        Game.objects.filter(rematch_of=game).update(state=GameState.ABANDONED)
    assert Game.objects.filter(rematch_of=game).count() == 3
    told = client_of("Roman").post(f"/parties/{game.key}/infos/rematch/", follow=True)
    assert "Trois revanches" in words(told)


@pytest.mark.parametrize("name", [STRANGER, OBSERVER, ASSISTANT, ""])
def test_who_did_not_play_asks_in_vain(name: str) -> None:
    game = over()
    asking = client_of(name) if name else Client()
    answer = asking.post(f"/parties/{game.key}/infos/rematch/")
    assert answer.status_code == (404 if name else 302)
    assert "Revanche" not in asking.get(f"/parties/{game.key}/infos/").text
    assert Game.objects.count() == 1


def test_no_rematch_while_it_is_played_nor_for_who_left() -> None:
    game = table()
    assert ask(game, "Flora").status_code == 404
    membership_actions.leave_game(game, person("Roman"))
    Game.objects.filter(pk=game.pk).update(state=GameState.ENDED)
    assert ask(game, "Roman").status_code == 404
    assert ask(game, "Flora").status_code == 302
    assert "Roman" not in Notification.objects.filter(kind="rematch").values_list("person__name", flat=True)


def test_a_link_withdrawn_is_said() -> None:
    game = over()
    ask(game, "Flora")
    again(game).invitations.all().delete()
    assert "Demandez-en une" in words(
        client_of("Roman").post(f"/parties/{game.key}/infos/rematch/", follow=True)
    )


def test_who_gathers_too_many_games_is_told() -> None:
    game = over()
    Game.objects.bulk_create(Game(name=f"{n}", creator=person("Flora"), rulebook="datc") for n in range(30))
    told = client_of("Flora").post(f"/parties/{game.key}/infos/rematch/", follow=True)
    assert "attendent des joueurs" in words(told)
    assert not Game.objects.filter(rematch_of=game).exists()


def test_the_button_is_where_the_game_ended() -> None:
    game = over()
    for path in (f"/parties/{game.key}/infos/", f"/parties/{game.key}/fin/"):
        assert f"/parties/{game.key}/infos/rematch/" in client_of("Flora").get(path).text
    assert "Rematch" in client_of("Flora").get(f"/en/games/{game.key}/info/").text


NAMES = [
    ("Le club", "Le club (2)"),
    ("Le club (9)", "Le club (10)"),
    ("x" * 80, f"{'x' * 76} (2)"),
]


@pytest.mark.parametrize(("name", "following"), NAMES)
def test_the_name_counts_on(name: str, following: str) -> None:
    game = over()
    Game.objects.filter(pk=game.pk).update(name=name)
    ask(game, "Flora")
    assert again(game).name == following


def test_it_is_told_by_mail_too() -> None:
    game = over()
    roman = person("Roman")
    EmailAddress.objects.create(user=roman, email="roman@exemple.fr", verified=True, primary=True)
    ask(game, "Flora")
    assert Notification.objects.filter(person=roman, deliveries__channel="mail").exists()


@pytest.mark.django_db(transaction=True)
def test_two_at_the_same_moment_make_one_game() -> None:
    game = over()
    together(*[lambda one=one: rematches.offer_rematch(game, person(one)) for one in ("Flora", "Roman")])
    assert Game.objects.filter(rematch_of=game).count() == 1
    assert GameMembership.objects.filter(game__rematch_of=game).count() == 1


def test_each_game_master_has_a_link_of_their_own() -> None:
    game = over()
    for name in ("Marius", "Mathilde"):
        GameMembership.objects.create(game=game, person=person(name), role="master")
    ask(game, "Flora")
    new = again(game)
    paths = dict(Notification.objects.filter(kind="rematch").values_list("person__name", "path"))
    # One presses “Rematch” first, and is led by their own link: the others’ still work.
    assert ask(game, "Mathilde")["Location"] == paths["Mathilde"]
    for name in ("Mathilde", "Marius", MASTER):
        assert client_of(name).post(paths[name]).status_code == 302
    led = new.memberships.filter(role="master").values_list("person__name", flat=True)
    assert set(led) == {"Mathilde", "Marius", MASTER}
    assert client_of(STRANGER).post(paths["Marius"]).status_code != 302
