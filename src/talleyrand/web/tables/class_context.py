"""What the teacher's page shows of each board: who is there and who has sent, never what."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.urls import reverse

from talleyrand import variants
from talleyrand.web.accounts import guests
from talleyrand.web.boards import display_names
from talleyrand.web.games import open_seats, power_assignments, readiness
from talleyrand.web.games.deadlines import date_texts
from talleyrand.web.games.models import Game, GameState
from talleyrand.web.games.order_submission import READY, SUBMITTED
from talleyrand.web.notifications import signed_topics, topic_versions

from . import class_sessions
from .class_texts import receipt_words
from .models import ClassSession, Table, TablePlayer

Json = dict[str, Any]


def class_topics(session: ClassSession) -> str:
    """The signed words by which the teacher's page hears of what changes at any board."""
    keys = session.tables.order_by("pk").values_list("game__key", flat=True)
    return signed_topics.sign_topics([topic_versions.game_topic(key) for key in keys])


def boards_of(session: ClassSession, now: datetime) -> list[Json]:
    """Each board for the page."""
    tables = class_sessions.tables_of(session)
    pupils = class_sessions.pupils_of(session)
    seats = open_seats.seats_of_games([table.game for table in tables])
    return [
        _board(table, [one for one in pupils if one.table_id == table.pk], seats[table.game.pk], now)
        for table in tables
    ]


def _board(table: Table, pupils: Iterable[TablePlayer], seats: list[Any], now: datetime) -> Json:
    game, variant = table.game, variants.load(table.game.variant)
    states = readiness.game_readiness(game, variant, seats)
    by_power = dict(
        zip((one.power for one in seats), states.powers if states else [None] * len(seats), strict=True)
    )
    powers: dict[int | None, list[Any]] = {}
    for power, person in power_assignments.assignments_in_order(game):
        powers.setdefault(person, []).append((power, by_power.get(power)))
    shown = [_pupil(one, variant, powers.get(one.person_id, []), now) for one in pupils]
    return {
        "game": game,
        "phase": display_names.phase_name(variant, game.phase) if game.phase else "",
        "state": game.state,
        "left": _time_left(game, now),
        "due": game.deadline if game.state == GameState.PLAYING else None,
        "is_waiting": game.is_waiting,
        "pupils": shown,
        "there": sum(one["has_phone"] for one in shown),
        "sent": states.submitted_count if states else 0,
        "awaited": len(states.awaited) if states else 0,
        "last": game.phase_number - 1 if game.phase_number > 1 else 0,
        "map": reverse("games:picture", args=[game.key, game.phase_number, "svg"])
        if game.phase_number and game.phase
        else "",
    }


def _time_left(game: Game, now: datetime) -> str:
    left = game.time_left_when_paused
    if game.state == GameState.PLAYING and game.deadline:
        left = game.deadline - now
    return date_texts.time_left_text(left, display_names.reader_language()) if left else ""


def _pupil(player: TablePlayer, variant: Any, powers: list[Any], now: datetime) -> Json:
    awaited = [state for _power, state in powers if state is not None and state.is_awaited]
    pin = player.pin if player.pin_until and player.pin_until > now else ""
    return {
        "pk": player.pk,
        "name": guests.guest_name(player.person),
        "powers": ", ".join(display_names.power_name(variant, power) for power, _state in powers),
        "colours": [display_names.power_colour(variant, power) for power, _state in powers],
        "has_phone": bool(player.phone_digest),
        "is_asked": bool(awaited),
        "has_sent": bool(awaited) and all(one.state.code in (READY, SUBMITTED) for one in awaited),
        "pin": pin,
    }


def receipt_rows(session: ClassSession) -> list[tuple[str, int]]:
    """What was erased, by kind, in the words of `class_texts.receipt_words`."""
    found: dict[str, int] = {}
    for label, count in session.receipt.items():
        said = receipt_words().get(label)
        if said and count:
            found[said] = found.get(said, 0) + count
    return list(found.items())
