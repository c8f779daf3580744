"""Puts a backup back. What is there is moved aside, never destroyed; a restore that was cut off is ended."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from talleyrand import __version__
from talleyrand.web.mail.outgoing import restored

from . import archive, backup, folders, postgres, rows, sqlite, stages
from .archive import Manifest
from .faults import CannotKeep

PLAN = "plan.json"
INSIDE = "files"
TITLES = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}


def put_back(file: Path, folder: Path, settings: Mapping[str, Any]) -> tuple[Manifest, Path | None]:
    """Restore the site of a backup into a data folder; gives its manifest and where the former data are now.

    Raises CannotKeep; the data folder is as it was then.
    """
    _fits(archive.examine(file), file, settings)
    folder.mkdir(parents=True, exist_ok=True)
    with folders.held_alone(folder):
        finish(folder)
        staging = folder / folders.STAGING
        shutil.rmtree(staging, ignore_errors=True)
        try:
            manifest = _staged(file, staging)
            aside = _aside(folder)
            if manifest.database == "postgresql":
                _load(folder, staging, aside, settings)
            restored.leave(staging / INSIDE, manifest.made)
            _plan(folder, staging, aside)
        except BaseException:
            shutil.rmtree(staging, ignore_errors=True)
            raise
        finish(folder)
    return manifest, aside if aside.is_dir() else None


def _fits(manifest: Manifest, file: Path, settings: Mapping[str, Any]) -> None:
    """Raises CannotKeep for a copy of a later version, or of the other kind of database."""
    if not set(manifest.migrations) <= stages.known():
        raise CannotKeep("newer", file=file, version=manifest.version, here=__version__)
    kind = stages.kind(settings)
    if kind != manifest.database:
        raise CannotKeep("other_database", file=file, theirs=TITLES[manifest.database], ours=TITLES[kind])


def _staged(file: Path, staging: Path) -> Manifest:
    """The members beside their places, as a data folder has them, checked once more."""
    inside = staging / INSIDE
    inside.mkdir(parents=True)
    manifest = archive.extract(file, staging)
    database = staging / archive.DATABASES[manifest.database]
    if manifest.database == "sqlite":
        _agrees(database, manifest, file)
        database.rename(inside / folders.SQLITE)
    return manifest


def _agrees(database: Path, manifest: Manifest, file: Path) -> None:
    try:
        sqlite.check(database, file)
        same = (
            sqlite.counts(database) == manifest.counts and sqlite.migrations(database) == manifest.migrations
        )
    except CannotKeep as problem:
        raise CannotKeep("damaged", file=file) from problem
    if not same:
        raise CannotKeep("damaged", file=file)


def _aside(folder: Path) -> Path:
    """A name for the former data that nothing has yet."""
    first = folder / backup.name(folders.ASIDE.rstrip("-"))
    return next(
        one for one in (first, *(Path(f"{first}-{turn}") for turn in range(2, 99))) if not one.exists()
    )


def _load(folder: Path, staging: Path, aside: Path, settings: Mapping[str, Any]) -> None:
    """The former database is kept as a backup among the former data."""
    from django.db import connection

    postgres.refuse_others(connection)
    aside.mkdir()
    backup.make(folder, aside / "database.zip", settings)
    postgres.load(settings, staging / archive.DATABASES["postgresql"], rows.names())


# moving, so that it can be gone on with


def _plan(folder: Path, staging: Path, aside: Path) -> None:
    """From here on the restore is ended by whoever comes next, whatever happens."""
    plan = {"aside": aside.name, "out": folders.present(folder)}
    part = staging / f"{PLAN}.part"
    part.write_text(json.dumps(plan), "utf-8")
    with part.open("rb") as written:
        os.fsync(written.fileno())
    folders.sync(staging / INSIDE)
    part.rename(staging / PLAN)
    folders.sync(staging)


def finish(folder: Path) -> None:
    """Go on with a restore that was cut off while files were moved. Safe to repeat; mostly does nothing."""
    staging = folder / folders.STAGING
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
    folders.sync(folder)
    (staging / PLAN).unlink()
    shutil.rmtree(staging)
