"""Orders that a phone had when the bell rang: none is lost, none counts by itself."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from talleyrand.web.games.models import Game
from talleyrand.web.tables.models import LateOrders, Table
from talleyrand.web.tables.orders_after_bell import MOST_UNDECIDED
from tests.web.games import playing

from .phones import fresh_game, started

pytestmark = pytest.mark.django_db
KEY = "late-0123456789abcdef"


def late(phone: Client, table: Table, power: str = "FRANCE", number: int = 1, **sent: Any) -> Any:
    told = {"lines": ["A PAR - BUR"], "changes": [], "submission": KEY, "ago": 90, **sent}
    path = f"/en/tables/{table.game.key}/{number}/late/{power}/"
    return phone.post(path, json.dumps(told), content_type="application/json")


def ring(table: Table) -> None:
    """The bell has rung a minute ago."""
    Game.objects.filter(pk=table.game.pk).update(
        state="playing", deadline=timezone.now() - timedelta(minutes=1), time_left_when_paused=None
    )


def test_orders_after_the_bell_are_kept_for_the_referee() -> None:
    table, _laptop, phones = started()
    playing.resolved(fresh_game(table))
    answer = late(phones["FRANCE"], table)
    assert answer.status_code == 200
    assert "Spring 1901" in answer.json()["message"]
    assert "after the bell. The referee decides." in answer.json()["message"]
    kept = LateOrders.objects.get()
    assert (kept.power, kept.phase_number, kept.lines, kept.decision) == ("FRANCE", 1, ["A PAR - BUR"], "")
    assert kept.written_at is not None
    assert kept.received_at - kept.written_at == timedelta(seconds=90)
    page = phones["FRANCE"].get(f"/en/tables/{table.game.key}/").content.decode()
    assert answer.json()["message"] in page
    assert "A PAR - BUR" in page
    assert "A PAR - BUR" not in phones["ITALY"].get(f"/en/tables/{table.game.key}/").content.decode()


def test_the_same_late_orders_twice_are_one() -> None:
    table, _laptop, phones = started()
    playing.resolved(fresh_game(table))
    assert late(phones["FRANCE"], table).json() == late(phones["FRANCE"], table).json()
    assert LateOrders.objects.count() == 1


def test_what_a_phone_hears_is_kept_though_its_key_has_brought_something_before() -> None:
    table, _laptop, phones = started()
    playing.resolved(fresh_game(table))
    late(phones["FRANCE"], table)
    assert late(phones["FRANCE"], table, lines=["A PAR - PIC"]).json()["kept"] is True
    assert [one.lines for one in LateOrders.objects.all()] == [["A PAR - BUR"], ["A PAR - PIC"]]


def test_a_phone_does_not_wait_for_a_decision_that_cannot_come() -> None:
    table, _laptop, phones = started()
    playing.resolved(fresh_game(table))
    late(phones["FRANCE"], table)
    page = f"/en/tables/{table.game.key}/"
    assert "The referee decides." in phones["FRANCE"].get(page).content.decode()
    playing.resolved(fresh_game(table))
    assert "The referee decides." not in phones["FRANCE"].get(page).content.decode()
    assert "after the bell. They do not count." in phones["FRANCE"].get(page).content.decode()


def test_orders_of_a_phase_long_over_are_kept_and_do_not_count() -> None:
    table, _laptop, phones = started()
    for _ in range(3):
        playing.resolved(fresh_game(table))
    answer = late(phones["FRANCE"], table)
    assert "France, Spring 1901" in answer.json()["message"]
    assert "They do not count." in answer.json()["message"]
    assert LateOrders.objects.get().decision == "torn"


def test_orders_that_count_already_are_received_and_not_late() -> None:
    table, _laptop, phones = started()
    sent = json.dumps({"lines": {"FRANCE": ["A PAR - BUR"]}, "action": "hand_in", "submission": "k" * 24})
    path = f"/parties/{table.game.key}/1/orders/FRANCE/"
    phones["FRANCE"].post(path, sent, content_type="application/json")
    playing.resolved(fresh_game(table))
    answer = late(phones["FRANCE"], table)
    assert answer.json() == {"message": "Received: the same orders are at the table, v1.", "kept": True}
    assert not LateOrders.objects.exists()


def test_a_table_that_still_waits_lets_the_bell_count() -> None:
    """The phase is open because others are missing: what had not been written before the bell is late."""
    table, _laptop, phones = started()
    sent = json.dumps({"lines": {"FRANCE": ["A PAR H"]}, "action": "hand_in", "submission": "k" * 24})
    path = f"/parties/{table.game.key}/1/orders/FRANCE/"
    phones["FRANCE"].post(path, sent, content_type="application/json")
    ring(table)
    refused = phones["FRANCE"].post(path, sent.replace("PAR H", "PAR - BUR"), content_type="application/json")
    assert (refused.status_code, refused.json()["code"]) == (409, "late")
    assert late(phones["FRANCE"], table).status_code == 200
    assert LateOrders.objects.get().lines == ["A PAR - BUR"]
    assert table.game.sheets.get().lines == ["A PAR H"]


def test_a_phase_that_is_open_takes_orders_and_no_late_ones() -> None:
    table, _laptop, phones = started()
    answer = late(phones["FRANCE"], table)
    assert answer.status_code == 409
    assert answer.json()["open"] is True
    assert not LateOrders.objects.exists()


@pytest.mark.parametrize(
    ("changes", "lines"),
    [
        ([{"orders": {"PAR": "A PAR - PIC"}}], ["F BRE - MAO", "A Par - Pic"]),
        ([{"sheet": "A Par - Gas\nnonsense", "base": "x"}], ["A Par - Gas", "nonsense"]),
        ([{"orders": {"PAR": "A PAR - MOS"}}], ["A PAR - BUR", "F BRE - MAO", "A PAR - MOS"]),
        ([{"lines": {"FRANCE": ["A MAR H"]}}], ["A MAR H"]),
        ([17, None, {"what": {"is": ["this"]}}], ["A PAR - BUR", "F BRE - MAO", "this"]),
    ],
)
def test_changes_of_which_the_table_had_not_heard_come_along(changes: list[Any], lines: list[str]) -> None:
    table, _laptop, phones = started()
    playing.resolved(fresh_game(table))
    before = ["A PAR - BUR", "F BRE - MAO"]
    assert late(phones["FRANCE"], table, lines=before, changes=changes).status_code == 200
    assert LateOrders.objects.get().lines == lines


@pytest.mark.parametrize(
    "sent",
    [
        {"lines": "A PAR H"},
        {"lines": [1]},
        {"changes": {"orders": {}}},
        {"submission": ""},
        {"submission": 7},
        {"submission": "é" * 20},
        {"submission": "x" * 65},
        {"lines": ["A PAR \ud800"]},
        {"lines": ["A \x00PAR"]},
        {"lines": ["x" * 2000]},
        {"lines": ["A PAR H"] * 500},
    ],
)
def test_what_no_phone_sends_is_refused_with_a_sentence(sent: dict[str, Any]) -> None:
    table, _laptop, phones = started()
    playing.resolved(fresh_game(table))
    answer = late(phones["FRANCE"], table, **sent)
    assert answer.status_code == 400
    assert answer.json()["message"]
    assert not LateOrders.objects.exists()


@pytest.mark.parametrize("ago", [-1, "5", None, 10**12, 1.5, []])
def test_a_phone_that_does_not_know_when_it_was_written_is_heard_all_the_same(ago: Any) -> None:
    table, _laptop, phones = started()
    playing.resolved(fresh_game(table))
    assert late(phones["FRANCE"], table, ago=ago).status_code == 200
    assert LateOrders.objects.get().written_at is None


def test_nobody_sends_late_orders_for_another_or_for_a_phase_that_never_was() -> None:
    table, _laptop, phones = started()
    playing.resolved(fresh_game(table))
    assert late(phones["ENGLAND"], table).status_code == 404
    assert late(Client(), table).status_code == 404
    assert late(phones["FRANCE"], table, power="NOWHERE").status_code == 404
    assert late(phones["FRANCE"], table, number=9).status_code == 404
    assert late(phones["FRANCE"], table, number=0).status_code == 404
    assert phones["FRANCE"].get(f"/en/tables/{table.game.key}/1/late/FRANCE/").status_code == 405
    assert not LateOrders.objects.exists()


def test_a_phone_that_sends_without_end_is_told_so_and_what_it_sent_first_stays() -> None:
    table, _laptop, phones = started()
    playing.resolved(fresh_game(table))
    for number in range(MOST_UNDECIDED):
        assert late(phones["FRANCE"], table, submission=f"{KEY}{number}").status_code == 200
    refused = late(phones["FRANCE"], table, submission=f"{KEY}more")
    assert refused.status_code == 429
    assert "tell the referee" in refused.json()["message"]
    assert late(phones["FRANCE"], table, submission=f"{KEY}0").status_code == 200
    assert LateOrders.objects.count() == MOST_UNDECIDED
