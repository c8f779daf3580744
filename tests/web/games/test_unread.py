"""Orders that came in time and are not read yet: the clock waits for them, two minutes at most."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from talleyrand.web.games import clock, unread
from talleyrand.web.games.looking import Look, Step
from talleyrand.web.games.models import Game, Unread
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
    unread.expect(game, "mail:1", at, due(game) - (before if kept is None else kept))


def sweep(game: Game, later: timedelta) -> Game:
    clock.sweep(due(game) + later)
    return fresh(game)


def test_kept_before_the_deadline_and_read_after_it() -> None:
    game = begun()
    all_hand_in(game, but=["FRANCE"])
    expect(game, SECOND)
    assert sweep(game, 2 * SECOND).number == 1
    end = due(game)
    hand_in(game, "FRANCE", ["A PAR-PIC"], at=end - SECOND)
    unread.settle("mail:1", end + 5 * SECOND)
    clock.sweep(end + 5 * SECOND)
    game = fresh(game)
    assert game.number == 2
    assert game.revisions.get(number=1).sheets["FRANCE"] == ["A PAR-PIC"]


def test_a_stuck_one_delays_no_game_for_longer() -> None:
    game = begun()
    all_hand_in(game)
    expect(game, SECOND)
    end = due(game)
    clock.sweep(end + 2 * SECOND)
    assert fresh(game).sweep == end - SECOND + unread.LONGEST
    clock.sweep(end + unread.LONGEST)
    assert fresh(game).number == 2


@pytest.mark.parametrize("absent", ["disorder", "extend", "wait"])
def test_nothing_is_settled_before_it(absent: str) -> None:
    """Neither disorder, nor another deadline, nor a game that waits for somebody who has written."""
    game = begun(absent=absent)
    all_hand_in(game, but=["FRANCE"])
    expect(game, SECOND)
    found = sweep(game, 2 * SECOND)
    assert (found.number, found.extended, found.waiting) == (1, 0, False)


def test_no_draft_becomes_a_sheet_before_it() -> None:
    game = begun(rhythm={"hours": HOURS, "early": False, "grace": 3600})
    all_hand_in(game, but=["FRANCE", "ITALY"])
    draft(game, "FRANCE", "A PAR-BUR")
    expect(game, SECOND)
    assert sweep(game, 2 * SECOND).receipts == 5


def test_everybody_is_ready_but_somebody_has_written_once_more() -> None:
    game = begun(rhythm={"hours": HOURS, "early": True, "grace": 0})
    all_hand_in(game, final=True)
    now = BEGUN + HOUR
    unread.expect(game, "mail:1", now, now)
    clock.sweep(now + SECOND)
    assert fresh(game).number == 1
    unread.settle("mail:1", now + 2 * SECOND)
    clock.sweep(now + 2 * SECOND)
    assert fresh(game).number == 2


def test_what_came_too_late_delays_nothing() -> None:
    game = begun()
    all_hand_in(game)
    expect(game, -SECOND)
    assert sweep(game, 2 * SECOND).number == 2


def test_in_the_grace_it_counts_for_who_is_missing() -> None:
    game = begun(rhythm={"hours": HOURS, "early": False, "grace": 60})
    all_hand_in(game, but=["FRANCE"])
    expect(game, -59 * SECOND)
    assert sweep(game, 62 * SECOND).number == 1


def test_an_answer_that_was_being_judged_is_not_published() -> None:
    """The mail is kept while the judge thinks: what he comes to is out of date."""
    game = begun()
    all_hand_in(game)
    look = Look(fresh(game), due(game) + 2 * SECOND)
    assert look.step() == Step.PUBLISH
    expect(game, SECOND)
    assert not clock.ACTIONS[Step.PUBLISH](look)
    assert sweep(game, 2 * SECOND).number == 1


def test_it_is_read_while_the_clock_decides_to_wait() -> None:
    game = begun()
    all_hand_in(game)
    expect(game, SECOND)
    end = due(game)
    look = Look(fresh(game), end + 2 * SECOND)
    assert look.step() == Step.HOLD
    unread.settle("mail:1", end + 2 * SECOND)
    assert not clock.ACTIONS[Step.HOLD](look)
    assert sweep(game, 2 * SECOND).number == 2


def test_a_game_that_waits_goes_on_when_they_are_read() -> None:
    game = begun(absent="wait")
    all_hand_in(game, but=["FRANCE"])
    end = due(game)
    for later in (2, 3):  # extended once, then it waits
        clock.sweep(due(game) + later * SECOND)
    assert fresh(game).waiting
    now = due(game) + HOUR
    unread.expect(fresh(game), "mail:1", now, now)
    hand_in(game, "FRANCE", at=now)
    clock.sweep(now + SECOND)
    assert fresh(game).number == 1
    unread.settle("mail:1", now + 2 * SECOND)
    clock.sweep(now + 2 * SECOND)
    assert fresh(game).number == 2
    assert end < due(game)


def test_settled_twice_and_unknown() -> None:
    game = begun()
    expect(game, SECOND)
    unread.settle("mail:1", BEGUN)
    unread.settle("mail:1", BEGUN)
    unread.settle("nothing", BEGUN)
    assert not Unread.objects.exists()


def test_one_query_and_only_where_something_would_end() -> None:
    game = begun()
    all_hand_in(game)
    asked = []
    for later in (-HOUR, 2 * SECOND):
        with CaptureQueriesContext(
            connection,
        ) as queries:
            Look(fresh(game), due(game) + later).step()
        asked.append(sum("games_unread" in query["sql"] for query in queries))
    assert asked == [0, 1]
