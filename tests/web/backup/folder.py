"""Data folders as older versions left them."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from talleyrand.web.backup import data_folder

HERE = Path(__file__).parent
BEFORE_ACCOUNTS = (HERE / "before_accounts.sql").read_text("utf-8")  # with one game of practice
BEFORE_NAMES = (HERE / "before_names.sql").read_text("utf-8")  # tables by former names, a row in each
OLD_GAME = "OldGameOldGa"
KEY = "k" * 60
SQLITE: dict[str, Any] = {"ENGINE": "django.db.backends.sqlite3"}


def old_folder(folder: Path, more: str = "", content: str = BEFORE_ACCOUNTS) -> Path:
    """Filled as that version filled it; `more` is SQL on top."""
    folder.mkdir(parents=True, exist_ok=True)
    with closing(database(folder)) as made:
        made.execute("PRAGMA journal_mode=WAL")
        made.executescript(content + more)
    (folder / "secret_key").write_text(KEY + "\n", "ascii")
    (folder / "static").mkdir()
    (folder / "static" / "cached.css").write_text("p {}", "ascii")
    return folder


def with_former_caches(site: Path) -> Path:
    """The caches of documents that earlier versions kept there, and papers of somebody's own."""
    for name in ("library/anjou-fr-" + "0a" * 12, "histories/" + "0b" * 16, "reports/" + "0c" * 16):
        made = site / f"{name}.pdf"
        made.parent.mkdir()
        made.write_bytes(b"%PDF")
    (site / "previews").mkdir()
    (site / "previews" / f"{'0d' * 16}.png").write_bytes(b"PNG")
    (site / "previews" / "tmpabcd_123").write_bytes(b"PN")
    (site / "papers").mkdir()
    (site / "papers" / f"{'0e' * 16}.pdf").write_bytes(b"%PDF")
    (site / "papers" / "statutes.pdf").write_bytes(b"%PDF")
    return site


def database(folder: Path) -> sqlite3.Connection:
    return sqlite3.connect(folder / data_folder.SQLITE, timeout=20)


def games(folder: Path) -> list[str]:
    with closing(database(folder)) as found:
        return [key for (key,) in found.execute("SELECT key FROM practice_practicegame ORDER BY id")]


def is_sound(folder: Path) -> bool:
    with closing(database(folder)) as found:
        whole = found.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        return whole and found.execute("PRAGMA foreign_key_check").fetchone() is None


def state(folder: Path) -> dict[str, bytes]:
    """Every file of a folder but the lock, to see that nothing changed."""
    return {
        str(one.relative_to(folder)): one.read_bytes()
        for one in sorted(folder.rglob("*"))
        if one.is_file() and one.name != data_folder.LOCK and not one.name.endswith(("-shm", "-wal"))
    }
