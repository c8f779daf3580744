"""What players and clocks of the tests do."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from talleyrand.web.boards.adjudicator import Lines, Question
from talleyrand.web.boards.order_requests import DraftChange
from talleyrand.web.games import deadline_clock, order_submission
from talleyrand.web.games.models import Game, GameSeat, OrderSet
from talleyrand.web.notifications.models import Notification
from tests.web.cast import PLAYERS

SECOND, HOUR, DAY = timedelta(seconds=1), timedelta(hours=1), timedelta(days=1)
# A movement of spring 1901 for each power.
OPENINGS = {
    "AUSTRIA": ["A VIE-GAL"],
    "ENGLAND": ["F LON-NTH"],
    "FRANCE": ["A PAR-BUR"],
    "GERMANY": ["A MUN-RUH"],
    "ITALY": ["A VEN-TYR"],
    "RUSSIA": ["A WAR-UKR"],
    "TURKEY": ["A CON-BUL"],
}


def fresh(game: Game) -> Game:
    return Game.objects.get(pk=game.pk)


def seat(game: Game, power: str) -> GameSeat:
    return GameSeat.objects.get(game=game, power=power)


def hand_in(game: Game, power: str, lines: Iterable[str] | None = None, **more: Any) -> OrderSet:
    """A power’s sheet for the open phase, some time before its deadline."""
    now = fresh(game)
    sent: dict[str, Any] = {
        "number": now.phase_number,
        "key": "",
        "origin": "text",
        "at": now.phase_opened_at,
        **more,
    }
    return order_submission.submit_orders(
        now, power, list(OPENINGS[power] if lines is None else lines), **sent
    )


def all_hand_in(game: Game, *, but: Iterable[str] = (), **more: Any) -> None:
    for power in PLAYERS:
        if power not in but:
            hand_in(game, power, **more)


def draft(game: Game, power: str, *lines: str, at: datetime | None = None) -> GameSeat:
    """Put these lines in preparation."""
    now = fresh(game)
    return order_submission.change_draft(
        now, power, now.phase_number, these(power, lines), at or now.phase_opened_at
    )


def these(power: str, lines: Iterable[str]) -> DraftChange:
    def change(_question: Question, _draft: Lines) -> Lines:
        return {power: list(lines)}

    return change


def due(game: Game) -> datetime:
    found = fresh(game).deadline
    assert found is not None
    return found


def sweep_at_deadline(game: Game, later: timedelta = timedelta(0)) -> Game:
    """The clock looks when it should, or later; all that is due by then is done."""
    deadline_clock.check_due_games(due(game) + 2 * SECOND + later)
    return fresh(game)


def told(game: Game, kind: str) -> list[Notification]:
    return list(Notification.objects.filter(topic=f"game:{game.key}", kind=kind).order_by("person"))


def people_told(game: Game, kind: str) -> set[str]:
    return {notice.person.name for notice in told(game, kind)}
