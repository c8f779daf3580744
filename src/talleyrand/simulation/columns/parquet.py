"""A Parquet file that PyArrow writes part by part: each batch of rows is a row group, in which texts are
numbers with what they stand for beside them."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from errno import EISDIR
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType

import pyarrow as pa
from pyarrow.parquet import ParquetWriter

from .outcome_rows import FIELD, FILE_COLUMNS, NULL, Rows

Values = Sequence[int | str | None]
TYPES = {"flag": pa.bool_(), "int": pa.int64(), "text": pa.dictionary(pa.int32(), pa.string())}
SCHEMA = pa.schema([(column.name, TYPES[column.type_]) for column in FILE_COLUMNS])
# A column of a row group is one page, which compresses best; and who reads the file with PyArrow gets texts.
AS_WRITTEN = {"compression": "zstd", "max_rows_per_page": 1 << 20, "store_schema": False}


def file_part(rows: Rows, values: Mapping[str, Values]) -> pa.RecordBatch:
    """Rows as a part of a file; `values` says for each column but flags what the numbers stand for."""
    columns = list[pa.Array]()
    for column in FILE_COLUMNS:
        numbers = rows[FIELD[column.field]]
        unsaid = numbers == NULL
        if column.type_ == "flag":
            columns.append(pa.array(numbers != 0, mask=unsaid))
        else:
            known = pa.array(values[column.name], TYPES[column.type_])  # of a text, each value once
            columns.append(known.take(pa.array(numbers, mask=unsaid)))
    return pa.RecordBatch.from_arrays(columns, schema=SCHEMA)


class ParquetFile:
    """A file that is there with all its rows or not at all: it is written in a folder beside its place, and
    renamed at the end of `with`, unless that ends by an exception. Of a link, what it leads to is written.
    Raises OSError."""

    def __init__(self, path: Path) -> None:
        self.path = Path(os.path.realpath(path)) if path.is_symlink() else path
        self.rows = 0

    def __enter__(self) -> ParquetFile:
        if self.path.is_dir():
            raise IsADirectoryError(EISDIR, os.strerror(EISDIR), str(self.path))
        with ExitStack() as stack:
            aside = TemporaryDirectory(prefix=f".{self.path.name}.", dir=self.path.parent)
            self._parts = Path(stack.enter_context(aside)) / "rows.part"
            self._file = self._parts.open("wb")
            stack.callback(self._leave)
            self._writer = ParquetWriter(self._file, SCHEMA, **AS_WRITTEN)
            self._aside = stack.pop_all()
        return self

    def add(self, part: pa.RecordBatch) -> None:
        """Append rows."""
        try:
            self._writer.write_batch(part)
            self._file.flush()
        except OSError as fault:
            fault.filename = str(self._parts)  # which none that comes of writing has
            raise
        self.rows += part.num_rows

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, _trace: TracebackType | None
    ) -> None:
        with self._aside:
            if fault is None:
                self._end()
                self._parts.replace(self.path)

    def _end(self) -> None:
        """Write what the file holds behind all its parts."""
        try:
            self._writer.close()
            self._file.flush()
            os.fsync(self._file.fileno())
        except OSError as fault:
            fault.filename = str(self._parts)
            raise
        self._file.close()

    def _leave(self) -> None:
        """Write no more, not even what is still to be written."""
        self._writer.is_open = False
        with suppress(OSError):
            self._file.close()
