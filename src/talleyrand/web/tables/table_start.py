"""The powers are dealt, and the first phase opens."""

from __future__ import annotations

from datetime import datetime

from talleyrand.web.common.transactions import write_transaction
from talleyrand.web.games.lobby import game_start
from talleyrand.web.games.models import Game, GameMembership, GameRole, PowerAssignment

from . import table_seats
from .models import Dealing, Table, TablePlayer
from .table_opening import REFEREE_SEAT


@write_transaction
def start_table(table: Table, now: datetime) -> Game:
    """Deal as the table was opened, and open the first phase; the seats without land, which whoever leads a
    game presides over, are the referee's. Raises LobbyRefusal and QuestionRefusal.
    """
    _leave_to_bots(table)
    chosen = _seated(table) if table.dealing == Dealing.SEATED else None
    begun = game_start.start_game(table.game, now, table.host, chosen)
    _preside(table, begun)
    return begun


def _preside(table: Table, game: Game) -> None:
    held = PowerAssignment.objects.filter(seat__game=game, person=table.host, ended_at=None)
    referee = table.players.filter(number=REFEREE_SEAT).first()
    if referee is not None and held.update(person=referee.person):
        GameMembership.objects.filter(game=game, person=referee.person).update(role=GameRole.PLAYER)


def _leave_to_bots(table: Table) -> None:
    """Nobody plays the seats that have neither a phone nor paper, where the table was opened with bots."""
    if table.game.settings.bots:
        away = table_seats.seats_for_bots(table).values("person")
        members = GameMembership.objects.filter(game=table.game, left_at=None, person__in=away)
        members.update(role=GameRole.OBSERVER)


def _seated(table: Table) -> dict[str, int]:
    """For each power the membership of whose seat it is."""
    players = GameMembership.objects.filter(game=table.game, left_at=None, role=GameRole.PLAYER)
    members = dict(players.values_list("person", "pk"))
    seats = TablePlayer.objects.filter(table=table, person__in=members)
    return {power: members[seat.person_id] for seat in seats for power in seat.powers}
