"""Copies a site that may be serving: its database and whatever else of its data folder must last."""

from __future__ import annotations

import json
import shutil
import tempfile
import time
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from talleyrand import __version__

from . import data_folder, migration_state, postgresql_tools, sqlite_files, zip_archive
from .backup_errors import BackupError
from .zip_archive import BackupManifest

ENDING = ".zip"
WORKING = ".talleyrand-"  # folders that only last while a copy is made
FORGOTTEN = 24 * 3600


def create_backup(folder: Path, target: Path, settings: Mapping[str, Any]) -> tuple[Path, BackupManifest]:
    """Copy the site of a data folder into the file `target`, or under a new name into that folder.

    Gives where it is and what it holds. Raises BackupError; nothing is left of a copy that failed.
    """
    kind = migration_state.database_kind(settings)
    if kind == "sqlite" and not (folder / data_folder.SQLITE).is_file():
        raise BackupError("no_data", folder=folder)
    place = target / f"{timestamped_name()}{ENDING}" if target.is_dir() else target
    if place.exists():
        raise BackupError("exists", file=place)
    place.parent.mkdir(parents=True, exist_ok=True)
    remove_leftovers(place.parent)
    with tempfile.TemporaryDirectory(prefix=WORKING, dir=place.parent) as working:
        database = Path(working) / zip_archive.DATABASES[kind]
        manifest = _copied(kind, folder, database, settings)
        members = {zip_archive.DATABASES[kind]: database, **_others(folder)}
        written = zip_archive.write_archive(place, manifest, members)
    with suppress(OSError):  # it is made, whoever hears of it
        note = {"made": written.made, "place": str(place.resolve()), "bytes": place.stat().st_size}
        (folder / data_folder.LAST_BACKUP).write_text(json.dumps(note), "utf-8")
    return place, written


def timestamped_name(word: str = "talleyrand") -> str:
    """talleyrand-20261122-183000, by universal time."""
    return f"{word}-{datetime.now(UTC):%Y%m%d-%H%M%S}"


def free_path(folder: Path, word: str, ending: str = "") -> Path:
    """A path with the hour in it that nothing has yet."""
    first = timestamped_name(word)
    names = (f"{first}{more}{ending}" for more in ("", *(f"-{turn}" for turn in range(2, 99))))
    return next(folder / name for name in names if not (folder / name).exists())


def remove_leftovers(folder: Path) -> None:
    """Remove what copies that were killed left long ago."""
    for left in folder.glob(f"{WORKING}*"):
        if left.is_dir() and left.stat().st_mtime < time.time() - FORGOTTEN:
            shutil.rmtree(left, ignore_errors=True)


def _copied(kind: str, folder: Path, target: Path, settings: Mapping[str, Any]) -> BackupManifest:
    made = datetime.now(UTC).isoformat(timespec="seconds")
    if kind == "postgresql":
        postgresql_tools.dump_database(settings, target)
        return BackupManifest(__version__, made, kind, sorted(migration_state.applied_migrations()), {})
    sqlite_files.copy_sqlite(folder / data_folder.SQLITE, target)
    return BackupManifest(
        __version__, made, kind, sqlite_files.applied_migrations(target), sqlite_files.row_counts(target)
    )


def _others(folder: Path) -> dict[str, Path]:
    return {
        f"{zip_archive.FILES}{one.relative_to(folder).as_posix()}": one
        for one in (data_folder.files_to_keep(folder) if folder.is_dir() else ())
    }
