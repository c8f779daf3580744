"""What players and clocks of the tests do."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from talleyrand.web.boards.incoming import Change
from talleyrand.web.boards.referee import Lines, Question
from talleyrand.web.games import clock, inbox
from talleyrand.web.games.models import Game, Seat, Sheet
from talleyrand.web.notices.models import Notice
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


def seat(game: Game, power: str) -> Seat:
    return Seat.objects.get(game=game, power=power)


def hand_in(game: Game, power: str, lines: Iterable[str] | None = None, **more: Any) -> Sheet:
    """A power’s sheet for the open phase, some time before its deadline."""
    now = fresh(game)
    sent: dict[str, Any] = {"number": now.number, "key": "", "origin": "text", "at": now.opened, **more}
    return inbox.hand_in(now, power, list(OPENINGS[power] if lines is None else lines), **sent)


def all_hand_in(game: Game, *, but: Iterable[str] = (), **more: Any) -> None:
    for power in PLAYERS:
        if power not in but:
            hand_in(game, power, **more)


def draft(game: Game, power: str, *lines: str, at: datetime | None = None) -> Seat:
    """Put these lines in preparation."""
    now = fresh(game)
    return inbox.redraft(now, power, now.number, these(power, lines), at or now.opened)


def these(power: str, lines: Iterable[str]) -> Change:
    def change(_question: Question, _draft: Lines) -> Lines:
        return {power: list(lines)}

    return change


def due(game: Game) -> datetime:
    found = fresh(game).due
    assert found is not None
    return found


def sweep_at_deadline(game: Game, later: timedelta = timedelta(0)) -> Game:
    """The clock looks when it should, or later; all that is due by then is done."""
    clock.sweep(due(game) + 2 * SECOND + later)
    return fresh(game)


def told(game: Game, kind: str) -> list[Notice]:
    return list(Notice.objects.filter(about=f"game:{game.key}", kind=kind).order_by("person"))


def people_told(game: Game, kind: str) -> set[str]:
    return {notice.person.name for notice in told(game, kind)}
