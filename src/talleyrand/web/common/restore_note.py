"""Notes in the data folder that a copy was put back there: what it waited to send has long been sent.

Each of those who send has a note of his own, and takes it away.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

NAME, WEBHOOKS = "restored.json", "restored_webhooks.json"
LONG_AGO = datetime.min.replace(tzinfo=UTC)


def write_note(folder: Path, made: str) -> None:
    """Say that what is in this folder is as it was at the moment `made`."""
    for name in (NAME, WEBHOOKS):
        (folder / name).write_text(json.dumps({"made": made}), "utf-8")


def read_note(folder: Path, name: str = NAME) -> datetime | None:
    """Of when the data of a folder are, if a note says so; LONG_AGO where nobody can read it."""
    try:
        text = (folder / name).read_text("utf-8")
    except FileNotFoundError:
        return None
    try:
        made = datetime.fromisoformat(json.loads(text)["made"])
    except (ValueError, KeyError, TypeError):
        return LONG_AGO
    return made if made.tzinfo is not None else made.replace(tzinfo=UTC)


def delete_note(folder: Path, name: str = NAME) -> None:
    """It has been reckoned with."""
    (folder / name).unlink(missing_ok=True)
