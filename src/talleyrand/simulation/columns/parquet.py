"""A Parquet file written group by group: https://github.com/apache/parquet-format says what its bytes mean.

Every column may be null and, unless it holds flags, has a dictionary of its own in each group; pages are
compressed by gzip.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Sequence
from contextlib import suppress
from errno import EISDIR
from pathlib import Path
from secrets import token_hex
from types import TracebackType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from talleyrand import __version__

from .outcome_rows import FIELD, FILE_COLUMNS, NULL, FileColumn, Rows
from .thrift_compact import I32, I64, LIST, STRUCT, TEXT, list_of, struct, varint

MAGIC = b"PAR1"
# As the format numbers them: types, encodings, pages, the codec, and what may be null.
BOOLEAN, INT64, BYTE_ARRAY = 0, 2, 6
TYPES = {"flag": BOOLEAN, "int": INT64, "text": BYTE_ARRAY}
PLAIN, RLE, RLE_DICTIONARY = 0, 3, 8
DATA_PAGE, DICTIONARY_PAGE = 0, 2
GZIP, OPTIONAL, UTF8 = 2, 1, 0
LEVEL = 1  # of compression: columns of numbers shrink well at once
Values = Sequence[int | str | None]


class ColumnChunk(NamedTuple):
    """The pages of a column in a group; where those with the values begin (0: there is no dictionary); the
    sizes of all before and after compression."""

    pages: bytes
    data_at: int
    uncompressed: int


class RowGroup(NamedTuple):
    """So many rows, a chunk for each of FILE_COLUMNS."""

    rows: int
    chunks: tuple[ColumnChunk, ...]


def row_group(rows: Rows, values: dict[str, Values]) -> RowGroup:
    """Rows as a group; `values` says for each column but flags what the numbers stand for."""
    return RowGroup(
        rows.shape[1], tuple(_chunk(column, rows[FIELD[column.field]], values) for column in FILE_COLUMNS)
    )


def _chunk(column: FileColumn, numbers: NDArray[np.int32], values: dict[str, Values]) -> ColumnChunk:
    if column.type_ == "flag":
        bits = np.packbits(numbers != 0, bitorder="little").tobytes()
        page, size = _data_page(len(numbers), PLAIN, _levels(np.ones(len(numbers), np.bool_)) + bits)
        return ColumnChunk(page, 0, size)
    listed, numbers = _distinct(values[column.name], numbers)
    if column.type_ == "int":
        content = np.array(listed, "<i8").tobytes()
    else:
        content = b"".join(
            len(text).to_bytes(4, "little") + text for text in map(str.encode, map(str, listed))
        )
    header = struct((1, I32, len(listed)), (2, I32, PLAIN))
    dictionary, before = _page(DICTIONARY_PAGE, content, (7, STRUCT, header))
    known = numbers != NULL
    page, size = _data_page(
        len(numbers), RLE_DICTIONARY, _levels(known) + _packed(numbers[known], len(listed))
    )
    return ColumnChunk(dictionary + page, len(dictionary), before + size)


def _distinct(values: Values, numbers: NDArray[np.int32]) -> tuple[list[int | str], NDArray[np.int32]]:
    """The different values, and the number of each row's among them."""
    places: dict[int | str, int] = {}
    renumbered = [NULL if value is None else places.setdefault(value, len(places)) for value in values]
    # the last stands for NULL, which is the number -1
    return list(places), np.array([*renumbered, NULL], np.int32)[numbers]


