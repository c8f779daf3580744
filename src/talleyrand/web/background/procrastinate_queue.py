"""The door to Procrastinate, the queue of the large setting: a schema of its own in the site's PostgreSQL.

Nothing in it has to last. So it is in no copy of a site, moves nowhere, is asked for by no migration, and is
made anew where another version of Procrastinate finds it.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from asgiref.sync import sync_to_async
from django.db import connection, transaction

if TYPE_CHECKING:
    import procrastinate

SCHEMA = "talleyrand_queue"
TURNS = 1901_1915  # the lock of those who make the schema; any number would do
PATIENCE = 10.0  # seconds for a connection
ALIVE = 60  # seconds after which a worker that has not been heard of is dead


@dataclass(frozen=True)
class QueueConnection:
    """The queue, open for calls."""

    app: procrastinate.App

    def enqueue(self, name: str, lock: str, arguments: dict[str, Any]) -> None:
        """Queue a job, unless the same waits there already."""
        from procrastinate.exceptions import AlreadyEnqueued

        try:
            self.app.configure_task(name, queueing_lock=lock).defer(**arguments)
        except AlreadyEnqueued:
            return


@contextmanager
def open_queue() -> Iterator[QueueConnection]:
    """Raises what Procrastinate does where the database does not answer."""
    import procrastinate

    # From the same door as the worker's, but without a loop.
    connector = procrastinate.SyncPsycopgConnector(
        kwargs=connection_parameters(), min_size=1, max_size=1, num_workers=1, timeout=PATIENCE
    )
    with procrastinate.App(connector=connector).open() as app:
        yield QueueConnection(app)


@asynccontextmanager
async def open_worker_queue(at_once: int) -> AsyncIterator[procrastinate.App]:
    """The queue for a worker that does so many jobs at once: one connection for each, one to hear calls."""
    import procrastinate

    connector = procrastinate.PsycopgConnector(
        kwargs=await sync_to_async(connection_parameters)(),
        min_size=1,
        max_size=at_once + 2,
        timeout=PATIENCE,
    )
    async with procrastinate.App(connector=connector).open_async() as app:
        yield app


def connection_parameters() -> dict[str, Any]:
    """How the site's database is reached, with the queue's schema in the place of the site's."""
    found = connection.get_connection_params()
    for name in ("cursor_factory", "context"):
        found.pop(name, None)
    options = f"{found.get('options') or ''} -c search_path={SCHEMA}".strip()
    return {**found, "options": options}


def create_queue() -> None:
    """Make the queue where it is missing, or of another version. What was in it, the sweeps do."""
    from procrastinate.schema import SchemaManager

    mine = version("procrastinate")
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [TURNS])
        cursor.execute("SELECT obj_description(to_regnamespace(%s), 'pg_namespace')", [SCHEMA])
        if cursor.fetchone() == (mine,):
            return
        cursor.execute(f"DROP SCHEMA IF EXISTS {SCHEMA} CASCADE; CREATE SCHEMA {SCHEMA}")
        cursor.execute(f"SET LOCAL search_path = {SCHEMA}")
        cursor.execute(SchemaManager.get_schema())
        cursor.execute(f"COMMENT ON SCHEMA {SCHEMA} IS '{mine}'")


@dataclass(frozen=True)
class QueueStatus:
    """How many workers were heard of lately, and how many jobs wait for one."""

    workers: int
    waiting: int


def queue_status() -> QueueStatus:
    """Nobody and nothing where no worker has made the queue yet."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT to_regclass(%s)", [f"{SCHEMA}.procrastinate_workers"])
        if cursor.fetchone() == (None,):
            return QueueStatus(0, 0)
        alive = f"last_heartbeat > now() - interval '{ALIVE} seconds'"
        cursor.execute(f"SELECT count(*) FROM {SCHEMA}.procrastinate_workers WHERE {alive}")  # noqa: S608 our own words
        workers = cursor.fetchone()[0]
        cursor.execute(f"SELECT count(*) FROM {SCHEMA}.procrastinate_jobs WHERE status = 'todo'")  # noqa: S608
        return QueueStatus(workers, cursor.fetchone()[0])
