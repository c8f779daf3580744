"""`talleyrand move`: a whole site goes from SQLite to PostgreSQL, or back."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from time import monotonic
from typing import Any

from .backup import site_database
from .console import CliSentences
from .failures import CommandError
from .site_commands import data_folder

TERMINAL_INTERVAL, LOG_INTERVAL = (
    0.5,
    30.0,
)  # seconds between two lines of progress, on a terminal and elsewhere


def describe(command: Callable[[str], argparse.ArgumentParser], say: CliSentences) -> None:
    """Add the command."""
    parser = command("move")
    parser.add_argument("--to", required=True, metavar=say("metavar.database"), help=say("help.move.to"))
    parser.add_argument("--data", type=Path, metavar=say("metavar.folder"), help=say("help.data"))
    parser.set_defaults(run=move_site)


def move_site(options: argparse.Namespace, say: CliSentences) -> int:
    """Move the site from the database in use to another."""
    folder, progress = data_folder(options), MoveProgress(say)
    with site_database(say) as settings:
        target = _target(options.to)
        try:
            moved = import_module("talleyrand.web.backup.database_move").move_database(
                folder, settings, target, progress
            )
        finally:
            progress.end()
    print(say("move.done", rows=str(moved.rows)))
    if moved.files:
        print(say("move.files", files=", ".join(moved.files)))
    print(
        say("move.next.folder", folder=options.to) if isinstance(target, Path) else say("move.next.database")
    )
    _tell_of_the_key(target if isinstance(target, Path) else folder, say)
    return 0


def _target(text: str) -> dict[str, Any] | Path:
    """The settings of a PostgreSQL, or a folder."""
    if "://" not in text:
        return Path(text)
    from django.core.exceptions import ImproperlyConfigured

    try:
        found: dict[str, Any] = import_module("talleyrand.web.settings.databases").postgresql_settings(
            "--to", text
        )
    except ImproperlyConfigured as problem:
        raise CommandError("error.keeping", reason=str(problem)) from problem
    return found


def _tell_of_the_key(folder: Path, say: CliSentences) -> None:
    """Where the key is that sessions and links are signed with: no database holds it."""
    if os.environ.get("TALLEYRAND_SECRET_KEY", "").strip():
        print(say("move.key.variable"))
    elif (folder / "secret_key").is_file():
        print(say("move.key.file", file=str(folder / "secret_key")))
    else:
        print(say("move.key.missing", folder=str(folder)))


class MoveProgress:
    """A line that says how much is done: written again and again on a terminal, else now and then."""

    def __init__(self, say: CliSentences) -> None:
        self._say, self._live = say, sys.stderr.isatty()
        self._told, self._width = monotonic() - (LOG_INTERVAL if self._live else 0), 0

    def __call__(self, table: str, done: int, total: int) -> None:
        """Tell which table is at work, unless that was told just now."""
        now = monotonic()
        if now - self._told < (TERMINAL_INTERVAL if self._live else LOG_INTERVAL):
            return
        self._told = now
        percent = f"{100 * done / max(total, 1):.0f}"
        line = self._say("move.progress", percent=percent, done=str(done), all=str(total), table=table)
        if self._live:
            print(f"\r{line:{self._width}}", end="", file=sys.stderr, flush=True)
            self._width = len(line)
        else:
            print(line, file=sys.stderr, flush=True)

    def end(self) -> None:
        """Leave the line."""
        if self._width:
            print(file=sys.stderr)
            self._width = 0
