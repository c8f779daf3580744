"""What happened in the games of a shard, and its file: a row for each seat of each game.

game     BIGINT     the number of the game
power    VARCHAR    who is played
bot      VARCHAR    by whom
centres  USMALLINT  at the end; NULL, and so `alive` and `years`, for a seat without land
won      BOOLEAN    it has won, alone or with others
alive    BOOLEAN    a centre is left at the end
ended    VARCHAR    the last phase played
years    STRUCT(year INTEGER, centres USMALLINT)[]       centres at the end of each year
phases   STRUCT(phase VARCHAR, orders VARCHAR[])[]       orders in normal form, in the order of the units
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .simulation_folder import KEY, connect, duckdb, fault_in_one_line
from .simulation_plan import ShardError, SimulationPlan

Whole = NDArray[np.int64]
Columns = tuple[Any, ...]


@dataclass
class RowLog:
    """Rows that come in pieces, each piece a few columns of equal length."""

    names: tuple[str, ...]
    pieces: list[Columns] = field(default_factory=list)

    def add(self, *columns: Any) -> None:
        """Add a piece; single numbers go with every row of it."""
        self.pieces.append(tuple(np.broadcast_arrays(*map(np.atleast_1d, columns))))

    def table(self) -> dict[str, Whole]:
        """All rows, a column for each name."""
        if not self.pieces:
            return {name: np.zeros(0, np.int64) for name in self.names}
        columns = (np.concatenate(column) for column in zip(*self.pieces, strict=True))
        return {name: column.astype(np.int64) for name, column in zip(self.names, columns, strict=True)}


class ShardRecording:
    """What happened, in rows of numbers. `text` numbers a text; games and powers are counted from 0 within
    the shard, and phases in the order in which they were played."""

    def __init__(self) -> None:
        self.phases = RowLog(("game", "step", "phase"))
        self.orders = RowLog(("game", "step", "power", "place", "line"))
        self.centres = RowLog(("game", "year", "power", "centres"))
        self.ends = RowLog(("game", "winner"))
        self._texts: dict[str, int] = {}

    def text(self, text: str) -> int:
        """The number of a text."""
        return self._texts.setdefault(text, len(self._texts))

    def tables(self) -> dict[str, dict[str, Any]]:
        """The rows, for the database."""
        texts = np.array(list(self._texts), object)
        return {
            "phases": self.phases.table(),
            "orders": self.orders.table(),
            "centres": self.centres.table(),
            "ends": self.ends.table(),
            "texts": {"number": np.arange(len(texts)), "text": texts},
        }


def write_shard(
    recording: ShardRecording, plan: SimulationPlan, shard: int, facts: Mapping[str, int]
) -> bytes:
    """The shard's file. `facts` are numbers to keep beside it.

    Raises ShardError (`not_written`) where the folder of temporary files has no room for it.
    """
    tables = recording.tables() | {"seats": _seats(plan, plan.games_of(shard))}
    with TemporaryDirectory(prefix="talleyrand-") as folder, connect() as database:
        file = Path(folder) / "shard.parquet"
        for name, columns in tables.items():
            database.register(name, columns)
        database.execute("SET threads = 1")  # as many shards are written at once as there are processes
        try:
            database.execute(_statement(file, f"{plan.checksum} {shard}", facts))
        except duckdb().IOException as fault:
            raise ShardError("not_written", folder=gettempdir(), reason=fault_in_one_line(fault)) from None
        return file.read_bytes()


def _statement(file: Path, mark: str, facts: Mapping[str, int]) -> str:
    query = (resources.files(__package__) / "queries" / "shard.sql").read_text("utf-8")
    metadata = {KEY: mark, "facts": json.dumps(dict(facts), sort_keys=True)}
    quoted = ", ".join(f"{key}: {_quoted(value)}" for key, value in metadata.items())
    form = f"FORMAT parquet, COMPRESSION zstd, KV_METADATA {{{quoted}}}"
    return f"COPY ({query.rstrip().rstrip(';')}) TO {_quoted(str(file))} ({form})"


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _seats(plan: SimulationPlan, games: Sequence[int]) -> dict[str, Any]:
    """Who plays which seat in each game."""
    powers = plan.loaded_variant.board.seats
    rows = [(at, game, power) for at, game in enumerate(games) for power in range(len(powers))]
    bots = [plan.bot_of(game, powers[power]) for _, game, power in rows]
    at, game, power = np.array(rows, np.int64).reshape(-1, 3).T
    called = np.array(powers, object)[power]
    return {"at": at, "game": game, "power": power, "called": called, "bot": np.array(bots, object)}
