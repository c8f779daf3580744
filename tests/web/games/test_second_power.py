"""Whoever has held a power of a game never holds another: every way in is tried."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone

from talleyrand.web.games import open_seats, order_submission, power_assignments
from talleyrand.web.games.game_master import game_actions, scripted_powers, seat_actions
from talleyrand.web.games.game_master.action_base import GameMasterActor, GameMasterRefusal
from talleyrand.web.games.lobby import game_start, membership_actions
from talleyrand.web.games.lobby.lobby_refusals import LobbyRefusal
from talleyrand.web.games.models import Game, GameMembership, GameRole, Invitation, PowerAssignment
from talleyrand.web.press.message_actions import MessageDraft, send_message
from talleyrand.web.press.press_rules import ConversationKind, Recipients
from tests.web.api.asking import program
from tests.web.cast import ASSISTANT, MASTER, OBSERVER, PLAYERS, STRANGER, client_of, deal, person, table

from .acting import fresh, hand_in
from .desks import act, said
from .tables import at, fill, link, made, words

pytestmark = pytest.mark.django_db
KNOWS = {"fr": "Vous avez joué une autre puissance dans cette partie et en", "en": "know its secrets"}
OTHER = "en connaît les secrets"
SECRET = "zz-letter-of-italy"


@pytest.fixture
def game() -> Game:
    """Flora has left France, whose seat is taken since; nobody plays Italy, which has been written to."""
    game = table()
    written = MessageDraft(SECRET, "ENGLAND", "a form")
    send_message(
        game,
        person("Edmond"),
        Recipients(ConversationKind.PAIR, ("ENGLAND", "ITALY")),
        written,
        timezone.now(),
    )
    hand_in(game, "ITALY", ["A VEN-TYR", "zz-sheet-of-italy"])
    membership_actions.leave_game(game, person("Flora"))
    membership_actions.leave_game(game, person("Irène"))
    membership_actions.join_game(game, person("Renaud"), power="FRANCE")
    return fresh(game)


def hand() -> GameMasterActor:
    return GameMasterActor(person(MASTER), GameRole.GAME_MASTER)


def mark(game: Game, power: str) -> int:
    return seat_actions.seat_player_mark(game.seats.get(power=power))


def give(game: Game, name: str, power: str, **more: Any) -> PowerAssignment:
    now = timezone.now()
    return seat_actions.replace_player(
        game, power, person(name), mark(game, power), hand=hand(), now=now, **more
    )


def state(game: Game) -> tuple[list[Any], list[Any], list[Any]]:
    """Who sits where, as what, and by which links one may come."""
    return (
        list(PowerAssignment.objects.order_by("pk").values_list("seat__power", "person", "ended_at")),
        list(GameMembership.objects.order_by("pk").values_list("person", "role", "left_at")),
        list(Invitation.objects.order_by("pk").values_list("token", "revoked_at")),
    )


# ways in by oneself


def by_the_list(game: Game, name: str) -> str:
    return words(client_of(name).post(at(game, "rejoindre/"), {"power": "ITALY"}))


def by_the_list_unasked(game: Game, name: str) -> str:
    return words(client_of(name).post(at(game, "rejoindre/")))


def by_a_link(game: Game, name: str) -> str:
    return words(client_of(name).post(link(game), {"power": "ITALY"}))


def by_a_link_of_the_seat(game: Game, name: str) -> str:
    return words(client_of(name).post(link(game, power="ITALY", is_single_use=True)))


def by_a_link_of_the_desk(game: Game, name: str) -> str:
    made_now = seat_actions.invite_to_seat(game, "ITALY", hand=hand(), now=timezone.now())
    return words(client_of(name).post(f"/parties/invitation/{made_now.token}/"))


def by_the_api(game: Game, name: str) -> str:
    answer = program(name).ask("POST", f"/games/{game.key}/join", {"power": "ITALY"})
    assert (answer.status_code, answer.json()["code"]) == (409, "held_other")
    return str(answer.json()["sentence"])


def by_a_link_of_the_api(game: Game, name: str) -> str:
    token = Invitation.objects.create(game=game, power="ITALY").token
    assert program(name).get(f"/invitations/{token}").json()["open"] is False
    answer = program(name).ask("POST", f"/invitations/{token}/join", {})
    assert (answer.status_code, answer.json()["code"]) == (409, "held_other")
    return str(answer.json()["sentence"])


ALONE = [
    *(by_the_list, by_the_list_unasked, by_a_link, by_a_link_of_the_seat, by_a_link_of_the_desk),
    *(by_the_api, by_a_link_of_the_api),
]


@pytest.mark.one_in(2)
@pytest.mark.parametrize("way", ALONE, ids=lambda way: way.__name__)
def test_who_has_left_a_power_takes_no_other(game: Game, way: Callable[[Game, str], str]) -> None:
    told = way(game, "Flora")
    assert KNOWS["fr"] in " ".join(told.replace("\u00a0", " ").split())
    assert power_assignments.unplayed_powers(fresh(game)) == ("ITALY",)
    assert not GameMembership.objects.filter(person=person("Flora"), left_at=None).exists()
    assert SECRET not in words(client_of("Flora").get(f"/parties/{game.key}/messages/"))


def test_it_is_said_in_english_too(game: Game) -> None:
    answer = client_of("Flora").post(f"/en/games/{game.key}/info/join/", {"power": "ITALY"})
    assert answer.status_code == 409
    assert KNOWS["en"] in words(answer)
    assert "so you can’t take this one" in words(answer)


def test_nothing_is_changed_by_what_is_refused(game: Game) -> None:
    token = Invitation.objects.create(game=game, power="ITALY", is_single_use=True).token
    before = state(game)
    assert client_of("Flora").post(f"/parties/invitation/{token}/").status_code == 409
    assert state(game) == before
    assert client_of(STRANGER).post(f"/parties/invitation/{token}/").status_code == 302


def test_the_door_says_it_before_one_knocks(game: Game) -> None:
    door = words(client_of("Flora").get(at(game, "rejoindre/")))
    assert KNOWS["fr"] in door
    assert 'name="power"' not in door
    assert 'value="ITALY"' in words(client_of(STRANGER).get(at(game, "rejoindre/")))


def test_one_s_own_power_is_there_to_be_taken_again(game: Game) -> None:
    membership_actions.leave_game(game, person("Renaud"))
    assert open_seats.joinable_powers_for(fresh(game), person("Flora")) == ("FRANCE",)
    door = words(client_of("Flora").get(at(game, "rejoindre/")))
    assert ('value="FRANCE"' in door, 'value="ITALY"' in door) == (True, False)
    assert "Italie" not in words(client_of("Flora").get(at(game))).partition('id="free')[2][:400]
    client_of("Flora").post(at(game, "rejoindre/"))
    assert power_assignments.powers_played_by(fresh(game), person("Flora")) == ("FRANCE",)


def test_who_gives_up_and_looks_on_takes_no_other(game: Game) -> None:
    membership_actions.resign_power(game, person("Gaspard"), "GERMANY")
    with pytest.raises(LobbyRefusal, match="held_other"):
        membership_actions.join_game(game, person("Gaspard"), power="ITALY")


# by the game master's hand


@pytest.mark.one_in(3)
@pytest.mark.parametrize("stand_in", [False, True])
@pytest.mark.parametrize("name", ["Flora", "Gaspard"], ids=["has left", "still plays"])
def test_the_game_master_gives_no_second_power(game: Game, name: str, stand_in: bool) -> None:
    before = state(game)
    with pytest.raises(GameMasterRefusal, match="held_other"):
        give(game, name, "TURKEY", stand_in=stand_in)
    assert state(game) == before
    sent = {"action": "stand_in" if stand_in else "replace", "name": name, "mark": mark(game, "TURKEY")}
    master = client_of(MASTER)
    assert OTHER in said(act(game, "seat/TURKEY/", sent, master), master)
    asked = {"name": name, "mark": mark(game, "TURKEY"), "stand_in": stand_in}
    answer = program(MASTER).ask("PUT", f"/games/{game.key}/desk/seats/TURKEY/player", asked)
    assert (answer.status_code, answer.json()["code"]) == (409, "held_other")
    assert state(game) == before


def test_two_players_do_not_trade_their_seats(game: Game) -> None:
    for name, power in (("Edmond", "GERMANY"), ("Gaspard", "ENGLAND")):
        with pytest.raises(GameMasterRefusal, match="held_other"):
            give(game, name, power)
    assert SECRET not in words(client_of("Gaspard").get(f"/parties/{game.key}/messages/"))


def test_who_has_stood_in_takes_no_other_power(game: Game) -> None:
    give(game, STRANGER, "TURKEY", stand_in=True)
    seat_actions.end_stand_in(game, "TURKEY", mark(game, "TURKEY"), hand=hand(), now=timezone.now())
    with pytest.raises(LobbyRefusal, match="held_other"):
        membership_actions.join_game(game, person(STRANGER), power="ITALY")
    give(game, STRANGER, "TURKEY")  # the one that they know is theirs to have
    assert power_assignments.powers_played_by(game, person(STRANGER)) == ("TURKEY",)


def test_no_door_is_forgotten(game: Game) -> None:
    """Whatever comes to give a seat, this is where it is refused."""
    with pytest.raises(power_assignments.AssignmentRefusal, match="held_other"):
        power_assignments.assign_power(game, "ITALY", person("Flora"))


# the desk


@pytest.mark.parametrize("role", [GameRole.GAME_MASTER, GameRole.ASSISTANT])
def test_who_has_been_at_the_desk_plays_nothing(game: Game, role: str) -> None:
    game_actions.give_role(game, person(STRANGER), role, hand=hand(), now=timezone.now())
    row = GameMembership.objects.get(game=game, person=person(STRANGER), left_at=None)
    game_actions.take_role(game, row.pk, hand=hand(), now=timezone.now())
    answer = client_of(STRANGER).post(at(game, "rejoindre/"), {"power": "ITALY"})
    assert (answer.status_code, "vu ses secrets" in words(answer)) == (409, True)
    with pytest.raises(GameMasterRefusal, match="saw_all"):
        give(game, STRANGER, "TURKEY", stand_in=True)


def test_a_player_who_came_to_the_desk_does_not_come_back(game: Game) -> None:
    assert client_of("Flora").post(link(game, GameRole.GAME_MASTER)).status_code == 302
    membership_actions.leave_game(game, person("Flora"))
    membership_actions.leave_game(game, person("Renaud"))
    for power in ("ITALY", "FRANCE"):
        with pytest.raises(LobbyRefusal, match="saw_all"):
            membership_actions.join_game(fresh(game), person("Flora"), power=power)


def test_who_left_the_desk_before_the_game_began_has_seen_nothing() -> None:
    game = made(MASTER, GameRole.GAME_MASTER)
    fill(game, list(PLAYERS.values())[:6])
    client_of(STRANGER).post(link(game, GameRole.ASSISTANT))
    client_of(STRANGER).post(at(game, "leave/"))
    game_start.start_game(game, timezone.now(), person(MASTER))
    [free] = power_assignments.unplayed_powers(game)
    assert client_of(STRANGER).post(at(game, "rejoindre/")).status_code == 302
    assert power_assignments.powers_played_by(game, person(STRANGER)) == (free,)


# a script's power


def test_a_script_s_power_is_no_second_one() -> None:
    game = table("survivor_turkey")
    with pytest.raises(GameMasterRefusal, match="held_other"):
        scripted_powers.take_from_script(game, "TURKEY", person("Flora"), hand=hand(), now=timezone.now())
    assert fresh(game).scripted_variant == ""
    assert not game.seats.filter(power="TURKEY").exists()


def test_who_gave_a_power_back_to_its_script_takes_no_other() -> None:
    """Its seat is gone, and what they read with it is not."""
    game = table("survivor_turkey")
    scripted_powers.take_from_script(game, "TURKEY", person(STRANGER), hand=hand(), now=timezone.now())
    scripted_powers.return_to_script(fresh(game), "TURKEY", hand=hand(), now=timezone.now())
    for name in (ASSISTANT, "Irène"):
        membership_actions.leave_game(fresh(game), person(name))
    with pytest.raises(LobbyRefusal, match="held_other"):
        membership_actions.join_game(fresh(game), person(STRANGER), power="ITALY")
    scripted_powers.take_from_script(fresh(game), "TURKEY", person("Sacha"), hand=hand(), now=timezone.now())
    with pytest.raises(LobbyRefusal, match="held_other"):
        membership_actions.join_game(fresh(game), person(STRANGER), power="ITALY")
    assert power_assignments.why_barred(fresh(game), person(STRANGER), "TURKEY") == ""


# what goes together, and what was before the beginning


def shared() -> Game:
    """Three players who have several powers each, by the rules."""
    game = made(MASTER, GameRole.GAME_MASTER)
    fill(game, ["Flora", "Gaspard", "Edmond"])
    game_start.start_game(game, timezone.now(), person(MASTER), shared=True)
    return fresh(game)


def test_powers_dealt_together_go_together() -> None:
    game = shared()
    share = power_assignments.powers_played_by(game, person("Gaspard"))
    other = next(power for power in power_assignments.players_by_power(game) if power not in share)
    membership_actions.resign_power(game, person("Gaspard"), share[0])
    assert power_assignments.why_barred(game, person("Gaspard"), share[0]) == ""
    assert power_assignments.why_barred(game, person("Gaspard"), other) == "held_other"
    membership_actions.leave_game(game, person("Gaspard"))
    for power in share:
        give(game, STRANGER, power)
    assert power_assignments.powers_played_by(game, person(STRANGER)) == share
    assert power_assignments.why_barred(game, person(STRANGER), other) == "held_other"


def test_a_second_power_from_the_start_opens_none_of_another_s() -> None:
    game = table()
    deal(game, "ITALY", "Flora")
    membership_actions.leave_game(game, person("Flora"))
    membership_actions.join_game(game, person(STRANGER), power="ITALY")
    assert power_assignments.why_barred(game, person(STRANGER), "FRANCE") == ""
    assert power_assignments.why_barred(game, person(STRANGER), "TURKEY") == "held_other"


def test_a_power_that_a_link_gave_before_the_beginning_was_not_played() -> None:
    game = made(MASTER, GameRole.GAME_MASTER)
    client_of("Flora").post(link(game, power="FRANCE", is_single_use=True))
    client_of("Flora").post(at(game, "leave/"))
    client_of("Renaud").post(link(game, power="FRANCE", is_single_use=True))
    client_of("Flora").post(link(game, power="ITALY", is_single_use=True))
    fill(game, ["Gaspard", "Edmond"])
    game_start.start_game(game, timezone.now(), person(MASTER))
    assert power_assignments.powers_played_by(game, person("Flora")) == ("ITALY",)
    membership_actions.leave_game(fresh(game), person("Flora"))
    membership_actions.leave_game(fresh(game), person("Renaud"))
    assert power_assignments.why_barred(fresh(game), person("Flora"), "ITALY") == ""
    assert power_assignments.why_barred(fresh(game), person("Flora"), "FRANCE") == "held_other"


def test_powers_given_by_hand_are_all_that_counts_of_the_beginning() -> None:
    game = made(MASTER, GameRole.GAME_MASTER)
    client_of("Flora").post(link(game, power="FRANCE", is_single_use=True))
    fill(game, ["Renaud"])
    rows = {one.person.name: one.pk for one in membership_actions.members_with_role(game, GameRole.PLAYER)}
    game_start.start_game(
        game, timezone.now(), person(MASTER), {"FRANCE": rows["Renaud"], "ITALY": rows["Flora"]}
    )
    game = fresh(game)
    assert (
        power_assignments.why_barred(game, person("Flora"), "ITALY"),
        power_assignments.why_barred(game, person("Flora"), "FRANCE"),
    ) == (
        "",
        "held_other",
    )


# what the terms say


def test_the_terms_say_what_a_successor_reads_and_who_may_be_one(game: Game) -> None:
    for path in (at(game), at(game, "rejoindre/")):
        text = words(client_of(STRANGER).get(path)).replace("\u00a0", " ")
        assert "Un remplaçant voit les messages et les ordres envoyés de la" in text
        assert "Un joueur qui a joué une puissance, même brièvement, ne" in text


def test_a_successor_reads_what_the_terms_say(game: Game) -> None:
    order_submission.change_draft(
        game, "ITALY", 1, lambda *_asked: {"ITALY": ["zz-draft-of-italy"]}, game.phase_opened_at
    )
    membership_actions.join_game(game, person(STRANGER), power="ITALY")
    reader, here = client_of(STRANGER), f"/parties/{game.key}"
    assert SECRET in words(reader.get(f"{here}/messages/"))
    assert "zz-sheet-of-italy" in words(reader.get(f"{here}/1/receipts/ITALY/1/"))
    board = words(reader.get(f"{here}/"))
    assert ("zz-sheet-of-italy" in board, "zz-draft-of-italy" in board) == (True, False)
    assert OBSERVER not in board
