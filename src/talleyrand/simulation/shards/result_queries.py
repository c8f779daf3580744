"""Questions to the shards of a folder; the answers come from the SQL in `queries/`."""

from __future__ import annotations

import json
from collections import Counter
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple

from .simulation_folder import SimulationFolder, connect, duckdb, fault_in_one_line
from .simulation_plan import ShardError

Row = dict[str, Any]


class OverallResults(NamedTuple):
    """The games of a folder together. `phases` were played, `by_engine` of them by the readable engine;
    `illegal` orders of bots were none."""

    games: int
    solos: int
    last_year: float
    phases: int
    by_engine: int
    illegal: int


class SimulationResults:
    """What the shards that are done have to tell."""

    def __init__(self, path: Path) -> None:
        """Raises ShardError (`no_manifest`, `nothing_played`, `foreign_shard`, `no_duckdb`)."""
        self._fault = duckdb().Error
        self.folder = SimulationFolder.existing(path)
        self.plan, self.shards = self.folder.plan, self.folder.done_shards()
        if not self.shards:
            raise ShardError("nothing_played", folder=str(path))
        self._files = [str(self.folder.shard_path(shard)) for shard in self.shards]

    def results_by(self, *, by_bot: bool, by_power: bool) -> list[Row]:
        """Centres, solos, survivals and share of each bot, each power, or both, the best first."""
        return self._query("results", by_bot=by_bot, by_power=by_power)

    def openings(
        self, power: str | None = None, bot: str | None = None, depth: int = 1, most: int = 5
    ) -> list[Row]:
        """The order sets that powers gave most often in their first `depth` movement phases."""
        return self._query("openings", power=power, bot=bot, depth=depth, most=most)

    def years(self, *, by_bot: bool, game: int | None = None) -> list[Row]:
        """Centres at the end of each year, on average or in one game."""
        return self._query("years", by_bot=by_bot, game=game)

    def game(self, game: int) -> list[Row]:
        """What happened in one game; raises ShardError (`no_such_game`, `game_not_played`)."""
        shard = self.plan.shard_of(game)
        if shard not in self.shards:
            raise ShardError("game_not_played", game=str(game), shard=str(shard))
        return self._query("game", [str(self.folder.shard_path(shard))], game=game)

    def overall(self) -> OverallResults:
        """Every game together."""
        (whole,) = self._query("whole")
        told: Counter[str] = Counter()
        for row in self._query("facts"):
            told.update(json.loads(row["facts"]))
        by_engine = sum(count for name, count in told.items() if name.startswith("by_engine."))
        return OverallResults(
            whole["games"], whole["solos"], whole["last_year"], told["phases"], by_engine, told["illegal"]
        )

    def _query(self, query: str, files: list[str] | None = None, **facts: object) -> list[Row]:
        text = (resources.files(__package__) / "queries" / f"{query}.sql").read_text("utf-8")
        try:
            with connect() as connection:
                answer = connection.execute(text, {"files": files or self._files} | facts)
                columns = [column[0] for column in answer.description]
                return [dict(zip(columns, row, strict=True)) for row in answer.fetchall()]
        except self._fault as fault:
            folder = str(self.folder.path)
            raise ShardError("unreadable_shards", folder=folder, reason=fault_in_one_line(fault)) from None
