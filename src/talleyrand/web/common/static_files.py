"""Style sheets and scripts under the number of their edition: compressed once, kept by browsers for good.

The number stands before the whole path (`/static/<edition>/js/board.js`), so a module finds its neighbours of
the same edition by their plain names; an update of the site changes the number.
"""

from __future__ import annotations

import hashlib
import re
import shutil
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import Any, ClassVar

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.contrib.staticfiles.storage import StaticFilesStorage
from whitenoise.compress import Compressor
from whitenoise.middleware import WhiteNoiseMiddleware

IMPORT = re.compile(r'^(?:import|export)\b[^;]*?["\'](\.{1,2}/[^"\']+)["\']', re.MULTILINE)


def _files() -> Iterator[tuple[str, Path]]:
    """Every file of the site and of its applications, by its name in the pages."""
    for finder in get_finders():
        for name, storage in finder.list([]):
            yield join(getattr(storage, "prefix", None) or "", name), Path(storage.path(name))


@cache
def static_version() -> str:
    """A number made from all the files."""
    digest = hashlib.sha256()
    for name, file in sorted(_files()):
        digest.update(name.encode() + b"\0" + hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()[:12]


class VersionedStorage(StaticFilesStorage):
    """Where the pages find a file."""

    def url(self, name: str | None) -> str:
        if settings.DEBUG or not name:
            return super().url(name)
        return f"{settings.STATIC_URL}{static_version()}/{name}"


class StaticFilesMiddleware(WhiteNoiseMiddleware):  # type: ignore[misc] # it comes without types
    """Serves this edition for good, and the plain names for those who type them."""

    files: dict[str, Any]
    known: ClassVar[dict[str, Any]] = {}  # the files to serve, by the folder that keeps editions

    def add_files_from_finders(self) -> None:
        """All of them, looked at once a process: none changes while it runs."""
        kept = str(settings.STATIC_CACHE)
        if kept not in self.known:
            super().add_files_from_finders()
            self.add_files(str(_compressed()), prefix=f"{settings.STATIC_URL}{static_version()}/")
            self.known[kept] = self.files
        self.files = self.known[kept]

    def immutable_file_test(self, _path: str, url: str) -> bool:
        return url.startswith(f"{settings.STATIC_URL}{static_version()}/")


def _compressed() -> Path:
    """The folder that holds this edition with its compressed copies, made if it is missing."""
    kept = Path(settings.STATIC_CACHE)
    folder = kept / static_version()
    if not folder.is_dir():
        kept.mkdir(parents=True, exist_ok=True)
        making = Path(tempfile.mkdtemp(dir=kept))
        _fill(making)
        _put_in_place(making, folder)
    return folder


def _fill(folder: Path) -> None:
    compressor = Compressor(quiet=True)
    for name, file in _files():
        copy = folder / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, copy)
        if compressor.should_compress(name):
            compressor.compress(str(copy))


def _put_in_place(made: Path, folder: Path) -> None:
    """In place at once, unless another process was quicker; earlier editions go."""
    try:
        made.rename(folder)
    except OSError:
        if not folder.is_dir():
            raise
        shutil.rmtree(made)
    for other in folder.parent.iterdir():
        if (
            other.is_dir()
            and other.name != folder.name
            and other.stat().st_mtime < folder.stat().st_mtime - 60
        ):
            shutil.rmtree(other, ignore_errors=True)


@cache
def script_with_imports(name: str) -> tuple[str, ...]:
    """A script and every script that it imports, itself or through another."""
    files, found, waiting = dict(_files()), [], [name]
    while waiting:
        one = waiting.pop(0)
        if one in found or one not in files:
            continue
        found.append(one)
        imported = IMPORT.findall(files[one].read_text("utf-8"))
        waiting += [normpath(join(dirname(one), path)) for path in imported]
    return tuple(found)
