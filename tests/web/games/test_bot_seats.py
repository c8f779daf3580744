"""Seats that bots take over from players, and people from bots: who leaves, who is absent, who comes."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from talleyrand.web.accounts.personal_data import delete_account
from talleyrand.web.bots import bot_players
from talleyrand.web.games import deadline_clock, power_assignments
from talleyrand.web.games.game_settings import BotSeatRule, GameSettings, MissingOrdersRule
from talleyrand.web.games.lobby import game_start, membership_actions
from talleyrand.web.games.lobby.lobby_refusals import LobbyRefusal
from talleyrand.web.games.models import Game, GameRole, GameState
from talleyrand.web.games.order_submission import OrdersRefusal
from tests.web.cast import MASTER, STRANGER, client_of, person
from tests.web.games.tables import at, refused, roles, words

from .acting import DAY, due, fresh, hand_in, people_told, seat
from .computing import BOTS, TWO, answer, begun, gathered, sheets

pytestmark = pytest.mark.django_db
LEAVERS: dict[str, Any] = {"bots_when": BotSeatRule.BOTH, "bot_seats_open": True}


def kinds(game: Game) -> list[str]:
    return list(game.log.order_by("pk").values_list("kind", flat=True))


@pytest.mark.parametrize("way", ["leave", "resign", "erase"])
def test_a_bot_plays_on_for_a_player_who_leaves(way: str) -> None:
    game = begun(**LEAVERS)
    answer()
    flora = person("Flora")
    if way == "leave":
        membership_actions.leave_game(game, flora)
    elif way == "resign":
        membership_actions.resign_power(game, flora, "FRANCE")
        assert roles(game)["Flora"] == GameRole.OBSERVER
    else:
        delete_account(flora)
    assert power_assignments.bots_by_power(game)["FRANCE"] == "random"
    assert not seat(game, "FRANCE").in_civil_disorder
    assert {MASTER, "Edmond"} <= people_told(game, "bot_seat")
    assert not people_told(game, "vacant")
    assert not people_told(game, "disorder")
    assert answer() == 1
    assert "FRANCE" in sheets(game)
    hand_in(game, "ENGLAND", [], final=True)
    assert deadline_clock.check_due_games(timezone.now()) == 1


def test_orders_of_a_player_who_left_stand_for_the_phase() -> None:
    game = begun(**LEAVERS)
    hand_in(game, "FRANCE", ["A PAR-GAS"])
    membership_actions.leave_game(game, person("Flora"))
    answer()
    assert "FRANCE" not in sheets(game)
    assert game.sheets.get(power="FRANCE").lines == ["A PAR-GAS"]
    assert seat(game, "FRANCE").is_ready


def test_by_other_terms_the_seat_stays_open() -> None:
    found: list[dict[str, Any]] = [{}, {"bots": "", "bots_when": BotSeatRule.BOTH}]
    for terms in found:
        game = begun(**terms)
        membership_actions.leave_game(game, person("Flora"))
        assert "FRANCE" in power_assignments.unplayed_powers(game)
        assert people_told(game, "vacant") == {MASTER}


def test_without_bots_on_this_site_the_seat_stays_open(monkeypatch: pytest.MonkeyPatch) -> None:
    game = begun(**LEAVERS)
    monkeypatch.setattr(bot_players, "bots_available", lambda: False)
    membership_actions.leave_game(game, person("Flora"))
    assert power_assignments.unplayed_powers(game) == ("FRANCE",)
    assert people_told(game, "vacant") == {MASTER}


def test_bots_for_leavers_alone_leave_the_start_to_people() -> None:
    game = gathered(bots_when=BotSeatRule.LEFT)
    game.memberships.filter(person__name="Edmond").update(left_at=timezone.now())
    with pytest.raises(LobbyRefusal, match="few"):
        game_start.start_game(game, timezone.now())
    game.memberships.filter(person__name="Edmond").update(left_at=None)
    game_start.start_game(game, timezone.now())
    assert not power_assignments.bots_by_power(game)
    assert len(power_assignments.unplayed_powers(game)) == len(BOTS)


def absent_once(game: Game) -> None:
    """England orders and France does not, and the phase is published."""
    answer()
    hand_in(game, "ENGLAND", [])
    assert deadline_clock.check_due_games(due(game) + DAY) == 1


def test_who_is_absent_too_long_loses_the_seat_to_a_bot_and_may_take_it_back() -> None:
    game = begun(**LEAVERS, absent=MissingOrdersRule.DISORDER, patience=1)
    answer()
    for power in TWO:
        hand_in(game, power, [])
    assert deadline_clock.check_due_games(due(game) + DAY) == 1, "the first movement is played by all"
    while fresh(game).phase[-1] != "M":
        answer()
        deadline_clock.check_due_games(due(game) + DAY)
    absent_once(game)
    assert power_assignments.bots_by_power(game)["FRANCE"] == "random"
    assert "Flora" in people_told(game, "bot_seat")
    assert not people_told(game, "disorder")
    assert kinds(game)[-2:] == ["absent_player", "computer"]
    assert roles(game)["Flora"] == GameRole.OBSERVER
    with pytest.raises(OrdersRefusal, match="not_yours"):
        hand_in(game, "FRANCE", [], by=person("Flora"))
    answer()
    assert power_assignments.bots_by_power(game).keys() >= sheets(game).keys() > set()
    flora = client_of("Flora")
    assert "Place retirée à qui n’envoyait plus d’ordres" in words(flora.get(at(game)))
    assert flora.post(at(game, "rejoindre/"), {"power": "FRANCE"}).status_code == 302
    assert power_assignments.players_by_power(game)["FRANCE"] == person("Flora").pk
    assert "FRANCE" not in power_assignments.bots_by_power(game)


def test_a_patient_game_without_such_terms_waits_for_its_player() -> None:
    game = begun(absent=MissingOrdersRule.DISORDER, patience=1)
    answer()
    for power in TWO:
        hand_in(game, power, [])
    deadline_clock.check_due_games(due(game) + DAY)
    while fresh(game).phase[-1] != "M":
        answer()
        deadline_clock.check_due_games(due(game) + DAY)
    absent_once(game)
    assert seat(game, "FRANCE").in_civil_disorder
    assert power_assignments.players_by_power(game)["FRANCE"] == person("Flora").pk
    assert people_told(game, "disorder")


# people for bots


def test_a_stranger_takes_over_a_bots_seat_where_the_terms_say_so() -> None:
    game = begun(led=False, **LEAVERS)
    answer()
    client = client_of(STRANGER)
    page = words(client.get(at(game)))
    told = page[page.index("Places de bots à reprendre") :].split("Reprendre une place")[0]
    assert "Italie" in told
    assert "France" not in told
    door = client.get(at(game, "rejoindre/")).content.decode()
    assert 'value="ITALY"' in door
    assert 'class="mark computer"' in door
    assert 'value="FRANCE"' not in door
    assert client.post(at(game, "rejoindre/"), {"power": "FRANCE"}).status_code == 409
    assert client.post(at(game, "rejoindre/"), {"power": "ITALY"}).status_code == 302
    assert power_assignments.players_by_power(game)["ITALY"] == person(STRANGER).pk
    assert set(power_assignments.bots_by_power(game)) == set(BOTS) - {"ITALY"}
    assert not seat(game, "ITALY").is_ready, "what the bot sent stands, but may be changed"


def test_a_bots_seat_stays_its_own_by_other_terms_even_beside_an_open_one() -> None:
    game = begun(led=False)
    membership_actions.leave_game(game, person("Flora"))
    client = client_of(STRANGER)
    assert "Places de bots à reprendre" not in words(client.get(at(game)))
    assert 'value="ITALY"' not in client.get(at(game, "rejoindre/")).content.decode()
    refused(
        client.post(at(game, "rejoindre/"), {"power": "ITALY"}), "Un bot joue cette puissance et la garde"
    )
    assert "ITALY" in power_assignments.bots_by_power(game)
    assert client.post(at(game, "rejoindre/"), {"power": "FRANCE"}).status_code == 302


def test_a_player_takes_no_second_power_from_a_bot() -> None:
    game = begun(led=False, **LEAVERS)
    flora = client_of("Flora")
    assert flora.post(at(game, "rejoindre/"), {"power": "ITALY"}).status_code in (302, 409)
    assert power_assignments.powers_played_by(game, person("Flora")) == ("FRANCE",)
    membership_actions.leave_game(game, person("Flora"))
    refused(flora.post(at(game, "rejoindre/"), {"power": "ITALY"}), "Vous avez joué une autre puissance")
    assert "ITALY" in power_assignments.bots_by_power(game)


def test_a_game_by_invitation_or_over_has_no_seat_to_take_over() -> None:
    game = begun(**LEAVERS)
    Game.objects.filter(pk=game.pk).update(is_listed=False)
    assert client_of(STRANGER).post(at(game, "rejoindre/"), {"power": "ITALY"}).status_code != 302
    Game.objects.filter(pk=game.pk).update(is_listed=True, state=GameState.ENDED)
    assert client_of(STRANGER).post(at(game, "rejoindre/"), {"power": "ITALY"}).status_code != 302
    assert "ITALY" in power_assignments.bots_by_power(game)


def test_older_games_keep_the_terms_they_were_made_by() -> None:
    older = GameSettings.from_json({"bots": "random"})
    assert older.bots_at_start == "random"
    assert not older.bots_for_leavers
    assert not older.bot_seats_open
