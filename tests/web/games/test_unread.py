"""Orders that came in time and are not read yet: the clock waits for them, two minutes at most."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from talleyrand.web.games import deadline_clock, unread_email_orders
from talleyrand.web.games.deadline_decisions import DueDecision, DueStep
from talleyrand.web.games.models import Game, UnreadEmailOrders
from tests.web.cast import BEGUN, table

from .acting import HOUR, SECOND, all_hand_in, draft, due, fresh, hand_in

pytestmark = pytest.mark.django_db
HOURS = 72


def begun(**terms: Any) -> Game:
    terms.setdefault("rhythm", {"hours": HOURS, "early": False, "grace": 0})
    return table(**{"absent": "disorder", **terms})


def expect(game: Game, before: timedelta, kept: timedelta | None = None) -> None:
    """Orders received so long before the deadline, and kept then or later."""
    at = due(game) - before
    unread_email_orders.wait_for_orders(game, "mail:1", at, due(game) - (before if kept is None else kept))


def sweep(game: Game, later: timedelta) -> Game:
    deadline_clock.check_due_games(due(game) + later)
    return fresh(game)


def test_kept_before_the_deadline_and_read_after_it() -> None:
    game = begun()
    all_hand_in(game, but=["FRANCE"])
    expect(game, SECOND)
    assert sweep(game, 2 * SECOND).phase_number == 1
    end = due(game)
    hand_in(game, "FRANCE", ["A PAR-PIC"], at=end - SECOND)
    unread_email_orders.orders_were_read("mail:1", end + 5 * SECOND)
    deadline_clock.check_due_games(end + 5 * SECOND)
    game = fresh(game)
    assert game.phase_number == 2
    assert game.revisions.get(phase_number=1).order_lines["FRANCE"] == ["A PAR-PIC"]


def test_a_stuck_one_delays_no_game_for_longer() -> None:
    game = begun()
    all_hand_in(game)
    expect(game, SECOND)
    end = due(game)
    deadline_clock.check_due_games(end + 2 * SECOND)
    assert fresh(game).next_check_at == end - SECOND + unread_email_orders.LONGEST_WAIT
    deadline_clock.check_due_games(end + unread_email_orders.LONGEST_WAIT)
    assert fresh(game).phase_number == 2


@pytest.mark.parametrize("absent", ["disorder", "extend", "wait"])
def test_nothing_is_settled_before_it(absent: str) -> None:
    """Neither disorder, nor another deadline, nor a game that waits for somebody who has written."""
    game = begun(absent=absent)
    all_hand_in(game, but=["FRANCE"])
    expect(game, SECOND)
    found = sweep(game, 2 * SECOND)
    assert (found.phase_number, found.extension_count, found.is_waiting) == (1, 0, False)


def test_no_draft_becomes_a_sheet_before_it() -> None:
    game = begun(rhythm={"hours": HOURS, "early": False, "grace": 3600})
    all_hand_in(game, but=["FRANCE", "ITALY"])
    draft(game, "FRANCE", "A PAR-BUR")
    expect(game, SECOND)
    assert sweep(game, 2 * SECOND).receipt_count == 5


def test_everybody_is_ready_but_somebody_has_written_once_more() -> None:
    game = begun(rhythm={"hours": HOURS, "early": True, "grace": 0})
    all_hand_in(game, final=True)
    now = BEGUN + HOUR
    unread_email_orders.wait_for_orders(game, "mail:1", now, now)
    deadline_clock.check_due_games(now + SECOND)
    assert fresh(game).phase_number == 1
    unread_email_orders.orders_were_read("mail:1", now + 2 * SECOND)
    deadline_clock.check_due_games(now + 2 * SECOND)
    assert fresh(game).phase_number == 2


def test_what_came_too_late_delays_nothing() -> None:
    game = begun()
    all_hand_in(game)
    expect(game, -SECOND)
    assert sweep(game, 2 * SECOND).phase_number == 2


def test_in_the_grace_it_counts_for_who_is_missing() -> None:
    game = begun(rhythm={"hours": HOURS, "early": False, "grace": 60})
    all_hand_in(game, but=["FRANCE"])
    expect(game, -59 * SECOND)
    assert sweep(game, 62 * SECOND).phase_number == 1


def test_an_answer_that_was_being_judged_is_not_published() -> None:
    """The mail is kept while the judge thinks: what he comes to is out of date."""
    game = begun()
    all_hand_in(game)
    look = DueDecision(fresh(game), due(game) + 2 * SECOND)
    assert look.decide() == DueStep.ADJUDICATE
    expect(game, SECOND)
    assert not deadline_clock.STEP_ACTIONS[DueStep.ADJUDICATE](look)
    assert sweep(game, 2 * SECOND).phase_number == 1


def test_it_is_read_while_the_clock_decides_to_wait() -> None:
    game = begun()
    all_hand_in(game)
    expect(game, SECOND)
    end = due(game)
    look = DueDecision(fresh(game), end + 2 * SECOND)
    assert look.decide() == DueStep.WAIT_FOR_EMAIL
    unread_email_orders.orders_were_read("mail:1", end + 2 * SECOND)
    assert not deadline_clock.STEP_ACTIONS[DueStep.WAIT_FOR_EMAIL](look)
    assert sweep(game, 2 * SECOND).phase_number == 2


def test_a_game_that_waits_goes_on_when_they_are_read() -> None:
    game = begun(absent="wait")
    all_hand_in(game, but=["FRANCE"])
    end = due(game)
    for later in (2, 3):  # extended once, then it waits
        deadline_clock.check_due_games(due(game) + later * SECOND)
    assert fresh(game).is_waiting
    now = due(game) + HOUR
    unread_email_orders.wait_for_orders(fresh(game), "mail:1", now, now)
    hand_in(game, "FRANCE", at=now)
    deadline_clock.check_due_games(now + SECOND)
    assert fresh(game).phase_number == 1
    unread_email_orders.orders_were_read("mail:1", now + 2 * SECOND)
    deadline_clock.check_due_games(now + 2 * SECOND)
    assert fresh(game).phase_number == 2
    assert end < due(game)


def test_settled_twice_and_unknown() -> None:
    game = begun()
    expect(game, SECOND)
    unread_email_orders.orders_were_read("mail:1", BEGUN)
    unread_email_orders.orders_were_read("mail:1", BEGUN)
    unread_email_orders.orders_were_read("nothing", BEGUN)
    assert not UnreadEmailOrders.objects.exists()


def test_one_query_and_only_where_something_would_end() -> None:
    game = begun()
    all_hand_in(game)
    asked = []
    for later in (-HOUR, 2 * SECOND):
        with CaptureQueriesContext(
            connection,
        ) as queries:
            DueDecision(fresh(game), due(game) + later).decide()
        asked.append(sum("games_unreademailorders" in query["sql"] for query in queries))
    assert asked == [0, 1]
