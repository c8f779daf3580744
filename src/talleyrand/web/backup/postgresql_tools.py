"""PostgreSQL is copied and put back by its own tools."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from django.db.backends.base.base import BaseDatabaseWrapper

from talleyrand.web.background.procrastinate_queue import SCHEMA as QUEUE

from .backup_errors import BackupError
from .table_rows import TABLES_NOT_KEPT

PLACES = {
    "HOST": "PGHOST",
    "PORT": "PGPORT",
    "USER": "PGUSER",
    "PASSWORD": "PGPASSWORD",
    "NAME": "PGDATABASE",
}
TURNS = 1901_1914  # the lock of those who bring a database up to date; any number would do


def has_pg_dump() -> bool:
    return shutil.which("pg_dump") is not None


def dump_database(settings: Mapping[str, Any], target: Path) -> None:
    """One consistent state of the database, in PostgreSQL's own form, but for what does not last.

    Raises BackupError.
    """
    how = ("--format=custom", "--no-owner", "--no-privileges", f"--exclude-schema={QUEUE}")
    passing = (f"--exclude-table-data={table}" for table in TABLES_NOT_KEPT)
    _run(settings, "pg_dump", *how, *passing, f"--file={target}")


def refuse_other_connections(database: BaseDatabaseWrapper) -> None:
    """Raises BackupError while others are connected: a site on another machine holds no folder of this
    one.
    """
    others = "datname = current_database() AND pid <> pg_backend_pid() AND usename IS NOT NULL"
    with database.cursor() as cursor:
        cursor.execute("SELECT pg_stat_clear_snapshot()")  # within a transaction it would answer as before
        cursor.execute(f"SELECT count(*) FROM pg_stat_activity WHERE {others}")  # noqa: S608 our own words
        found = int(cursor.fetchone()[0])
    if found:
        raise BackupError("connected", database=database.settings_dict["NAME"], others=found)


def database_size(database: BaseDatabaseWrapper) -> int:
    """How many bytes a database takes."""
    with database.cursor() as cursor:
        cursor.execute("SELECT pg_database_size(current_database())")
        return int(cursor.fetchone()[0])


def lock_upgrades(database: BaseDatabaseWrapper) -> None:
    """Until the transaction ends, nobody else gets past here; waits for who did."""
    with database.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [TURNS])


def load_database(settings: Mapping[str, Any], file: Path, tables: Iterable[str] = ()) -> None:
    """Put a state back in one transaction, in the place of these tables.

    Tables that a later version added would be in the way of the next update. Raises BackupError; the
    database is as before then.
    """
    how = ("--clean", "--if-exists", "--no-owner", "--no-privileges")
    with tempfile.TemporaryDirectory(prefix=".talleyrand-", dir=file.parent) as working:
        script = Path(working) / "script.sql"
        _run(settings, "pg_restore", *how, f"--file={script}", str(file))
        dropped = ", ".join(f'"{table}"' for table in tables)
        drop = (f"--command=DROP TABLE IF EXISTS {dropped}",) if dropped else ()
        quiet = ("--no-psqlrc", "--quiet", "--output=/dev/null", "--set=ON_ERROR_STOP=1")
        _run(settings, "psql", *quiet, "--single-transaction", *drop, f"--file={script}")


def _run(settings: Mapping[str, Any], tool: str, *arguments: str) -> None:
    path = shutil.which(tool)
    if path is None:
        raise BackupError("no_tool", tool=tool)
    ran = subprocess.run(  # noqa: S603 our own words; what is secret goes by the environment
        (path, *arguments), env=_environment(settings), capture_output=True, text=True, check=False
    )
    if ran.returncode:
        reason = " ".join(ran.stderr.split()) or str(ran.returncode)
        raise BackupError("tool_failed", tool=tool, reason=reason)


def _environment(settings: Mapping[str, Any]) -> dict[str, str]:
    places = {known: str(settings[name]) for name, known in PLACES.items() if settings.get(name)}
    options = {f"PG{name.upper()}": str(value) for name, value in (settings.get("OPTIONS") or {}).items()}
    return {**os.environ, **options, **places}
