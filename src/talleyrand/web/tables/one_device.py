"""One device handed round a table: it is each player in turn, and nobody while it is handed on.

Its session keeps the key of the device (the referee's), beside whom it is now. A page with somebody's orders
is shown once each time that the curtain is lifted: who reloads it or comes back to it finds the curtain.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.http import HttpRequest

from talleyrand import variants
from talleyrand.web.accounts import guests
from talleyrand.web.boards import display_names
from talleyrand.web.common.transactions import write_transaction
from talleyrand.web.games import open_seats, order_submission, power_assignments, readiness
from talleyrand.web.games.models import Game
from talleyrand.web.games.order_submission import NO_ORDERS

from . import table_opening, table_seats, table_start
from .models import Table, TablePlayer
from .table_opening import TablePlan

DEVICES_SESSION_KEY = "table_devices"  # by the key of the game: the device's key, and whether a page is due
KEY, IS_DUE = "key", "due"


@dataclass(frozen=True)
class Hand:
    """Somebody who has orders to give, with the powers, in words; `has_sent` all of them."""

    number: int
    name: str
    powers: str
    has_sent: bool


def open_one_device(request: HttpRequest, plan: TablePlan, submission: str, now: datetime) -> Table:
    """A table whose game begins at once; this browser is its device. The same form twice is one table.

    Raises QuestionRefusal and LobbyRefusal.
    """
    table = table_opening.open_table(plan, submission)
    Table.objects.filter(pk=table.pk).update(is_one_device=True)
    referee = table.players.select_related("table__game").get(number=table_opening.REFEREE_SEAT)
    if not referee.phone_digest:
        table_seats.take_seat(request, referee, now)
        key = request.session[table_seats.SEATS_SESSION_KEY][table.game.key]
        _keep(request, table.game.key, {KEY: key, IS_DUE: False})
        table_start.start_table(table, now)
    return table


def table_of_device(request: HttpRequest, game_key: str) -> Table | None:
    """The table whose device this browser is, whoever holds it now."""
    kept = _session_table(request, game_key).get(KEY, "")
    found = TablePlayer.objects.filter(
        table__game__key=game_key,
        table__is_one_device=True,
        number=table_opening.REFEREE_SEAT,
        phone_digest=table_seats.phone_digest(kept),
    )
    referee = found.select_related("table__game", "table__host").first() if kept else None
    return referee.table if referee else None


@write_transaction
def lift(request: HttpRequest, table: Table, number: int, now: datetime) -> TablePlayer | None:
    """The device is this player from now on, for one page; None for a seat that there is not."""
    cover(request, table)
    player = table.players.select_related("table__game").filter(number=number).exclude(number=0).first()
    if player is not None:
        table_seats.sit_down(request, player, now)
        _keep(request, table.game.key, {**_session_table(request, table.game.key), IS_DUE: True})
    return player


@write_transaction
def cover(request: HttpRequest, table: Table) -> None:
    """The device is nobody: whatever key of a seat it had is good no more."""
    key = table.game.key
    seats = TablePlayer.objects.filter(table=table).exclude(number=table_opening.REFEREE_SEAT)
    seats.exclude(phone_digest="").update(phone_digest="", phone_session="", pin="", pin_until=None)
    before = request.session.get(table_seats.SEATS_SESSION_KEY, {})
    request.session[table_seats.SEATS_SESSION_KEY] = {**before, key: _session_table(request, key)[KEY]}
    _keep(request, key, {**_session_table(request, key), IS_DUE: False})


def show_once(request: HttpRequest, game_key: str) -> bool:
    """Whether the page that is asked for may show the orders of whoever the device is: once."""
    kept = _session_table(request, game_key)
    if not kept.get(IS_DUE):
        return False
    _keep(request, game_key, {**kept, IS_DUE: False})
    return True


@write_transaction
def submit_all(player: TablePlayer, now: datetime) -> None:
    """What a player has in preparation is submitted as it stands, also nothing: the units hold."""
    game = Game.objects.select_for_update().get(pk=player.table.game.pk)
    sent = order_submission.counting_order_sets(game, game.phase_number)
    asked = {one.power for one in _awaited(game)}
    held = {
        power for power, person in power_assignments.assignments_in_order(game) if person == player.person_id
    }
    for seat in game.seats.filter(power__in=held & asked - sent.keys()):
        lines = order_submission.draft_lines(seat, game.phase_number)
        order_submission.submit_draft(game, seat.power, lines, now)


def hands(table: Table) -> list[Hand]:
    """Everybody who has orders to give in the open phase, in the order of the seats."""
    game, variant = Game.objects.get(pk=table.game.pk), variants.load(table.game.variant)
    asked = {one.power: one.state for one in _awaited(game)}
    held: dict[int | None, list[str]] = {}
    for power, person in power_assignments.assignments_in_order(game):
        if power in asked:
            held.setdefault(person, []).append(power)
    players = table.players.exclude(number=table_opening.REFEREE_SEAT).select_related("person")
    return [
        Hand(
            one.number,
            guests.guest_name(one.person),
            ", ".join(display_names.power_name(variant, power) for power in held[one.person_id]),
            all(asked[power] != NO_ORDERS for power in held[one.person_id]),
        )
        for one in players
        if one.person_id in held
    ]


@dataclass(frozen=True)
class _Awaited:
    power: str
    state: str


def _awaited(game: Game) -> list[_Awaited]:
    """The powers that are asked in the open phase, each with how far it is."""
    seats = open_seats.seats_of_games([game])[game.pk]
    found = readiness.game_readiness(game, variants.load(game.variant), seats)
    states = found.powers if found else []
    return [
        _Awaited(seat.power, one.state.code)
        for seat, one in zip(seats, states, strict=False)
        if one.is_awaited
    ]


def _session_table(request: HttpRequest, game_key: str) -> dict[str, Any]:
    return dict(request.session.get(DEVICES_SESSION_KEY, {}).get(game_key, {}))


def _keep(request: HttpRequest, game_key: str, told: dict[str, Any]) -> None:
    before = request.session.get(DEVICES_SESSION_KEY, {})
    request.session[DEVICES_SESSION_KEY] = {**before, game_key: told}
