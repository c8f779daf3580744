"""Leaving a table, before it begins and after; seats that become free."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from talleyrand.web.accounts.personal_data import delete_account
from talleyrand.web.games import power_assignments
from talleyrand.web.games.game_settings import Anonymity, GameSettings, PressSetting, SpectatorRule
from talleyrand.web.games.lobby import game_start, membership_actions
from talleyrand.web.games.models import Game, GameRole, GameSeat, GameState
from talleyrand.web.notifications.models import Notification
from talleyrand.web.notifications.notification_sentences import notification_sentence
from tests.web.cast import ASSISTANT, MASTER, OBSERVER, STRANGER, client_of, deal, person, table
from tests.web.games.tables import SIX, at, fill, link, made, refused, roles, words

pytestmark = pytest.mark.django_db


# leaving


def test_leaving_and_coming_back_before_the_beginning() -> None:
    game = made()
    fill(game, ["Roman"])
    assert client_of("Roman").post(at(game, "leave/")).status_code == 302
    assert roles(game) == {"Agathe": GameRole.PLAYER}
    assert client_of("Roman").post(at(game, "leave/")).status_code == 404
    assert client_of("Roman").post(at(game, "rejoindre/")).status_code == 302
    assert set(roles(game)) == {"Agathe", "Roman"}


def test_another_gathers_after_the_maker_and_the_last_ends_it() -> None:
    game = made()
    fill(game, ["Roman", "Théa"])
    client_of("Agathe").post(at(game, "leave/"))
    game.refresh_from_db()
    assert game.creator == person("Roman")
    for name in ("Roman", "Théa"):
        client_of(name).post(at(game, "leave/"))
    game.refresh_from_db()
    assert game.state == GameState.ABANDONED


def test_removing_somebody_before_the_beginning() -> None:
    game = made(anonymity=Anonymity.OPEN)
    fill(game, ["Roman", "Théa"])
    pk = game.memberships.get(person__name="Roman").pk
    assert client_of("Théa").post(at(game, "remove/"), {"member": pk}).status_code == 404
    assert client_of("Agathe").post(at(game, "remove/"), {"member": pk}).status_code == 302
    assert set(roles(game)) == {"Agathe", "Théa"}
    refused(
        client_of("Agathe").post(at(game, "remove/"), {"member": pk}),
        "Cette personne n’est plus dans la partie",
    )
    refused(
        client_of("Agathe").post(at(game, "remove/"), {"member": "x"}),
        "Cette personne n’est plus dans la partie",
    )


def test_in_an_anonymous_game_a_player_removes_nobody() -> None:
    game = made()
    fill(game, ["Roman"])
    pk = game.memberships.get(person__name="Roman").pk
    assert client_of("Agathe").post(at(game, "remove/"), {"member": pk}).status_code == 404


def test_leaving_a_running_game_frees_the_seat_and_somebody_takes_it() -> None:
    game = table()
    assert client_of("Flora").post(at(game, "leave/")).status_code in (302,)
    assert power_assignments.unplayed_powers(game) == ("FRANCE",)
    assert "Flora" not in roles(game)
    assert Notification.objects.filter(person=person(MASTER), kind="vacant").count() == 1
    assert Notification.objects.filter(person=person("Roman"), kind="disorder").count() == 1
    listed = words(client_of(STRANGER).get("/parties/"))
    assert "Place libre :" in listed
    assert "France" in words(client_of(STRANGER).get(at(game, "rejoindre/")))
    board, door = f"/parties/{game.key}/", at(game, "rejoindre/")
    assert f'href="{door}"' in client_of(STRANGER).get(board).text
    assert f'href="{door}"' not in client_of("Roman").get(board).text
    assert client_of(STRANGER).get(at(game)).text.count("Place libre") == 1
    assert client_of(STRANGER).post(door, {"power": "FRANCE"})["Location"] == board
    assert power_assignments.powers_played_by(game, person(STRANGER)) == ("FRANCE",)
    assert not GameSeat.objects.get(game=game, power="FRANCE").in_civil_disorder
    assert [one.person for one in GameSeat.objects.get(game=game, power="FRANCE").tenures.all()] == [
        person("Flora"),
        person(STRANGER),
    ]
    assert Notification.objects.filter(person=person(MASTER), kind="replaced").count() == 1
    assert Notification.objects.get(person=person(STRANGER)).kind == "given"


def test_a_replacement_is_looked_for_even_where_strangers_may_not_watch() -> None:
    game = table(watching=SpectatorRule.INVITED)
    assert client_of(STRANGER).get(at(game, "rejoindre/")).status_code == 404
    client_of("Flora").post(at(game, "leave/"))
    assert client_of(STRANGER).get(at(game, "rejoindre/")).status_code == 200
    assert client_of(STRANGER).get(at(game)).status_code == 404
    assert client_of(STRANGER).post(at(game, "rejoindre/")).status_code == 302
    assert client_of(STRANGER).get(at(game)).status_code == 200


@pytest.mark.long
def test_giving_up_one_of_two_powers() -> None:
    game = table()
    deal(game, "ITALY", "Flora")
    flora = client_of("Flora")
    assert flora.post(at(game, "resign/"), {"power": "ITALY"}).status_code == 302
    assert roles(game)["Flora"] == GameRole.PLAYER
    refused(flora.post(at(game, "resign/"), {"power": "ITALY"}), "Vous ne jouez plus cette puissance")
    refused(flora.post(at(game, "resign/"), {"power": "RUSSIA"}), "Vous ne jouez plus cette puissance")
    refused(flora.post(at(game, "resign/"), {}), "Vous ne jouez plus cette puissance")
    assert flora.post(at(game, "resign/"), {"power": "FRANCE"}).status_code == 302
    assert roles(game)["Flora"] == GameRole.OBSERVER
    assert power_assignments.unplayed_powers(game) == ("FRANCE", "ITALY")
    # and comes back to play
    assert flora.post(at(game, "rejoindre/"), {"power": "FRANCE"}).status_code == 302
    assert roles(game)["Flora"] == GameRole.PLAYER


def test_a_stand_in_keeps_the_seat_of_a_player_who_leaves() -> None:
    game = table()
    membership_actions.join_game(game, person(STRANGER), invitation=None, role=GameRole.OBSERVER)
    power_assignments.assign_power(game, "FRANCE", person(STRANGER), stand_in=True)
    client_of("Flora").post(at(game, "leave/"))
    assert power_assignments.unplayed_powers(game) == ()
    assert power_assignments.players_by_power(game)["FRANCE"] == person(STRANGER).pk


def test_the_only_game_master_stays() -> None:
    game = table()
    refused(
        client_of(MASTER).post(at(game, "leave/")),
        "Vous êtes le seul MJ : invitez-en d’abord un autre, ou",
    )
    client_of("Sylvain").post(link(game, GameRole.GAME_MASTER))
    assert client_of(MASTER).post(at(game, "leave/")).status_code == 302
    assert client_of(ASSISTANT).post(at(game, "leave/")).status_code == 302
    assert client_of(OBSERVER).post(at(game, "leave/")).status_code == 302


def test_who_has_led_a_game_does_not_play_in_it() -> None:
    game = table()
    client_of(STRANGER).post(link(game, GameRole.GAME_MASTER))
    client_of(MASTER).post(at(game, "leave/"))
    client_of("Flora").post(at(game, "leave/"))
    refused(client_of(MASTER).post(at(game, "rejoindre/")), "vu ses secrets")
    assert power_assignments.unplayed_powers(game) == ("FRANCE",)


def alone(**terms: Any) -> Game:
    """A game of seven, made by Agathe, who plays, without game master."""
    game = made(**terms)
    fill(game, SIX)
    game_start.start_game(game, timezone.now())
    return Game.objects.get(pk=game.pk)


@pytest.mark.parametrize("role", [GameRole.GAME_MASTER, GameRole.ASSISTANT])
def test_nobody_comes_to_the_desk_of_a_game_without_game_master(role: str) -> None:
    """Its maker plays in it: a friend, or another account of his, would show him everything."""
    game = alone()
    refused(client_of("Agathe").post(at(game, "invite/"), {"role": role}), "se joue sans MJ")
    assert game.invitations.count() == 0
    before = link(game, role)  # as made by a game master who has left
    refused(client_of(STRANGER).post(before), "se joue sans MJ")
    assert "se joue sans MJ" in words(client_of(STRANGER).get(before))
    assert STRANGER not in roles(game)
    assert client_of("Agathe").post(at(game, "invite/"), {"role": GameRole.OBSERVER}).status_code == 302


@pytest.mark.parametrize("role", [GameRole.GAME_MASTER, GameRole.ASSISTANT])
def test_a_link_to_the_desk_ends_when_the_game_begins(role: str) -> None:
    """Whoever made the game may have made the link, and plays."""
    game = made()
    assert client_of(MASTER).post(link(game, GameRole.GAME_MASTER, is_single_use=True)).status_code == 302
    before, watching = link(game, role), link(game, GameRole.OBSERVER)
    fill(game, SIX)
    game_start.start_game(game, timezone.now(), person("Agathe"))
    assert client_of(STRANGER).post(before).status_code == 410
    assert STRANGER not in roles(game)
    assert client_of(STRANGER).post(watching).status_code == 302


def test_a_game_given_up_before_it_began_tells_nobody_who_came() -> None:
    game = made(anonymity=Anonymity.UNTIL_END)
    fill(game, ["Roman"])
    assert client_of("Agathe").post(at(game, "abandon/"), {"reason": "Trop peu."}).status_code == 302
    for name in ("Agathe", STRANGER):
        assert "Roman" not in words(client_of(name).get(at(game)))


def test_a_game_that_cannot_go_on_without_gets_another_game_master() -> None:
    game = alone()
    Game.objects.filter(pk=game.pk).update(settings_json=GameSettings(press=PressSetting.HELD).as_json())
    assert client_of("Agathe").post(at(game, "invite/"), {"role": GameRole.GAME_MASTER}).status_code == 302


@pytest.mark.parametrize(("anonymity", "status"), [(Anonymity.UNTIL_END, 404), (Anonymity.OPEN, 302)])
def test_a_player_gives_no_power_to_somebody_he_may_not_know(anonymity: Anonymity, status: int) -> None:
    game = made(anonymity=anonymity)
    sent = {"role": GameRole.PLAYER, "power": "FRANCE"}
    assert client_of("Agathe").post(at(game, "invite/"), sent).status_code == status
    offered = '<option value="FRANCE">' in words(client_of("Agathe").get(at(game))).partition('id="links"')[2]
    assert offered is (status == 302)


def test_who_gathers_is_told_that_somebody_came() -> None:
    game = made(anonymity=Anonymity.OPEN)
    fill(game, ["Roman"])
    led = made(MASTER, GameRole.GAME_MASTER)
    fill(led, ["Théa"])
    joined = Notification.objects.filter(kind="joined").order_by("pk")
    assert [one.person.name for one in joined] == ["Agathe", MASTER]
    said = [notification_sentence(one.kind, one.facts) for one in joined]
    assert said == ["Roman a rejoint la partie.", "Théa a rejoint la partie."]
    delete_account(person("Théa"))
    last = joined.get(person=person(MASTER))
    assert notification_sentence(last.kind, last.facts) == "Quelqu’un a rejoint la partie."
    assert "Théa" not in str(last.facts)


@pytest.mark.parametrize(("host", "told"), [("Agathe", "Quelqu’un"), (MASTER, "Roman")])
def test_who_came_is_told_in_an_anonymous_game_to_its_game_master_alone(host: str, told: str) -> None:
    role = GameRole.GAME_MASTER if host == MASTER else GameRole.PLAYER
    fill(made(host, role, anonymity=Anonymity.UNTIL_END), ["Roman"])
    joined = Notification.objects.get(kind="joined")
    assert notification_sentence(joined.kind, joined.facts) == f"{told} a rejoint la partie."
    assert ("Roman" in str(joined.facts)) is (told == "Roman")
