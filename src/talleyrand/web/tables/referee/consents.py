"""Whether all players agree that orders are entered electronically (Anjou Feu, IV): all, without exception.

`Table.consents[ELECTRONIC]` holds for each player, by primary key, the answer, its hour, and whether the
referee noted it for someone without a phone. No one is asked until the referee asks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from talleyrand.web.common.transactions import write_transaction
from talleyrand.web.games import game_log
from talleyrand.web.tables import table_seats
from talleyrand.web.tables.models import Table, TablePlayer

ELECTRONIC = "electronic"


@dataclass(frozen=True)
class Consent:
    """A player's answer: `agrees` is None as long as there is none; `noted`: by the referee's hand."""

    player: TablePlayer
    agrees: bool | None = None
    noted: bool = False


def is_asked(table: Table) -> bool:
    """Whether the players are asked."""
    return ELECTRONIC in table.consents


def consents_of(table: Table, players: Sequence[TablePlayer]) -> list[Consent]:
    """The answers of those who play; `players` are the table's, without its referee who plays no power."""
    kept = table.consents.get(ELECTRONIC, {})
    answers = [(one, kept.get(str(one.pk), {})) for one in players]
    return [Consent(one, kept.get("agrees"), bool(kept.get("noted"))) for one, kept in answers]


def all_agree(found: Sequence[Consent]) -> bool:
    """Whether all players, without exception, have said yes."""
    return all(one.agrees for one in found)


@write_transaction
def ask_all(table: Table, *, asked: bool) -> None:
    """Ask everyone anew, or no one any more."""
    fresh = Table.objects.select_for_update().get(pk=table.pk)
    fresh.consents.pop(ELECTRONIC, None)
    if asked:
        fresh.consents[ELECTRONIC] = {}
    kind = "consent_asked" if asked else "consent_dropped"
    game_log.add_log_entry(fresh.game, kind, role="master")
    _keep(fresh)


@write_transaction
def answer(player: TablePlayer, *, agrees: bool, now: datetime, noted: bool = False) -> bool:
    """A player's answer, which may change; whether the players are asked at all."""
    fresh = Table.objects.select_for_update().get(pk=player.table_id)
    if not is_asked(fresh) or not player.number:
        return False
    given = {"agrees": agrees, "noted": noted, "at": now.isoformat()}
    fresh.consents[ELECTRONIC][str(player.pk)] = given
    _keep(fresh)
    return True


def _keep(table: Table) -> None:
    table.save(update_fields=["consents"])
    table_seats.tell_table(table)
