"""The folder of a plan: what was asked, and the shards that are done.

A shard's file appears under its name only once it is whole: it is written aside, then renamed. So several
machines may work on one folder, and whatever stops them leaves nothing that counts by half.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import os
import re
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from errno import EACCES
from pathlib import Path
from secrets import token_hex
from types import ModuleType
from typing import Any

from talleyrand.formats.json_checks import InvalidQuestion
from talleyrand.formats.json_lines import read_json

from .simulation_plan import ShardError, SimulationPlan, read_plan

KEY = "talleyrand"
END = b"PAR1"  # what a whole file ends with


def duckdb() -> ModuleType:
    """The database; raises ShardError (`no_duckdb`) where it is not installed."""
    if importlib.util.find_spec("duckdb") is None:
        raise ShardError("no_duckdb")
    return importlib.import_module("duckdb")


def connect() -> Any:
    """A database in memory that writes nothing to the terminal."""
    connection = duckdb().connect()
    connection.execute("SET enable_progress_bar = false")
    return connection


def fault_in_one_line(fault: Exception) -> str:
    """What the database says of a fault, in one line."""
    return " ".join(str(fault).split())[:200]


def file_mark(file: Path) -> str | None:
    """What a file's writer has marked it with, "" for a stranger's; None for a file that is not whole.

    Raises OSError for one that cannot be read.
    """
    with file.open("rb") as opened:
        opened.seek(-min(len(END), file.stat().st_size), os.SEEK_END)
        if opened.read() != END:
            return None
    database = duckdb()
    query = "SELECT value FROM parquet_kv_metadata($file) WHERE key = $key"
    try:
        with connect() as connection:
            rows = connection.execute(query, {"file": str(file), "key": KEY}).fetchall()
    except database.Error:
        return None
    return bytes(rows[0][0]).decode() if rows else ""


MANIFEST = "simulation.json"
SHARD = re.compile(r"shard-(\d{6,})\.parquet")


@dataclass(frozen=True)
class SimulationFolder:
    """Where the shards of one plan are kept."""

    path: Path
    plan: SimulationPlan

    @classmethod
    def open(cls, path: Path, plan: SimulationPlan) -> SimulationFolder:
        """The folder to keep a plan's shards in, made where there is none.

        Raises ShardError (`another_plan`) where it holds the shards of another one, OSError.
        """
        path.mkdir(parents=True, exist_ok=True)
        if not (path / MANIFEST).exists():
            text = json.dumps(plan.as_json(), ensure_ascii=False, indent=2)
            write_atomically(path / MANIFEST, text.encode() + b"\n", first=True)
        _same(path, read_manifest(path), plan)
        return cls(path, plan)

    @classmethod
    def existing(cls, path: Path) -> SimulationFolder:
        """The folder that somebody has filled; raises ShardError (`no_manifest`, `bad_manifest`)."""
        return cls(path, read_manifest(path))

    def shard_path(self, shard: int) -> Path:
        """Where a shard is kept."""
        return self.path / f"shard-{shard:06}.parquet"

    def done_shards(self) -> list[int]:
        """The shards that are there and whole.

        Raises ShardError (`foreign_shard`) for a file with a shard's name that is another plan's.
        """
        return [shard for shard in sorted(self._numbers()) if self._is_complete(shard)]

    def missing_shards(self, wanted: Iterable[int] | None = None) -> list[int]:
        """The shards that are still to be played, of those wanted."""
        done = set(self.done_shards())
        every = range(1, self.plan.shards + 1)
        return [shard for shard in (every if wanted is None else wanted) if shard not in done]

    def check(self) -> None:
        """Raise OSError where no shard could be kept, before it is played."""
        if not os.access(self.path, os.W_OK):
            raise PermissionError(EACCES, os.strerror(EACCES), str(self.path))

    def store_shard(self, shard: int, content: bytes) -> None:
        """Put a played shard into its place; raises OSError."""
        write_atomically(self.shard_path(shard), content)

    def _numbers(self) -> Iterable[int]:
        for file in self.path.iterdir():
            found = SHARD.fullmatch(file.name)
            if found and 1 <= int(found[1]) <= self.plan.shards:
                yield int(found[1])

    def _is_complete(self, shard: int) -> bool:
        mark = file_mark(self.shard_path(shard))
        if mark is not None and mark != f"{self.plan.checksum} {shard}":
            raise ShardError("foreign_shard", file=str(self.shard_path(shard)))
        return mark is not None


def existing_plan(path: Path) -> SimulationPlan | None:
    """What was asked in a folder before, if anything was."""
    return read_manifest(path) if (path / MANIFEST).exists() else None


def read_manifest(path: Path) -> SimulationPlan:
    """What was asked in a folder; raises ShardError (`no_manifest`, `bad_manifest`, `other_form`)."""
    try:
        text = (path / MANIFEST).read_text("utf-8")
    except (FileNotFoundError, NotADirectoryError):
        raise ShardError("no_manifest", folder=str(path)) from None
    except UnicodeDecodeError:
        raise ShardError("bad_manifest", folder=str(path)) from None
    try:
        return read_plan(read_json(text), str(path))
    except InvalidQuestion:
        raise ShardError("bad_manifest", folder=str(path)) from None


def _same(path: Path, kept: SimulationPlan, asked: SimulationPlan) -> None:
    before, now = kept.as_json(), asked.as_json()
    for name in {**before, **now}:
        if before.get(name) != now.get(name):
            first, second = (_value_text(value.get(name, "")) for value in (before, now))
            raise ShardError("another_plan", folder=str(path), what=name, kept=first, asked=second)


def _value_text(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 80 else text[:79] + "…"


def write_atomically(path: Path, content: bytes, *, first: bool = False) -> None:
    """Write a file so that it is there with all its content or not at all; where the `first` counts, leave
    what somebody else has written meanwhile."""
    # Machines that share a folder may give their processes the same number.
    aside = path.with_name(f".{path.name}.{token_hex(8)}.part")
    try:
        with aside.open("wb") as opened:
            opened.write(content)
            opened.flush()
            os.fsync(opened.fileno())
        if not first or not _linked(aside, path):
            aside.replace(path)
    except OSError as fault:
        fault.filename, fault.filename2 = str(path), None
        raise
    finally:
        with suppress(OSError):
            aside.unlink()


def _linked(aside: Path, path: Path) -> bool:
    """Give a file its name unless there is one of that name; False where links are unknown."""
    try:
        path.hardlink_to(aside)
    except FileExistsError:
        return True
    except (OSError, NotImplementedError):
        return False
    return True
