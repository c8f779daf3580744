"""Bots at a table: seats without a phone at the start, a player who goes home, someone who comes late."""

from __future__ import annotations

import pytest
from django.test import Client
from django.utils import timezone

from talleyrand.web.bots import bot_players
from talleyrand.web.common import visitor_quota
from talleyrand.web.games import deadline_clock, power_assignments
from talleyrand.web.games.models import GameBotTask, GameRole, GameState
from talleyrand.web.tables.models import Table
from tests.web.games.acting import hand_in
from tests.web.games.computing import answer, sheets

from .phones import fresh_game, open_table, phone_of, player_named, started
from .test_archive import archive_of, restored
from .test_referee import act

pytestmark = pytest.mark.django_db


def begun(*names: str, **asked: str) -> tuple[Table, Client]:
    """A table with phones for some, one seat on paper, and bots for the others, whose game has begun."""
    table, laptop = open_table(bots="values:easy", **asked)
    for name in names:
        phone_of(table, name)
    table.players.filter(number=7).update(is_on_paper=True)
    assert laptop.post(f"/tables/{table.game.key}/start/").status_code == 302
    return table, laptop


@pytest.mark.parametrize("dealing", ["lot", "seated"])
def test_bots_play_the_seats_that_have_neither_phone_nor_paper(dealing: str) -> None:
    table, laptop = begun("Anna", "Bela", dealing=dealing)
    act(laptop, table, "start-clock")
    game = fresh_game(table)
    assert game.state == GameState.PLAYING
    bots = power_assignments.bots_by_power(game)
    assert set(bots.values()) == {"values:easy"}
    assert len(bots) == 4
    players = game.memberships.filter(role=GameRole.PLAYER, left_at=None)
    assert players.count() == 3
    assert answer() == 1
    assert sheets(game).keys() == bots.keys()
    people = [power for power, person in power_assignments.players_by_power(game).items() if person]
    for power in people:
        hand_in(game, power, [], final=True)
    deadline_clock.check_due_games(timezone.now())
    assert fresh_game(table).phase_number == 2
    screen = laptop.get(f"/tables/{game.key}/referee/").content.decode()
    assert screen.count('<span class="mark">bot</span>') == 4


def test_before_the_start_the_room_and_the_referee_know_who_will_be_a_bot() -> None:
    table, laptop = open_table(bots="search:normal")
    phone_of(table, "Anna")
    page = laptop.get(f"/tables/{table.game.key}/").content.decode()
    assert "Un bot joue chaque place sans téléphone (anticipe, niveau normal)" in page
    assert laptop.get(f"/tables/{table.game.key}/referee/").content.decode().count(">bot</span>") == 6
    act(laptop, table, "mark", seat="7", mark="paper")
    assert laptop.get(f"/tables/{table.game.key}/referee/").content.decode().count(">bot</span>") == 5


def test_a_table_without_people_does_not_begin() -> None:
    table, laptop = open_table(bots="values:easy")
    laptop.post(f"/tables/{table.game.key}/start/")
    assert fresh_game(table).state == GameState.GATHERING
    assert not table.game.memberships.filter(role=GameRole.PLAYER).count() < 7, "nothing has changed"


@pytest.mark.parametrize(
    "asked", [{"bots": "clever"}, {"bots": "hold"}, {"bots": "search:hard", "game": "diplomatie_2000/alone"}]
)
def test_a_bot_that_is_none_opens_no_table(asked: dict[str, str]) -> None:
    assert Client().post("/tables/", {"submission": "s" * 24, **asked}).status_code == 400
    assert not Table.objects.exists()


def test_without_bots_on_the_site_none_are_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_players, "bots_available", lambda: False)
    assert 'name="bots"' not in Client().get("/tables/").content.decode()
    assert Client().post("/tables/", {"submission": "n" * 24, "bots": "values:easy"}).status_code == 302
    assert not Table.objects.latest("pk").game.settings.bots


def test_the_network_that_starts_a_table_pays_for_its_bots() -> None:
    table, _laptop = begun("Anna")
    task = GameBotTask.objects.get(game=table.game)
    assert task.visitor_id
    assert task.visitor_id != visitor_quota.account_purse(table.game.creator_id or 0)


def test_the_referee_leaves_a_power_to_a_bot_and_gives_it_to_who_comes_late() -> None:
    table, laptop, held = started()
    game = fresh_game(table)
    italy = player_named(table, "Anna")
    power = power_assignments.powers_played_by(game, italy.person)[0]
    mark = game.seats.get(power=power).tenures.get(ended_at=None).pk
    act(laptop, table, "replace", power=power, who="bot", how="for_good", player_mark=mark)
    assert power_assignments.bots_by_power(game) == {power: bot_players.DEFAULT_BOT}
    assert answer() == 1
    assert sheets(game).keys() == {power}
    assert held[power].get(f"/tables/{game.key}/").status_code == 200, "their phone goes on watching"
    act(laptop, table, "replace", power=power, who="bot", how="for_good", player_mark=mark)
    assert power_assignments.bots_by_power(game) == {power: bot_players.DEFAULT_BOT}, "pressed twice"
    act(laptop, table, "replace", power=power, who="new", name="Zoé", how="for_good", player_mark=0)
    assert not power_assignments.bots_by_power(game)
    zoe = player_named(table, "Zoé").person
    assert power_assignments.players_by_power(game)[power] == zoe.pk


def test_bots_go_on_at_a_table_that_is_restored_on_another_laptop() -> None:
    table, laptop = begun("Anna")
    kept = archive_of(laptop, table)
    other = Table.objects.get(game__key=restored(kept)["Location"].split("/")[2])
    bots = power_assignments.bots_by_power(other.game)
    assert bots == power_assignments.bots_by_power(table.game)
    assert answer() == 2
    assert sheets(other.game).keys() == bots.keys()


def test_no_phone_leaves_a_power_to_a_bot() -> None:
    table, _laptop, held = started()
    phone = next(iter(held.values()))
    sent = {"power": "FRANCE", "who": "bot", "player_mark": "0", "confirmed": "1"}
    assert phone.post(f"/tables/{table.game.key}/referee/act/replace/", sent).status_code == 404
    assert not power_assignments.bots_by_power(fresh_game(table))
