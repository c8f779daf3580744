"""Every game that a table offers, for each number of players: opened, dealt, and a year of it by phones."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from talleyrand import variants
from talleyrand.web.boards import display_names
from talleyrand.web.games import deadline_clock, game_lifecycle, power_assignments
from talleyrand.web.games.game_history import GameHistory
from talleyrand.web.games.lobby import split_form
from talleyrand.web.games.models import Game, GameState
from talleyrand.web.practice import practice_bot_tasks
from talleyrand.web.tables.models import Table

from .phones import NAMES as SEVEN
from .phones import fresh_game, open_table, phone_of, player_named

pytestmark = pytest.mark.django_db
NAMES = (*SEVEN, "Hugo", "Jules")
SMALL = [
    (people, game)
    for people in range(2, 8)
    for game in split_form.game_options(people)
    if not game.endswith(f"/{split_form.OWN}")
]
WORLD = "diplomatie_2000/"
MOST_PHASES = 40


def seated(people: int, game: str, **asked: str) -> tuple[Table, Client, dict[str, Client]]:
    """A table that has begun, its laptop and the phones by the name of who came."""
    table, laptop = open_table(people=str(people), game=game, **asked)
    phones = {name: phone_of(table, name) for name in NAMES[:people]}
    assert laptop.post(f"/tables/{table.game.key}/start/").status_code == 302
    assert fresh_game(table).state != GameState.GATHERING
    return table, laptop, phones


def powers_of(table: Table, name: str) -> tuple[str, ...]:
    """Of somebody who came, or of the referee, whose name is 0."""
    return power_assignments.powers_played_by(table.game, player_named(table, name).person)


def send(client: Client, game: Game, power: str, lines: list[str], action: str = "final") -> Any:
    body = json.dumps({"lines": {power: lines}, "action": action, "submission": f"{power}{game.version:020}"})
    path = f"/parties/{game.key}/{game.phase_number}/orders/{power}/"
    return client.post(path, body, content_type="application/json")


def phase_played(table: Table, phones: dict[str, Client]) -> Game:
    """The open phase, with orders by each phone that is asked for some; the clock does the rest."""
    game = fresh_game(table)
    if game.state == GameState.PAUSED:
        game = game_lifecycle.resume_game(game, timezone.now())
    question = GameHistory(game).open_question()
    assert question is not None
    for name, phone in phones.items():
        for power in set(powers_of(table, name)) & set(GameHistory(game).deciding_powers(game.phase_number)):
            lines = practice_bot_tasks.bot_orders(question, power, "random", "1", lambda _done: None)
            sent = send(phone, game, power, lines)
            assert sent.status_code == 200, sent.content.decode()
            assert game.phase.endswith("A") or not sent.json()["refused"]  # a bot may build more than is left
    deadline_clock.check_due_games(timezone.now())
    return fresh_game(table)


def year_played(table: Table, phones: dict[str, Client]) -> list[str]:
    """The phases of the first year."""
    first = variants.load(table.game.variant).definition.calendar.first
    year = table.game.settings.first_year or first.year
    played = []
    for _ in range(MOST_PHASES):
        before = fresh_game(table)
        if before.phase[1:].startswith(str(year + 1)):
            break
        after = phase_played(table, phones)
        assert (after.phase_number, after.adjudication_error) == (before.phase_number + 1, ""), before.phase
        played.append(before.phase)
    return played


@pytest.mark.parametrize(("people", "game"), SMALL)
def test_a_year_of_each_game_by_phones(people: int, game: str) -> None:
    table, _laptop, phones = seated(people, game)
    variant = variants.load(table.game.variant)
    shares = {name: powers_of(table, name) for name in phones}
    assert len([power for share in shares.values() for power in share]) >= people
    for name, phone in phones.items():
        page = phone.get(f"/parties/{table.game.key}/").content.decode()
        for power in shares[name]:
            assert display_names.power_name(variant, power) in page
        other = next(power for power in variant.definition.players if power not in shares[name])
        assert send(phone, fresh_game(table), other, []).status_code == 404
    phases = year_played(table, phones)
    assert sum(phase.endswith("M") for phase in phases) == (1 if variant.name == "trio" else 2)
    for phone in phones.values():
        assert phone.get(f"/parties/{table.game.key}/", follow=True).status_code == 200
        assert phone.get(f"/tables/{table.game.key}/").status_code == 200


def test_nine_people_play_nine_states_and_the_referee_presides() -> None:
    table, laptop, phones = seated(9, WORLD)
    game = fresh_game(table)
    referee = table.players.get(number=0).person
    holders = power_assignments.players_by_power(game)
    assert len({who for who in holders.values() if who}) == 10
    assert holders["ONU"] == referee.pk
    assert len(power_assignments.unplayed_powers(game)) == 12
    proposed = send(laptop, game, "ONU", ["2 : M MOR ×××"])
    assert proposed.status_code == 200, proposed.content.decode()
    state = powers_of(table, "Anna")[0]
    assert send(phones["Anna"], game, "ONU", []).status_code == 404
    assert send(phones["Anna"], game, state, ["1 : Aucune"]).status_code == 200
    page = laptop.get(f"/parties/{game.key}/").content.decode()
    assert "Secrétaire" in page or "ONU" in page


@pytest.mark.long
def test_a_year_of_the_world_by_nine_phones() -> None:
    table, laptop, phones = seated(9, WORLD)
    phases = year_played(table, {**phones, "0": laptop})
    assert [phase for phase in phases if phase[-1] in "PM"] == ["S2001P", "S2001M", "F2001P", "F2001M"]
    for phone in (laptop, *phones.values()):
        assert phone.get(f"/parties/{table.game.key}/").status_code == 200


@pytest.mark.parametrize(
    ("people", "game"), [(2, "first_world_war/two_sides"), (4, "classic/pairs"), (9, WORLD)]
)
def test_people_play_what_they_sit_in_front_of(people: int, game: str) -> None:
    table, _laptop, _phones = seated(people, game, dealing="seated")
    for seat in table.players.filter(number__gt=0):
        assert seat.powers
        assert list(power_assignments.powers_played_by(table.game, seat.person)) == sorted(
            seat.powers, key=list(variants.load(table.game.variant).definition.players).index
        )


def test_a_wish_is_a_wish_for_all_the_powers_of_a_seat() -> None:
    table, laptop = open_table(people="4", game="classic/pairs", dealing="wishes")
    phones = {name: phone_of(table, name) for name in NAMES[:4]}
    asked = phones["Carlo"].post(f"/parties/{table.game.key}/infos/preferences/", {"wish-1": "TURKEY"})
    assert asked.status_code == 302
    assert laptop.post(f"/tables/{table.game.key}/start/").status_code == 302
    assert set(powers_of(table, "Carlo")) == {"GERMANY", "TURKEY"}


def test_names_that_look_the_same_are_told_apart() -> None:
    table, _laptop = open_table()
    phone_of(table, "Ian")
    phone_of(table, "lan")
    assert len(set(table.players.values_list("person__folded_name", flat=True))) == 8


@pytest.mark.parametrize(
    ("people", "game"), [(2, "intimate/"), (3, "escalation_3/"), (3, "trio/"), (3, "classic/russia_alone")]
)
def test_drafts_and_bids_are_short_and_the_first_movement_is_long(people: int, game: str) -> None:
    table, _laptop, phones = seated(people, game)
    lengths: dict[str, int] = {}
    for _ in range(MOST_PHASES):
        now = fresh_game(table)
        running = now.deadline - now.phase_opened_at if now.deadline and now.phase_opened_at else None
        length = running or now.time_left_when_paused
        assert length is not None
        lengths.setdefault(now.phase[-1], round(length.total_seconds() / 60))
        if now.phase.endswith("M"):
            break
        phase_played(table, phones)
    assert lengths.pop("M") == table.clock_rules.first
    assert set(lengths.values()) <= {table.clock_rules.between}
