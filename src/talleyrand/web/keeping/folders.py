"""What lies in a data folder: what lasts, what can be made again, and who holds it."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from .faults import CannotKeep

SQLITE = "talleyrand.sqlite3"
BESIDE = ("-wal", "-shm", "-journal")
LOCK = ".lock"
BACKUPS = "backups"
ASIDE = "before-restore-"
STAGING = ".restoring"
CACHES = frozenset({"static", BACKUPS})
TESTS = "test.sqlite3"


def lasting(folder: Path) -> Iterator[Path]:
    """The files beside the database that a copy holds: whatever is no cache and no lock."""
    for top in sorted(folder.iterdir()):
        if not may_hold(top.name) or top.is_symlink():
            continue
        files = [top] if top.is_file() else sorted(one for one in top.rglob("*") if one.is_file())
        yield from (one for one in files if not one.is_symlink())


def present(folder: Path) -> list[str]:
    """The names in a data folder that a restored copy takes the place of."""
    return sorted(one.name for one in folder.iterdir() if _stays(one.name))


def may_hold(name: str) -> bool:
    """Whether a name at the top of a data folder is one that copies hold, beside the database."""
    return _stays(name) and not _is_database(name) and not name.endswith(".zip")  # a copy holds no copies


def _stays(name: str) -> bool:
    return not (name.startswith((".", ASIDE, TESTS)) or name in CACHES)


def _is_database(name: str) -> bool:
    return name in (SQLITE, *(SQLITE + end for end in BESIDE))


def sync(folder: Path) -> None:
    """Names that were changed in a folder survive a power cut."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):  # some file systems know no such thing
            os.fsync(descriptor)
    finally:
        os.close(descriptor)


class Hold:
    """A data folder is in use while this is kept: together with others, or alone.

    Where the file system knows no locks, nothing is held and nothing refused.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._descriptor = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, 0o600)

    def alone(self) -> bool:
        """Whether nobody else uses the folder now, nor will while this is held."""
        return self._lock(fcntl.LOCK_EX | fcntl.LOCK_NB)

    def together(self) -> None:
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
def held_alone(folder: Path, refusal: str = "served") -> Iterator[None]:
    """Nobody serves the folder meanwhile. Raises CannotKeep with the code `refusal` where somebody does."""
    hold = Hold(folder)
    try:
        if not hold.alone():
            raise CannotKeep(refusal, folder=folder)
        yield
    finally:
        hold.release()
