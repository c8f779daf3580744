"""A worker: does what the queue calls for, until it is told to stop. The sweeps go on beside it."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import TYPE_CHECKING

from django.db import connections

from . import procrastinate_queue
from .jobs import JOBS, Job
from .periodic_runner import repeat_works

if TYPE_CHECKING:
    import procrastinate

    Task = Callable[..., Coroutine[None, None, None]]

POLL = 10.0  # seconds, should a call not be heard
LAST_JOBS = 5.0  # seconds that jobs are given which are being done
SECOND = 1.0

logger = logging.getLogger(__name__)


def run_queue_worker(stop: threading.Event, at_once: int) -> None:
    """Do jobs, so many at once, until `stop` is set; a database that goes away is waited for."""

    def work() -> None:
        procrastinate_queue.create_queue()
        asyncio.run(_work(stop, at_once))

    repeat_works("the queue", [work], stop, lambda: SECOND)


async def _work(stop: threading.Event, at_once: int) -> None:
    async with procrastinate_queue.open_worker_queue(at_once) as app:
        for job in JOBS.values():
            app.task(name=job.name)(_task(job))
        await _tidy(app)
        working = asyncio.create_task(
            app.run_worker_async(
                concurrency=at_once,
                delete_jobs="always",
                fetch_job_polling_interval=POLL,
                install_signal_handlers=False,
                shutdown_graceful_timeout=LAST_JOBS,
            )
        )
        while not (stop.is_set() or working.done()):
            await asyncio.wait({working}, timeout=SECOND)
        working.cancel()
        await asyncio.gather(working, return_exceptions=stop.is_set())


def _task(job: Job) -> Task:
    async def do(**arguments: object) -> None:
        """In a thread that nobody waits for at the end: what it leaves undone, the next sweep does."""
        loop = asyncio.get_running_loop()
        done = asyncio.Event()

        def work() -> None:
            _do(job, arguments)
            with suppress(RuntimeError):  # the loop is over
                loop.call_soon_threadsafe(done.set)

        threading.Thread(target=work, name=job.name, daemon=True).start()
        await done.wait()

    return do


def _do(job: Job, arguments: dict[str, object]) -> None:
    try:
        job.run(**arguments)
    except Exception:
        logger.exception("the job “%s” stumbled; the next sweep does it", job.name)
    finally:
        connections.close_all()


async def _tidy(app: procrastinate.App) -> None:
    """Forget what workers had begun that have died since: their rows are due again by themselves."""
    from procrastinate.jobs import Status

    for job in await app.job_manager.get_stalled_jobs(seconds_since_heartbeat=procrastinate_queue.ALIVE):
        await app.job_manager.finish_job(job, status=Status.FAILED, delete_job=True)
