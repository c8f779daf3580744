"""One game as a record: its inputs, which the readable engine replays."""

from __future__ import annotations

from collections.abc import Sequence

from talleyrand import variants
from talleyrand.engine.position import Phase
from talleyrand.formats.game_record import GameRecord, PhaseInputs

from .result_queries import Row, SimulationResults
from .shard_playing import game_seed


def record_of(results: SimulationResults, game: int) -> GameRecord:
    """A game of the folder; raises ShardError (`no_such_game`, `game_not_played`)."""
    plan, rows = results.plan, results.game(game)
    return GameRecord(
        variant=variants.load(plan.variant),
        rulebook_json=plan.rulebook,
        loaded_rulebook=plan.loaded_rulebook,
        start=plan.loaded_variant.definition.start,
        phases=tuple(_inputs(rows, at, plan.loaded_split.absent) for at in range(len(rows[0]["phases"]))),
        seed=game_seed(plan, game),
    )


def _inputs(rows: Sequence[Row], at: int, absent: tuple[str, ...]) -> PhaseInputs:
    """What everybody ordered in one phase, which bots they were, and who is in civil disorder all through."""
    given = {row["power"]: tuple(row["phases"][at]["orders"]) for row in rows}
    phase = Phase.parse(rows[0]["phases"][at]["phase"])
    sheets = {power: (orders,) for power, orders in given.items() if orders}
    return PhaseInputs(
        phase, sheets, absent, bots={row["power"]: row["bot"] for row in rows if row["power"] in sheets}
    )
