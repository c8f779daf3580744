"""The powers are dealt, and the first phase opens."""

from __future__ import annotations

from datetime import datetime

from talleyrand.web.games.lobby import game_start
from talleyrand.web.games.models import Game, GameMembership

from .models import Dealing, Table, TablePlayer


def start_table(table: Table, now: datetime) -> Game:
    """Deal as the table was opened, and open the first phase. Raises LobbyRefusal and QuestionRefusal."""
    chosen = _seated(table) if table.dealing == Dealing.SEATED else None
    return game_start.start_game(table.game, now, table.host, chosen)


def _seated(table: Table) -> dict[str, int]:
    """For each power the membership of whose seat it is."""
    members = dict(GameMembership.objects.filter(game=table.game, left_at=None).values_list("person", "pk"))
    seats = TablePlayer.objects.filter(table=table)
    return {power: members[seat.person_id] for seat in seats for power in seat.powers}
