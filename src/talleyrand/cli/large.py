"""`talleyrand pages`, `talleyrand events`, `talleyrand worker`: a large site, in processes of its own."""

from __future__ import annotations

import argparse
import signal
import sys
import threading
from collections.abc import Callable
from importlib import import_module, util
from pathlib import Path
from typing import Any

from .console import CliSentences
from .failures import DONE, FAULT, CommandError
from .site_commands import (
    LOCALHOST,
    SITE_PACKAGES,
    data_folder,
    port_number,
)

Command = Callable[[str], argparse.ArgumentParser]
LARGE_SITE_PACKAGES = ("granian", "procrastinate", "psycopg", "psycopg_pool")
PAGES_PORT, EVENTS_PORT = 8000, 8100
DEFAULT_THREADS, DEFAULT_JOBS = 8, 4


def describe(command: Command, say: CliSentences) -> None:
    """Add the commands."""
    parser = _place(command("pages"), say, PAGES_PORT)
    parser.add_argument(
        "--processes", type=_few, default=1, metavar=say("metavar.number"), help=say("help.pages.processes")
    )
    parser.add_argument(
        "--threads",
        type=_few,
        default=DEFAULT_THREADS,
        metavar=say("metavar.number"),
        help=say("help.pages.threads"),
    )
    parser.set_defaults(run=run_pages)
    _place(command("events"), say, EVENTS_PORT).set_defaults(run=run_events)
    parser = _data(command("worker"), say)
    parser.add_argument(
        "--jobs", type=_few, default=DEFAULT_JOBS, metavar=say("metavar.number"), help=say("help.worker.jobs")
    )
    parser.set_defaults(run=run_worker)


def _place(parser: argparse.ArgumentParser, say: CliSentences, usual: int) -> argparse.ArgumentParser:
    parser.add_argument("--host", default=LOCALHOST, help=say("help.host"))
    parser.add_argument(
        "--port", type=port_number, default=usual, help=say("help.large.port", port=str(usual))
    )
    return _data(parser, say)


def _data(parser: argparse.ArgumentParser, say: CliSentences) -> argparse.ArgumentParser:
    parser.add_argument("--data", type=Path, metavar=say("metavar.folder"), help=say("help.data"))
    return parser


def _few(text: str) -> int:
    """From 1 to 64; ValueError for any other text."""
    found = int(text)
    if not 1 <= found <= 64:
        raise ValueError(text)
    return found


def run_pages(options: argparse.Namespace, _say: CliSentences) -> int:
    """Serve pages until interrupted."""
    many = {"processes": options.processes, "threads": options.threads}
    status: int = _processes().serve_pages(options.host, options.port, data_folder(options), **many)
    return status


def run_events(options: argparse.Namespace, _say: CliSentences) -> int:
    """Serve what is live until interrupted."""
    status: int = _processes().serve_event_streams(options.host, options.port, data_folder(options))
    return status


def run_worker(options: argparse.Namespace, say: CliSentences) -> int:
    """Do the slow work until interrupted."""
    processes = _processes()
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())

    def told() -> None:
        print(say("worker.begun"), flush=True)

    try:
        processes.run_worker(stop, told, data_folder(options), at_once=options.jobs)
    except processes.CannotServe as problem:
        print(problem, file=sys.stderr)
        return FAULT
    return DONE


def _processes() -> Any:
    if missing := [name for name in SITE_PACKAGES if util.find_spec(name) is None]:
        raise CommandError("error.no_web", missing=", ".join(missing))
    if missing := [name for name in LARGE_SITE_PACKAGES if util.find_spec(name) is None]:
        raise CommandError("error.no_large", missing=", ".join(missing))
    return import_module("talleyrand.web.server.large_site")
