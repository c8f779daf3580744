"""The clock by the referee's hand and by the players' consent: each press once, and never a stranger's."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from talleyrand.web.games import deadline_clock
from talleyrand.web.games.models import Game, GameLogEntry, GameState
from talleyrand.web.tables import clock_consents, clock_control
from talleyrand.web.tables.models import Table, TablePlayer

from .phones import fresh_game, open_table, phone_of, started
from .test_clock import MINUTE, fresh, moment, submit

pytestmark = pytest.mark.django_db
SECOND = timedelta(seconds=1)


def press(browser: Client, table: Table, act: str, mark: str | None = None, **more: str) -> Any:
    """The referee's button, as a script presses it."""
    sent = {"act": act, "mark": clock_control.clock_mark(fresh_game(table)) if mark is None else mark, **more}
    return browser.post(f"/tables/{table.game.key}/clock/", sent, headers={"Accept": "application/json"})


def wish(browser: Client, table: Table, kind: str, **more: str) -> Any:
    sent = {"act": kind, **more}
    return browser.post(f"/tables/{table.game.key}/clock/wish/", sent, headers={"Accept": "application/json"})


def due(table: Table) -> datetime:
    found = fresh_game(table).deadline
    assert found is not None
    return found


def test_start_stop_a_minute_and_the_bell() -> None:
    table, laptop, phones = started()
    assert press(laptop, table, "minute").status_code == 200
    assert fresh_game(table).time_left_when_paused == 31 * MINUTE
    told = press(laptop, table, "start").json()
    assert (told["stage"], told["running"]) == ("talking", True)
    first = due(table)
    press(laptop, table, "minute")
    assert due(table) - first == MINUTE
    assert press(laptop, table, "pause").json()["stage"] == "stopped"
    assert press(laptop, table, "ring").status_code == 200
    assert due(table) <= timezone.now() + SECOND
    deadline_clock.check_due_games(timezone.now() + 4 * SECOND)
    assert fresh_game(table).is_waiting
    assert press(laptop, table, "ring").status_code == 200  # it has rung
    submit(phones, table)
    deadline_clock.check_due_games(timezone.now() + 4 * SECOND)
    assert fresh_game(table).phase_number == 2
    kinds = set(GameLogEntry.objects.filter(game=table.game).values_list("kind", flat=True))
    assert {"minute_added", "resumed", "redated", "paused"} <= kinds


def test_a_minute_after_the_bell_takes_orders_again() -> None:
    table, laptop, _phones = started()
    press(laptop, table, "start")
    press(laptop, table, "ring")
    deadline_clock.check_due_games(timezone.now() + 4 * SECOND)
    assert moment(table).stage == "time_up"
    press(laptop, table, "minute")
    assert not fresh_game(table).is_waiting
    assert due(table) > timezone.now() + 50 * SECOND


def test_resolving_takes_what_is_drafted() -> None:
    table, laptop, phones = started()
    path = f"/parties/{table.game.key}/1/orders/FRANCE/draft/"
    phones["FRANCE"].post(path, {"lines": {"FRANCE": ["A PAR - BUR"]}}, content_type="application/json")
    assert press(laptop, table, "resolve").status_code == 200
    game = fresh_game(table)
    assert (game.phase_number, game.state) == (2, GameState.PAUSED)
    assert game.sheets.get(power="FRANCE").lines == ["A PAR - BUR"]


@pytest.mark.parametrize("act", ["minute", "ring", "resolve"])
def test_a_press_on_a_clock_that_has_changed_does_nothing(act: str) -> None:
    table, laptop, _phones = started()
    mark = clock_control.clock_mark(fresh_game(table))
    press(laptop, table, "start")
    before = Game.objects.values().get(pk=table.game.pk)
    for stale in (mark, "", "1.x", "\x00", "9" * 5000):
        refused = press(laptop, table, act, stale)
        assert refused.status_code == 409
        assert refused.json()["refusal"]
    assert Game.objects.values().get(pk=table.game.pk) == before


@pytest.mark.parametrize("act", ["start", "pause"])
def test_starting_and_stopping_twice_is_done_once(act: str) -> None:
    table, laptop, _phones = started()
    for _ in range(2):
        assert press(laptop, table, "start", "").status_code == 200
    for _ in range(2):
        assert press(laptop, table, act, "").status_code == 200
    assert GameLogEntry.objects.filter(game=table.game, kind="resumed").count() == 1


def test_nobody_but_the_referee_presses() -> None:
    table, _laptop, phones = started()
    _other, elsewhere = open_table(submission="o" * 24)
    for browser in (phones["FRANCE"], elsewhere, Client()):
        assert press(browser, table, "start").status_code == 404
    assert fresh_game(table).state == GameState.PAUSED


@pytest.mark.parametrize("act", ["", "deal", "STOP", "start\x00", "\U0001f514"])
def test_what_is_no_act_is_not_found(act: str) -> None:
    table, laptop, _phones = started()
    assert press(laptop, table, act).status_code == 404
    assert laptop.get(f"/tables/{table.game.key}/clock/").status_code == 405


