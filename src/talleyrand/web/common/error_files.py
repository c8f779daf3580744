"""Keeps the errors of the last days beside the log, a file a day, for the administrator's page.

What stands there is what the log says in JSON: kinds and places, nobody's name, address or text.
"""

from __future__ import annotations

import json
import logging
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

FOLDER = ".errors"
LARGEST = 512 * 1024  # bytes of a day: what goes wrong a thousand times is told by its first
DAYS = 2


class ErrorFileHandler(logging.Handler):
    """Appends each error to the file of its day. A disk that is full is no reason to fail again."""

    def __init__(self, data: Path) -> None:
        super().__init__(logging.ERROR)
        self.folder = data / FOLDER

    def emit(self, record: logging.LogRecord) -> None:
        with suppress(OSError, ValueError):
            self.folder.mkdir(exist_ok=True)
            file = self.folder / _name(datetime.now(UTC).date())
            if not file.exists() or file.stat().st_size < LARGEST:
                with file.open("a", encoding="utf-8", errors="replace") as out:
                    out.write(f"{self.format(record)}\n")


def errors_since(data: Path, since: datetime, now: datetime) -> list[dict[str, Any]]:
    """What was kept from then on, the oldest first; half a line is passed over."""
    days = [since.date() + timedelta(days=day) for day in range((now.date() - since.date()).days + 1)]
    found = []
    for file in (data / FOLDER / _name(day) for day in days):
        with suppress(OSError):
            found += [
                one for line in file.read_text("utf-8", "replace").splitlines() for one in _parsed(line)
            ]
    return [one for one in found if datetime.fromisoformat(one["time"]) >= since]


def _parsed(line: str) -> list[dict[str, Any]]:
    try:
        one = json.loads(line)
        moment = datetime.fromisoformat(one["time"])
    except (ValueError, KeyError, TypeError):
        return []
    return [one] if moment.tzinfo else []


def prune(data: Path, now: datetime) -> int:
    """Delete the files of earlier days; how many."""
    kept = {_name(now.date() - timedelta(days=day)) for day in range(DAYS)}
    old = [file for file in (data / FOLDER).glob("*.jsonl") if file.name < min(kept)]
    for file in old:
        file.unlink(missing_ok=True)
    return len(old)


def _name(day: date) -> str:
    return f"{day:%F}.jsonl"
