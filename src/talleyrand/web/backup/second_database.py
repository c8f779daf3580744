"""A second database beside the site's own, by Django's settings of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from django.db import DatabaseError, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.utils import load_backend

from .backup_errors import BackupError
from .table_rows import database_message

SNAPSHOT = {"isolation_level": 3}  # REPEATABLE READ


@contextmanager
def open_database(alias: str, settings: Mapping[str, Any], **more: Any) -> Iterator[BaseDatabaseWrapper]:
    """Open a database under a name for as long as the block lasts; `more` are options of its driver.

    Raises CannotKeep where it does not answer; its password is never repeated.
    """
    asked = {**settings, "OPTIONS": {**(settings.get("OPTIONS") or {}), **more}}
    whole = connections.configure_settings({"default": {}, alias: asked})[alias]
    database = load_backend(whole["ENGINE"]).DatabaseWrapper(whole, alias)
    try:
        database.ensure_connection()
    except (DatabaseError, UnicodeError, ValueError) as problem:
        raise BackupError("unreachable", reason=_without(whole.get("PASSWORD"), problem)) from problem
    connections[alias] = database
    try:
        yield database
    finally:
        database.close()
        del connections[alias]


def _without(password: Any, problem: Exception) -> str:
    said = database_message(problem)
    return said.replace(str(password), "…") if password else said
