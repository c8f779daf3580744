"""One game as a record: its inputs, which the readable engine replays."""

from __future__ import annotations

from collections.abc import Sequence

from talleyrand.engine.position import Phase
from talleyrand.formats.records import Inputs, Record

from .asking import Results, Row
from .playing import seed_of


def record_of(results: Results, game: int) -> Record:
    """A game of the folder; raises ShardError (`no_such_game`, `game_not_played`)."""
    plan, rows = results.plan, results.game(game)
    return Record(
        variant=plan.loaded,
        rulebook=plan.rulebook,
        book=plan.book,
        start=plan.loaded.setting.start,
        phases=tuple(_inputs(rows, at) for at in range(len(rows[0]["phases"]))),
        seed=seed_of(plan, game),
    )


def _inputs(rows: Sequence[Row], at: int) -> Inputs:
    """What everybody ordered in one phase, and which bots they were."""
    given = {row["power"]: tuple(row["phases"][at]["orders"]) for row in rows}
    phase = Phase.parse(rows[0]["phases"][at]["phase"])
    sheets = {power: (orders,) for power, orders in given.items() if orders}
    return Inputs(phase, sheets, bots={row["power"]: row["bot"] for row in rows if row["power"] in sheets})
