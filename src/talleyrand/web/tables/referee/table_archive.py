"""A table as one file, to go on with on another machine: what all may know, and nothing of the open phase.

The referee may be a player: neither orders nor drafts of the open phase are in it, nor what lots are drawn
from, nor the keys of phones and seats. Written as JSON, with a digest that tells a damaged file.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.utils.text import slugify

import talleyrand
from talleyrand.web.accounts import guests
from talleyrand.web.games.models import OrderSet, PowerAssignment
from talleyrand.web.games.phase_pages import game_records
from talleyrand.web.tables.models import Table, TablePlayer

from . import consents, orders_as_received

FORMAT, VERSION = "talleyrand table", 1
DIGEST = "sha256"
Json = dict[str, Any]


def archive_file(table: Table, now: datetime) -> tuple[str, bytes]:
    """The archive of a table whose game is in progress: a name for the file, and what it holds."""
    told = table_archive(table, now)
    name = f"{slugify(table.game.name) or 'table'}-{table.game.phase or 'end'}.json"
    whole = {**told, DIGEST: archive_digest(told)}
    return name, (json.dumps(whole, ensure_ascii=False, indent=1) + "\n").encode("utf-8", "surrogatepass")


def archive_digest(told: Mapping[str, Any]) -> str:
    """What tells that nothing of an archive was lost or changed on the way."""
    kept = json.dumps({name: told[name] for name in sorted(told) if name != DIGEST}, sort_keys=True)
    return hashlib.sha256(kept.encode("utf-8", "surrogatepass")).hexdigest()


def table_archive(table: Table, now: datetime) -> Json:
    """A table whose game is in progress."""
    game = table.game
    last = game_records.current_revisions(game)[-1]
    return {
        "format": FORMAT,
        "version": VERSION,
        "program": talleyrand.__version__,
        "made": now.isoformat(timespec="seconds"),
        "name": game.name,
        "scripted": [game.scripted_variant, game.scripted_until_phase],
        "settings": game.settings_json,
        "clock": table.clock,
        "dealing": table.dealing,
        "phase_opened": game.phase_opened_at.isoformat() if game.phase_opened_at else None,
        "started": game.started_at.isoformat() if game.started_at else None,
        "seconds_left": _seconds_left(table, now),
        "record": game_records.game_record_json(game, seeded=False),
        "stands": last.next_situation,
        "people": [_person(one, table) for one in table.players.select_related("person")],
        "powers": _powers(table),
        "received": _received(table),
        "proposals": list(
            game.proposals.exclude(closed_at=None).values(
                "phase_number", "phase", "proposer", "counted_position", "state"
            )
        ),
    }


def _seconds_left(table: Table, now: datetime) -> int | None:
    game = table.game
    left = game.deadline - now if game.deadline else game.time_left_when_paused
    return None if left is None else max(0, round(left.total_seconds()))


def _person(player: TablePlayer, table: Table) -> Json:
    kept = table.consents.get(consents.ELECTRONIC, {}).get(str(player.pk))
    return {
        "number": player.number,
        "name": guests.guest_name(player.person),
        "powers": player.powers,
        "is_referee": player.is_referee,
        "is_beginner": player.is_beginner,
        "is_on_paper": player.is_on_paper,
        "agrees": kept.get("agrees") if kept else None,
    }


def _powers(table: Table) -> dict[str, Json]:
    """Of each power the seats of those who have it, its player first, then a stand-in; and its state."""
    numbers = dict(table.players.values_list("person", "number"))
    held: dict[str, list[int | None]] = {}
    open_now = PowerAssignment.objects.filter(seat__game=table.game, ended_at=None)
    for power, person in open_now.order_by("is_stand_in").values_list("seat__power", "person"):
        held.setdefault(power, []).append(numbers.get(person) if person else None)
    return {
        seat.power: {
            "seats": held.get(seat.power, []),
            "bot": seat.bot,
            "disorder": seat.in_civil_disorder,
            "missed": seat.missed_phases,
        }
        for seat in table.game.seats.all()
    }


def _received(table: Table) -> list[Json]:
    """The order sets of resolved phases that anybody at the table may read word for word."""
    game = table.game
    readable = {
        number
        for number, _title in orders_as_received.resolved_phases(game)
        if orders_as_received.shows_text(game, number)
    }
    found = OrderSet.objects.filter(game=game, phase_number__in=readable, withdrawn_at=None)
    return [
        {
            "phase_number": one.phase_number,
            "power": one.power,
            "receipt": one.receipt_number,
            "lines": one.lines,
            "origin": one.origin,
            "at": one.received_at.isoformat(),
        }
        for one in found.order_by("receipt_number")
    ]
