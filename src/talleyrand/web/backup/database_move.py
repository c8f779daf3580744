"""Moves a whole site from the database it uses to another: from SQLite to PostgreSQL, or back.

What is left is not touched. What is moved to is there whole, read back and equal, or not at all: one
transaction of PostgreSQL, or a file that gets its name at the end.
"""

from __future__ import annotations

import filecmp
import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.db import DatabaseError, connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.utils import load_backend

from . import data_folder, migration_state, postgresql_tools, restore, sqlite_files, table_rows
from .backup_errors import BackupError

SOURCE, TARGET = "moved_from", "moved_to"
SNAPSHOT = {"isolation_level": 3}  # REPEATABLE READ
UNFINISHED = ".moving.sqlite3"
MADE_ANEW = frozenset({"django_migrations", "django_content_type", "auth_permission", "accounts_counted"})
Told = Callable[[str, int, int], None]


@dataclass(frozen=True)
class MoveResult:
    """What was moved: how many rows, and the names of files that went to another data folder."""

    rows: int
    files: list[str]


def move_database(
    folder: Path, settings: Mapping[str, Any], to: Mapping[str, Any] | Path, told: Told
) -> MoveResult:
    """Move the site of a data folder to the database of these settings, or to a file in another folder.

    `told` hears the table at work, how many rows are done and how many there are. Raises BackupError; the
    target is as before then.
    """
    kind = migration_state.database_kind(settings)
    if not ((folder / data_folder.SQLITE).is_file() if kind == "sqlite" else folder.is_dir()):
        raise BackupError("no_data", folder=folder)
    with data_folder.locked_alone(folder, "move_served"), _database_faults(), ExitStack() as opening:
        restore.finish_restore(folder)
        opening.enter_context(_source(folder, settings))
        if isinstance(to, Path):
            return _to_folder(folder, to, told)
        return MoveResult(_to_postgresql(to, told), [])


# a second database


@contextmanager
def open_database(alias: str, settings: Mapping[str, Any], **more: Any) -> Iterator[BaseDatabaseWrapper]:
    """Open a database under a name for as long as the block lasts; `more` are options of its driver.

    Raises BackupError where it does not answer; its password is never repeated.
    """
    asked = {**settings, "OPTIONS": {**(settings.get("OPTIONS") or {}), **more}}
    whole = connections.configure_settings({"default": {}, alias: asked})[alias]
    database = load_backend(whole["ENGINE"]).DatabaseWrapper(whole, alias)
    try:
        database.ensure_connection()
    except (DatabaseError, UnicodeError, ValueError) as problem:
        raise BackupError(
            "unreachable", reason=_text_without_password(whole.get("PASSWORD"), problem)
        ) from problem
    connections[alias] = database
    try:
        yield database
    finally:
        database.close()
        del connections[alias]


def _text_without_password(password: Any, problem: Exception) -> str:
    said = table_rows.database_message(problem)
    return said.replace(str(password), "…") if password else said


@contextmanager
def _database_faults() -> Iterator[None]:
    """What a database says against it, in words."""
    try:
        yield
    except DatabaseError as problem:
        raise BackupError("move_failed", reason=table_rows.database_message(problem)) from problem


# from


@contextmanager
def _source(folder: Path, settings: Mapping[str, Any]) -> Iterator[None]:
    """The database in use, whole, of this version, and as it was at one moment."""
    more: dict[str, Any] = {}
    if migration_state.database_kind(settings) == "sqlite":
        sqlite_files.check_sqlite(folder / data_folder.SQLITE, folder)
        settings = {**settings, "NAME": folder / data_folder.SQLITE}
    else:
        more = SNAPSHOT
    with open_database(SOURCE, settings, **more), transaction.atomic(using=SOURCE):
        _is_of_this_version(SOURCE)
        _is_alone(SOURCE)
        yield


def _is_of_this_version(alias: str) -> None:
    done, known = migration_state.applied_migrations(alias), migration_state.known_migrations()
    if unknown := sorted(done - known):
        raise BackupError("database_newer", migration=unknown[0])
    if done != known:
        raise BackupError("move_older")


def _is_alone(alias: str) -> None:
    if connections[alias].vendor == "postgresql":
        postgresql_tools.refuse_other_connections(connections[alias])


# to


