"""The rows of every table of a site: carried to another database, and told so that two can be compared."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from itertools import islice
from typing import Any

from django.apps import apps
from django.db import DatabaseError, connections, models, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.recorder import MigrationRecorder
from django.db.models.sql import InsertQuery

from talleyrand.web.common.model_fields import OrderedJSONField
from talleyrand.web.settings.databases import COUNTER_TABLE as COUNTS

from .backup_errors import BackupError

Table = type[models.Model]
Told = Callable[[int], None]
MANY, FEW = 500, 10  # rows at a time; those of a table that holds whole mails
LARGEST = 2**256
# Attempts that are counted, and documents that can be made again.
TABLES_NOT_KEPT = (COUNTS, "background_generateddocument")


@dataclass(frozen=True)
class TableDigest:
    """How many rows there are, and a sum of their digests, which no order of rows changes."""

    rows: int = 0
    digests: int = 0

    def with_row(self, row: models.Model) -> TableDigest:
        digest = hashlib.sha256(row_as_json(row).encode("utf-8", "surrogatepass")).digest()
        return TableDigest(self.rows + 1, (self.digests + int.from_bytes(digest)) % LARGEST)


def lasting_tables() -> list[Table]:
    """Every table that lasts, those that others point at first."""
    found = [one for one in apps.get_models(include_auto_created=True) if _lasts(one)]
    ordered: list[Table] = [MigrationRecorder.Migration]
    for one in found:
        _with_those_before(one, found, ordered, ())
    return ordered


def table_names() -> list[str]:
    """What every table of a site is called, those that do not last included."""
    return [*(one._meta.db_table for one in lasting_tables()), *TABLES_NOT_KEPT]


def _lasts(table: Table) -> bool:
    about = table._meta
    return about.managed and not about.proxy and about.db_table not in TABLES_NOT_KEPT


def _with_those_before(
    table: Table, known: list[Table], ordered: list[Table], above: tuple[Table, ...]
) -> None:
    if table in ordered or table in above:
        return
    for field in table._meta.concrete_fields:
        if field.related_model in known:
            _with_those_before(field.related_model, known, ordered, (*above, table))
    ordered.append(table)


def count(table: Table, alias: str) -> int:
    return int(table._base_manager.using(alias).count())


def rows_of(table: Table, alias: str) -> Iterator[models.Model]:
    """The rows of a table by their key, a few at a time."""
    return table._base_manager.using(alias).order_by("pk").iterator(chunk_size=_at_a_time(table))


def _at_a_time(table: Table) -> int:
    heavy = any(isinstance(field, models.BinaryField) for field in table._meta.concrete_fields)
    return FEW if heavy else MANY


def delete_all_rows(alias: str) -> None:
    """Leave a database that has just been made without a row."""
    for table in reversed(lasting_tables()):
        table._base_manager.using(alias).all().delete()


def copy_table(table: Table, source: str, target: str, told: Told) -> TableDigest:
    """Write every row of a table to another database, exactly as it is; gives what was read.

    Raises BackupError for a row that the other database does not take.
    """
    found, rows = TableDigest(), rows_of(table, source)
    while batch := list(islice(rows, _at_a_time(table))):
        _write(table, batch, target)
        for row in batch:
            found = found.with_row(row)
        told(len(batch))
    return found


def digest_table(table: Table, alias: str) -> TableDigest:
    """What a database holds of a table."""
    found = TableDigest()
    for row in rows_of(table, alias):
        found = found.with_row(row)
    return found


def _write(table: Table, batch: list[models.Model], target: str) -> None:
    """All at once; one by one where the database refuses some, so that the one is named."""
    try:
        with transaction.atomic(using=target):
            _insert(table, batch, target)
    except (DatabaseError, ValueError) as problem:
        if len(batch) == 1:
            facts = {"table": table._meta.db_table, "key": batch[0].pk, "reason": database_message(problem)}
            raise BackupError("row_refused", **facts) from problem
        for row in batch:
            _write(table, [row], target)


def _insert(table: Table, rows: list[models.Model], target: str) -> None:
    """As they are: no time is set anew, nothing is asked of the models."""
    connection, fields = connections[target], table._meta.concrete_fields
    most = max(connection.ops.bulk_batch_size(fields, rows), 1)
    for start in range(0, len(rows), most):
        query = InsertQuery(table)
        query.insert_values(fields, rows[start : start + most], raw=True)
        query.get_compiler(using=target).execute_sql()


def database_message(problem: BaseException) -> str:
    """What a database says; the lines after the first would repeat what stands in the row."""
    return next(iter(str(problem).strip().splitlines()), type(problem).__name__)


# the numbers that tables gave to their rows: none is given twice, also after a move


def last_ids(alias: str) -> dict[str, int]:
    """The last number that each table gave, also to a row that is gone."""
    connection = connections[alias]
    read = _given_by_postgresql if connection.vendor == "postgresql" else _given_by_sqlite
    found = read(connection)
    return {
        one._meta.db_table: max(_largest(one, alias), found.get(one._meta.db_table, 0)) for one in _numbered()
    }


def continue_from(alias: str, last: Mapping[str, int]) -> None:
    """Give numbers after these from now on."""
    connection = connections[alias]
    with connection.cursor() as cursor:
        for table, number in last.items():
            if connection.vendor == "postgresql":
                called = "SELECT setval(pg_get_serial_sequence(%s, %s), %s, %s)"
                cursor.execute(called, [_quoted(connection, table), _key(table), max(number, 1), number > 0])
            elif number:
                cursor.execute("DELETE FROM sqlite_sequence WHERE name = %s", [table])
                cursor.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (%s, %s)", [table, number])


def _numbered() -> list[Table]:
    return [
        one for one in lasting_tables() if isinstance(one._meta.pk, models.AutoField | models.BigAutoField)
    ]


def _key(table: str) -> str:
    return next(str(one._meta.pk.column) for one in _numbered() if one._meta.db_table == table)


def _largest(table: Table, alias: str) -> int:
    found = table._base_manager.using(alias).aggregate(largest=models.Max("pk"))["largest"]
    return int(found or 0)


def _given_by_sqlite(connection: BaseDatabaseWrapper) -> dict[str, int]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT name, seq FROM sqlite_sequence")
        return {name: int(number) for name, number in cursor.fetchall()}


def _given_by_postgresql(connection: BaseDatabaseWrapper) -> dict[str, int]:
    found = {}
    with connection.cursor() as cursor:
        for one in _numbered():
            table = one._meta.db_table
            asked = [_quoted(connection, table), _key(table)]
            cursor.execute("SELECT pg_sequence_last_value(pg_get_serial_sequence(%s, %s)::regclass)", asked)
            found[table] = int(cursor.fetchone()[0] or 0)
    return found


def _quoted(connection: BaseDatabaseWrapper, table: str) -> str:
    return connection.ops.quote_name(table)


# told for comparison


def site_as_json_lines(alias: str) -> Iterator[str]:
    """A whole site as lines of JSON, by table and key."""
    for table in sorted(lasting_tables(), key=lambda one: one._meta.db_table):
        yield from sorted(row_as_json(row) for row in rows_of(table, alias))


def row_as_json(row: models.Model) -> str:
    """One row, every value exactly; the order of names within JSON too, where it is kept."""
    values = {field.attname: _comparable_value(field, row) for field in row._meta.concrete_fields}
    return json.dumps({"table": row._meta.db_table, **values}, ensure_ascii=False)


def _comparable_value(field: Any, row: models.Model) -> Any:
    value = field.value_from_object(row)
    if isinstance(field, models.JSONField) and not isinstance(field, OrderedJSONField):
        # Of others: PostgreSQL sorts its names, whose order says nothing.
        value = json.loads(json.dumps(value, sort_keys=True))
    elif isinstance(value, datetime):
        return value.astimezone(UTC).isoformat(timespec="microseconds")
    elif isinstance(value, date):
        return value.isoformat()
    elif isinstance(value, timedelta):
        return value // timedelta(microseconds=1)
    elif isinstance(value, bytes | memoryview):
        return base64.b64encode(value).decode("ascii")
    return value
