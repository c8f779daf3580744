"""Players were told to come back with their orders: the clock waits for them, and not for long."""

from __future__ import annotations

from datetime import timedelta

import pytest

from talleyrand.web.games import deadline_clock
from talleyrand.web.games.models import Game, UnreadEmailOrders
from talleyrand.web.games.returning_orders import BACK_WITHIN, ReturningOrders, wait_for_return

from .acting import HOUR, SECOND, all_hand_in, due, fresh, hand_in
from .test_unread import begun

pytestmark = pytest.mark.django_db


def busy(game: Game, first: timedelta, now: timedelta = SECOND, pause: timedelta = SECOND) -> None:
    """Somebody who first tried so long after the deadline is told to come back."""
    wait_for_return({game.key: [(due(game) + first, due(game) + now + pause)]}, due(game) + now)


def sweep(game: Game, later: timedelta) -> Game:
    deadline_clock.check_due_games(due(game) + later)
    return fresh(game)


def test_the_phase_waits_for_who_first_tried_in_time() -> None:
    game = begun()
    all_hand_in(game, but=["FRANCE"])
    end = due(game)
    busy(game, -SECOND)
    assert sweep(game, 3 * SECOND).phase_number == 1
    hand_in(game, "FRANCE", ["A PAR-PIC"], at=end - SECOND)
    deadline_clock.check_due_games(end + 2 * SECOND + BACK_WITHIN)
    game = fresh(game)
    assert game.phase_number == 2
    assert game.revisions.get(phase_number=1).order_lines["FRANCE"] == ["A PAR-PIC"]


@pytest.mark.parametrize("first", [SECOND, HOUR])
def test_it_does_not_wait_for_who_was_late_anyhow(first: timedelta) -> None:
    game = begun()
    all_hand_in(game)
    busy(game, first)
    assert sweep(game, 3 * SECOND).phase_number == 2


@pytest.mark.long
def test_who_comes_back_again_and_again_delays_it_by_five_minutes_at_most() -> None:
    game = begun()
    all_hand_in(game)
    end = due(game)
    for later in range(1, 400, 8):
        busy(fresh(game), -SECOND, later * SECOND)
        deadline_clock.check_due_games(end + (later + 2) * SECOND)
        if fresh(game).phase_number == 2:
            break
    assert 280 <= later <= 305


def test_who_has_tried_for_five_minutes_does_not_shorten_the_wait_for_others() -> None:
    game = begun()
    all_hand_in(game)
    end = due(game)
    busy(game, -SECOND, 2 * SECOND)
    busy(game, -295 * SECOND, 4 * SECOND)
    deadline_clock.check_due_games(end + 6 * SECOND)
    assert fresh(game).phase_number == 1


def test_a_game_that_waits_for_missing_orders_is_not_held_when_they_are_there() -> None:
    """It has no date any more: whoever keeps the site busy would hold it for ever."""
    game = begun()
    all_hand_in(game)
    end = due(game)
    Game.objects.filter(pk=game.pk).update(is_waiting=True, next_check_at=end + HOUR)
    wait_for_return({game.key: [(end + HOUR, end + HOUR)]}, end + HOUR)
    deadline_clock.check_due_games(end + HOUR)
    assert fresh(game).phase_number == 2


def test_a_game_whose_phase_does_not_end_now_has_no_row() -> None:
    game = begun()
    told = [(due(game) - HOUR, due(game) - HOUR + SECOND)]
    wait_for_return({game.key: told, "nothing": [(due(game), due(game))]}, due(game) - HOUR)
    assert not UnreadEmailOrders.objects.exists()


def test_rows_are_let_go_when_nobody_waits_for_them_any_more() -> None:
    game = begun()
    busy(game, -SECOND)
    busy(game, -2 * SECOND)
    assert UnreadEmailOrders.objects.count() == 1
    wait_for_return({}, due(game) + HOUR)
    assert not UnreadEmailOrders.objects.exists()


def test_what_is_told_in_a_moment_is_written_together(monkeypatch: pytest.MonkeyPatch) -> None:
    written, told = [], ReturningOrders()
    monkeypatch.setattr(
        "talleyrand.web.games.returning_orders.wait_for_return", lambda *one: written.append(one)
    )
    monkeypatch.setattr("talleyrand.web.games.returning_orders.connection.close", lambda: None)
    monkeypatch.setattr("talleyrand.web.games.returning_orders.GATHERED_FOR", 3600.0)
    game = begun()
    for _ in range(3):
        told.note(game.key, due(game), due(game) + SECOND)
    told.note("other", due(game), due(game) + SECOND)
    assert written == []
    told.keep()
    assert {key: len(firsts) for key, firsts in written[0][0].items()} == {game.key: 3, "other": 1}


@pytest.mark.parametrize(("later", "number"), [(timedelta(seconds=69), 1), (timedelta(seconds=72), 2)])
def test_the_phase_waits_as_long_as_they_were_told_to_stay_away(later: timedelta, number: int) -> None:
    game = begun()
    all_hand_in(game)
    busy(game, -SECOND, pause=60 * SECOND)
    assert sweep(game, later).phase_number == number


def test_a_phase_that_ends_once_they_are_back_does_not_wait() -> None:
    """Told long before its deadline to come back in a minute: that is in time."""
    game = begun()
    busy(game, -80 * SECOND, -80 * SECOND, pause=60 * SECOND)
    assert not UnreadEmailOrders.objects.exists()
    busy(game, -40 * SECOND, -40 * SECOND, pause=60 * SECOND)
    assert UnreadEmailOrders.objects.get().wait_until == due(game) + 30 * SECOND
