"""Brings the data of an older version up to date when the site starts, after a copy."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from talleyrand import __version__
from talleyrand.web.administration import version_changes

from . import create, data_folder, migration_state, postgresql_tools, restore, sqlite_files, zip_archive
from .backup_errors import BackupError

KEPT = 5
UNDERWAY = "underway.json"
UNFINISHED = "unfinished.sqlite3"
NO_COPY = "Pas de copie avant\u00a0: pg_dump manque. / No copy beforehand: pg_dump is missing.\n"


def lock_and_upgrade(folder: Path, settings: Mapping[str, Any]) -> data_folder.DataFolderLock:
    """Hold a data folder for a site that is about to serve it, with data of this version.

    Raises BackupError where the data are of a later version, another site needs them as they are, or the
    change failed: then the data from before are back.
    """
    hold = data_folder.DataFolderLock(folder)
    try:
        alone = hold.try_exclusive()
        if not alone:
            hold.share()  # another site serves it, or is just bringing it up to date
        else:
            restore.finish_restore(folder)
            _resume(folder, settings)
        before = migration_state.applied_migrations()
        with _one_after_another(settings):
            _bring_up_to_date(folder, settings, alone)
        if alone:
            ran = migration_state.applied_migrations() - before if before else ()
            version_changes.note_start(folder, ran, datetime.now(UTC))
            data_folder.delete_old_caches(folder)
        hold.share()
    except BaseException:
        hold.release()
        raise
    return hold


@contextmanager
def _one_after_another(settings: Mapping[str, Any]) -> Iterator[None]:
    """Sites on other machines hold no folder of this one: on PostgreSQL they wait for each other.

    All steps are one transaction there, so that a failure leaves the data as they were.
    """
    if migration_state.database_kind(settings) != "postgresql":
        yield
        return
    from django.db import connection, transaction

    with transaction.atomic():
        postgresql_tools.lock_upgrades(connection)
        yield


def _bring_up_to_date(folder: Path, settings: Mapping[str, Any], alone: bool) -> None:
    done = migration_state.applied_migrations()
    if unknown := sorted(done - migration_state.known_migrations()):
        raise BackupError("database_newer", migration=unknown[0])
    if not migration_state.has_pending():
        return
    if not alone:
        raise BackupError("upgrade_served", folder=folder)
    if not done:
        _migrate()
        return
    _migrate_after_copy(folder, settings)


def _migrate_after_copy(folder: Path, settings: Mapping[str, Any]) -> None:
    from django.db import connections

    copies = folder / data_folder.BACKUPS
    try:
        copies.mkdir(exist_ok=True)
        copy = _copy(folder, copies, settings)
    except OSError as problem:
        raise BackupError("no_copy", reason=problem) from problem
    try:
        _migrate()
    except Exception as problem:
        if copy is None:
            raise
        if migration_state.database_kind(settings) == "sqlite":
            connections.close_all()
            _put_database_back(copy, folder)
        (copies / UNDERWAY).unlink(missing_ok=True)
        raise BackupError("upgrade_failed", reason=" ".join(str(problem).split()), copy=copy) from problem
    (copies / UNDERWAY).unlink(missing_ok=True)
    for old in sorted(copies.glob(f"before-*{create.ENDING}"), key=lambda one: one.stat().st_mtime)[:-KEPT]:
        old.unlink()


def _copy(folder: Path, copies: Path, settings: Mapping[str, Any]) -> Path | None:
    """The copy, noted as the one to go back to; none of a PostgreSQL whose tools are missing."""
    if migration_state.database_kind(settings) == "postgresql" and not postgresql_tools.has_pg_dump():
        sys.stderr.write(NO_COPY)
        return None
    place = create.free_path(copies, f"before-{__version__}", create.ENDING)
    copy, _manifest = create.create_backup(folder, place, settings)
    part = copies / f"{UNDERWAY}.part"
    part.write_text(json.dumps({"copy": copy.name}), "utf-8")
    part.replace(copies / UNDERWAY)
    data_folder.fsync_folder(copies)
    return copy


def _resume(folder: Path, settings: Mapping[str, Any]) -> None:
    """An update was cut off halfway: begin it again from the copy made before it."""
    copies = folder / data_folder.BACKUPS
    note = copies / UNDERWAY
    if not note.is_file():
        return
    copy = _noted(note)
    database = folder / data_folder.SQLITE
    if (
        migration_state.database_kind(settings) == "sqlite"
        and copy.is_file()
        and database.is_file()
        and _is_whole(copy)
    ):
        _put_database_back(copy, folder)
    note.unlink()


def _is_whole(copy: Path) -> bool:
    """Whether a copy can be gone back to. Where it cannot, the change goes on from where it was cut off.

    How far it had come is not asked: the tables of a step are there before the note that it was made.
    """
    try:
        zip_archive.check_archive(copy)
    except BackupError:
        return False
    return True


def _noted(note: Path) -> Path:
    """The copy that a note names; the note itself's folder, which is no copy, where it is spoilt."""
    try:
        return note.parent / Path(str(json.loads(note.read_text("utf-8"))["copy"])).name
    except (ValueError, KeyError, TypeError):
        return note.parent


def _put_database_back(copy: Path, folder: Path) -> None:
    """What was begun is kept under another name, in case somebody misses it."""
    working = folder / data_folder.BACKUPS / f"{create.WORKING}back"
    shutil.rmtree(working, ignore_errors=True)
    working.mkdir()
    zip_archive.extract_archive(copy, working)
    begun = folder / data_folder.SQLITE
    try:
        sqlite_files.copy_sqlite(begun, working / UNFINISHED)
    except BackupError:  # it is beyond reading: its bytes then
        shutil.copyfile(begun, working / UNFINISHED)
    for end in data_folder.BESIDE:
        Path(f"{begun}{end}").unlink(missing_ok=True)
    (working / zip_archive.DATABASES["sqlite"]).replace(begun)
    (working / UNFINISHED).replace(folder / data_folder.BACKUPS / UNFINISHED)
    data_folder.fsync_folder(folder)
    shutil.rmtree(working)


def _migrate() -> None:
    from django.core.management import call_command

    from .older_schema import complete

    complete()
    call_command("migrate", verbosity=0, interactive=False)