def _to_postgresql(settings: Mapping[str, Any], told: Told) -> int:
    with open_database(TARGET, settings) as database, transaction.atomic(using=TARGET):
        _holds_nothing(database)
        _is_alone(TARGET)
        if not database.introspection.table_names():
            migration_state.create_tables(TARGET)
        _is_of_this_version(TARGET)
        done = _carried(told)
        _is_alone(SOURCE)
    return done


def _holds_nothing(database: BaseDatabaseWrapper) -> None:
    """Tables without a row, and what making them writes, are nothing."""
    for table in sorted({*database.introspection.table_names()} - MADE_ANEW):
        with database.cursor() as cursor:
            cursor.execute(f"SELECT 1 FROM {database.ops.quote_name(table)} LIMIT 1")  # noqa: S608 its own name
            if cursor.fetchone():
                raise BackupError("move_taken", place=database.settings_dict["NAME"], name=table)


def _to_folder(folder: Path, target: Path, told: Told) -> MoveResult:
    target.mkdir(parents=True, exist_ok=True)
    here = target.samefile(folder)
    with ExitStack() as holding:
        if not here:
            holding.enter_context(data_folder.locked_alone(target, "move_served"))
        files = {} if here else {one.relative_to(folder): one for one in data_folder.files_to_keep(folder)}
        _has_room(target, files)
        part = target / UNFINISHED
        try:
            done = _fill_copy(part, told)
            for relative, file in files.items():
                _copy(file, target / relative)
            part.rename(target / data_folder.SQLITE)
            data_folder.fsync_folder(target)
        finally:
            _remove(part)
    return MoveResult(done, sorted(str(name) for name in files))


def _has_room(target: Path, files: Mapping[Path, Path]) -> None:
    """Nothing is there that would be lost, and there is disk enough. Raises BackupError."""
    for end in ("", *data_folder.BESIDE):
        if (target / f"{data_folder.SQLITE}{end}").exists():
            raise BackupError("move_taken", place=target, name=f"{data_folder.SQLITE}{end}")
    for relative, file in files.items():
        if (target / relative).exists() and not filecmp.cmp(file, target / relative, shallow=False):
            raise BackupError("move_taken", place=target, name=relative)
    needed = _size(connections[SOURCE]) + sum(one.stat().st_size for one in files.values())
    if needed > shutil.disk_usage(target).free:
        raise BackupError("full", folder=target)


def _size(database: BaseDatabaseWrapper) -> int:
    if database.vendor == "postgresql":
        return postgresql_tools.database_size(database)
    file = Path(database.settings_dict["NAME"])
    beside = (file.with_name(file.name + end) for end in ("", *data_folder.BESIDE))
    return sum(one.stat().st_size for one in beside if one.exists())


def _fill_copy(part: Path, told: Told) -> int:
    """A database under a name that no site looks for."""
    _remove(part)
    with open_database(
        TARGET, {"ENGINE": "django.db.backends.sqlite3", "NAME": part}, transaction_mode="IMMEDIATE"
    ):
        migration_state.create_tables(TARGET)
        with transaction.atomic(using=TARGET):
            done = _carried(told)
            _is_alone(SOURCE)
    sqlite_files.check_sqlite(part, part)
    return done


def _copy(file: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy2(file, target)
    with target.open("rb") as written:
        os.fsync(written.fileno())


def _remove(part: Path) -> None:
    for end in ("", *data_folder.BESIDE):
        part.with_name(part.name + end).unlink(missing_ok=True)


# rows


def _carried(told: Told) -> int:
    """Every row, read back and compared; the numbers given next follow those given before."""
    tables = table_rows.lasting_tables()
    total = sum(table_rows.count(one, SOURCE) for one in tables)
    table_rows.delete_all_rows(TARGET)
    done = 0
    for one in tables:
        begun = done

        def tell(more: int, name: str = one._meta.db_table) -> None:
            nonlocal done
            done += more
            told(name, done, total)

        read = table_rows.copy_table(one, SOURCE, TARGET, tell)
        if table_rows.digest_table(one, TARGET) != read:
            raise BackupError("move_unequal", table=one._meta.db_table)
        told(one._meta.db_table, begun + read.rows, total)
    connections[TARGET].check_constraints()
    table_rows.continue_from(TARGET, table_rows.last_ids(SOURCE))
    return done
