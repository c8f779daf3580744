"""Puts a backup back. What is there is moved aside, never destroyed; a restore that was cut off is ended."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from talleyrand import __version__
from talleyrand.web.common import restore_note

from . import create, data_folder, migration_state, postgresql_tools, sqlite_files, table_rows, zip_archive
from .backup_errors import BackupError
from .zip_archive import BackupManifest

PLAN = "plan.json"
INSIDE = "files"
TITLES = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}


def restore_backup(
    file: Path, folder: Path, settings: Mapping[str, Any]
) -> tuple[BackupManifest, Path | None]:
    """Restore the site of a backup into a data folder; gives its manifest and where the former data are now.

    Raises BackupError; the data folder is as it was then.
    """
    _fits(zip_archive.check_archive(file), file, settings)
    folder.mkdir(parents=True, exist_ok=True)
    with data_folder.locked_alone(folder):
        finish_restore(folder)
        staging = folder / data_folder.STAGING
        shutil.rmtree(staging, ignore_errors=True)
        try:
            manifest = _staged(file, staging)
            aside = create.free_path(folder, data_folder.ASIDE_PREFIX.rstrip("-"))
            if manifest.database == "postgresql":
                _load(folder, staging, aside, settings)
            restore_note.write_note(staging / INSIDE, manifest.made)
            _plan(folder, staging, aside)
        except BaseException:
            shutil.rmtree(staging, ignore_errors=True)
            raise
        finish_restore(folder)
    return manifest, aside if aside.is_dir() else None


def _fits(manifest: BackupManifest, file: Path, settings: Mapping[str, Any]) -> None:
    """Raises BackupError for a copy of a later version, or of the other kind of database."""
    if not set(manifest.migrations) <= migration_state.known_migrations():
        raise BackupError("newer", file=file, version=manifest.version, here=__version__)
    kind = migration_state.database_kind(settings)
    if kind != manifest.database:
        raise BackupError("other_database", file=file, theirs=TITLES[manifest.database], ours=TITLES[kind])


def _staged(file: Path, staging: Path) -> BackupManifest:
    """The members beside their places, as a data folder has them, checked once more."""
    inside = staging / INSIDE
    inside.mkdir(parents=True)
    manifest = zip_archive.extract_archive(file, staging)
    database = staging / zip_archive.DATABASES[manifest.database]
    if manifest.database == "sqlite":
        _agrees(database, manifest, file)
        database.rename(inside / data_folder.SQLITE)
    return manifest


def _agrees(database: Path, manifest: BackupManifest, file: Path) -> None:
    try:
        sqlite_files.check_sqlite(database, file)
        same = (
            sqlite_files.row_counts(database) == manifest.counts
            and sqlite_files.applied_migrations(database) == manifest.migrations
        )
    except BackupError as problem:
        raise BackupError("damaged", file=file) from problem
    if not same:
        raise BackupError("damaged", file=file)


def _load(folder: Path, staging: Path, aside: Path, settings: Mapping[str, Any]) -> None:
    """The former database is kept as a backup among the former data."""
    from django.db import connection

    postgresql_tools.refuse_other_connections(connection)
    aside.mkdir()
    create.create_backup(folder, aside / "database.zip", settings)
    postgresql_tools.load_database(
        settings, staging / zip_archive.DATABASES["postgresql"], table_rows.table_names()
    )


# moving, so that it can be gone on with


def _plan(folder: Path, staging: Path, aside: Path) -> None:
    """From here on the restore is ended by whoever comes next, whatever happens."""
    plan = {"aside": aside.name, "out": data_folder.names_in_folder(folder)}
    part = staging / f"{PLAN}.part"
    part.write_text(json.dumps(plan), "utf-8")
    with part.open("rb") as written:
        os.fsync(written.fileno())
    data_folder.fsync_folder(staging / INSIDE)
    part.rename(staging / PLAN)
    data_folder.fsync_folder(staging)


def finish_restore(folder: Path) -> None:
    """Go on with a restore that was cut off while files were moved. Safe to repeat; mostly does nothing."""
    staging = folder / data_folder.STAGING
    if not (staging / PLAN).is_file():
        return
    plan = json.loads((staging / PLAN).read_text("utf-8"))
    aside = folder / plan["aside"]
    for name in plan["out"]:
        if (folder / name).exists() and not (aside / name).exists():
            aside.mkdir(exist_ok=True)
            (folder / name).rename(aside / name)
    for one in sorted((staging / INSIDE).iterdir()):
        one.rename(folder / one.name)
    data_folder.fsync_folder(folder)
    (staging / PLAN).unlink()
    shutil.rmtree(staging)
