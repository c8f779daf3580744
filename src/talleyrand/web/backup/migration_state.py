"""Which steps the tables of a database went through, and which this program knows."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from typing import Any


def database_kind(settings: Mapping[str, Any]) -> str:
    """ "sqlite" or "postgresql", from Django's settings of a database."""
    return "postgresql" if "postgresql" in str(settings["ENGINE"]) else "sqlite"


def known_migrations() -> set[str]:
    """Every step of this version, "app.name"."""
    from django.db.migrations.loader import MigrationLoader

    from .older_schema import replaced_steps

    on_disk = MigrationLoader(None, ignore_no_migrations=True).disk_migrations
    return {".".join(one) for one in chain(on_disk, *replaced_steps().values())}


def applied_migrations(alias: str = "default") -> set[str]:
    """The steps that the site's database went through, or another that is open."""
    from django.db import connections
    from django.db.migrations.recorder import MigrationRecorder

    return {".".join(one) for one in MigrationRecorder(connections[alias]).applied_migrations()}


def pending_migrations() -> list[str]:
    """The steps that the site's database has before it, in their order."""
    from django.db import connection
    from django.db.migrations.executor import MigrationExecutor

    executor = MigrationExecutor(connection)
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    return [f"{step.app_label}.{step.name}" for step, _backwards in plan]


def has_pending() -> bool:
    """Whether the site's database has steps before it."""
    from django.db import connection
    from django.db.migrations.recorder import MigrationRecorder

    from .older_schema import started_schemas

    if started_schemas(MigrationRecorder(connection).applied_migrations()):
        return True
    return bool(pending_migrations())


def create_tables(alias: str) -> None:
    """Give an empty database the tables of this version, without a row in any."""
    from django.db import connections
    from django.db.migrations.executor import MigrationExecutor

    executor = MigrationExecutor(connections[alias])
    executor.migrate(executor.loader.graph.leaf_nodes())
