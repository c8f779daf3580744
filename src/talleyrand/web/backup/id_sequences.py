"""Which numbers the tables of a database gave to their rows: none is given twice, also after a move."""

from __future__ import annotations

from collections.abc import Mapping

from django.db import connections, models
from django.db.backends.base.base import BaseDatabaseWrapper

from .table_rows import Table, lasting_tables


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
