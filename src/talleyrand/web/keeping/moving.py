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

from . import folders, numbering, postgres, restore, rows, sqlite, stages
from .faults import CannotKeep
from .opening import SNAPSHOT, opened

SOURCE, TARGET = "moved_from", "moved_to"
UNFINISHED = ".moving.sqlite3"
MADE_ANEW = frozenset({"django_migrations", "django_content_type", "auth_permission", "accounts_counted"})
Told = Callable[[str, int, int], None]


@dataclass(frozen=True)
class Moved:
    """What was moved: how many rows, and the names of files that went to another data folder."""

    rows: int
    files: list[str]


def move(folder: Path, settings: Mapping[str, Any], to: Mapping[str, Any] | Path, told: Told) -> Moved:
    """Move the site of a data folder to the database of these settings, or to a file in another folder.

    `told` hears the table at work, how many rows are done and how many there are. Raises CannotKeep; the
    target is as before then.
    """
    kind = stages.kind(settings)
    if not ((folder / folders.SQLITE).is_file() if kind == "sqlite" else folder.is_dir()):
        raise CannotKeep("no_data", folder=folder)
    with folders.held_alone(folder, "move_served"), _said(), ExitStack() as opening:
        restore.finish(folder)
        opening.enter_context(_source(folder, settings))
        if isinstance(to, Path):
            return _to_folder(folder, to, told)
        return Moved(_to_postgresql(to, told), [])


@contextmanager
def _said() -> Iterator[None]:
    """What a database says against it, in words."""
    try:
        yield
    except DatabaseError as problem:
        raise CannotKeep("move_failed", reason=rows.first_line(problem)) from problem


# from


@contextmanager
def _source(folder: Path, settings: Mapping[str, Any]) -> Iterator[None]:
    """The database in use, whole, of this version, and as it was at one moment."""
    more: dict[str, Any] = {}
    if stages.kind(settings) == "sqlite":
        sqlite.check(folder / folders.SQLITE, folder)
        settings = {**settings, "NAME": folder / folders.SQLITE}
    else:
        more = SNAPSHOT
    with opened(SOURCE, settings, **more), transaction.atomic(using=SOURCE):
        _is_of_this_version(SOURCE)
        _is_alone(SOURCE)
        yield


def _is_of_this_version(alias: str) -> None:
    done, known = stages.applied(alias), stages.known()
    if unknown := sorted(done - known):
        raise CannotKeep("database_newer", migration=unknown[0])
    if done != known:
        raise CannotKeep("move_older")


def _is_alone(alias: str) -> None:
    if connections[alias].vendor == "postgresql":
        postgres.refuse_others(connections[alias])


# to


def _to_postgresql(settings: Mapping[str, Any], told: Told) -> int:
    with opened(TARGET, settings) as database, transaction.atomic(using=TARGET):
        _holds_nothing(database)
        _is_alone(TARGET)
        if not database.introspection.table_names():
            stages.make(TARGET)
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
                raise CannotKeep("move_taken", place=database.settings_dict["NAME"], name=table)


def _to_folder(folder: Path, target: Path, told: Told) -> Moved:
    target.mkdir(parents=True, exist_ok=True)
    here = target.samefile(folder)
    with ExitStack() as holding:
        if not here:
            holding.enter_context(folders.held_alone(target, "move_served"))
        files = {} if here else {one.relative_to(folder): one for one in folders.lasting(folder)}
        _has_room(target, files)
        part = target / UNFINISHED
        try:
            done = _made(part, told)
            for relative, file in files.items():
                _copy(file, target / relative)
            part.rename(target / folders.SQLITE)
            folders.sync(target)
        finally:
            _remove(part)
    return Moved(done, sorted(str(name) for name in files))


def _has_room(target: Path, files: Mapping[Path, Path]) -> None:
    """Nothing is there that would be lost, and there is disk enough. Raises CannotKeep."""
    for end in ("", *folders.BESIDE):
        if (target / f"{folders.SQLITE}{end}").exists():
            raise CannotKeep("move_taken", place=target, name=f"{folders.SQLITE}{end}")
    for relative, file in files.items():
        if (target / relative).exists() and not filecmp.cmp(file, target / relative, shallow=False):
            raise CannotKeep("move_taken", place=target, name=relative)
    needed = _size(connections[SOURCE]) + sum(one.stat().st_size for one in files.values())
    if needed > shutil.disk_usage(target).free:
        raise CannotKeep("full", folder=target)


def _size(database: BaseDatabaseWrapper) -> int:
    if database.vendor == "postgresql":
        return postgres.size(database)
    file = Path(database.settings_dict["NAME"])
    beside = (file.with_name(file.name + end) for end in ("", *folders.BESIDE))
    return sum(one.stat().st_size for one in beside if one.exists())


def _made(part: Path, told: Told) -> int:
    """A database under a name that no site looks for."""
    _remove(part)
    with opened(TARGET, {"ENGINE": "django.db.backends.sqlite3", "NAME": part}, transaction_mode="IMMEDIATE"):
        stages.make(TARGET)
        with transaction.atomic(using=TARGET):
            done = _carried(told)
            _is_alone(SOURCE)
    sqlite.check(part, part)
    return done


def _copy(file: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy2(file, target)
    with target.open("rb") as written:
        os.fsync(written.fileno())


def _remove(part: Path) -> None:
    for end in ("", *folders.BESIDE):
        part.with_name(part.name + end).unlink(missing_ok=True)


# rows


def _carried(told: Told) -> int:
    """Every row, read back and compared; the numbers given next follow those given before."""
    tables = rows.tables()
    total = sum(rows.count(one, SOURCE) for one in tables)
    rows.clear(TARGET)
    done = 0
    for one in tables:
        begun = done

        def tell(more: int, name: str = one._meta.db_table) -> None:
            nonlocal done
            done += more
            told(name, done, total)

        read = rows.carry(one, SOURCE, TARGET, tell)
        if rows.summed(one, TARGET) != read:
            raise CannotKeep("move_unequal", table=one._meta.db_table)
        told(one._meta.db_table, begun + read.rows, total)
    connections[TARGET].check_constraints()
    numbering.go_on(TARGET, numbering.given(SOURCE))
    return done
