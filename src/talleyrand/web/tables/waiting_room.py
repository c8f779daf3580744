"""Before a game begins: names, seats that are changed, left and freed, the powers that players would like."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.http import HttpRequest

from talleyrand.web.accounts import guests
from talleyrand.web.common.transactions import write_transaction
from talleyrand.web.games.lobby import membership_actions
from talleyrand.web.games.models import Game, GameState

from . import table_seats
from .models import Dealing, Table, TablePlayer
from .table_opening import REFEREE_SEAT
from .table_seats import SEATS_SESSION_KEY, SeatRefusal


def rename_seat(player: TablePlayer, name: str) -> None:
    """Another name for whoever sits there. Raises SeatRefusal (begun, kept) and ValidationError."""
    known = guests.check_guest_name(name)
    _rename(player, known)


@write_transaction
def _rename(player: TablePlayer, name: str) -> None:
    _check_gathers(player.table)
    if not player.person.is_guest:
        raise SeatRefusal("kept")
    guests.rename_guest(player.person, name, player.table.code)
    table_seats.tell_table(player.table)


def leave_seat(request: HttpRequest, player: TablePlayer) -> None:
    """This phone gives its seat back. Raises SeatRefusal: begun, referee (the last one of a table)."""
    free_seat(player)
    kept = request.session.get(SEATS_SESSION_KEY, {})
    request.session[SEATS_SESSION_KEY] = {
        key: one for key, one in kept.items() if key != player.table.game.key
    }


@write_transaction
def free_seat(player: TablePlayer) -> None:
    """Nobody sits there any more, and nothing of them is left. Raises SeatRefusal: begun, referee."""
    _check_gathers(player.table)
    others = player.table.players.filter(is_referee=True).exclude(pk=player.pk).exclude(phone_digest="")
    if player.is_referee and not others.exists():
        raise SeatRefusal("referee")
    _empty(player)
    table_seats.tell_table(player.table)


def _empty(player: TablePlayer) -> None:
    TablePlayer.objects.filter(pk=player.pk).update(
        **table_seats.NO_PHONE, is_referee=player.number == REFEREE_SEAT, is_beginner=False, is_on_paper=False
    )
    player.person.memberships.filter(game=player.table.game).update(preferences=[])
    table_seats.seat_guest(player, str(player.number))


def change_seat(
    request: HttpRequest, player: TablePlayer, number: int | None, now: datetime, name: str
) -> TablePlayer:
    """A phone sits down on another free seat (the first one for None) with a name; a referee remains one, so
    that whoever opened a table may play. Raises SeatRefusal (begun, full, seat_taken) and
    ValidationError.
    """
    known = guests.check_guest_name(name)
    return _change(request, player, number, now, known)


@write_transaction
def _change(
    request: HttpRequest, player: TablePlayer, number: int | None, now: datetime, name: str
) -> TablePlayer:
    table = player.table
    _check_gathers(table)
    free = table_seats.free_seats(table)
    chosen = next((one for one in free if number in (None, one.number)), None)
    if chosen is None:
        raise SeatRefusal("seat_taken" if free else "full")
    _empty(player)
    guests.rename_guest(chosen.person, name, table.code)
    TablePlayer.objects.filter(pk=chosen.pk).update(is_referee=player.is_referee)
    table_seats.sit_down(request, chosen, now)
    return chosen


def set_wishes(player: TablePlayer, powers: Sequence[str]) -> None:
    """The powers that a player would like, the best first. Raises SeatRefusal (begun, no_wishes: this table
    asks for none) and LobbyRefusal.
    """
    if player.table.dealing != Dealing.WISHES:
        raise SeatRefusal("no_wishes")
    membership_actions.set_preferences(player.table.game, player.person, powers)
    table_seats.tell_table(player.table)


def _check_gathers(table: Table) -> None:
    """Nobody else comes in, and the game does not begin, until the end of the transaction."""
    Table.objects.select_for_update().get(pk=table.pk)
    if Game.objects.select_for_update().get(pk=table.game.pk).state != GameState.GATHERING:
        raise SeatRefusal("begun")
