"""Boards of a round as tables with phones: opened in one press, seated by the draw, results to the desk."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from talleyrand.tournament.model import EventBoard, EventPerson, PowerSeat, SeatReplacement
from talleyrand.web.accounts import guests
from talleyrand.web.games import deadline_clock, game_lifecycle, power_assignments
from talleyrand.web.games.endings import game_results
from talleyrand.web.games.game_history import GameHistory
from talleyrand.web.games.models import Game, GameState
from talleyrand.web.tables.models import Table
from talleyrand.web.tables.referee import consents
from talleyrand.web.tournaments import board_tables
from talleyrand.web.tournaments.event_journal import JournalActor
from talleyrand.web.tournaments.models import Tournament
from tests.web import cast
from tests.web.cast import MASTER
from tests.web.tournaments import hall

pytestmark = pytest.mark.django_db


def opened(clock: str = "round", made: Tournament | None = None) -> tuple[Tournament, Table]:
    """The tables of round 1, opened by the desk; the first of them."""
    made = made or hall.playing()
    answer = press(made, "tables_opened", clock=clock)
    assert answer.status_code == 302, hall.text(answer)
    return hall.fresh(made), table_of(made)


def press(made: Tournament, action: str, name: str = MASTER, **more: str) -> Any:
    return cast.client_of(name).post(hall.path(made, "desk_boards", 1), {"press": action, **more})


def table_of(made: Tournament, at: int = 1) -> Table:
    return Table.objects.select_related("game").get(game__key=hall.event(made).rounds[1].boards[at].game)


def seated(made: Tournament, number: int) -> Client:
    """A phone of the room that has taken its seat at the table."""
    phone = hall.phone(made, number)
    answer = phone.post(hall.path(made, "sit_down", 1, 1))
    assert answer["Location"] == f"/tables/{table_of(made).game.key}/", answer["Location"]
    return phone


def orders(phone: Client, game: Game, power: str, *lines: str) -> Any:
    sent = {"lines": {power: list(lines)}, "action": "final", "submission": f"{power}{game.version:020}"}
    path = f"/parties/{game.key}/{game.phase_number}/orders/{power}/"
    return phone.post(path, json.dumps(sent), content_type="application/json")


def now_of(table: Table) -> Game:
    return Game.objects.get(pk=table.game_id)


def test_one_press_opens_a_table_for_each_board_with_the_names_of_the_draw() -> None:
    made, table = opened()
    assert [guests.guest_name(one.person) for one in table.players.filter(number__gt=0)] == [
        hall.event(made).people[who].name[: guests.LONGEST_NAME] for who in range(1, 8)
    ]
    game = now_of(table)
    assert (game.rulebook, game.settings.last_year) == ("anjou_feu", 1906)
    assert game.phase == "S1901M"
    holders = power_assignments.players_by_power(game)
    assert holders == {
        power: table.players.get(number=at).person_id for at, power in enumerate(hall.POWERS, 1)
    }
    assert press(made, "tables_opened").status_code == 302
    assert Table.objects.count() == 1
    desk = hall.text(cast.client_of(MASTER).get(hall.path(made, "desk_boards", 1)))
    assert f"/{table.screen_code}/" in desk
    assert consents.is_asked(table)  # 004 IV


def test_a_crash_between_the_tables_and_the_log_leaves_no_second_table() -> None:
    made = hall.playing()
    board_tables.open_round_tables(made, 1, JournalActor(), own_clocks=False)
    hall.with_round(made, 1, boards={1: EventBoard(seats=dict(hall.event(made).rounds[1].boards[1].seats))})
    opened(made=made)
    assert Table.objects.count() == 1


def test_players_and_strangers_open_no_tables() -> None:
    made = hall.playing()
    for client in (Client(), hall.phone(made, 3)):
        answer = client.post(hall.path(made, "desk_boards", 1), {"press": "tables_opened"})
        assert answer.status_code in (302, 404)
    assert not Table.objects.exists()


def test_a_phone_of_the_room_has_its_seat_in_one_tap() -> None:
    made, table = opened()
    phone = hall.phone(made, 3)
    assert "Ma place à la table" in hall.text(phone.get(hall.path(made, "mine")))
    assert "Ma place à la table" in hall.text(phone.get(hall.path(made, "board", 1, 1)))
    assert "Ma place à la table" not in hall.text(hall.phone(made, 8).get(hall.path(made, "board", 1, 1)))
    france = seated(made, 3)
    game = now_of(table)
    assert orders(france, game, "FRANCE", "A PAR - BUR").status_code == 200
    assert orders(france, game, "ENGLAND").status_code == 404
    page = hall.text(france.get(f"/tables/{game.key}/"))
    assert hall.path(made, "board", 1, 1) in page


def test_whoever_has_no_seat_gets_none() -> None:
    made, table = opened()
    for number in (0, 8):
        answer = hall.phone(made, number).post(hall.path(made, "sit_down", 1, 1))
        assert "/tables/" not in answer["Location"]
    assert not table.players.exclude(number=0).exclude(phone_digest="").exists()
    assert hall.phone(made, 3).post(hall.path(made, "sit_down", 1, 9)).status_code == 404


def test_a_second_phone_of_one_person_needs_the_pin() -> None:
    made, table = opened()
    seated(made, 3)
    again = hall.phone(made, 3).post(hall.path(made, "sit_down", 1, 1))
    assert again["Location"] == f"/tables/{table.game.key}/seats/3/move/"


def test_whoever_takes_over_has_the_seat_and_the_phone_before_has_it_no_more() -> None:
    made, table = opened()
    former = seated(made, 3)
    held = hall.event(made).rounds[1].boards[1]
    seats = {**held.seats, "FRANCE": PowerSeat(3, reliefs=(SeatReplacement(8, 4),))}
    hall.with_round(made, 1, boards={1: EventBoard(seats=seats, game=held.game)})
    successor = seated(made, 8)
    game = now_of(table)
    assert orders(successor, game, "FRANCE", "A PAR - BUR").status_code == 200
    assert former.get(f"/tables/{game.key}/").status_code == 404
    assert "/tables/" not in former.post(hall.path(made, "sit_down", 1, 1))["Location"]
    name = guests.guest_name(table.players.get(number=3).person)
    assert name == hall.event(made).people[8].name[: guests.LONGEST_NAME]


def test_the_desk_leads_a_table_and_sees_no_orders() -> None:
    made, table = opened()
    game = now_of(table)
    assert orders(seated(made, 3), game, "FRANCE", "A PAR - BUR").status_code == 200
    director = cast.client_of(MASTER)
    answer = director.post(hall.path(made, "desk_boards", 1), {"press": "table_led?board=1"})
    assert answer["Location"] == f"/tables/{game.key}/referee/"
    assert director.get(answer["Location"]).status_code == 200
    assert "A PAR - BUR" not in hall.text(director.get(f"/parties/{game.key}/"))
    assert "A PAR - BUR" not in hall.text(director.get(f"/parties/{game.key}/game.json"))
    refused = director.post(hall.path(made, "desk_boards", 1), {"press": "table_led?board=7"})
    assert refused.status_code == 409


def test_the_clock_of_the_round_leads_every_table() -> None:
    made, table = opened()
    now = timezone.now()
    board_tables.follow_rounds(now)
    assert now_of(table).state == GameState.PAUSED
    assert orders(seated(made, 3), now_of(table), "FRANCE").status_code == 200
    press(made, "clock_started", round="1")
    board_tables.follow_rounds()
    game = now_of(table)
    assert game.state == GameState.PLAYING
    assert game.deadline is not None
    assert abs(game.deadline - now - timedelta(minutes=18)) < timedelta(seconds=30)
    game_lifecycle.pause_game(game, timezone.now())  # by the referee of this table
    board_tables.follow_rounds()
    assert now_of(table).state == GameState.PAUSED
    press(made, "clock_paused", round="1")
    board_tables.follow_rounds()
    press(made, "clock_started", round="1")
    board_tables.follow_rounds()
    assert now_of(table).state == GameState.PLAYING


def test_a_table_with_its_own_clock_does_not_follow_the_round() -> None:
    made, table = opened("own")
    press(made, "clock_started", round="1")
    board_tables.follow_rounds()
    assert table.clock_rules.first == 18
    assert now_of(table).deadline is None or now_of(table).state == GameState.PLAYING


def test_years_are_written_down_and_the_result_is_one_press() -> None:
    made, table = opened()
    phones = {power: seated(made, who) for who, power in enumerate(hall.POWERS, 1)}
    press(made, "clock_started", round="1")
    board_tables.follow_rounds()
    while now_of(table).phase[:5] in ("S1901", "F1901", "W1901"):
        game = now_of(table)
        for power in GameHistory(game).deciding_powers(game.phase_number):
            lines = ["A MAR - SPA"] if (power, game.phase) == ("FRANCE", "S1901M") else []
            assert orders(phones[power], game, power, *lines).status_code == 200
        deadline_clock.check_due_games(timezone.now())
        board_tables.follow_rounds()
        assert now_of(table).phase_number > game.phase_number
    assert hall.event(made).rounds[1].boards[1].years[1901]["FRANCE"] == 4
    game = now_of(table)
    history = GameHistory(game)
    situation = history.situation(game.phase_number) or {}
    ended = game_results.result_by_centres("agreed", history.variant.definition, situation)
    game_lifecycle.end_game(game, ended, timezone.now())
    board_tables.follow_rounds()
    assert "Reprendre son résultat" in hall.text(phones["FRANCE"].get(hall.path(made, "board", 1, 1)))
    assert phones["FRANCE"].post(hall.path(made, "take_result", 1, 1)).status_code == 302
    result = hall.event(made).rounds[1].boards[1].result
    assert result is not None
    assert (result.centres["FRANCE"], result.confirmed) == (4, "desk")


@pytest.mark.parametrize(
    ("variant", "seats", "powers", "absent"),
    [
        ("survivor_turkey", 6, ("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA"), ()),
        ("classic", 5, ("AUSTRIA", "ENGLAND", "FRANCE", "RUSSIA", "TURKEY"), ("GERMANY", "ITALY")),
        ("escalation_5", 5, ("BLUE", "GREEN", "PINK", "RED", "YELLOW"), ()),
    ],
)
def test_boards_of_other_sizes(
    variant: str, seats: int, powers: tuple[str, ...], absent: tuple[str, ...]
) -> None:
    made = hall.playing()
    sitting = {power: PowerSeat(who) for who, power in enumerate(powers, 1)}
    empty = {power: PowerSeat() for power in (*absent, *(["TURKEY"] if variant == "survivor_turkey" else []))}
    hall.with_round(made, 1, boards={1: EventBoard(variant, {**sitting, **empty})})
    made, table = opened(made=made)
    assert table.players.filter(number__gt=0).count() == seats
    game = now_of(table)
    assert (game.variant, set(game.settings.disordered)) == (variant, set(absent))
    assert not set(power_assignments.unplayed_powers(game)) - set(absent)


def test_pairs_play_their_powers_together() -> None:
    made = hall.playing()
    pairs = [("ENGLAND",), ("AUSTRIA", "FRANCE"), ("GERMANY", "TURKEY"), ("ITALY", "RUSSIA")]
    seats = {power: PowerSeat(who) for who, share in enumerate(pairs, 1) for power in share}
    hall.with_round(made, 1, boards={1: EventBoard("pairs", seats)})
    made, table = opened(made=made)
    assert (table.game.settings.split, table.players.count()) == ("pairs", 5)
    assert orders(seated(made, 2), now_of(table), "FRANCE").status_code == 200


def test_a_board_that_no_table_can_play_is_left_on_paper() -> None:
    made = hall.playing()
    two = {"FRANCE": PowerSeat(1), "TURKEY": PowerSeat(2)}
    boards = {1: hall.event(made).rounds[1].boards[1], 2: EventBoard("intimate", two)}
    hall.with_round(made, 1, boards=boards)
    opened(made=made)
    assert hall.event(made).rounds[1].boards[2].game == ""
    assert Table.objects.count() == 1


def test_ten_boards_are_opened_in_one_press() -> None:
    made = hall.playing()
    hall.changed(made, people={who: EventPerson(f"Personne {who}") for who in range(1, 71)})
    boards = {
        at: EventBoard(
            seats={power: PowerSeat(7 * at - 6 + place) for place, power in enumerate(hall.POWERS)}
        )
        for at in range(1, 11)
    }
    hall.with_round(made, 1, boards=boards, present=dict.fromkeys(range(1, 71), hall.HOUR))
    opened(made=made)
    assert Table.objects.count() == 10
    page = hall.text(cast.client_of(MASTER).get(hall.path(made, "desk_boards", 1)))
    assert "Diriger la table 10" in page
