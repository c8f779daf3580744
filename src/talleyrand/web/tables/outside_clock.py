"""A table that follows a clock outside of it, as the boards of a round follow that of the round."""

from __future__ import annotations

from datetime import datetime

from talleyrand.web.common.transactions import write_transaction
from talleyrand.web.games import phase_deadlines
from talleyrand.web.games.models import RUNNING_STATES, Game, GameState
from talleyrand.web.notifications import topic_versions

from .models import Table

FOLLOWED = "followed"  # in `Table.clock`: what the clock outside said last


@write_transaction
def note(table: Table, name: str, value: int) -> bool:
    """Note beside the clock of a table what has been done for it; whether that is another than before."""
    row = Table.objects.select_for_update().get(pk=table.pk)
    if row.clock.get(name) == value:
        return False
    row.clock = {**row.clock, name: value}
    row.save(update_fields=["clock"])
    return True


@write_transaction
def follow(table: Table, due: datetime | None, *, running: bool, said: str, now: datetime) -> bool:
    """Let the open phase end at `due`, or rest where the clock outside does not run; whether it was news.

    `said` stands for what that clock says of this phase: said twice, it changes nothing, so that whoever
    pauses or hurries the table alone is not overruled until the clock outside is touched.
    """
    row = Table.objects.select_for_update().get(pk=table.pk)
    game = Game.objects.select_for_update().get(pk=table.game_id)
    if game.state not in RUNNING_STATES or row.clock.get(FOLLOWED) == said:
        return False
    game.state = GameState.PLAYING if running else GameState.PAUSED
    game.time_left_when_paused = None
    phase_deadlines.set_deadline(game, due if running else None, now)
    if running:
        game.next_check_at = now  # everybody may have finished meanwhile
    game.save(update_fields=phase_deadlines.DEADLINE_FIELDS)
    row.clock = {**row.clock, FOLLOWED: said}
    row.save(update_fields=["clock"])
    topic_versions.bump(topic_versions.game_topic(game.key))
    return True
