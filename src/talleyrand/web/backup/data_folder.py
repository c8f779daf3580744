"""What lies in a data folder: what lasts, what can be made again, and who holds it."""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from .backup_errors import BackupError

SQLITE = "talleyrand.sqlite3"
BESIDE = ("-wal", "-shm", "-journal")
LOCK = ".lock"
BACKUPS = "backups"
ASIDE_PREFIX = "before-restore-"
STAGING = ".restoring"
CACHES = frozenset({"static", BACKUPS})
# Caches of earlier versions, now rows of the database: PDFs and pictures, each named by a digest.
FORMER = ("library", "histories", "previews", "reports", "papers")
CACHED = re.compile(r"(.+-)?[0-9a-f]{16,64}\.(pdf|png)")
BEGUN = re.compile(r"tmp\w{8}")
TESTS = "test.sqlite3"
LAST_BACKUP = ".last_backup"  # when the last copy was made and where, for the administrator's page
# What a site puts into its folder, by the beginnings of its names, and what a file system does.
OURS = (
    SQLITE,
    TESTS,
    LOCK,
    ASIDE_PREFIX,
    STAGING,
    "secret_key",
    "push_key",
    ".push_key.",
    ".secret_key.",
    "restored",
    ".errors",
    ".last_backup",
    "settings.json",
    "updates.json",
    ".updates.json.",
    ".settings.json.",
    *CACHES,
)
COPIES = ("talleyrand-", ".talleyrand-", ".moving")
OF_THE_DISK = ("lost+found",)
OTHERS = stat.S_IRWXG | stat.S_IRWXO
OPEN = (
    "D’autres comptes de cette machine lisent {one}\u00a0: chmod go= {one}, ou donner au site un dossier à "
    "lui. / "
    "Other accounts of this machine read {one}: chmod go= {one}, or give the site a folder of its own.\n"
)


def files_to_keep(folder: Path) -> Iterator[Path]:
    """The files beside the database that a copy holds: whatever is no cache and no lock."""
    for top in sorted(folder.iterdir()):
        if not belongs_in_backup(top.name) or top.is_symlink() or _is_former_cache(top):
            continue
        files = [top] if top.is_file() else sorted(one for one in top.rglob("*") if one.is_file())
        yield from (one for one in files if not one.is_symlink())


def names_in_folder(folder: Path) -> list[str]:
    """The names in a data folder that a restored copy takes the place of."""
    return sorted(one.name for one in folder.iterdir() if _stays(one.name))


def belongs_in_backup(name: str) -> bool:
    """Whether a name at the top of a data folder is one that copies hold, beside the database."""
    return _stays(name) and not _is_database(name) and not name.endswith(".zip")  # a copy holds no copies


def _stays(name: str) -> bool:
    return not (name.startswith((".", ASIDE_PREFIX, TESTS)) or name in CACHES)


def _is_former_cache(folder: Path) -> bool:
    """Whether a site has made a folder and all that is in it; somebody may keep papers of their own there."""
    if folder.name not in FORMER or folder.is_symlink() or not folder.is_dir():
        return False
    names = [one.name for one in folder.iterdir() if one.is_file() and not one.is_symlink()]
    made = [name for name in names if CACHED.fullmatch(name)]
    begun = [name for name in names if BEGUN.fullmatch(name)]
    return bool(made) and len(made) + len(begun) == len(list(folder.iterdir()))


def delete_old_caches(folder: Path) -> None:
    """Remove what earlier versions have kept in a data folder and no version reads now."""
    for name in FORMER:
        with suppress(OSError):  # it is in nobody's way
            if _is_former_cache(folder / name):
                shutil.rmtree(folder / name)


def _is_database(name: str) -> bool:
    return name in (SQLITE, *(SQLITE + end for end in BESIDE))


def fsync_folder(folder: Path) -> None:
    """Names that were changed in a folder survive a power cut."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):  # some file systems know no such thing
            os.fsync(descriptor)
    finally:
        os.close(descriptor)


def restrict_permissions(folder: Path) -> list[Path]:
    """Leave a data folder, and all that a site has put into it, to its owner alone; gives what stays open.

    A folder that holds other things too may be a home, or `/tmp`: of it only what is the site's is closed.
    """
    folder = folder.resolve()
    names = {one.name for one in folder.iterdir()}
    ours = {name for name in names if name.startswith((*OURS, *COPIES)) or _is_former_cache(folder / name)}
    alone = names <= {*ours, *OF_THE_DISK} and not folder.stat().st_mode & stat.S_ISVTX
    left = [one for name in sorted(ours) for one in _all_files(folder / name) if not _closed(one)]
    if _is_open(folder) and not (alone and _closed(folder)):
        left = [folder, *left]
    if left:
        sys.stderr.write(OPEN.format(one=left[0]))
    return left


def _all_files(top: Path) -> Iterator[Path]:
    """A file, or a folder with all that is in it and what no link leads to."""
    yield top
    if not top.is_symlink():
        for place, inner, files in os.walk(top):
            yield from (Path(place, name) for name in (*inner, *files))


def _closed(one: Path) -> bool:
    """Nobody else reads or writes it, from now on; it may be gone meanwhile."""
    try:
        if _is_open(one):
            one.chmod(stat.S_IMODE(one.stat().st_mode) & ~OTHERS)
        return not _is_open(one)
    except FileNotFoundError:
        return True
    except OSError:
        return False


def _is_open(one: Path) -> bool:
    found = one.lstat()
    return not stat.S_ISLNK(found.st_mode) and bool(found.st_mode & OTHERS)


class DataFolderLock:
    """A data folder is in use while this is kept: together with others, or alone.

    Where the file system knows no locks, nothing is held and nothing refused. Whoever uses it has closed it
    to other accounts of the machine.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        restrict_permissions(folder)
        self._descriptor = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, 0o600)

    def try_exclusive(self) -> bool:
        """Whether nobody else uses the folder now, nor will while this is held."""
        return self._lock(fcntl.LOCK_EX | fcntl.LOCK_NB)

    def share(self) -> None:
        """Beside others who serve; waits while somebody needs it alone."""
        self._lock(fcntl.LOCK_SH)

    def release(self) -> None:
        os.close(self._descriptor)

    def _lock(self, how: int) -> bool:
        try:
            fcntl.flock(self._descriptor, how)
        except BlockingIOError:
            return False
        except OSError:
            return True
        return True


@contextmanager
def locked_alone(folder: Path, refusal: str = "served") -> Iterator[None]:
    """Nobody serves the folder meanwhile. Raises BackupError with the code `refusal` where somebody does."""
    hold = DataFolderLock(folder)
    try:
        if not hold.try_exclusive():
            raise BackupError(refusal, folder=folder)
        yield
    finally:
        hold.release()
