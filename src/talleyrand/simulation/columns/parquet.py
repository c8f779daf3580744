"""A Parquet file made of parts: each batch of rows is one, and DuckDB joins them in their order."""

from __future__ import annotations

import os
from collections.abc import Sequence
from errno import EIO, EISDIR, ENOSPC
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import Any, NamedTuple

from talleyrand.simulation.shards.simulation_folder import connect, duckdb, fault_in_one_line

from .outcome_rows import FIELD, FIELDS, FILE_COLUMNS, FileColumn, Rows, blank_rows

TYPES = {"flag": "BOOLEAN", "int": "BIGINT", "text": "VARCHAR"}
Values = Sequence[int | str | None]


class FilePart(NamedTuple):
    """So many rows, as a Parquet file of their own."""

    rows: int
    content: bytes


def file_part(rows: Rows, values: dict[str, Values]) -> FilePart:
    """Rows as a part of a file; `values` says for each column but flags what the numbers stand for.

    Raises OSError where there is no room for it.
    """
    with TemporaryDirectory(prefix="talleyrand-") as folder, connect() as database:
        database.execute("SET threads = 1")  # each process writes parts of its own
        database.register("numbers", {name: rows[FIELD[name]] for name in FIELDS})
        for name, listed in values.items():
            database.execute(f"SET VARIABLE {name} = $listed", {"listed": list(listed)})
        file = Path(folder) / "part.parquet"
        _write(database.view("numbers").project(", ".join(map(_column, FILE_COLUMNS))), file)
        return FilePart(rows.shape[1], file.read_bytes())


def _column(column: FileColumn) -> str:
    field = f'"{column.field}"'
    # of a list, what stands at 0 is NULL
    told = f"{field} <> 0" if column.type_ == "flag" else f"getvariable('{column.name}')[{field} + 1]"
    return f"({told})::{TYPES[column.type_]} AS {column.name}"


def _write(found: Any, file: Path) -> None:
    """Write rows that a database has found; raises OSError."""
    try:
        found.write_parquet(str(file), compression="zstd")
    except duckdb().IOException as fault:
        number = ENOSPC if os.strerror(ENOSPC) in str(fault) else EIO
        raise OSError(number, fault_in_one_line(fault), str(file)) from None


class ParquetFile:
    """A file that is there with all its rows or not at all: its parts are kept in a folder beside it, and
    what they make is renamed at the end of `with`, unless that ends by an exception. Of a link, what it leads
    to is written. Raises OSError."""

    def __init__(self, path: Path) -> None:
        self.path = Path(os.path.realpath(path)) if path.is_symlink() else path
        self.rows = self._parts = 0

    def __enter__(self) -> ParquetFile:
        if self.path.is_dir():
            raise IsADirectoryError(EISDIR, os.strerror(EISDIR), str(self.path))
        self._aside = TemporaryDirectory(prefix=f".{self.path.name}.", dir=self.path.parent)
        return self

    def add(self, part: FilePart) -> None:
        """Append rows."""
        file = self._part(self._parts)
        try:
            file.write_bytes(part.content)
        except OSError as fault:
            fault.filename = str(file)  # which none that comes of writing has
            raise
        self.rows, self._parts = self.rows + part.rows, self._parts + 1

    def _part(self, number: int) -> Path:
        return Path(self._aside.name) / f"{number}.part"

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, _trace: TracebackType | None
    ) -> None:
        with self._aside:
            if fault is None:
                self._join().replace(self.path)

    def _join(self) -> Path:
        if not self._parts:
            self.add(file_part(blank_rows(0), {column.name: () for column in FILE_COLUMNS}))
        whole = Path(self._aside.name) / "whole"
        parts = [str(self._part(number)) for number in range(self._parts)]
        with connect() as database:
            _write(database.read_parquet(parts), whole)
        with whole.open("rb") as written:
            os.fsync(written.fileno())
        return whole
