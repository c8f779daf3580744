"""Files that take long to make, kept in the data folder until newer ones want their room."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import Any, cast

from django.conf import settings

from talleyrand.web.background import documents
from talleyrand.web.background.documents import NotMade, Preparing
from talleyrand.web.background.jobs import JOBS
from talleyrand.web.patience import patience

AT_ONCE = 2.0  # seconds that a page waits for a worker before it says that it is being prepared


class Busy(Exception):
    """Another file is being made."""


@dataclass
class Store:
    """A folder with at most so many files, made one at a time.

    A file is named for everything that it is made from: it is never out of date.
    """

    folder: str
    most: int
    patience: float  # seconds that a reader waits for the file of another before being asked to come back
    _at_work: Lock = field(default_factory=Lock, repr=False)

    def kept(self, name: str, make: Callable[[], bytes]) -> bytes:
        """The file of that name, made now if it is not there. Raises Busy and what `make` raises."""
        file = Path(settings.DATA) / self.folder / name
        found = _read(file)
        return self._made(file, make) if found is None else found

    def document(self, name: str, maker: str, **told: Any) -> bytes:
        """The file of that name, which the job `maker` makes of `told`: here, or a worker where there is one.

        Raises Busy, Preparing, NotMade and what the job does.
        """
        if settings.WORKERS:
            return documents.kept(f"{self.folder}/{name}", maker, told, min(self.patience, AT_ONCE))
        return self.kept(name, lambda: cast(bytes, JOBS[maker].do(**told)))

    def _made(self, file: Path, make: Callable[[], bytes]) -> bytes:
        with patience(self.patience) as seconds:
            if not self._at_work.acquire(timeout=seconds):
                raise Busy
        try:
            found = _read(file)
            if found is None:
                found = make()
                _write(file, found)
                self._make_room(file.parent)
            return found
        finally:
            self._at_work.release()

    def _make_room(self, folder: Path) -> None:
        """Those that were not asked for longest go first."""
        files = sorted(folder.iterdir(), key=lambda file: file.stat().st_mtime, reverse=True)
        for old in files[self.most :]:
            old.unlink(missing_ok=True)


def _read(file: Path) -> bytes | None:
    try:
        content = file.read_bytes()
        file.touch()
    except FileNotFoundError:
        return None
    return content


def _write(file: Path, content: bytes) -> None:
    """In place at once or not at all."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=file.parent, delete=False) as writing:
        writing.write(content)
    Path(writing.name).replace(file)


__all__ = ["AT_ONCE", "Busy", "NotMade", "Preparing", "Store"]
