"""Who plays what, who is at the desk, and how a game ends, by the game master's hand."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from talleyrand.web.games import power_assignments
from talleyrand.web.games.game_master import game_actions, seat_actions
from talleyrand.web.games.game_master.action_base import GameMasterActor, GameMasterRefusal
from talleyrand.web.games.models import Game, GameLogEntry, GameMembership, GameRole, GameSeat, GameState
from talleyrand.web.games.viewer_permissions import GameViewer
from talleyrand.web.notifications.models import Notification
from tests.web.cast import (
    ASSISTANT,
    BEGUN,
    MASTER,
    OBSERVER,
    PLAYERS,
    STRANGER,
    client_of,
    deal,
    person,
    table,
)
from tests.web.games.desks import hidden

pytestmark = pytest.mark.django_db
NOW = BEGUN + timedelta(hours=5)


def hand() -> GameMasterActor:
    return GameMasterActor(person(MASTER), "master")


def mark(game: Game, power: str = "FRANCE") -> int:
    return seat_actions.seat_player_mark(GameSeat.objects.get(game=game, power=power))


def replace(game: Game, name: str, power: str = "FRANCE", **more: Any) -> None:
    seat_actions.replace_player(game, power, person(name), mark(game, power), hand=hand(), now=NOW, **more)


def holder(game: Game, power: str = "FRANCE") -> str:
    found = power_assignments.players_by_power(game)[power]
    return next((name for name in (*PLAYERS.values(), STRANGER, OBSERVER) if person(name).pk == found), "")


def role(game: Game, name: str) -> str:
    return GameViewer(game, person(name)).role


def test_a_power_is_given_for_good() -> None:
    game = table()
    GameSeat.objects.filter(game=game, power="FRANCE").update(
        in_civil_disorder=True, missed_phases=2, draft_orders=["A Par H"], draft_phase_number=1
    )
    replace(game, STRANGER)
    assert (holder(game), role(game, STRANGER), role(game, "Flora")) == (STRANGER, "player", "")
    seat = GameSeat.objects.get(game=game, power="FRANCE")
    assert (seat.in_civil_disorder, seat.missed_phases) == (False, 0)
    assert GameLogEntry.objects.get(kind="replaced").facts == {"power": "FRANCE"}
    told = {
        (one.person.name, one.kind) for one in Notification.objects.filter(kind__in=("given", "replaced"))
    }
    assert (STRANGER, "given") in told
    assert ("Flora", "replaced") in told
    assert (STRANGER, "replaced") not in told
    assert not GameViewer(game, person("Flora")).may_see_orders("FRANCE")
    for one in Notification.objects.filter(kind="replaced"):
        assert STRANGER not in str(one.facts)


def test_a_stand_in_plays_for_a_while() -> None:
    game = table()
    replace(game, STRANGER, stand_in=True)
    assert (holder(game), role(game, "Flora")) == (STRANGER, "player")
    assert not GameViewer(game, person("Flora")).may_order("FRANCE")
    seat_actions.end_stand_in(game, "FRANCE", mark(game), hand=hand(), now=NOW)
    assert (holder(game), role(game, STRANGER)) == ("Flora", "")
    with pytest.raises(GameMasterRefusal, match="no_stand_in"):
        seat_actions.end_stand_in(game, "FRANCE", mark(game), hand=hand(), now=NOW)


def test_an_observer_may_take_a_seat_and_nobody_of_the_desk_may() -> None:
    game = table()
    replace(game, OBSERVER)
    assert (holder(game), role(game, OBSERVER)) == (OBSERVER, "player")
    for name in (MASTER, ASSISTANT):
        with pytest.raises(GameMasterRefusal, match="saw_all"):
            replace(game, name)
    game_actions.give_role(game, person(STRANGER), GameRole.GAME_MASTER, hand=hand(), now=NOW)
    game_actions.take_role(game, membership(game, STRANGER), hand=hand(), now=NOW)
    with pytest.raises(GameMasterRefusal, match="saw_all"):
        replace(game, STRANGER)
    assert holder(game) == OBSERVER


def test_a_player_may_hold_two_powers_and_leaves_with_the_last() -> None:
    game = table()
    deal(game, "GERMANY", "Flora")
    assert power_assignments.powers_played_by(game, person("Flora")) == ("FRANCE", "GERMANY")
    replace(game, STRANGER)
    assert role(game, "Flora") == "player"
    replace(game, STRANGER, "GERMANY")
    assert role(game, "Flora") == ""


def test_an_act_made_for_another_holder_is_refused() -> None:
    game = table()
    seen = mark(game)
    replace(game, STRANGER)
    before = Game.objects.values().get(pk=game.pk)
    with pytest.raises(GameMasterRefusal, match="seat_moved"):
        seat_actions.replace_player(game, "FRANCE", person(OBSERVER), seen, hand=hand(), now=NOW)
    with pytest.raises(GameMasterRefusal, match="seat_moved"):
        seat_actions.free_seat(game, "FRANCE", seen, hand=hand(), now=NOW)
    with pytest.raises(GameMasterRefusal, match="already"):
        replace(game, STRANGER)
    assert (holder(game), role(game, OBSERVER)) == (STRANGER, "observer")
    assert Game.objects.values().get(pk=game.pk) == before


def test_a_seat_is_freed() -> None:
    game = table()
    seat_actions.free_seat(game, "FRANCE", mark(game), hand=hand(), now=NOW)
    assert "FRANCE" in power_assignments.unplayed_powers(game)
    assert role(game, "Flora") == ""
    with pytest.raises(GameMasterRefusal, match="vacant"):
        seat_actions.free_seat(game, "FRANCE", mark(game), hand=hand(), now=NOW)
    with pytest.raises(GameMasterRefusal, match="vacant"):
        replace(game, STRANGER, stand_in=True)


def test_civil_disorder_is_declared_and_ended() -> None:
    game = table()
    seat_actions.set_civil_disorder(game, "FRANCE", lost=True, hand=hand(), now=NOW)
    assert GameSeat.objects.get(game=game, power="FRANCE").in_civil_disorder
    with pytest.raises(GameMasterRefusal, match="already"):
        seat_actions.set_civil_disorder(game, "FRANCE", lost=True, hand=hand(), now=NOW)
    seat_actions.set_civil_disorder(game, "FRANCE", lost=False, hand=hand(), now=NOW)
    assert not GameSeat.objects.get(game=game, power="FRANCE").in_civil_disorder
    assert [one.kind for one in GameLogEntry.objects.filter(role="master")] == ["disorder", "disorder_ended"]


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ({"action": "replace", "name": "Personne"}, "Aucun compte de ce nom. Pour quelqu’un sans compte"),
        ({"action": "replace", "name": ""}, "Aucun compte de ce nom. Pour quelqu’un sans compte"),
        ({"action": "replace", "name": "Flo\x00ra"}, "Rien à changer\u00a0: c’est déjà ainsi"),
        ({"action": "replace", "name": "x" * 500}, "Aucun compte de ce nom. Pour quelqu’un sans compte"),
        (
            {"action": "replace", "name": " sYLVAIN "},
            "La puissance a changé de joueur\u202f; tout le monde est",
        ),
        ({"action": "replace", "name": STRANGER, "mark": "12345"}, "cette place a changé de mains"),
        ({"action": "replace", "name": STRANGER, "mark": "-1"}, "cette place a changé de mains"),
        ({"action": "explode"}, "la partie a avancé"),
        ({}, "la partie a avancé"),
    ],
)
def test_the_form_of_a_seat(sent: dict[str, str], said: str) -> None:
    game, client = table(), client_of(MASTER)
    person(STRANGER)
    answer = client.post(f"/parties/{game.key}/desk/seat/FRANCE/", {"mark": str(mark(game)), **sent})
    assert said in client.get(answer["Location"]).text


@pytest.mark.parametrize(
    ("action", "told"),
    [
        ("vacate", f"{PLAYERS['FRANCE']} ne joue plus cette puissance\u00a0: France."),
        ("disorder", "La partie n’attend plus cette puissance\u00a0: France."),
    ],
)
def test_opening_a_seat_and_civil_disorder_are_asked_about_first(action: str, told: str) -> None:
    game, client = table(), client_of(MASTER)
    path, sent = f"/parties/{game.key}/desk/seat/FRANCE/", {"mark": str(mark(game)), "action": action}
    asked = client.post(path, sent)
    assert asked.status_code == 200
    assert told in asked.text
    assert not GameLogEntry.objects.filter(role="master").exists()
    for _ in range(2):
        assert client.post(path, hidden(asked.text)).status_code == 302
    assert [one.facts for one in GameLogEntry.objects.filter(role="master")] == [{"power": "FRANCE"}]
    seat = GameSeat.objects.get(game=game, power="FRANCE")
    assert seat.in_civil_disorder or power_assignments.unplayed_powers(game) == ("FRANCE",)
    assert client.post(path, sent).status_code == 302


# roles


def membership(game: Game, name: str) -> int:
    return GameMembership.objects.get(game=game, person=person(name), left_at=None).pk


def test_roles_are_given_and_taken() -> None:
    game = table()
    game_actions.give_role(game, person(STRANGER), GameRole.ASSISTANT, hand=hand(), now=NOW)
    game_actions.give_role(game, person(STRANGER), GameRole.GAME_MASTER, hand=hand(), now=NOW)
    assert role(game, STRANGER) == "master"
    game_actions.take_role(game, membership(game, MASTER), hand=hand(), now=NOW)
    assert role(game, MASTER) == ""
    with pytest.raises(GameMasterRefusal, match="last_master"):
        game_actions.take_role(game, membership(game, STRANGER), hand=hand(), now=NOW)
    with pytest.raises(GameMasterRefusal, match="last_master"):
        game_actions.give_role(game, person(STRANGER), GameRole.OBSERVER, hand=hand(), now=NOW)
    game_actions.take_role(game, membership(game, STRANGER), hand=hand(), now=NOW, alone=True)
    assert not GameMembership.objects.filter(game=game, role=GameRole.GAME_MASTER, left_at=None).exists()


@pytest.mark.parametrize(
    ("name", "given", "code"),
    [
        ("Flora", GameRole.GAME_MASTER, "plays"),
        ("Flora", GameRole.OBSERVER, "plays"),
        (ASSISTANT, GameRole.ASSISTANT, "already"),
        (STRANGER, GameRole.PLAYER, "role"),
        (STRANGER, "emperor", "role"),
        (MASTER, GameRole.OBSERVER, "last_master"),
    ],
)
def test_a_role_that_cannot_be_given(name: str, given: str, code: str) -> None:
    game = table()
    with pytest.raises(GameMasterRefusal, match=code):
        game_actions.give_role(game, person(name), given, hand=hand(), now=NOW)
    assert GameMembership.objects.filter(game=game, left_at=None).count() == 10


def test_a_player_is_not_dismissed_as_a_helper() -> None:
    game = table()
    with pytest.raises(GameMasterRefusal, match="already"):
        game_actions.take_role(game, membership(game, "Flora"), hand=hand(), now=NOW)


def test_whoever_leaves_the_desk_is_shown_out() -> None:
    game, client = table(), client_of(MASTER)
    sent = {"action": "dismiss", "member": str(membership(game, MASTER))}
    answer = client.post(f"/parties/{game.key}/desk/people/", sent)
    assert role(game, MASTER) == "master"
    answer = client.post(f"/parties/{game.key}/desk/people/", {**sent, "alone": "1"})
    assert answer["Location"] == f"/parties/{game.key}/"
    assert client.get(f"/parties/{game.key}/desk/").status_code == 404


def test_the_powers_are_revealed_once() -> None:
    game, client = table(), client_of(MASTER)
    assert not GameViewer(game, person("Flora")).may_see_players
    asked = client.post(f"/parties/{game.key}/desk/reveal/").text
    assert "Chacun apprend aussitôt qui joue quoi" in asked
    game.refresh_from_db()
    assert not GameViewer(game, person("Flora")).may_see_players
    for _ in range(2):
        client.post(f"/parties/{game.key}/desk/reveal/", {"confirmed": "1"})
    game.refresh_from_db()
    assert GameViewer(game, person("Flora")).may_see_players
    assert Notification.objects.filter(kind="revealed").count() == 10
    assert GameLogEntry.objects.filter(kind="revealed").count() == 1


# the end


def test_a_game_ends_by_agreement_and_goes_on_after_all() -> None:
    game, client = table(), client_of(MASTER)
    path = f"/parties/{game.key}/desk/end/"
    client.post(path, {"action": "agree"})
    client.post(path, {"action": "agree", "power": "PRUSSIA"})
    assert Game.objects.get(pk=game.pk).state == GameState.PLAYING
    sent = {"action": "agree", "power": ["FRANCE", "TURKEY"]}
    asked = client.post(path, sent).text.replace("\u00a0", " ")
    assert "Gagnent ou partagent : France et Turquie." in asked
    assert '<input type="hidden" name="power" value="TURKEY">' in asked
    assert Game.objects.get(pk=game.pk).state == GameState.PLAYING
    for _ in range(2):
        client.post(path, {**sent, "confirmed": "1"})
    game.refresh_from_db()
    assert game.state == GameState.ENDED
    assert game.result is not None
    assert (game.result["kind"], game.result["powers"]) == ("draw", ["FRANCE", "TURKEY"])
    assert Notification.objects.filter(kind="ended").count() == 10
    for _ in range(2):
        client.post(path, {"action": "reopen"})
    game = Game.objects.get(pk=game.pk)
    assert (game.state, game.phase_number, game.phase, game.result) == (GameState.PLAYING, 1, "S1901M", None)
    assert game.deadline is not None
    assert GameLogEntry.objects.filter(kind="reopened").count() == 1


def test_before_a_game_ends_its_master_reads_who_will_be_known() -> None:
    secret, client = table(anonymity="until_end"), client_of(MASTER)
    sent = {"action": "abandon", "reason": "Plus personne <b>."}
    asked = client.post(f"/parties/{secret.key}/desk/end/", sent).text
    assert "Chacun apprend aussitôt qui joue quoi" in asked
    assert "Plus personne &lt;b&gt;." in asked
    assert "pourra être reprise" in asked
    known = table(anonymity="open")
    asked = client.post(f"/parties/{known.key}/desk/end/", sent).text
    assert "Chacun apprend" not in asked


def test_a_game_that_never_began_reveals_nothing_and_cannot_be_reopened() -> None:
    game, client = table(anonymity="until_end"), client_of(MASTER)
    Game.objects.filter(pk=game.pk).update(phase_number=0)
    asked = client.post(f"/parties/{game.key}/desk/end/", {"action": "abandon", "reason": "Personne."}).text
    assert "ne pourra pas être reprise" in asked
    assert "Chacun apprend" not in asked
    refused = client.post(f"/parties/{game.key}/desk/end/", {"action": "agree", "power": ["FRANCE"]})
    assert refused.status_code == 302


def test_a_game_is_stopped_without_a_result() -> None:
    game, client = table(), client_of(MASTER)
    for reason in ("", " \x00 ", "Plus personne.", "Encore."):
        sent = {"action": "abandon", "reason": reason}
        client.post(f"/parties/{game.key}/desk/end/", sent)
        assert Game.objects.get(pk=game.pk).state != GameState.ABANDONED or reason == "Encore."
        client.post(f"/parties/{game.key}/desk/end/", {**sent, "confirmed": "1"})
    game.refresh_from_db()
    assert set(GameLogEntry.objects.filter(game=game).values_list("kind", flat=True)) == {
        "begun",
        "abandoned",
    }
    assert (game.state, game.deadline, game.next_check_at) == (GameState.ABANDONED, None, None)
    assert GameLogEntry.objects.get(kind="abandoned").facts == {"reason": "Plus personne."}
    assert client.get(f"/parties/{game.key}/desk/end/").status_code == 200


@pytest.mark.parametrize("state", [GameState.GATHERING, GameState.ENDED, GameState.ABANDONED])
def test_seats_change_hands_only_while_a_game_is_played(state: str) -> None:
    game = table()
    Game.objects.filter(pk=game.pk).update(state=state)
    code = "not_begun" if state == GameState.GATHERING else "over"
    with pytest.raises(GameMasterRefusal, match=code):
        replace(game, STRANGER)
    with pytest.raises(GameMasterRefusal, match=code):
        seat_actions.set_civil_disorder(game, "FRANCE", lost=True, hand=hand(), now=NOW)
    with pytest.raises(GameMasterRefusal, match=code):
        seat_actions.invite_to_seat(game, "FRANCE", hand=hand(), now=NOW)
    assert holder(game) == "Flora"