def _levels(known: NDArray[np.bool_]) -> bytes:
    """Which rows are not null."""
    if known.all():
        run = varint(len(known) << 1) + b"\x01"
    else:
        run = varint((-(-len(known) // 8)) << 1 | 1) + np.packbits(known, bitorder="little").tobytes()
    return len(run).to_bytes(4, "little") + run


def _packed(numbers: NDArray[np.int32], different: int) -> bytes:
    """Places in a dictionary, one, two or four bytes each."""
    size = 1 if different <= 1 << 8 else 2 if different <= 1 << 16 else 4
    groups = -(-len(numbers) // 8)
    padded = np.zeros(groups * 8, f"<u{size}")
    padded[: len(numbers)] = numbers
    return bytes((8 * size,)) + varint(groups << 1 | 1) + padded.tobytes()


def _data_page(count: int, encoding: int, content: bytes) -> tuple[bytes, int]:
    header = struct((1, I32, count), (2, I32, encoding), (3, I32, RLE), (4, I32, RLE))
    return _page(DATA_PAGE, content, (5, STRUCT, header))


def _page(kind: int, content: bytes, header: tuple[int, int, bytes]) -> tuple[bytes, int]:
    """A page, and its size before compression."""
    compressor = zlib.compressobj(LEVEL, wbits=31)
    packed = compressor.compress(content) + compressor.flush()
    sizes = (2, I32, len(content)), (3, I32, len(packed))
    written = struct((1, I32, kind), *sizes, header)
    return written + packed, len(written) + len(content)


class ParquetFile:
    """A file that is there with all its rows or not at all: written aside, renamed at the end of `with`, and
    removed where that ends by an exception. Raises OSError."""

    def __init__(self, path: Path) -> None:
        self.path, self.rows = path, 0
        self._aside = path.with_name(f".{path.name}.{token_hex(8)}.part")
        self._groups: list[bytes] = []

    def __enter__(self) -> ParquetFile:
        if self.path.is_dir():
            raise IsADirectoryError(EISDIR, os.strerror(EISDIR), str(self.path))
        self._opened = self._aside.open("xb")
        self._opened.write(MAGIC)
        return self

    def add(self, group: RowGroup) -> None:
        """Append a group of rows."""
        self.rows += group.rows
        columns = [
            self._column(group, column, chunk)
            for column, chunk in zip(FILE_COLUMNS, group.chunks, strict=True)
        ]
        size = sum(chunk.uncompressed for chunk in group.chunks)
        self._groups.append(struct((1, LIST, list_of(STRUCT, columns)), (2, I64, size), (3, I64, group.rows)))

    def _column(self, group: RowGroup, column: FileColumn, chunk: ColumnChunk) -> bytes:
        at = self._opened.tell()
        self._opened.write(chunk.pages)
        encodings = (PLAIN, RLE, RLE_DICTIONARY) if chunk.data_at else (PLAIN, RLE)
        told = struct(
            (1, I32, TYPES[column.type_]),
            (2, LIST, list_of(I32, map(varint, (one << 1 for one in encodings)))),
            (3, LIST, list_of(TEXT, [_text(column.name)])),
            (4, I32, GZIP),
            (5, I64, group.rows),
            (6, I64, chunk.uncompressed),
            (7, I64, len(chunk.pages)),
            (9, I64, at + chunk.data_at),
            *([(11, I64, at)] if chunk.data_at else []),
        )
        return struct((2, I64, at), (3, STRUCT, told))

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, _trace: TracebackType | None
    ) -> None:
        try:
            with self._opened:
                if fault is None:
                    self._write_footer()
            if fault is None:
                self._aside.replace(self.path)
        finally:
            with suppress(OSError):
                self._aside.unlink()

    def _write_footer(self) -> None:
        schema = [
            struct((4, TEXT, _text("outcomes")), (5, I32, len(FILE_COLUMNS))),
            *(_schema_element(column) for column in FILE_COLUMNS),
        ]
        footer = struct(
            (1, I32, 1),
            (2, LIST, list_of(STRUCT, schema)),
            (3, I64, self.rows),
            (4, LIST, list_of(STRUCT, self._groups)),
            (6, TEXT, _text(f"talleyrand version {__version__}")),
        )
        self._opened.write(footer + len(footer).to_bytes(4, "little") + MAGIC)
        self._opened.flush()
        os.fsync(self._opened.fileno())


def _schema_element(column: FileColumn) -> bytes:
    text = [(6, I32, UTF8)] if column.type_ == "text" else []
    return struct((1, I32, TYPES[column.type_]), (3, I32, OPTIONAL), (4, TEXT, _text(column.name)), *text)


def _text(text: str) -> bytes:
    return varint(len(text.encode())) + text.encode()
