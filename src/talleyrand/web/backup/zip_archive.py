"""The file that a backup is: a zip archive whose manifest says what has to be in it.

It is written beside its place and renamed once it has been read back, so half of one never looks whole.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import shutil
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path, PurePosixPath
from typing import IO, Any

from talleyrand import __version__

from . import data_folder
from .backup_errors import BackupError

FORM = 1
MANIFEST = "manifest.json"
DATABASES = {"sqlite": "database.sqlite3", "postgresql": "database.dump"}
FILES = "files/"
CHUNK = 1024 * 1024
LARGEST_MANIFEST = 8 * CHUNK
# What shrinks more than this, beyond a size that every machine has room for, is no data of a site.
MOST_SHRUNK, SMALL = 200, 128 * CHUNK
UNREADABLE = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    NotImplementedError,
    RuntimeError,
    ValueError,
    KeyError,
)


@dataclass(frozen=True)
class BackupManifest:
    """What a backup holds. `files` gives the size and SHA-256 of each member by its name."""

    version: str
    made: str
    database: str
    migrations: list[str]
    counts: dict[str, int]
    files: dict[str, dict[str, Any]] = field(default_factory=dict)
    talleyrand: str = "backup"
    form: int = FORM


def write_archive(target: Path, manifest: BackupManifest, members: Mapping[str, Path]) -> BackupManifest:
    """Make the archive of these files by their names in it; gives the manifest with their sums.

    Raises BackupError where the name is taken or the disk full; nothing is left then.
    """
    if target.exists():
        raise BackupError("exists", file=target)
    part = target.with_name(f".{target.name}.part")
    try:
        with _room(target.parent):
            written = _write(part, manifest, members)
            check_archive(part)
            _put_in_place(part, target)
    finally:
        part.unlink(missing_ok=True)
    return written


def _write(part: Path, manifest: BackupManifest, members: Mapping[str, Path]) -> BackupManifest:
    part.unlink(missing_ok=True)
    descriptor = os.open(part, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)  # the secret key is in it
    with os.fdopen(descriptor, "w+b") as out:
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
            files = {name: _add(archive, name, file) for name, file in members.items()}
            whole = BackupManifest(**{**asdict(manifest), "files": files})
            archive.writestr(MANIFEST, json.dumps(asdict(whole), indent=1, ensure_ascii=False))
        out.flush()
        os.fsync(out.fileno())
    return whole


def _add(archive: zipfile.ZipFile, name: str, file: Path) -> dict[str, Any]:
    entry = zipfile.ZipInfo(name)
    entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o600 << 16
    with file.open("rb") as source, archive.open(entry, "w", force_zip64=True) as out:
        size, digest = _copied(source, out)
    return {"size": size, "sha256": digest}


def _copied(source: IO[bytes], out: IO[bytes] | None) -> tuple[int, str]:
    digest, size = hashlib.sha256(), 0
    while chunk := source.read(CHUNK):
        digest.update(chunk)
        size += len(chunk)
        if out is not None:
            out.write(chunk)
    return size, digest.hexdigest()


def _put_in_place(part: Path, target: Path) -> None:
    """In its place, unless another took the name meanwhile."""
    try:
        os.link(part, target)
    except FileExistsError as problem:
        raise BackupError("exists", file=target) from problem
    except OSError:  # a file system without links
        part.replace(target)
    data_folder.fsync_folder(target.parent)


@contextmanager
def _room(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as problem:
        if problem.errno in (errno.ENOSPC, errno.EFBIG, errno.EDQUOT):
            raise BackupError("full", folder=folder) from problem
        raise


def check_archive(file: Path) -> BackupManifest:
    """Read an archive to its end; gives its manifest. Raises BackupError unless it is whole and ours."""
    with _opened(file) as archive:
        manifest = _manifest(archive, file)
        for name in manifest.files:
            _read_entry(archive, name, manifest, file, None)
    return manifest


def extract_archive(file: Path, folder: Path) -> BackupManifest:
    """The members as files of a folder, each checked. Raises BackupError; the folder may hold some then."""
    with _opened(file) as archive, _room(folder):
        manifest = _manifest(archive, file)
        total = sum(int(one["size"]) for one in manifest.files.values())
        if total > shutil.disk_usage(folder).free:
            raise BackupError("full", folder=folder)
        for name in manifest.files:
            place = folder / name
            place.parent.mkdir(parents=True, exist_ok=True)
            with os.fdopen(os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out:
                _read_entry(archive, name, manifest, file, out)
                out.flush()
                os.fsync(out.fileno())
    return manifest


@contextmanager
def _opened(file: Path) -> Iterator[zipfile.ZipFile]:
    with file.open("rb") as raw:
        begins = raw.read(2)
        if not zipfile.is_zipfile(raw):
            raise BackupError("damaged" if begins == b"PK" else "foreign", file=file)
        try:
            with zipfile.ZipFile(raw) as archive:
                yield archive
        except UNREADABLE as problem:
            raise BackupError("damaged", file=file) from problem
        except OSError as problem:
            if problem.errno != errno.EINVAL:  # to a place before the file's beginning
                raise
            raise BackupError("damaged", file=file) from problem


def _manifest(archive: zipfile.ZipFile, file: Path) -> BackupManifest:
    found = {entry.filename: entry for entry in archive.infolist()}
    if MANIFEST not in found or found[MANIFEST].file_size > LARGEST_MANIFEST:
        raise BackupError("foreign", file=file)
    said = json.loads(archive.read(MANIFEST))
    if not isinstance(said, dict) or said.get("talleyrand") != "backup":
        raise BackupError("foreign", file=file)
    if said.get("form") != FORM:
        raise BackupError("newer", file=file, version=said.get("version"), here=__version__)
    try:
        manifest = BackupManifest(**said)
        sizes = {name: int(one["size"]) for name, one in manifest.files.items()}
        _lists = {*manifest.migrations, *manifest.counts, manifest.database}
    except (TypeError, AttributeError) as problem:
        raise BackupError("damaged", file=file) from problem
    whole = len(archive.infolist()) == len(found) and set(found) == {*sizes, MANIFEST}
    sound = all(_is_safe(name) and found[name].file_size == size for name, size in sizes.items() if whole)
    if not (whole and sound and DATABASES.get(manifest.database) in sizes) or _is_bomb(sizes, file):
        raise BackupError("damaged", file=file)
    return manifest


def _is_safe(name: str) -> bool:
    """Whether a member may become a file: the database, or one within the folder of files."""
    if name in DATABASES.values():
        return True
    parts = PurePosixPath(name).parts
    inside = name.startswith(FILES) and len(parts) > 1 and str(PurePosixPath(name)) == name
    return (
        inside
        and data_folder.belongs_in_backup(parts[1])
        and ".." not in parts
        and not any(sign in name for sign in "\0\\:")
    )


def _is_bomb(sizes: Mapping[str, int], file: Path) -> bool:
    total = sum(sizes.values())
    return min(sizes.values()) < 0 or total > SMALL + MOST_SHRUNK * file.stat().st_size


def _read_entry(
    archive: zipfile.ZipFile, name: str, manifest: BackupManifest, file: Path, out: IO[bytes] | None
) -> None:
    with archive.open(name) as source:
        size, digest = _copied(source, out)
    if {"size": size, "sha256": digest} != manifest.files[name]:
        raise BackupError("damaged", file=file)
