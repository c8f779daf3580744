"""What there is to do, by name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.utils.module_loading import import_string


@dataclass(frozen=True)
class Job:
    """A function by its dotted path, which is imported when it is first needed.

    With `every`, sites and workers call it without arguments every so many seconds: it does all that is due.
    """

    name: str
    path: str
    every: float | None = None

    def run(self, **arguments: Any) -> object:
        return import_string(self.path)(**arguments)


JOBS: dict[str, Job] = {}


def register(name: str, path: str, *, every: float | None = None) -> None:
    """Make a job known; to be called in `AppConfig.ready`.

    The function claims each row that it works on, so that any number may do it at once, here and elsewhere.
    Where its arguments are not simple JSON, it is told a key and reads the row.
    """
    JOBS[name] = Job(name, path, every)


def periodic_jobs() -> list[Job]:
    """The jobs that a sweep sees to."""
    return [job for job in JOBS.values() if job.every is not None]
