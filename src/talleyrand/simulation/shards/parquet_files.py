"""Parquet files, written and read by DuckDB (extra `simulation`)."""

from __future__ import annotations

import importlib
import importlib.util
import os
from pathlib import Path
from types import ModuleType
from typing import Any

from .shard_errors import ShardError

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
