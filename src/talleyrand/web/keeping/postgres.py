"""PostgreSQL is copied and put back by its own tools."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from .faults import CannotKeep

PLACES = {
    "HOST": "PGHOST",
    "PORT": "PGPORT",
    "USER": "PGUSER",
    "PASSWORD": "PGPASSWORD",
    "NAME": "PGDATABASE",
}


def is_there() -> bool:
    return shutil.which("pg_dump") is not None


def dump(settings: Mapping[str, Any], target: Path) -> None:
    """One consistent state of the database, in PostgreSQL's own form. Raises CannotKeep."""
    _run(settings, "pg_dump", "--format=custom", "--no-owner", "--no-privileges", f"--file={target}")


def load(settings: Mapping[str, Any], file: Path) -> None:
    """Put a state back in one transaction. Raises CannotKeep; the database is as before then."""
    how = ("--clean", "--if-exists", "--no-owner", "--no-privileges", "--single-transaction")
    _run(settings, "pg_restore", *how, f"--dbname={settings['NAME']}", str(file))


def _run(settings: Mapping[str, Any], tool: str, *arguments: str) -> None:
    path = shutil.which(tool)
    if path is None:
        raise CannotKeep("no_tool", tool=tool)
    ran = subprocess.run(  # noqa: S603 our own words; what is secret goes by the environment
        (path, *arguments), env=_environment(settings), capture_output=True, text=True, check=False
    )
    if ran.returncode:
        reason = " ".join(ran.stderr.split()) or str(ran.returncode)
        raise CannotKeep("tool_failed", tool=tool, reason=reason)


def _environment(settings: Mapping[str, Any]) -> dict[str, str]:
    places = {known: str(settings[name]) for name, known in PLACES.items() if settings.get(name)}
    options = {f"PG{name.upper()}": str(value) for name, value in (settings.get("OPTIONS") or {}).items()}
    return {**os.environ, **options, **places}
