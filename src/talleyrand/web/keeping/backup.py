"""Copies a site that may be serving: its database and whatever else of its data folder must last."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from talleyrand import __version__

from . import archive, folders, postgres, sqlite, stages
from .archive import Manifest
from .faults import CannotKeep

ENDING = ".zip"
WORKING = ".talleyrand-"  # folders that only last while a copy is made
FORGOTTEN = 24 * 3600


def make(folder: Path, target: Path, settings: Mapping[str, Any]) -> tuple[Path, Manifest]:
    """Copy the site of a data folder into the file `target`, or under a new name into that folder.

    Gives where it is and what it holds. Raises CannotKeep; nothing is left of a copy that failed.
    """
    kind = stages.kind(settings)
    if kind == "sqlite" and not (folder / folders.SQLITE).is_file():
        raise CannotKeep("no_data", folder=folder)
    place = target / f"{name()}{ENDING}" if target.is_dir() else target
    if place.exists():
        raise CannotKeep("exists", file=place)
    place.parent.mkdir(parents=True, exist_ok=True)
    clear(place.parent)
    with tempfile.TemporaryDirectory(prefix=WORKING, dir=place.parent) as working:
        database = Path(working) / archive.DATABASES[kind]
        manifest = _copied(kind, folder, database, settings)
        members = {archive.DATABASES[kind]: database, **_others(folder)}
        return place, archive.write(place, manifest, members)


def name(word: str = "talleyrand") -> str:
    """talleyrand-20261122-183000, by universal time."""
    return f"{word}-{datetime.now(UTC):%Y%m%d-%H%M%S}"


def clear(folder: Path) -> None:
    """Remove what copies that were killed left long ago."""
    for left in folder.glob(f"{WORKING}*"):
        if left.is_dir() and left.stat().st_mtime < time.time() - FORGOTTEN:
            shutil.rmtree(left, ignore_errors=True)


def _copied(kind: str, folder: Path, target: Path, settings: Mapping[str, Any]) -> Manifest:
    made = datetime.now(UTC).isoformat(timespec="seconds")
    if kind == "postgresql":
        postgres.dump(settings, target)
        return Manifest(__version__, made, kind, sorted(stages.applied()), {})
    sqlite.copy(folder / folders.SQLITE, target)
    return Manifest(__version__, made, kind, sqlite.migrations(target), sqlite.counts(target))


def _others(folder: Path) -> dict[str, Path]:
    return {
        f"{archive.FILES}{one.relative_to(folder).as_posix()}": one
        for one in (folders.lasting(folder) if folder.is_dir() else ())
    }
