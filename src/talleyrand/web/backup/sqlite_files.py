"""Copies of a SQLite database that is in use, and whether one is whole."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from .backup_errors import BackupError

PATIENCE = 30  # seconds


def copy_sqlite(source: Path, target: Path) -> None:
    """One consistent state of a database that others write meanwhile; they need not wait.

    Raises BackupError where what was copied is damaged, or the disk is full.
    """
    with _file_faults(source), closing(_opened(source)) as live, closing(sqlite3.connect(target)) as made:
        live.backup(made)
        made.execute("PRAGMA journal_mode=DELETE")
    check_sqlite(target, source)


def check_sqlite(file: Path, place: Path) -> None:
    """Raises BackupError unless every page and every index of it is sound."""
    with _file_faults(place), closing(_opened(file)) as database:
        found = str(database.execute("PRAGMA integrity_check(1)").fetchone()[0])
    if found != "ok":
        raise BackupError("not_whole", place=place, reason=found)


def row_counts(file: Path) -> dict[str, int]:
    """How many rows each table has."""
    with closing(_opened(file)) as database:
        listed = (
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name"
        )
        names = [name for (name,) in database.execute(listed)]
        return {name: _count(database, name) for name in names}


def _count(database: sqlite3.Connection, name: str) -> int:
    quoted = name.replace('"', '""')
    return int(database.execute(f'SELECT count(*) FROM "{quoted}"').fetchone()[0])  # noqa: S608 its own name


def applied_migrations(file: Path) -> list[str]:
    """The steps that its tables went through, "app.name"; none where it has no tables yet."""
    with closing(_opened(file)) as database:
        if not database.execute("SELECT 1 FROM sqlite_master WHERE name = 'django_migrations'").fetchone():
            return []
        rows = database.execute("SELECT app, name FROM django_migrations ORDER BY app, name")
        return [f"{app}.{name}" for app, name in rows]


def _opened(file: Path) -> sqlite3.Connection:
    """A database that is there: none is made."""
    return sqlite3.connect(f"{file.absolute().as_uri()}?mode=rw", uri=True, timeout=PATIENCE)


@contextmanager
def _file_faults(place: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.DatabaseError as problem:
        if isinstance(problem, sqlite3.OperationalError) and "full" in str(problem):
            raise BackupError("full", folder=place.parent) from problem
        raise BackupError("not_whole", place=place, reason=problem) from problem
