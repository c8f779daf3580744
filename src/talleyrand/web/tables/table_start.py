"""The powers are dealt, and the first phase opens."""

from __future__ import annotations

from datetime import datetime

from talleyrand.web.common.transactions import write_transaction
from talleyrand.web.games.lobby import game_start
from talleyrand.web.games.models import Game, GameMembership, GameRole, PowerAssignment

from .models import Dealing, Table, TablePlayer
from .table_opening import REFEREE_SEAT


@write_transaction
def start_table(table: Table, now: datetime) -> Game:
    """Deal as the table was opened, and open the first phase; the seats without land, which whoever leads a
    game presides over, are the referee's. Raises LobbyRefusal and QuestionRefusal.
    """
    chosen = _seated(table) if table.dealing == Dealing.SEATED else None
    begun = game_start.start_game(table.game, now, table.host, chosen)
    _preside(table, begun)
    return begun


def _preside(table: Table, game: Game) -> None:
    held = PowerAssignment.objects.filter(seat__game=game, person=table.host, ended_at=None)
    referee = table.players.filter(number=REFEREE_SEAT).first()
    if referee is not None and held.update(person=referee.person):
        GameMembership.objects.filter(game=game, person=referee.person).update(role=GameRole.PLAYER)


def _seated(table: Table) -> dict[str, int]:
    """For each power the membership of whose seat it is."""
    members = dict(GameMembership.objects.filter(game=table.game, left_at=None).values_list("person", "pk"))
    seats = TablePlayer.objects.filter(table=table)
    return {power: members[seat.person_id] for seat in seats for power in seat.powers}