def test_before_the_start_and_after_the_end_nothing_is_done() -> None:
    table, laptop = open_table()
    phone = phone_of(table, "Anna")
    for act in clock_control.CLOCK_ACTS:
        assert press(laptop, table, act).status_code in (200, 409)
    assert fresh_game(table).state == GameState.GATHERING
    assert wish(phone, table, "start").status_code == 409


def test_a_form_comes_back_to_the_page_it_was_on_and_to_no_other_site() -> None:
    table, laptop, _phones = started()
    path, here = f"/tables/{table.game.key}/clock/", f"/tables/{table.game.key}/"
    for following, place in (("/parties/", "/parties/"), ("https://example.org/", here), ("", here)):
        answer = laptop.post(path, {"act": "pause", "next": following})
        assert answer["Location"] == place
    refused = laptop.post(path, {"act": "minute", "mark": "old"}, follow=True)
    assert 'class="messages"' in refused.content.decode()


def test_all_agree_to_go_on_and_the_clock_starts_then_the_phase_is_resolved() -> None:
    table, _laptop, phones = started()
    hands = [*phones.values()]
    for phone in hands[:-1]:
        assert wish(phone, table, "start").status_code == 200
    assert fresh_game(table).state == GameState.PAUSED
    assert moment(table).wishes == ("Lancer la pendule (6 sur 7 d’accord)",)
    assert wish(hands[0], table, "start").json()["wishes"] == ["Lancer la pendule (6 sur 7 d’accord)"]
    wish(hands[-1], table, "start")
    assert fresh_game(table).state == GameState.PLAYING
    for phone in hands:
        wish(phone, table, "resolve")
    assert fresh_game(table).phase_number == 2


def test_all_agree_on_a_minute_and_on_a_stop() -> None:
    table, laptop, phones = started()
    press(laptop, table, "start")
    before = due(table)
    for phone in phones.values():
        wish(phone, table, "minute")
    assert due(table) - before == MINUTE
    assert moment(table).wishes == ()
    for phone in phones.values():
        wish(phone, table, "pause")
    assert fresh_game(table).state == GameState.PAUSED


def test_whoever_no_longer_agrees_is_not_counted() -> None:
    table, _laptop, phones = started()
    hands = [*phones.values()]
    for phone in hands[:-1]:
        wish(phone, table, "start")
    wish(hands[0], table, "start", no="1")
    wish(hands[-1], table, "start")
    assert fresh_game(table).state == GameState.PAUSED


def test_an_agreement_ends_with_the_phase_and_when_the_clock_starts() -> None:
    table, laptop, phones = started()
    hands = [*phones.values()]
    for phone in hands[:-1]:
        wish(phone, table, "start")
    press(laptop, table, "start")
    assert wish(hands[-1], table, "start").status_code == 409
    assert moment(table).wishes == ()
    wish(hands[-1], table, "resolve")
    assert fresh_game(table).phase_number == 1
    assert moment(table).wishes == ("Résoudre maintenant (1 sur 7 d’accord)",)


def test_for_a_seat_on_paper_the_referee_says_so() -> None:
    table, laptop, phones = started()
    hands = [*phones.values()]
    quiet = TablePlayer.objects.get(table=table, number=7)
    TablePlayer.objects.filter(pk=quiet.pk).update(phone_digest="")
    agreed = [wish(phone, table, "start").status_code for phone in hands]
    assert sorted(agreed) == [200] * 6 + [404]
    assert wish(laptop, table, "start", seat="6").status_code == 404  # it has a phone
    for wrong in ("", "0", "x", "-1", "99999", "\u0667"):
        assert wish(laptop, table, "start", seat=wrong).status_code == 404
    assert fresh_game(table).state == GameState.PAUSED
    assert wish(laptop, table, "start", seat="7").status_code == 200
    assert fresh_game(table).state == GameState.PLAYING


def test_only_whoever_has_something_to_decide_is_asked() -> None:
    table, _laptop, phones = started()
    for sailing in (["F KIE - DEN"], []):
        submit(phones, table, {"GERMANY": sailing})
        for phone in phones.values():
            wish(phone, table, "start")
        deadline_clock.check_due_games(timezone.now() + SECOND)
    assert fresh_game(table).phase[-1:] == "A", fresh_game(table).phase
    (builds,) = (one for one in clock_consents.wishes(fresh(table)) if one.act == "start")
    assert len(builds.needed) == 1
    assert wish(phones["FRANCE"], table, "start").json()["refusal"].startswith("Vous n’avez rien")
    wish(phones["GERMANY"], table, "start")
    assert fresh_game(table).state == GameState.PLAYING


@pytest.mark.parametrize("kind", ["", "resolve", "pause", "ring", "\x00", "start "])
def test_what_cannot_be_wished_is_refused(kind: str) -> None:
    table, laptop, phones = started()
    assert wish(phones["FRANCE"], table, kind).status_code == 409
    assert wish(laptop, table, "start").status_code == 409  # the referee plays no power
    assert wish(Client(), table, "start").status_code == 404


def test_a_wish_for_another_moment_of_the_clock_is_refused() -> None:
    table, laptop, phones = started()
    mark = clock_control.clock_mark(fresh_game(table))
    press(laptop, table, "minute")
    assert wish(phones["FRANCE"], table, "minute", mark=mark).status_code == 409
    assert moment(table).wishes == ()
